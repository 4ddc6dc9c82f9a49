import { WhatifError } from '../../base/whatif-error.ts'

/**
 * A file that cannot be read as a table. `detail` describes the file, its fault and the remedy, for the person who made
 * the file: no paths, no library names. The service returns it word for word.
 */
export class UnreadableFileError extends WhatifError {
  readonly detail: string

  constructor(detail: string, options?: ErrorOptions) {
    super('unreadable_file', detail, options)
    this.detail = detail
  }
}

/**
 * Never leaves this room: the caller reads the file in another way, with more of its bytes, or with the reader for
 * every form of a value.
 */
export class ReadOtherwiseError extends WhatifError {
  constructor(message = 'another reader has to read the file') {
    super('read_otherwise', message)
  }
}
