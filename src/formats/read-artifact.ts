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
  await requireWholeFile(path, format)
  if (format === 'arrow') {
    const { summarizeArrow } = await import('./arrow/summarize-arrow.ts')
    return summarizeArrow(path, request)
  }
  const { summarizeTable } = await import('./summarize-table.ts')
  return summarizeTable(path, format, request, options)
}

const MAGIC = {
  parquet: { head: 'PAR1', tail: 'PAR1' },
  arrow: { head: 'ARROW1', tail: 'ARROW1' },
} as const

async function requireWholeFile(path: string, format: WriteFormat): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) throw new UnreadableFileError('The file is empty: it has no bytes at all.')
    if (format === 'csv') return
    const { head, tail } = MAGIC[format]
    const bytes = Buffer.alloc(Math.min(size, 6))
    await file.read(bytes, 0, bytes.length, 0)
    const isKind = bytes.subarray(0, head.length).toString('latin1') === head
    await file.read(bytes, 0, bytes.length, Math.max(0, size - bytes.length))
    const isWhole = size >= 12 && bytes.subarray(bytes.length - tail.length).toString('latin1') === tail
    if (!isKind) throw new UnreadableFileError(`The file is not ${format}: it does not begin with ${head}.`)
    if (!isWhole) throw new UnreadableFileError(`The ${format} file was cut short: it does not end with ${tail}.`)
  } finally {
    await file.close()
  }
}
