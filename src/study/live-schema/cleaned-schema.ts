import type { ColumnKind } from '../../base/column-kind.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { DiagnosticText } from '../diagnostics/diagnose.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'

/** The cleaned schema of a dataset, as far as conditions need it. It is structural, so that any source of it fits. */
export interface CleanedSchema {
  readonly columns: readonly CleanedColumn[]
  readonly dropped: readonly DroppedColumn[]
  readonly renamed: readonly RenamedColumn[]
  /** How many levels cleaning made missing, if known. */
  readonly rareLevels?: readonly { readonly column: string; readonly count: number }[] | undefined
  /** The sheet of the workbook that the columns are from, if known. */
  readonly sheet?: ReadSheet | undefined
  /** The source of the schema, for the last line of messages: `study.lock.json (panel, 4f2a90c1)`. */
  readonly schemaLabel: string
  /** Set if the source of the schema never records bounds of numeric columns, so that their absence means nothing. */
  readonly hasNoBounds?: true
}

export interface ReadSheet {
  readonly name: string
  readonly others: readonly string[]
  /** Others that are not named. */
  readonly othersOmitted: number
}

export interface CleanedColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly levels?: readonly string[] | undefined
  /** Share of the seed's rows by level, in the sequence of `levels`; null where the service does not tell it. */
  readonly levelShares?: readonly (number | null)[] | undefined
  /** Replaces `levels` in a lock with hashed levels: the names are unknown, only membership can be tested. */
  readonly hiddenLevels?: { readonly count: number; has(level: string): boolean } | undefined
  /** Trained range; RFC 3339 text for dates. */
  readonly min?: number | string | undefined
  readonly max?: number | string | undefined
  /** Of the seed's values, as far as the service reports them; RFC 3339 text for dates. */
  readonly quantiles?:
    | { readonly [Key in 'q05' | 'q25' | 'q50' | 'q75' | 'q95']?: number | string | undefined }
    | undefined
  /** Header in the file, when cleaning renamed it. */
  readonly sourceName?: string | undefined
  /** `unknown`: there may be missing values. Absent: the service reports none. */
  readonly missingShare?: number | 'unknown' | undefined
  readonly format?: 'date' | 'date-time' | undefined
  /** Whether a numeric column has whole numbers only; absent: the service does not report it. */
  readonly integer?: boolean | undefined
}

export interface DroppedColumn {
  readonly name: string
  readonly reason: string
  readonly detail?: string | undefined
}

export interface RenamedColumn {
  readonly from: string
  readonly to: string
}

/** Characters of a list of names; further names are only counted. */
const LIST_WIDTH = 100

/** This many names fill a list, however short they are. */
export const MOST_LISTED = LIST_WIDTH

/**
 * Names that are compared to find likely spellings, per dataset and kind of name. No suggestions are made after that.
 */
export const MOST_COMPARED = 1_000_000

/** Suggested option columns of a split column. */
const MAX_OPTIONS = 3

export type ColumnLookup =
  | { readonly column: CleanedColumn }
  | { readonly code: 'S2102' | 'S2104'; readonly text: Omit<DiagnosticText, 'range'> }

/** Levels of columns as sets: studies and schemas may both be large, and a list would be searched for each pair. */
const levelSets = new WeakMap<CleanedColumn, ReadonlySet<string>>()

/** Whether a column has a level; null when its levels are unknown. */
export function hasLevel(column: CleanedColumn, level: string): boolean | null {
  if (column.levels === undefined) return column.hiddenLevels?.has(level) ?? null
  let levels = levelSets.get(column)
  if (levels === undefined) {
    levels = new Set(column.levels)
    levelSets.set(column, levels)
  }
  return levels.has(level)
}

/** Finds columns by name, and explains what cleaning did with the missing ones. */
export class ColumnFinder {
  readonly #schema: CleanedSchema
  readonly #columns: ReadonlyMap<string, CleanedColumn>
  /** Header in the file → name after cleaning. */
  readonly #renamed: ReadonlyMap<string, string>
  /** Header of a multi-select column → names of the columns of its options. */
  readonly #split: ReadonlyMap<string, readonly string[]>
  readonly #dropped: ReadonlyMap<string, DroppedColumn>
  #compared = 0

  constructor(schema: CleanedSchema) {
    this.#schema = schema
    this.#columns = new Map(schema.columns.map((column) => [column.name, column]))
    const bySource = namesBySource(schema.columns)
    this.#split = new Map([...bySource].filter(([, names]) => names.length > 1))
    const sourceNames = [...bySource].flatMap(([source, names]): [string, string][] =>
      names.length > 1 || names[0] === source ? [] : [[source, names[0]!]],
    )
    this.#renamed = new Map([...sourceNames, ...schema.renamed.map(({ from, to }): [string, string] => [from, to])])
    this.#dropped = new Map(schema.dropped.map((column) => [column.name, column]))
  }

  find(name: string): ColumnLookup {
    const column = this.#columns.get(name)
    if (column !== undefined) return { column }
    const renamed = this.#renamed.get(name)
    const dropped = this.#dropped.get(name) ?? (renamed === undefined ? undefined : this.#dropped.get(renamed))
    if (dropped !== undefined) {
      return {
        code: 'S2104',
        text: {
          summary: `column "${name}" was dropped by cleaning: ${reasonText(dropped.reason)}`,
          detail: this.#detail(dropped.detail === undefined ? '' : escapeText(dropped.detail)),
        },
      }
    }
    return { code: 'S2102', text: this.#unknown(name, renamed) }
  }

  #unknown(name: string, renamed: string | undefined): Omit<DiagnosticText, 'range'> {
    const summary = `column "${name}" does not exist after cleaning`
    const options = this.#split.get(name)
    if (options !== undefined) {
      const hint = `(cleaning split it into several columns: ${listNames(options)})`
      return { summary, suggestions: options.slice(0, MAX_OPTIONS), detail: this.#detail(hint) }
    }
    if (renamed !== undefined && this.#columns.has(renamed)) {
      return { summary, suggestions: [renamed], detail: this.#detail('(cleaning renamed it)') }
    }
    const names = [...this.#columns.keys()]
    // A search costs the product of the lengths. A study with so many unknown names needs no further hints.
    this.#compared += names.length
    if (this.#compared > MOST_COMPARED) return { summary, detail: this.#place(`columns: ${listNames(names)}`) }
    const suggestions = suggest(name, names)
    if (suggestions.length > 0) {
      const hint = normalisationHint(name, suggestions[0]!) || `columns: ${listNames(names)}`
      return { summary, suggestions, detail: this.#place(hint) }
    }
    const header = suggest(name, this.#renamed.keys()).find((from) => this.#columns.has(this.#renamed.get(from)!))
    if (header !== undefined) {
      const hint = `(cleaning renamed "${escapeText(header)}")`
      return { summary, suggestions: [this.#renamed.get(header)!], detail: this.#place(hint) }
    }
    const dropped = this.#dropped.get(suggest(name, this.#dropped.keys())[0] ?? '')
    const hint =
      dropped === undefined
        ? `columns: ${listNames(names)}`
        : `"${escapeText(dropped.name)}" was dropped by cleaning: ${escapeText(reasonText(dropped.reason))}`
    return { summary, detail: this.#place(hint) }
  }

  /** Detail lines that name the sheet, too: the column may be on another one. */
  #place(first: string): string {
    return this.#detail([first, sheetLine(this.#schema.sheet)].filter((line) => line !== '').join('\n'))
  }

  #detail(first: string): string {
    return withSchema(first, this.#schema)
  }
}

function namesBySource(columns: readonly CleanedColumn[]): Map<string, string[]> {
  const bySource = new Map<string, string[]>()
  for (const { name, sourceName } of columns) {
    if (sourceName === undefined) continue
    const names = bySource.get(sourceName)
    if (names === undefined) bySource.set(sourceName, [name])
    else names.push(name)
  }
  return bySource
}

function sheetLine(sheet: ReadSheet | undefined): string {
  if (sheet === undefined || sheet.others.length === 0) return ''
  const others = listNames(sheet.others, sheet.others.length + sheet.othersOmitted)
  return `sheet: "${escapeText(sheet.name)}" was read; the workbook also has ${others} ("sheet: NAME" in the dataset chooses)`
}

/** Detail lines that end with the source of the schema. */
export function withSchema(first: string, schema: CleanedSchema): string {
  return [first, `schema: ${escapeText(schema.schemaLabel)}`].filter((line) => line !== '').join('\n')
}

/** Explains why two names that look alike are different. */
export function normalisationHint(name: string, suggestion: string): string {
  return name.normalize('NFC') === suggestion.normalize('NFC') ? '(it looks the same but is another Unicode form)' : ''
}

/** A name in a list. Names with a comma, or with spaces around them, are quoted so that they stay one name. */
export function nameInList(name: string): string {
  return /,|^\s|\s$|^$/.test(name) ? `"${name}"` : name
}

/** `North, South and 12 more`: names cut to a width and safe to be printed. `total`: when `names` are only the first. */
export function listNames(names: readonly string[], total = names.length): string {
  return listTexts(namesInList(names), total)
}

function* namesInList(names: readonly string[]): Generator<string> {
  for (const name of names) yield escapeText(nameInList(name))
}

/** The same for texts that are safe already. */
export function listTexts(texts: Iterable<string>, total: number): string {
  const shown: string[] = []
  let width = 0
  for (const text of texts) {
    width += text.length + 2
    if (shown.length > 0 && width > LIST_WIDTH) break
    shown.push(text.length > LIST_WIDTH ? `${cutText(text, LIST_WIDTH)}…` : text)
  }
  const rest = total - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function reasonText(reason: string): string {
  return reason === 'near_zero_variance' ? 'near-zero variance' : reason.replaceAll('_', ' ')
}
