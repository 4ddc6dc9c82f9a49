import { countText } from '../../base/text/amount-text.ts'
/**
 * Whether a Parquet file unpacks to more than its size justifies. A page of a dozen bytes can hold two billion values,
 * and thousands of rows can share a text of megabytes: the size of the file does not bound the work.
 */
import { type DuckDbSession, sqlText } from '../reading/duckdb-session.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { ParquetColumn } from './parquet-columns.ts'

const MAX_VALUES = 2_000_000_000
const MAX_DEPTH = 32

/**
 * Limit of the unpacked values, in bytes: a constant for any file, plus a multiple of its bytes. One-bit answers with a
 * text of 40 bytes unpack to 400 times their size; reading takes a second for a gigabyte or two.
 */
const UNPACKED_BYTES = 2 ** 30
const UNPACKED_PER_BYTE = 400

/**
 * Checks the sizes that the file claims, which costs nothing.
 *
 * @param fileBytes Size of the file.
 * @returns Rows that the file claims.
 * @throws {UnreadableFileError}
 */
export async function checkClaims(session: DuckDbSession, path: string, fileBytes: number): Promise<number> {
  const [file] = await session.rows(`SELECT sum(num_rows) FROM parquet_file_metadata(${sqlText(path)})`)
  const rows = Number(file?.[0] ?? 0)
  const schema = await session.rows(`SELECT coalesce(num_children, 0) FROM parquet_schema(${sqlText(path)})`)
  let leaves = 0
  // Remaining children on the way down to each element, the root's first.
  const open: number[] = []
  for (const [children] of schema) {
    const n = Number(children)
    if (n > 0) {
      open.push(n)
      if (open.length > MAX_DEPTH) {
        throw new UnreadableFileError(
          `The file has structures nested more than ${MAX_DEPTH} levels deep, which cannot be read.`,
        )
      }
      continue
    }
    leaves++
    while (open.length > 0 && --open[open.length - 1]! === 0) open.pop()
  }
  if (rows < 0 || rows * leaves > MAX_VALUES) {
    throw new UnreadableFileError(
      `The file claims ${countText(rows * leaves)} values (${countText(rows)} rows); ` +
        `at most ${countText(MAX_VALUES)} can be read. Send a sample of the rows, or fewer columns.`,
    )
  }
  const [packed] = await session.rows(`SELECT sum(total_uncompressed_size) FROM parquet_metadata(${sqlText(path)})`)
  requireFew(Number(packed?.[0] ?? 0), fileBytes)
  return rows
}

/**
 * Counts the unpacked bytes of all columns. Texts are not read, and a text that many rows share is unpacked once, so
 * that 90 GB of them are counted in a tenth of a second.
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
    `The file unpacks to ${gigabytes(unpackedBytes)} GB of values, more than the limit for a file of its size. ` +
      'Leave out columns of long texts, which cannot be modelled, or send a sample of the rows.',
  )
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toLocaleString('en-US', { maximumFractionDigits: 1 })
}
