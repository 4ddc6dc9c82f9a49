import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { Range } from '../conditions/condition.ts'
import type { ReportFault } from '../conditions/condition-kind.ts'
import { endsOf, endTexts } from '../conditions/range-ends.ts'
import { childEnd, writtenRange } from '../conditions/written-range.ts'
import type { SourceRange } from '../diagnostics/diagnostic.ts'
import { type Located, type LocatedMap, nameText } from '../yaml/located-node.ts'

/** Which rows a comparison counts its outcomes in, on both sides: those that meet all of its filters. Rows without a value meet none. */
export type RowFilter = LevelFilter | RangeFilter

/** The rows that have one of the levels. */
export interface LevelFilter {
  readonly kind: 'levels'
  readonly column: string
  readonly levels: readonly Located<string>[]
  /** Where the column is written. */
  readonly place: SourceRange
}

/** The rows whose value lies between the ends; an infinite end is open. */
export interface RangeFilter extends Range {
  readonly kind: 'range'
  readonly column: string
  readonly place: SourceRange
}

/** The filters under `where` of a comparison, whose shape has been checked. */
export function readRowFilters(where: LocatedMap | undefined, report: ReportFault): readonly RowFilter[] {
  return [...(where?.entries.values() ?? [])].map(({ key: column, keyRange: place, value }): RowFilter => {
    if (value.kind === 'list') {
      const levels = value.items.map((item) => ({ value: nameText(item), range: item.range }))
      return { kind: 'levels', column, levels, place }
    }
    const ends = { min: childEnd(value, 'min'), max: childEnd(value, 'max') }
    return { kind: 'range', ...writtenRange(column, place, ends, report) }
  })
}

/** Filters as a service is asked for them; dates in milliseconds since 1970. */
export interface AskedRows {
  readonly categorical?: Readonly<Record<string, readonly string[]>>
  readonly numeric?: Readonly<Record<string, { readonly min?: number; readonly max?: number }>>
}

/** The same rows in one writing, whatever the sequence of columns and levels; undefined: all rows. */
export function askedRows(filters: readonly RowFilter[]): AskedRows | undefined {
  if (filters.length === 0) return undefined
  const sorted = [...filters].sort((a, b) => (a.column < b.column ? -1 : 1))
  const categorical = sorted.flatMap((one) => (one.kind === 'levels' ? [[one.column, levelsOf(one)] as const] : []))
  const numeric = sorted.flatMap((one) => (one.kind === 'range' ? [[one.column, givenEnds(one)] as const] : []))
  return {
    ...(categorical.length > 0 && { categorical: dataRecord(categorical) }),
    ...(numeric.length > 0 && { numeric: dataRecord(numeric) }),
  }
}

const levelsOf = ({ levels }: LevelFilter): string[] => [...new Set(levels.map(({ value }) => value))].sort()

function givenEnds(range: Range): { min?: number; max?: number } {
  const { min, max } = endsOf(range)
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

/** Filters by column, as a manifest and hashes have them: levels, or ends; undefined: all rows. */
export function rowFilterValue(filters: readonly RowFilter[]): ReadonlyMap<string, CanonicalValue> | undefined {
  if (filters.length === 0) return undefined
  return new Map(filters.map((one) => [one.column, one.kind === 'levels' ? levelsOf(one) : givenEnds(one)] as const))
}

/** Names a group of rows among the counts of an artifact: equal filters have equal names. */
export const rowFilterKey = (filters: readonly RowFilter[]): string => canonicalJson(rowFilterValue(filters) ?? null)

/** A filter as a manifest has it: levels, or the ends that are given, dates in RFC 3339. */
export interface RecordedFilter {
  readonly column: string
  readonly levels?: readonly string[]
  readonly min?: number | string
  readonly max?: number | string
}

/** In the sequence of the study. */
export const recordedFilters = (filters: readonly RowFilter[]): RecordedFilter[] =>
  filters.map((one) => {
    const { column } = one
    if (one.kind === 'levels') return { column, levels: one.levels.map(({ value }) => value) }
    if (one.areDates !== true) return { column, ...givenEnds(one) }
    const { min, max } = endTexts(one)
    return { column, ...(min !== null && { min }), ...(max !== null && { max }) }
  })
