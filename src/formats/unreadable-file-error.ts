/**
 * A file that cannot be read as a table. `detail` says what the file looked like, what is wrong and what to do, in words for the
 * person who made the file: no paths, no library names. The service answers with it word for word.
 */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  readonly code = 'unreadable_file'
  readonly detail: string

  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.detail = detail
  }
}
