import type { RawTable } from './raw-table.ts'
import type { ReadTableOptions } from './read-options.ts'
import { sniffFormat } from './sniff-format.ts'
import { UnreadableFileError } from './unreadable-file-error.ts'

export const DEFAULT_MAX_SAMPLE_ROWS = 200_000

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
