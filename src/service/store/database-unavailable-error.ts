import { WhatifError } from '../../base/whatif-error.ts'

/**
 * The database cannot be spoken to at the moment: it is not reached, restarts, has no connection left, or gave up a
 * statement for reasons that are not the statement's. Worth trying again.
 */
export class DatabaseUnavailableError extends WhatifError {
  constructor(cause: unknown) {
    super('database_unavailable', `The database cannot be used at the moment: ${messageOf(cause)}`, { cause })
  }
}

/** A host with several addresses gives an error for each, and above them one that has a code alone. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String((cause as NodeJS.ErrnoException).code ?? cause.name)
}
