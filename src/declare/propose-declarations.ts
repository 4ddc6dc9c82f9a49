import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawColumn, RawNumberColumn, RawTable } from '../base/raw-table.ts'
import { listText, plural } from '../base/text/amount-text.ts'
import { readTable } from '../formats/read-table.ts'
import type { ReadTableOptions } from '../formats/reading/row-sample.ts'
import { UnreadableFileError } from '../formats/reading/unreadable-file-error.ts'
import { writtenName } from '../study/writing/quote-names.ts'
import type { ProposedDeclaration } from '../study/writing/starter-study.ts'
import { quoted } from './declaration-error.ts'
import { numbersOfTexts } from './number-texts.ts'
import { proposeDesign, replicateGroup } from './propose-design.ts'

/** What a service made of the columns of a file, by their names in the file. */
export interface KnownColumns {
  /** Columns that identify people. */
  readonly identifiers: readonly string[]
  /** The order that the service found in a column's levels, and the levels without a place in it. */
  readonly orders: ReadonlyMap<string, { readonly levels: readonly string[]; readonly apart: readonly string[] }>
}

/** Declarations for a seed file that its author may want, for a starter study; none for a file that cannot be read. */
export async function proposeForFile(
  path: string,
  known: KnownColumns,
  options: Pick<ReadTableOptions, 'signal' | 'sheet' | 'headerRows' | 'encoding'> = {},
): Promise<readonly ProposedDeclaration[]> {
  const tempDir = await mkdtemp(join(tmpdir(), 'whatif-proposals-'))
  try {
    const table = await readTable(path, { tempDir, ...options })
    return [...(options.sheet === undefined ? sheetOf(table) : []), ...proposeDeclarations(table, known)]
  } catch (error) {
    if (error instanceof UnreadableFileError) return []
    throw error
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
}

/** Columns that one proposal names; more make a study that nobody reads. */
const MOST_COLUMNS = 8

/** The declarations that the values and names of a table suggest, each with its reason. */
export function proposeDeclarations(table: RawTable, known: KnownColumns): readonly ProposedDeclaration[] {
  const columns = table.columns.filter(({ name }) => isShort(name))
  const replicates = new Set<RawColumn>(replicateGroup(columns, unaccentedText))
  const weight = columns.filter((column) => !replicates.has(column)).find(isWeight)
  const design = proposeDesign(columns, weight, unaccentedText)
  const identifiers = known.identifiers
    .filter((name) => isShort(name) && !design?.columns.has(name))
    .slice(0, MOST_COLUMNS)
  return [
    ...headerRows(table),
    ...(weight === undefined ? [] : [weightOf(weight)]),
    ...(design === null ? [] : [design.proposal]),
    ...(identifiers.length === 0
      ? []
      : [
          {
            yaml: `drop: [${identifiers.map(writtenName).join(', ')}]`,
            reason: 'identifiers: the service leaves them out, and dropped here they are not sent at all',
          },
        ]),
    ...missingCodes(columns, known),
    ...orders(columns, known),
  ]
}

const LONGEST = 60

function isShort(name: string): boolean {
  return name.length <= LONGEST && !/\p{Control}/u.test(name)
}

/** The sheet of a workbook that was chosen among others. */
function sheetOf({ sheet }: RawTable): ProposedDeclaration[] {
  if (sheet === undefined || sheet.others.length === 0 || !isShort(sheet.name)) return []
  const others = `${sheet.others.length === 1 ? 'another sheet' : 'other sheets'}: ${listText(sheet.others.map(quoted), 3)}`
  return [{ yaml: `sheet: ${writtenName(sheet.name)}`, reason: `the sheet that was read; the workbook has ${others}` }]
}

/** Readers note a second header row together with the declaration that says so. */
function headerRows({ notes }: RawTable): ProposedDeclaration[] {
  const rows = notes.map((note) => /`?header_rows: (\d{1,2})`?/.exec(note)?.[1]).find((found) => found !== undefined)
  if (rows === undefined) return []
  return [{ yaml: `header_rows: ${rows}`, reason: 'the file seems to have several header rows' }]
}

/** Words for weights in the languages of surveys, alone or as a part of a name. */
const WEIGHT_NAME =
  /(?:^|[^a-z])(?:weights?|weighting|wgts?|wts?|pweight|pondera(?:cio|cion|do)?|poids|peso|pesos|gewicht(?:e|ung)?|weging|waga|fexp)\d*(?:$|[^a-z])/i

/** Numbers from 0 on that differ and have fractions, under the name of a weight. */
function isWeight(column: RawColumn): column is RawNumberColumn {
  if (!('values' in column) || column.type !== 'number' || !WEIGHT_NAME.test(unaccentedText(column.name))) return false
  return column.min >= 0 && column.max > column.min && column.decimals > 0
}

/** Without accents, and with words of camel case apart. */
function unaccentedText(name: string): string {
  const apart = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return apart.normalize('NFD').replace(/\p{Mn}/gu, '')
}

function weightOf(column: RawNumberColumn): ProposedDeclaration {
  let sum = 0
  for (let row = 0; row < column.values.length; row++) sum += column.valid[row] === 0 ? 0 : column.values[row]!
  const present = column.valid.reduce((count, valid) => count + valid, 0)
  const short = (value: number) => String(Number(value.toPrecision(3)))
  const values = `values from ${short(column.min)} to ${short(column.max)}, ${short(sum / Math.max(1, present))} on average`
  return { yaml: `weight: ${writtenName(column.name)}`, reason: `a survey weight by its name and ${values}` }
}

/** Codes that surveys give to answers off a scale: 7, 77, 97 to 99, 997 to 999 and so on, and negative ones. */
const CODES = new Set([
  ...[77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999, 99999],
  ...[-1, -2, -3, -7, -8, -9, -97, -98, -99, -997, -998, -999, -9999],
])

function missingCodes(columns: readonly RawColumn[], { orders }: KnownColumns): ProposedDeclaration[] {
  const found: (readonly [name: string, codes: readonly (string | number)[], why: string])[] = []
  for (const column of columns) {
    if ('values' in column) {
      const codes = codesBeyond(column)
      if (codes.length > 0) found.push([column.name, codes, 'far from the other numbers'])
      continue
    }
    const words = wordsAmongNumbers(column.dictionary)
    const apart = orders.get(column.name)?.apart ?? []
    if (words.length > 0) found.push([column.name, words, 'the only texts among numbers'])
    else if (apart.length > 0 && apart.every(isShort)) found.push([column.name, apart, 'no place on the scale'])
  }
  if (found.length === 0) return []
  const entries = found.slice(0, MOST_COLUMNS)
  const list = entries.map(([name, codes]) => `${writtenName(name)}: [${codes.map(writtenCode).join(', ')}]`)
  const whys = [...new Set(entries.map(([, , why]) => why))].join('; ')
  const more =
    found.length > entries.length ? `; ${plural(found.length - entries.length, 'more column')} like these` : ''
  return [{ yaml: `missing: { ${list.join(', ')} }`, reason: `codes that seem to mean no answer: ${whys}${more}` }]
}

const writtenCode = (code: string | number): string => (typeof code === 'number' ? String(code) : writtenName(code))

/** Known codes that lie further from the other values than half of their span. */
function codesBeyond({ type, counts, decimals }: RawNumberColumn): number[] {
  if (type !== 'number' || counts === null || decimals > 0) return []
  const values = [...counts.keys()]
  const rest = values.filter((value) => !CODES.has(value))
  if (rest.length < 2) return []
  const [least, most] = [Math.min(...rest), Math.max(...rest)]
  const far = Math.max(1, (most - least) / 2)
  return values
    .filter((value) => CODES.has(value) && (value - most > far || (value < 0 && least >= 0)))
    .sort((a, b) => a - b)
}

const MOST_WORDS = 3

/** The few texts of a column that otherwise holds numbers. */
function wordsAmongNumbers(texts: readonly string[]): readonly string[] {
  const numbers = numbersOfTexts(texts)
  const words = texts.filter((_, i) => Number.isNaN(numbers[i]))
  const isFew = words.length > 0 && words.length <= MOST_WORDS && texts.length >= 4 * words.length
  return isFew && words.every(isShort) ? words : []
}

const MOST_LEVELS = 12

/** Orders that the service found, of columns whose texts they name in full. */
function orders(columns: readonly RawColumn[], known: KnownColumns): ProposedDeclaration[] {
  const lists = columns.flatMap((column) => {
    const order = known.orders.get(column.name)
    if (order === undefined || !('codes' in column) || order.levels.length > MOST_LEVELS) return []
    const named = new Set([...order.levels, ...order.apart])
    if (!column.dictionary.every((text) => named.has(text)) || !order.levels.every(isShort)) return []
    return [`${writtenName(column.name)}: [${order.levels.map(writtenName).join(', ')}]`]
  })
  if (lists.length === 0) return []
  const more = lists.length - MOST_COLUMNS
  const others = more > 0 ? `; ${plural(more, 'more scale')} like these` : ''
  const yaml = `levels: { ${lists.slice(0, MOST_COLUMNS).join(', ')} }`
  return [{ yaml, reason: `scales whose order the service found; declared, it is sure${others}` }]
}
