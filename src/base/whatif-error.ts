/** What an exception says beside its message. */
export interface WhatifErrorOptions {
  readonly hint?: string | null
  readonly cause?: unknown
}

/**
 * The base of this package's exceptions. A class of its own is for callers who act differently on it; where they only tell
 * what happened, a `code` is enough.
 */
export class WhatifError extends Error {
  /** A short stable word, lower case with underscores. */
  readonly code: string
  /** What to do; null where the message says it. */
  readonly hint: string | null

  constructor(code: string, message: string, options: WhatifErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.hint = options.hint ?? null
  }
}
