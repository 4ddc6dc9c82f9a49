/** Rows that two tables have in common by chance are fewer. */
const MIN_COPIED_ROWS = 5

/**
 * Whether a table stands several times below itself, row for row the same.
 *
 * @param ids of the rows by column; all rows of the file, in their sequence.
 * @param parts into which the headers that come again divide the rows.
 */
export function areCopies(ids: readonly Int32Array[], parts: number): boolean {
  const rows = ids[0]?.length ?? 0
  const size = rows / parts
  if (!Number.isInteger(size) || size < MIN_COPIED_ROWS) return false
  return ids.every((column) => {
    for (let row = size; row < rows; row++) if (column[row] !== column[row - size]) return false
    return true
  })
}
