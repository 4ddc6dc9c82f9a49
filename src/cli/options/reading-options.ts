import { type Command, InvalidArgumentError } from 'commander'
import type { Declarations } from '../../study/declarations.ts'
import { commonEncoding, encodingName } from '../../study/load/encoding-name.ts'

/** How a seed file without a study is read; with a study, it declares the same. */
export interface ReadingFlags {
  readonly sheet?: string
  readonly encoding?: string
  readonly headerRows?: number
}

/** As the study language allows. */
const MOST_HEADER_ROWS = 10

/** Options of the commands that read a seed file without a study. */
export function addReadingOptions(command: Command): Command {
  return command
    .option('--sheet <name>', 'the sheet of the workbook; default: the first with a table')
    .option('--encoding <name>', 'the encoding of the text file, such as windows-1251', encoding)
    .option('--header-rows <rows>', 'the number of rows of its header, 1 to 10; titles do not count', headerRows)
}

/** What the options say as declarations of a study; null: nothing. */
export function declaredByFlags(flags: ReadingFlags): Pick<Declarations, 'sheet' | 'encoding' | 'headerRows'> | null {
  const { sheet, encoding: name, headerRows: rows } = flags
  if (sheet === undefined && name === undefined && rows === undefined) return null
  return {
    ...(sheet !== undefined && { sheet }),
    ...(rows !== undefined && { headerRows: rows }),
    ...(name !== undefined && { encoding: name }),
  }
}

function encoding(label: string): string {
  const name = encodingName(label)
  if (name !== null) return name
  const common = commonEncoding(label)
  throw new InvalidArgumentError(
    common === null ? 'Expected a name or label of the WHATWG Encoding Standard.' : `Did you mean ${common}?`,
  )
}

function headerRows(text: string): number {
  const rows = Number(text)
  if (!/^\d{1,2}$/.test(text) || rows < 1 || rows > MOST_HEADER_ROWS)
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_HEADER_ROWS}.`)
  return rows
}
