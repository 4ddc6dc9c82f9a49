import type { RawTable } from '../base/raw-table.ts'
import type { ReadTableOptions } from './reading/row-sample.ts'
import { sniffFormat } from './reading/sniff-format.ts'
import { UnreadableFileError } from './reading/unreadable-file-error.ts'

export const DEFAULT_MAX_SAMPLE_ROWS = 200_000
/** Held as numbers, cleaned and as codes at once these are about 0.5 GB. */
export const DEFAULT_MAX_SAMPLE_CELLS = 20_000_000

/**
 * Reads a table of any kind we know, recognized by its content.
 *
 * @throws {UnreadableFileError} when the file cannot be read, in words for whoever made it.
 */
export async function readTable(
  path: string,
  options: Partial<ReadTableOptions> & Pick<ReadTableOptions, 'tempDir'>,
): Promise<RawTable> {
  try {
    return await read(path, {
      maxSampleRows: DEFAULT_MAX_SAMPLE_ROWS,
      maxSampleCells: DEFAULT_MAX_SAMPLE_CELLS,
      ...options,
    })
  } catch (error) {
    throw isOutOfMemory(error) ? new UnreadableFileError(TOO_MUCH, { cause: error }) : error
  }
}

const TOO_MUCH =
  'Reading the file takes more memory than is given to one file: it holds far more than its size shows, or is damaged. ' +
  'Export the table as CSV, with fewer rows or columns.'

/** Of DuckDB's own limits, of memory and of what it may write to disk instead; a disk that is full is no fault of the file. */
function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof UnreadableFileError) return false
  return /out of memory|could not allocate/i.test(error.message) && !/no space left/i.test(error.message)
}

async function read(path: string, whole: ReadTableOptions): Promise<RawTable> {
  const format = await sniffFormat(path)
  switch (format) {
    case 'csv': {
      const { readCsv } = await import('./csv/read-csv.ts')
      return readCsv(path, whole)
    }
    case 'parquet': {
      const { readParquet } = await import('./parquet/read-parquet.ts')
      return readParquet(path, whole)
    }
    case 'sav':
    case 'zsav': {
      const { readSav } = await import('./sav/read-sav.ts')
      return readSav(path, whole)
    }
    case 'xlsx':
    case 'xls':
    case 'xlsb': {
      const { readExcel } = await import('./excel/read-excel.ts')
      return readExcel(path, format, whole)
    }
    case 'arrow':
      throw new UnreadableFileError('The file is an Arrow file, which is not read. Export it as Parquet and send that.')
  }
}
