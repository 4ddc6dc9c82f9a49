import { countText } from '../../base/text/amount-text.ts'
/**
 * Whether a Parquet file unpacks to more than its size accounts for. A page of a dozen bytes can stand for two thousand million values,
 * and a text of megabytes that is there once for thousands of rows: the size of the file says nothing of the work.
 */
import { type DuckDbSession, sqlText } from '../reading/duckdb-session.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { ParquetColumn } from './parquet-columns.ts'

const MAX_VALUES = 2_000_000_000
const MAX_DEPTH = 32

/**
 * What the values of a file may take once unpacked, in bytes: as much for any file, and so much more per byte of it. Answers
 * of one bit that stand for a text of 40 bytes unpack to 400 times their size; reading takes a second for a gigabyte or two.
 */
const UNPACKED_BYTES = 2 ** 30
const UNPACKED_PER_BYTE = 400

/**
 * Checks what the file says of its size, which costs nothing.
 *
 * @param fileBytes Size of the file.
 * @returns Rows of the file by its own account.
 * @throws {UnreadableFileError}
 */
export async function checkClaims(session: DuckDbSession, path: string, fileBytes: number): Promise<number> {
  const [file] = await session.rows(`SELECT sum(num_rows) FROM parquet_file_metadata(${sqlText(path)})`)
  const rows = Number(file?.[0] ?? 0)
  const schema = await session.rows(`SELECT coalesce(num_children, 0) FROM parquet_schema(${sqlText(path)})`)
  let leaves = 0
  // Children still to come on the way down to each element, the root's first.
  const open: number[] = []
  for (const [children] of schema) {
    const n = Number(children)
    if (n > 0) {
      open.push(n)
      if (open.length > MAX_DEPTH) {
        throw new UnreadableFileError(`The file has structures nested more than ${MAX_DEPTH} deep, which are not read.`)
      }
      continue
    }
    leaves++
    while (open.length > 0 && --open[open.length - 1]! === 0) open.pop()
  }
  if (rows < 0 || rows * leaves > MAX_VALUES) {
    throw new UnreadableFileError(
      `The file says that it has ${countText(rows * leaves)} values (${countText(rows)} rows); ` +
        `at most ${countText(MAX_VALUES)} can be read. Send a sample of the rows, or fewer columns.`,
    )
  }
  const [packed] = await session.rows(`SELECT sum(total_uncompressed_size) FROM parquet_metadata(${sqlText(path)})`)
  requireFew(Number(packed?.[0] ?? 0), fileBytes)
  return rows
}

/**
 * Counts what the values of all columns take. Texts are not touched for it, and one that many rows share is unpacked once, so that
 * 90 GB of them are counted in a tenth of a second.
 *
 * @throws {UnreadableFileError}
 */
export async function checkUnpacked(
  session: DuckDbSession,
  columns: readonly ParquetColumn[],
  fileBytes: number,
): Promise<void> {
  const sums = columns.flatMap((column) => ('valueBytes' in column ? [`coalesce(sum(${column.valueBytes}), 0)`] : []))
  if (sums.length === 0) return
  const [row] = await session.rows(`SELECT ${sums.join(', ')} FROM file`)
  requireFew(
    (row ?? []).reduce<number>((sum, bytes) => sum + Number(bytes), 0),
    fileBytes,
  )
}

function requireFew(unpackedBytes: number, fileBytes: number): void {
  if (unpackedBytes <= UNPACKED_BYTES + UNPACKED_PER_BYTE * fileBytes) return
  throw new UnreadableFileError(
    `The file unpacks to ${gigabytes(unpackedBytes)} GB of values, which is more than is read of a file of its size. ` +
      'Leave out columns of long texts, which cannot be modelled, or send a sample of the rows.',
  )
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toLocaleString('en-US', { maximumFractionDigits: 1 })
}
