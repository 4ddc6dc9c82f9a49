import type { RawTable } from './raw-table.ts'
import type { ReadTableOptions } from './read-options.ts'
import { sniffFormat } from './sniff-format.ts'
import { UnreadableFileError } from './unreadable-file-error.ts'

export const DEFAULT_MAX_SAMPLE_ROWS = 200_000

const NOT_YET: Readonly<Record<string, string>> = {
  sav: 'an SPSS file (.sav)',
  zsav: 'an SPSS file (.zsav)',
  arrow: 'an Arrow file',
}

/**
 * Reads a table of any kind we know, told by its content.
 *
 * @throws {UnreadableFileError} when the file cannot be read, in words for whoever made it.
 */
export async function readTable(
  path: string,
  options: Partial<ReadTableOptions> & Pick<ReadTableOptions, 'tempDir'>,
): Promise<RawTable> {
  const whole: ReadTableOptions = { maxSampleRows: DEFAULT_MAX_SAMPLE_ROWS, ...options }
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
    case 'xlsx':
    case 'xls':
    case 'xlsb': {
      const { readExcel } = await import('./excel/read-excel.ts')
      return readExcel(path, format, whole)
    }
    default:
      throw new UnreadableFileError(
        `The file is ${NOT_YET[format]}, which is not read yet. Export it as CSV or Parquet and send that.`,
      )
  }
}
