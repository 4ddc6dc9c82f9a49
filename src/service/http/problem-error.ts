import { hasCode, WhatifError } from '../../base/whatif-error.ts'
import { ERROR_CATALOGUE, type ErrorCode } from '../../contract/errors.ts'
import { MAX_PROBLEM_ENTRIES } from '../../contract/limits.ts'
import type { FieldError, SchemaHint } from '../../contract/problem.ts'

/** Optional parts of a problem record. */
export interface ProblemExtras {
  /** Faults of the request; at most 50 are reported, the rest are counted in `errorsOmitted`. */
  readonly errors?: readonly FieldError[]
  /** Faults found beyond those in `errors`. */
  readonly errorsOmitted?: number
  readonly schemaHint?: SchemaHint
  /** Reply headers that belong to the error, such as `retry-after` or `allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Only for a status that the catalogue does not assign to the code. */
  readonly status?: number
}

/** `unauthorized` and `transport` are problems without a code of the contract, so their records have none. */
type ProblemCode = ErrorCode | 'unauthorized' | 'transport'

/**
 * A reply that is a problem record, thrown anywhere below a route and rendered by `problem-record.ts`. Codes and their
 * statuses come from the catalogue in the contract. Only failures of the service itself (5xx) have a stack: nobody
 * reads the stack of a refusal, and walking it takes several times as long as checking a token.
 */
export class ProblemError extends WhatifError {
  declare readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly FieldError[]
  readonly errorsOmitted: number
  readonly schemaHint: SchemaHint | null
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras & { readonly cause?: unknown } = {}) {
    // A code without a status occurs only inside a job's or generation's `error`; replying with it is a defect.
    const status = extras.status ?? (isInCatalogue(code) ? ERROR_CATALOGUE[code].status : null) ?? 500
    const { stackTraceLimit } = Error
    if (status < 500) Error.stackTraceLimit = 0
    super(code, detail, { cause: extras.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    const errors = extras.errors ?? []
    this.errors = errors.slice(0, MAX_PROBLEM_ENTRIES)
    this.errorsOmitted = (extras.errorsOmitted ?? 0) + Math.max(0, errors.length - MAX_PROBLEM_ENTRIES)
    this.schemaHint = extras.schemaHint ?? null
    this.headers = extras.headers ?? {}
  }
}

/** Whether a code is one of the contract's. */
export function isInCatalogue(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, code)
}

/** The only authentication failure. It has no code, and nothing in it distinguishes the cases. */
export function unauthorized(): ProblemError {
  return new ProblemError('unauthorized', 'Invalid credentials.', { status: 401 })
}

/** A problem about HTTP itself: 408, malformed requests and the like. */
export function transportProblem(status: number, detail: string): ProblemError {
  return new ProblemError('transport', detail, { status })
}

const CLIENT_GONE = 'client_gone'

/** Ends a wait whose connection has closed: nobody reads the reply, and the service has not failed. */
export function clientGone(): WhatifError {
  return new WhatifError(CLIENT_GONE, 'The client has gone.')
}

export function isClientGone(thrown: unknown): boolean {
  return hasCode(thrown, CLIENT_GONE)
}
