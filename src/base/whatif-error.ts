/** The parts of an exception apart from its message. */
export interface WhatifErrorOptions {
  readonly hint?: string | null
  readonly cause?: unknown
}

/**
 * The base of this package's exceptions. A subclass exists only if callers act differently on it; otherwise a `code` is
 * enough.
 */
export class WhatifError extends Error {
  /** A short stable word, lower case with underscores. */
  readonly code: string
  /** The remedy; null when the message states it. */
  readonly hint: string | null

  constructor(code: string, message: string, options: WhatifErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint ?? null
  }
}

/** Whether `error` is an exception of this package with that code. */
export function hasCode(error: unknown, code: string): error is WhatifError {
  return error instanceof WhatifError && error.code === code
}
