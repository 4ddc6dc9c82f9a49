/** Limits on a peer's use of the server, in addition to the limits of the contract. */
export interface HttpLimits {
  /** A request's headers must have arrived by then. */
  readonly headersTimeoutMs: number
  /** A JSON or form body must have arrived by then. */
  readonly bodyTimeoutMs: number
  /** Any request, the largest upload over a slow line included, must have arrived by then. */
  readonly requestTimeoutMs: number
  /** A connection on which nothing moves is closed. Longer than the longest synchronous wait (60 s). */
  readonly idleTimeoutMs: number
  /** How often Node looks for requests that are past `headersTimeoutMs` or `requestTimeoutMs`. */
  readonly timeoutCheckMs: number
  /**
   * Most bytes that are read and discarded after an early reply, so that the peer can read it before the connection
   * ends.
   */
  readonly discardBytes: number
  readonly discardMs: number
  /** The same per second for all unauthenticated requests together. */
  readonly strangerBytes: number
  /** Most concurrent large replies to one tenant, and the time limit for reading each. */
  readonly largeAnswers: number
  readonly largeAnswerMs: number
  /** Deepest nesting of a JSON body. */
  readonly jsonDepth: number
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  requestTimeoutMs: 60 * 60_000,
  idleTimeoutMs: 120_000,
  timeoutCheckMs: 5_000,
  discardBytes: 100 * 1024 * 1024,
  discardMs: 30_000,
  strangerBytes: 8 * 1024 * 1024,
  largeAnswers: 8,
  largeAnswerMs: 120_000,
  jsonDepth: 32,
}
