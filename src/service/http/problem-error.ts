import { WhatifError } from '../../base/whatif-error.ts'
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

/** `unauthorized` and `transport` stand for problems below the contract's codes, whose records have none. */
type ProblemCode = ErrorCode | 'unauthorized' | 'transport'

/**
 * A reply that is a problem record, thrown anywhere below a route; `problem-record.ts` renders it. Codes and their statuses
 * come from the catalogue in the contract. It has a stack only where it tells of the service's own failure (5xx): nobody
 * reads that of a refusal, and walking it takes several times as long as checking a token.
 */
export class ProblemError extends WhatifError {
  declare readonly code: ProblemCode
  readonly status: number
  readonly errors: readonly FieldError[]
  readonly errorsOmitted: number
  readonly schemaHint: SchemaHint | null
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras & { readonly cause?: unknown } = {}) {
    // A code without a status only ever stands inside a job's or generation's `error`; replying with it is a defect.
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

/** The one authentication failure. It has no code, and nothing in it tells the cases apart. */
export function unauthorized(): ProblemError {
  return new ProblemError('unauthorized', 'Invalid credentials.', { status: 401 })
}

/** A problem about HTTP itself: 408, malformed requests and the like. */
export function transportProblem(status: number, detail: string): ProblemError {
  return new ProblemError('transport', detail, { status })
}

const CLIENT_GONE = 'client_gone'

/** Ends a wait whose connection has closed: nobody reads the answer, and nothing of the service has failed. */
export function clientGone(): WhatifError {
  return new WhatifError(CLIENT_GONE, 'The client has gone.')
}

export function isClientGone(thrown: unknown): boolean {
  return thrown instanceof WhatifError && thrown.code === CLIENT_GONE
}
