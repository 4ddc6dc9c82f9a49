import type { OutputFormat } from '../base/result-formats.ts'
import type { TablePiece } from './writing/table-piece.ts'

/**
 * Rows of a piece are a multiple of these, unless it is the last: row groups of Parquet have 122,880 rows, and Arrow has a batch for
 * each block.
 */
export const ROW_GROUP_ROWS = 122_880

/**
 * Joins the pieces of a table into the bytes that one writer would have written, in memory that does not grow with their rows.
 *
 * @param pieces Files that `openTableWriter` wrote for the same columns, in the sequence of their rows; those after the first as
 * `isContinuation`. Each has a multiple of ROW_GROUP_ROWS rows in whole blocks, except the last.
 * @throws {RangeError} for pieces that are no such files.
 */
export async function* joinTables(
  format: OutputFormat,
  pieces: readonly TablePiece[],
): AsyncGenerator<Uint8Array, void, undefined> {
  switch (format) {
    case 'parquet': {
      const { joinParquet } = await import('./parquet/join-parquet.ts')
      return yield* joinParquet(pieces)
    }
    case 'arrow': {
      const { joinArrow } = await import('./arrow/join-arrow.ts')
      return yield* joinArrow(pieces)
    }
    case 'csv':
      for (const piece of pieces) if (piece.bytes > 0) yield* piece.read(0, piece.bytes)
  }
}
