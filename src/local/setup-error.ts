import { WhatifError } from '../base/whatif-error.ts'

/**
 * Work that cannot begin because of its call or setup: a missing file, an option or an address that is not allowed.
 * `exitCode` is the exit code of the command line (study-language, "Exit codes"): 2 usage, 4 a question that does not fit the data, 5
 * authentication or configuration, 10 lock, 11 network; 1 for unexpected errors (`cli/output/failure.ts`).
 */
export class SetupError extends WhatifError {
  readonly exitCode: 1 | 2 | 4 | 5 | 10 | 11
  /** The message with the address of the service, where that helps: for a terminal, not for documents. */
  readonly located: string

  constructor(exitCode: SetupError['exitCode'], message: string, hint: string | null = null, located = message) {
    super('setup', message, { hint })
    this.exitCode = exitCode
    this.located = located
  }
}
