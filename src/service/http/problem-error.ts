import { ERROR_CATALOGUE, type ErrorCode } from '../../contract/errors.ts'
import { MAX_PROBLEM_ENTRIES } from '../../contract/limits.ts'
import type { FieldError, SchemaHint } from '../../contract/problem.ts'

/** What a problem record carries beside its code and detail. */
export interface ProblemExtras {
  /** Faults of the request; at most 50 are kept, the rest are counted into `errorsOmitted`. */
  readonly errors?: readonly FieldError[]
  /** Faults found beyond those in `errors`. */
  readonly errorsOmitted?: number
  readonly schemaHint?: SchemaHint
  /** Reply headers that belong to the error, such as `retry-after` or `allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Only for a status that the catalogue does not give to the code. */
  readonly status?: number
}

/**
 * An error that is an answer. It has a stack only where it tells of the service's own failure (5xx): nobody reads that of
 * a refusal, and walking it takes several times as long as checking a token.
 */
abstract class AnswerError extends Error {
  readonly status: number

  constructor(status: number, detail: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error
    if (status < 500) Error.stackTraceLimit = 0
    super(detail, options)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
  }
}

/**
 * A reply that is a problem record, thrown anywhere below a route. The problem plugin (`problems.ts`) renders it; codes
 * and their statuses come from the catalogue in the contract.
 */
export class ProblemError extends AnswerError {
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  readonly errorsOmitted: number
  readonly schemaHint: SchemaHint | null
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, detail: string, extras: ProblemExtras & { readonly cause?: unknown } = {}) {
    // A code without a status only ever stands inside a job's or generation's `error`; replying with it is a defect.
    const status = extras.status ?? ERROR_CATALOGUE[code].status ?? 500
    super(status, detail, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.name = 'ProblemError'
    this.code = code
    const errors = extras.errors ?? []
    this.errors = errors.slice(0, MAX_PROBLEM_ENTRIES)
    this.errorsOmitted = (extras.errorsOmitted ?? 0) + Math.max(0, errors.length - MAX_PROBLEM_ENTRIES)
    this.schemaHint = extras.schemaHint ?? null
    this.headers = extras.headers ?? {}
  }
}

/** The one authentication failure. It has no code, and nothing in it tells the cases apart. */
export class UnauthorizedError extends AnswerError {
  constructor() {
    super(401, 'Invalid credentials.')
    this.name = 'UnauthorizedError'
  }
}

/** A problem below the contract's codes, about HTTP itself: 408, malformed requests and the like. */
export class TransportError extends AnswerError {
  constructor(status: number, detail: string) {
    super(status, detail)
    this.name = 'TransportError'
  }
}

/** Ends a wait whose connection has closed: nobody reads the answer, and nothing of the service has failed. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client has gone.')
    this.name = 'ClientGoneError'
  }
}
