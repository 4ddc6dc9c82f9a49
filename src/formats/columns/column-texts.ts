/**
 * The distinct texts of a column while its rows are read. A text has a place, which is valid until another text is
 * added, and an id, which remains.
 */
export interface ColumnTexts {
  /** Bytes of memory. */
  readonly sizeBytes: number
  /**
   * The place of a text; a new text is added with a count of zero.
   *
   * @param start inclusive; `end` exclusive.
   */
  placeOf(bytes: Uint8Array, start: number, end: number): number
  /** Counts the text at a place. */
  count(place: number): void
  idAt(place: number): number
}
