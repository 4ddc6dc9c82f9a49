import * as fs from 'node:fs/promises'
import type { RawTable } from '../base/raw-table.ts'
import { standInFault } from '../base/stand-in-file.ts'
import type { ReadTableOptions } from './reading/row-sample.ts'
import { sniffFormat } from './reading/sniff-format.ts'
import { UnreadableFileError } from './reading/unreadable-file-error.ts'

export const DEFAULT_MAX_SAMPLE_ROWS = 200_000
/** So many cells take about 0.5 GB as numbers, cleaned values and codes together. */
export const DEFAULT_MAX_SAMPLE_CELLS = 20_000_000

/**
 * Reads a table of any known kind, recognized by its content.
 *
 * @throws {UnreadableFileError} when the file cannot be read, with a message for its author.
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
  'Reading the file takes more memory than the limit for one file: it holds far more than its size shows, or is damaged. ' +
  'Export the table as CSV, with fewer rows or columns.'

/** DuckDB's own limits of memory and of temporary files; a full disk is not a fault of the file. */
function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof UnreadableFileError) return false
  return /out of memory|could not allocate/i.test(error.message) && !/no space left/i.test(error.message)
}

/** Formats with sheets. */
const WORKBOOKS: ReadonlySet<string> = new Set(['xlsx', 'xls', 'xlsb'])

async function read(path: string, whole: ReadTableOptions): Promise<RawTable> {
  const format = await sniffFormat(path)
  if (whole.encoding !== undefined && format !== 'csv') {
    throw new UnreadableFileError(
      `An encoding is declared, but the file is no delimited text: it names the encoding of its texts itself. Remove "encoding" from the dataset's entry of the study.`,
    )
  }
  if (whole.sheet !== undefined && !WORKBOOKS.has(format)) {
    throw new UnreadableFileError(
      'A sheet is named, but the file is no Excel workbook and holds one table. Remove "sheet" from the dataset\'s entry of the study, or --sheet.',
    )
  }
  switch (format) {
    case 'csv': {
      await refuseStandIns(path, whole.signal)
      const { readCsv } = await import('./csv/read-csv.ts')
      return readCsv(path, whole)
    }
    case 'json': {
      await refuseStandIns(path, whole.signal)
      const { readJson } = await import('./json/read-json.ts')
      return readJson(path, whole)
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
      throw new UnreadableFileError(
        'The file is an Arrow file, which cannot be read. Export it as Parquet and send that.',
      )
  }
}

/** Pointers to a file, and texts with two sides of a merge. */
async function refuseStandIns(path: string, signal?: AbortSignal): Promise<void> {
  const fault = await standInFault(fs, path, signal)
  if (fault !== null) throw new UnreadableFileError(`The file ${fault}.`)
}
