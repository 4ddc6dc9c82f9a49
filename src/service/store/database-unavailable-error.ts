/**
 * The database cannot be spoken to at the moment: it is not reached, restarts, has no connection left, or gave up a
 * statement for reasons that are not the statement's. Worth trying again.
 */
export class DatabaseUnavailableError extends Error {
  readonly code = 'database_unavailable'

  constructor(cause: unknown) {
    super(`The database cannot be used at the moment: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'DatabaseUnavailableError'
  }
}
