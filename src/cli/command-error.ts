/**
 * A command that cannot go on because of how it was called or set up. The message is written for the person who typed
 * it; `exitCode` is the table's (study-language, "Exit codes"): 2 usage, 5 authentication or configuration, 10 lock, 11 network.
 */
export class CommandError extends Error {
  readonly exitCode: 2 | 5 | 10 | 11
  readonly hint: string | null

  constructor(exitCode: 2 | 5 | 10 | 11, message: string, hint: string | null = null) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.hint = hint
  }
}
