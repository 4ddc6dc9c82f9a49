import { WhatifError, type WhatifErrorOptions } from '../../base/whatif-error.ts'

/** The cause that prevents the start. */
export type UnusableCode =
  /** A flag of the command line. */
  | 'flag_invalid'
  /** Any other setting. */
  | 'setting_invalid'
  | 'database_unusable'
  | 'object_storage_unusable'
  | 'data_folder_in_use'

/**
 * The service cannot start with its current setup: a setting, the database, the object storage or the data folder. The
 * operator has to correct that. The message says how, and never repeats a secret.
 */
export class UnusableError extends WhatifError {
  declare readonly code: UnusableCode

  constructor(code: UnusableCode, message: string, options: WhatifErrorOptions = {}) {
    super(code, message, options)
  }
}
