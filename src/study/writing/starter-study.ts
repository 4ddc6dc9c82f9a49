import type { Declarations } from '../declarations.ts'
import { type CleanedColumn, listNames } from '../live-schema/cleaned-schema.ts'
import { naturalText } from '../live-schema/natural-text.ts'
import { formatText } from './format-study.ts'
import { LONGEST_NAME, type Ranged, type Shared, starterLevers } from './starter-levers.ts'
import type { DeclaredTypes } from './starter-types.ts'
import { quotedName, writtenName } from './written-name.ts'

/** The content of a starter study. */
export interface StarterData {
  /** Relative to the study, with `/`. */
  readonly file: string
  /** The dataset's name at the service; null: the dataset's id, which is the default. */
  readonly displayName: string | null
  /** After cleaning. */
  readonly columns: readonly CleanedColumn[]
  readonly rows: number | null
  /** How the file was read; it is declared, so that a run reads it alike. */
  readonly reading?: Pick<Declarations, 'sheet' | 'headerRows' | 'encoding' | 'types'>
  /** Columns of codes that the study does not use, and their types. */
  readonly otherCodes?: DeclaredTypes
  /** Declarations that its author may want; they become comments. */
  readonly declarations?: readonly ProposedDeclaration[]
}

/** A declaration about a file as a line of a study, and why. Names and codes are written as YAML, on one line. */
export interface ProposedDeclaration {
  readonly yaml: string
  readonly reason: string
}

export interface StarterOptions {
  /** Slugs of the study and of its dataset. */
  readonly name: string
  readonly dataset: string
  /** Path of the published schema, relative to the study. */
  readonly schemaPath: string
  /** Null: no seed file yet; the study gets invented names. */
  readonly data: StarterData | null
}

/** Columns that the comment of the study names. */
const MOST_LISTED = 40

/** Rows of an example: enough to inspect, and no more than the seed data can support. */
const MOST_ROWS = 1000

/**
 * A starter study with comments that is valid as it stands: a scenario without conditions, one with a range, and a
 * matrix over a level's share, compared with the first. Its columns and levels are real ones.
 */
export function starterStudy({ name, dataset, schemaPath, data }: StarterOptions): string {
  const columns = data?.columns ?? MADE_UP
  const { shared, ranged, outcomes, averaged } = starterLevers(columns)
  const rows = Math.max(10, Math.min(MOST_ROWS, Math.floor((data?.rows ?? MOST_ROWS) / 4)))
  const text = [
    `# yaml-language-server: $schema=${schemaPath}`,
    ...(data === null
      ? ['# Put a seed file in place and use its columns and levels below; whatif validate', '# then checks them.']
      : [`# Made by whatif init from the columns and levels that cleaning left of ${listNames([data.file])}.`]),
    '',
    'version: 1',
    `name: ${name}`,
    'description: What would change?',
    '',
    'datasets:',
    `  ${dataset}:`,
    '    # CSV, Parquet, Excel, SPSS or JSON, relative to this file. It is uploaded and trained',
    '    # once, however many scenarios use it.',
    `    file: ${writtenPath(data?.file ?? 'seeds/panel.csv')}`,
    ...(data?.displayName == null ? [] : [`    display_name: ${quotedName(data.displayName)}`]),
    ...readingLines(data?.reading ?? {}),
    ...typeLines(data?.reading?.types ?? {}, data?.otherCodes ?? {}),
    ...declarationLines(data?.declarations ?? []),
    '',
    ...columnLines(columns),
    'defaults:',
    `  rows: ${rows}`,
    '  # The same seed gives the same rows again.',
    '  seed: 1',
    '  format: csv',
    '',
    'policy:',
    '  # Where the data cannot support a scenario, the service returns fewer rows of exactly',
    '  # its mix: fail, warn or accept.',
    '  partial: warn',
    '',
    'budget:',
    '  # Checked before the first request of a run.',
    `  rows_per_run: ${rows * 10}`,
    '',
    'scenarios:',
    "  # No conditions: the model's own mix, to compare with.",
    '  as-is: {}',
    ...(ranged === null ? [] : rangeLines(ranged)),
    ...(shared === null ? [] : matrixLines(shared, rows)),
    '',
    ...(shared === null ? [] : comparisonLines(shared, outcomes, averaged)),
  ].join('\n')
  // The number of names is bounded, so the text is never too large.
  return formatText(text) ?? text
}

const MADE_UP: readonly CleanedColumn[] = [
  { name: 'region', kind: 'categorical', levels: ['East', 'North', 'South', 'West'] },
  { name: 'age', kind: 'numeric', min: 18, max: 90 },
]

function writtenPath(file: string): string {
  return /^[\p{Letter}\p{Number}][\p{Letter}\p{Number}_./-]*$/u.test(file) ? file : quotedName(file)
}

function readingLines({ sheet, headerRows, encoding }: NonNullable<StarterData['reading']>): string[] {
  return [
    ...(sheet === undefined ? [] : [`    sheet: ${writtenName(sheet)}`]),
    ...(headerRows === undefined ? [] : [`    header_rows: ${headerRows}`]),
    ...(encoding === undefined ? [] : [`    encoding: ${encoding}`]),
  ]
}

/** Other columns of codes that a comment names; more make a study that nobody reads. */
const MOST_CODES = 8

function typeLines(types: DeclaredTypes, others: DeclaredTypes): string[] {
  const declared = Object.entries(types).map(entryText)
  const rest = Object.entries(others).filter(([name]) => name.length <= LONGEST_NAME)
  const listed = rest.slice(0, MOST_CODES).map(entryText).join(', ')
  const more = rest.length > MOST_CODES ? ` (of ${rest.length})` : ''
  if (declared.length === 0 && listed === '') return []
  const why = '    # Answers in codes keep their type, even if some codes are missing in a later file.'
  if (declared.length === 0) return [`${why} Take the # away${more}.`, `    # types: { ${listed} }`]
  return [
    why,
    `    types: { ${declared.join(', ')} }`,
    ...(listed === '' ? [] : [`    # Add those that you use${more}: ${listed}`]),
  ]
}

const entryText = ([name, type]: [string, string]): string => `${writtenName(name)}: ${type}`

/** Proposals, as comments: whether they hold only the author of the data knows. */
function declarationLines(declarations: readonly ProposedDeclaration[]): string[] {
  if (declarations.length === 0) return []
  return [
    '    # Declarations are carried out before the upload. Take the # away where they hold.',
    ...declarations.flatMap(({ yaml, reason }) => [`    # ${yaml}`, `    #   ${reason}`]),
  ]
}

const hasShares = (columns: readonly CleanedColumn[]): boolean =>
  columns.some(({ levelShares }) => levelShares?.some((share) => share !== null))

/** The available columns, as a comment. */
function columnLines(columns: readonly CleanedColumn[]): string[] {
  if (columns === MADE_UP || columns.length === 0) return []
  const listed = columns.slice(0, MOST_LISTED)
  const rest = columns.length - listed.length
  return [
    `# Columns after cleaning${hasShares(listed) ? ', with the share of each level in the file' : ''}, as they were`,
    '# when this was written. A later wave may have others, which whatif inspect shows:',
    ...listed.map((column) => `#   ${columnText(column)}`),
    ...(rest > 0 ? [`#   and ${rest} more, which whatif inspect shows`] : []),
    ...(listed.some(({ quantiles }) => quantiles !== undefined) ? [ROUNDED] : []),
    '',
  ]
}

/** The study is published with them. */
const ROUNDED = '# Ends and quantiles of numbers are rounded where fewer than 10 rows share them.'

const columnText = (column: CleanedColumn): string => `${listNames([column.name])}: ${naturalText(column)}`

function rangeLines({ column, min, max }: Ranged): string[] {
  return [
    '',
    '  # Every row lies in the range, both ends included.',
    '  in-range:',
    `    ranges: { ${writtenName(column)}: { min: ${min}, max: ${max} } }`,
  ]
}

function matrixLines({ column, level, low, high }: Shared, rows: number): string[] {
  // More than the variation of a share of so many rows by chance.
  const tolerance = Math.ceil(100 / Math.sqrt(rows) + 1) / 100
  return [
    '',
    '  # A group: one scenario for each value, named share--low and share--high. Shares',
    '  # are between 0 and 1, and the remainder goes to the other levels.',
    '  share:',
    '    # A share that is further from its target fails the run (exit 9).',
    `    expect: { shares: { tolerance: ${tolerance} } }`,
    '    matrix:',
    '      axes:',
    '        - name: level',
    `          set: [shares, ${writtenName(column)}, ${writtenName(level)}]`,
    `          values: { low: ${low}, high: ${high} }`,
  ]
}

function comparisonLines(shared: Shared, outcomes: readonly string[], averaged: string | null): string[] {
  // What a scenario sets comes out as it was set; a comparison of it alone shows only how well.
  const shares = outcomes.length === 0 && averaged === null ? [shared.column] : outcomes
  return [
    'baseline: as-is',
    '',
    '# The changes against the baseline, each with its interval.',
    'comparisons:',
    '  - id: effect',
    '    scenarios: ["share--*"]',
    ...(shares.length === 0 ? [] : [`    shares: [${shares.map(writtenName).join(', ')}]`]),
    ...(averaged === null ? [] : [`    means: [${writtenName(averaged)}]`]),
    '',
  ]
}
