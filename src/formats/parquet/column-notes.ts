/**
 * What a study declares about the columns of a Parquet file, in the file's own metadata: `whatif:levels` has the order of
 * levels, `whatif:types` the declared types, `whatif:formulas` what a column is made of and `whatif:labels` the labels, each a
 * JSON object by column. `whatif:rules` has what rows follow. `whatif:texts` is an empty object: texts are texts, because whoever wrote the file has read the numbers and dates among them. A reader that
 * does not know them ignores them.
 */
import { DECLARED_TYPES, type DeclaredFormula, type DeclaredType, type RawColumn } from '../../base/raw-table.ts'
import { MAX_RULES, type Rule } from '../../base/rules/rule.ts'
import { isRule } from '../../base/rules/sent-rule.ts'
import { cutText, isLonger } from '../../base/text/fit-text.ts'
import { type DuckDbSession, sqlText } from '../reading/duckdb-session.ts'

export const LEVELS_KEY = 'whatif:levels'
const TYPES_KEY = 'whatif:types'
const FORMULAS_KEY = 'whatif:formulas'
const RULES_KEY = 'whatif:rules'
const LABELS_KEY = 'whatif:labels'
const TEXTS_KEY = 'whatif:texts'

/** Bytes of one entry; a longer one is neither written nor read. */
const MAX_ENTRY_BYTES = 1024 * 1024
/** Characters of a label. */
const MAX_LABEL = 500

const TYPES: ReadonlySet<string> = new Set(DECLARED_TYPES)

type Noted = Pick<RawColumn, 'label' | 'declaredType' | 'declaredOrder' | 'declaredFormula'>

/**
 * The metadata of a table whose columns have been read. Keys of objects are in the sequence of the columns.
 *
 * @throws {RangeError} when the orders of levels are too long to be read again; labels that are too long are left out.
 */
export function columnMetadata(columns: readonly RawColumn[], rules: readonly Rule[] = []): Map<string, string> {
  const metadata = new Map([[TEXTS_KEY, '{}']])
  const add = (key: string, noteOf: (column: RawColumn) => unknown): void => {
    const entries = columns.flatMap((column) => {
      const value = noteOf(column)
      return value === undefined ? [] : [[column.name, value] as const]
    })
    if (entries.length > 0) metadata.set(key, objectText(entries))
  }
  add(LEVELS_KEY, ({ declaredOrder }) => declaredOrder)
  add(TYPES_KEY, ({ declaredType }) => declaredType)
  add(FORMULAS_KEY, ({ declaredFormula }) => declaredFormula)
  if (rules.length > 0) metadata.set(RULES_KEY, JSON.stringify({ rules }))
  add(LABELS_KEY, ({ label }) => (label === undefined ? undefined : cutText(label, MAX_LABEL).toWellFormed()))
  if (isLonger(metadata.get(LABELS_KEY) ?? '', MAX_ENTRY_BYTES)) metadata.delete(LABELS_KEY)
  for (const key of [LEVELS_KEY, TYPES_KEY, FORMULAS_KEY, RULES_KEY]) {
    if (isLonger(metadata.get(key) ?? '', MAX_ENTRY_BYTES)) throw new RangeError(`${key} is longer than 1 MiB`)
  }
  return metadata
}

/** JSON of an object in this sequence: an object of JavaScript would put names that are numbers first. */
function objectText(entries: readonly (readonly [string, unknown])[]): string {
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
}

/** The notes of a file, by column. */
export interface ColumnNotes {
  readonly levels: ReadonlyMap<string, unknown>
  readonly types: ReadonlyMap<string, unknown>
  readonly formulas: ReadonlyMap<string, unknown>
  readonly labels: ReadonlyMap<string, unknown>
  /** Those that have the expected shape. */
  readonly rules: readonly Rule[]
  /** Whether numbers and dates that were written as texts have been read already. */
  readonly areTextsRead: boolean
  /** Whether an entry was too long or not the JSON of an object. */
  readonly isDamaged: boolean
}

/** Reads the notes of a file of anybody: what does not have the expected shape is ignored. */
export async function readColumnNotes(session: DuckDbSession, path: string): Promise<ColumnNotes> {
  const keys = [LEVELS_KEY, TYPES_KEY, FORMULAS_KEY, RULES_KEY, LABELS_KEY, TEXTS_KEY]
  const list = keys.map((key) => `encode(${sqlText(key)})`).join(', ')
  const rows = await session.rows(
    `SELECT decode(key), octet_length(value), CASE WHEN octet_length(value) <= ${MAX_ENTRY_BYTES} THEN try(decode(value)) END
     FROM parquet_kv_metadata(${sqlText(path)}) WHERE key IN (${list})`,
  )
  const found = new Map<string, ReadonlyMap<string, unknown> | null>()
  for (const [key, , value] of rows) found.set(String(key), objectOf(value))
  const of = (key: string): ReadonlyMap<string, unknown> => found.get(key) ?? new Map()
  return {
    levels: of(LEVELS_KEY),
    types: of(TYPES_KEY),
    formulas: of(FORMULAS_KEY),
    labels: of(LABELS_KEY),
    rules: rulesOf(of(RULES_KEY).get('rules')),
    areTextsRead: found.has(TEXTS_KEY),
    isDamaged: [...found.values()].includes(null),
  }
}

function objectOf(text: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof text !== 'string') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null
  } catch {
    return null
  }
}

/** The notes of one column that have the expected shape. */
export function columnNotes({ levels, types, formulas, labels }: ColumnNotes, name: string): Noted {
  const order = levels.get(name)
  const type = types.get(name)
  const formula = formulas.get(name)
  const label = labels.get(name)
  return {
    ...(isOrder(order) && { declaredOrder: order }),
    ...(typeof type === 'string' && TYPES.has(type) && { declaredType: type as DeclaredType }),
    ...(isFormula(formula) && { declaredFormula: formula }),
    ...(typeof label === 'string' && label !== '' && { label: cutText(label, MAX_LABEL) }),
  }
}

function rulesOf(value: unknown): readonly Rule[] {
  return Array.isArray(value) ? value.slice(0, MAX_RULES).filter(isRule) : []
}

function isOrder(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((level) => typeof level === 'string') && new Set(value).size === value.length
}

/** Most columns of a formula. */
const MAX_PARTS = 1_000

function isFormula(value: unknown): value is DeclaredFormula {
  if (typeof value !== 'object' || value === null || !('form' in value) || !('of' in value)) return false
  const { form, of } = value
  if (!Array.isArray(of) || of.length < 2 || of.length > MAX_PARTS) return false
  if (!of.every((name) => typeof name === 'string') || new Set(of).size < of.length) return false
  if (form === 'difference') return of.length === 2
  const least = 'least' in value ? Number(value.least) : Number.NaN
  return form === 'mean' && Number.isInteger(least) && least >= 1 && least <= of.length
}
