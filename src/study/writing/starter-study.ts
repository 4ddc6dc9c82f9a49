import { type CleanedColumn, listNames } from '../live-schema/cleaned-schema.ts'
import { naturalText } from '../live-schema/natural-text.ts'
import { formatText } from './format-study.ts'
import { quotedName, writtenName } from './quote-names.ts'

/** The content of a starter study. */
export interface StarterData {
  /** Relative to the study, with `/`. */
  readonly file: string
  /** The dataset's name at the service; null: the dataset's id, which is the default. */
  readonly displayName: string | null
  /** The sheet of a workbook that was asked for; null or absent: none. */
  readonly sheet?: string | null
  /** After cleaning. */
  readonly columns: readonly CleanedColumn[]
  readonly rows: number | null
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

/** Longer names do not make good examples. */
const LONGEST_NAME = 60

/** Columns with at most this many levels make good examples; columns with fewer levels come first. */
const MOST_LEVELS = 12

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
  const shared = bestShared(columns)
  const ranged = bestRanged(columns)
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
    '    # CSV, Parquet, Excel or SPSS, relative to this file. It is uploaded and trained',
    '    # once, however many scenarios use it.',
    `    file: ${writtenPath(data?.file ?? 'seeds/panel.csv')}`,
    ...(data?.displayName == null ? [] : [`    display_name: ${quotedName(data.displayName)}`]),
    ...(data?.sheet == null ? [] : [`    sheet: ${writtenName(data.sheet)}`]),
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
    ...comparisonLines(shared, ranged),
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
    `# Columns after cleaning${hasShares(listed) ? ', with the share of each level in the file' : ''}:`,
    ...listed.map((column) => `#   ${columnText(column)}`),
    ...(rest > 0 ? [`#   and ${rest} more, which whatif inspect shows`] : []),
    '',
  ]
}

const columnText = (column: CleanedColumn): string => `${listNames([column.name])}: ${naturalText(column)}`

interface Shared {
  /** Another column to compare; null when there is none. */
  readonly other: string | null
  readonly column: string
  readonly level: string
  readonly low: number
  readonly high: number
}

/** The column with the fewest levels that reads well, and a level of it with two shares to try. */
function bestShared(columns: readonly CleanedColumn[]): Shared | null {
  const fit = columns.flatMap(({ name, levels = [] }) =>
    isExample(name) && levels.length >= 2 && levels.length <= MOST_LEVELS && levels.every(isExample)
      ? [{ name, levels }]
      : [],
  )
  // Options of a split question and codes are 0 and 1, which make poor examples.
  const says = ({ levels }: { levels: readonly string[] }) => (levels.every((level) => /^[\d.-]+$/.test(level)) ? 1 : 0)
  const [best, other] = fit.sort((a, b) => says(a) - says(b) || a.levels.length - b.levels.length)
  if (best === undefined) return null
  const even = 1 / best.levels.length
  return {
    other: other?.name ?? null,
    column: best.name,
    level: best.levels[0]!,
    low: rounded(even / 2),
    high: rounded(Math.min(0.8, even * 1.4)),
  }
}

interface Ranged {
  readonly column: string
  readonly min: number
  readonly max: number
}

/** The numeric column with the most distinct values, without its upper quarter. */
function bestRanged(columns: readonly CleanedColumn[]): Ranged | null {
  const fit = columns.flatMap(({ name, kind, min, max, levels, format }) =>
    kind === 'numeric' && levels === undefined && format === undefined && isExample(name) && isSpan(min, max)
      ? [{ name, min: min as number, max: max as number }]
      : [],
  )
  const best = fit.find(({ min, max }) => max - min >= 4) ?? null
  if (best === null) return null
  const { min, max } = best
  const cut = min + (max - min) * 0.75
  const isWhole = Number.isInteger(min) && Number.isInteger(max)
  return { column: best.name, min, max: isWhole ? Math.ceil(cut) : Number(cut.toPrecision(3)) }
}

function isSpan(min: unknown, max: unknown): boolean {
  const isWritable = (value: unknown) => typeof value === 'number' && Math.abs(value) < 1e9
  return isWritable(min) && isWritable(max) && (min as number) < (max as number)
}

/** Short, and made of characters that everybody can see and type. */
function isExample(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol} ]+$/u.test(name)
}

const rounded = (share: number): number => Math.max(0.05, Math.round(share * 20) / 20)

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

function comparisonLines(shared: Shared | null, ranged: Ranged | null): string[] {
  if (shared === null) return []
  const columns = [shared.column, ...(shared.other === null ? [] : [shared.other])]
  return [
    'baseline: as-is',
    '',
    '# The changes against the baseline, next to the variation by chance alone.',
    'comparisons:',
    '  - id: effect',
    '    scenarios: ["share--*"]',
    `    shares: [${columns.map(writtenName).join(', ')}]`,
    ...(ranged === null ? [] : [`    means: [${writtenName(ranged.column)}]`]),
    '',
  ]
}
