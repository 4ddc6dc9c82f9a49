import { open } from 'node:fs/promises'
import type { ArtifactRequest, ArtifactSummary, ReadArtifactOptions } from './artifact-summary.ts'
import type { WriteFormat } from './table-writer.ts'
import { UnreadableFileError } from './unreadable-file-error.ts'

/**
 * Counts what a generated file holds, without trust in who made it: rows, levels, ranges, distributions. The whole file is read, so
 * that a cut or damaged one is found. The same file gives the same figures, to the last bit.
 *
 * @throws {UnreadableFileError} when the file is not a whole file of `format`, or lacks a column of the request.
 */
export async function summarizeArtifact(
  path: string,
  format: WriteFormat,
  request: ArtifactRequest,
  options: ReadArtifactOptions,
): Promise<ArtifactSummary> {
  const bytes = await readWholeFile(path, format)
  if (format === 'arrow') {
    const { summarizeArrow } = await import('./arrow/summarize-arrow.ts')
    return summarizeArrow(path, request)
  }
  const small = bytes === null ? null : await summarizeSmall(bytes, format, request)
  if (small !== null) return small
  const { summarizeTable } = await import('./summarize-table.ts')
  return summarizeTable(path, format, request, options)
}

/** Up to here the figures are there before DuckDB would have started; it takes 25 ms for each file, and 60 MB for the first. */
const SMALL_BYTES = 256 * 1024

/** Null: DuckDB is to read the file, and to say what is wrong with it. */
async function summarizeSmall(
  bytes: Buffer,
  format: 'parquet' | 'csv',
  request: ArtifactRequest,
): Promise<ArtifactSummary | null> {
  try {
    if (format === 'csv') return (await import('./csv/summarize-small-csv.ts')).summarizeSmallCsv(bytes, request)
    const { summarizeSmallParquet } = await import('./parquet/summarize-small-parquet.ts')
    return await summarizeSmallParquet(bytes, request)
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    return null
  }
}

const MAGIC = {
  parquet: { head: 'PAR1', tail: 'PAR1' },
  arrow: { head: 'ARROW1', tail: 'ARROW1' },
} as const

/** The bytes of a small file, null for a large one. */
async function readWholeFile(path: string, format: WriteFormat): Promise<Buffer | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) throw new UnreadableFileError('The file is empty: it has no bytes at all.')
    const whole = size <= SMALL_BYTES ? await file.readFile() : null
    if (format === 'csv') return whole
    const { head, tail } = MAGIC[format]
    const bytes = Buffer.alloc(Math.min(size, 6))
    if (whole === null) await file.read(bytes, 0, bytes.length, 0)
    else whole.copy(bytes)
    const isKind = bytes.subarray(0, head.length).toString('latin1') === head
    if (whole === null) await file.read(bytes, 0, bytes.length, Math.max(0, size - bytes.length))
    else whole.subarray(-bytes.length).copy(bytes)
    const isWhole = size >= 12 && bytes.subarray(bytes.length - tail.length).toString('latin1') === tail
    if (!isKind) throw new UnreadableFileError(`The file is not ${format}: it does not begin with ${head}.`)
    if (!isWhole) throw new UnreadableFileError(`The ${format} file was cut short: it does not end with ${tail}.`)
    return whole
  } finally {
    await file.close()
  }
}
