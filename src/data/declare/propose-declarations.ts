import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawColumn, RawNumberColumn, RawTable } from '../../base/raw-table.ts'
import { listText, plural } from '../../base/text/amount-text.ts'
import { readTable } from '../../formats/read-table.ts'
import type { ReadTableOptions } from '../../formats/reading/row-sample.ts'
import { UnreadableFileError } from '../../formats/reading/unreadable-file-error.ts'
import type { ProposedDeclaration } from '../../study/writing/starter-study.ts'
import { quotedName, writtenName } from '../../study/writing/written-name.ts'
import { quoted } from './declaration-error.ts'
import { isShort, MOST_COLUMNS } from './proposal-limits.ts'
import { proposeDesign, replicateGroup } from './propose-design.ts'
import { proposeMissing } from './propose-missing.ts'
import { type FoundRelations, proposeRules } from './propose-rules.ts'
import { shortNames } from './short-names.ts'

/** What a service made of the columns of a file, by their names in the file. */
export interface KnownColumns {
  /** Columns that identify people. */
  readonly identifiers: readonly string[]
  /** The order that the service found in a column's levels, and the levels without a place in it. */
  readonly orders: ReadonlyMap<string, { readonly levels: readonly string[]; readonly apart: readonly string[] }>
  /** What the service found to hold between columns in every row; absent: nothing. */
  readonly relations?: FoundRelations
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
    ...names(table),
    ...proposeMissing(table.columns, known.orders),
    ...orders(columns, known),
    ...(known.relations ? proposeRules(table, known.relations) : []),
  ]
}

/** Characters of the text of a question that fits in a line. */
const LONGEST_QUESTION = 300

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

/** Names for columns whose name is the text of a question. */
function names({ columns }: RawTable): ProposedDeclaration[] {
  const short = [...shortNames(columns.map(({ name }) => name))].filter(([, text]) => text.length <= LONGEST_QUESTION)
  if (short.length === 0) return []
  const more = short.length - MOST_COLUMNS
  const others = more > 0 ? `; ${plural(more, 'more question')} like these` : ''
  const list = short.slice(0, MOST_COLUMNS).map(([name, text]) => `${writtenName(name)}: ${quotedName(text)}`)
  return [
    {
      yaml: `columns: { ${list.join(', ')} }`,
      reason: `short names for questions; their texts become labels, and all other lines have to use these names${others}`,
    },
  ]
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
