/** How long and how much a peer may keep the server busy, apart from the limits of the contract. */
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
  /** What is read and thrown away after an early answer, so that the peer can read it before the connection ends. */
  readonly discardBytes: number
  readonly discardMs: number
  /** The same for all together who are not authenticated, in a second. */
  readonly strangerBytes: number
  /** Large answers that are sent to one tenant at a time, and how long each may take to be read. */
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
