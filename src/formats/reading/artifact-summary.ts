import type { Bins } from '../../base/bins.ts'
import { columnsOfRule, type Rule } from '../../base/rules/rule.ts'
import { MAX_SEGMENTS } from '../../base/segment-limit.ts'
import { UnreadableFileError } from './unreadable-file-error.ts'

/** The columns to measure in an artifact, by name. */
export interface ArtifactRequest {
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns with the expected range of their values; dates in milliseconds since 1970-01-01T00:00:00Z. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
  /** Columns whose distribution is described. */
  readonly numeric: readonly string[]
  /** Edges of bins by column, which is among `numeric`: ascending, at least two. */
  readonly bins?: ReadonlyMap<string, readonly number[]>
  /** Further quantiles by column, which is among `numeric`, as shares of the values up to them. */
  readonly quantiles?: ReadonlyMap<string, readonly number[]>
  /** Columns whose levels divide the rows, each at most once; absent: none. */
  readonly segments?: readonly SegmentRequest[]
  /** Columns whose combinations of levels are counted; absent: none. */
  readonly tables?: readonly (readonly string[])[]
  /** Groups of rows in which more is counted, by names of their own; absent: none. */
  readonly groups?: readonly GroupRequest[]
  /** Rules by the names that the file gives their columns, each text once; absent: none. */
  readonly rules?: readonly Rule[]
}

/** What to measure among the rows that pass all filters. */
export interface GroupRequest {
  readonly name: string
  readonly where: readonly RowTest[]
  readonly shares: readonly string[]
  readonly numeric: readonly string[]
  readonly bins?: ReadonlyMap<string, readonly number[]>
  readonly quantiles?: ReadonlyMap<string, readonly number[]>
  readonly segments?: readonly SegmentRequest[]
}

/** A row passes if it has one of the levels, or a number between the ends, both included. Without a value it does not. */
export type RowTest =
  | { readonly column: string; readonly levels: ReadonlySet<string> }
  | { readonly column: string; readonly min: number; readonly max: number }

/** What is counted of a group, as of a file. */
export const requestOf = ({ shares, numeric, bins, quantiles, segments }: GroupRequest): ArtifactRequest => ({
  shares,
  numeric,
  ranges: new Map(),
  ...(bins && { bins }),
  ...(quantiles && { quantiles }),
  ...(segments && { segments }),
})

/** What to measure among the rows of each level of a column. */
export interface SegmentRequest {
  readonly by: string
  readonly shares: readonly string[]
  readonly numeric: readonly string[]
  readonly quantiles?: ReadonlyMap<string, readonly number[]>
}

/** The names of all columns that a request needs. */
export function columnsOf(request: ArtifactRequest): ReadonlySet<string> {
  const { shares, ranges, numeric, segments = [], tables = [], groups = [], rules = [] } = request
  const inSegments = segments.flatMap((segment) => [segment.by, ...segment.shares, ...segment.numeric])
  const inGroups = groups.flatMap((group) => [
    ...group.where.map(({ column }) => column),
    ...columnsOf(requestOf(group)),
  ])
  return new Set([
    ...shares,
    ...ranges.keys(),
    ...numeric,
    ...inSegments,
    ...tables.flat(),
    ...inGroups,
    ...rules.flatMap((rule) => columnsOfRule(rule)),
  ])
}

export interface ArtifactSummary {
  readonly rows: number
  /** Names of all columns, in file sequence. */
  readonly columns: readonly string[]
  readonly shares: ReadonlyMap<string, LevelCounts>
  readonly ranges: ReadonlyMap<string, RangeCounts>
  readonly numeric: ReadonlyMap<string, NumericSummary>
  /** By column, then by level in ascending order of UTF-16 code units; rows without a level are in none. */
  readonly segments?: ReadonlyMap<string, ReadonlyMap<string, SegmentSummary>>
  /** In the sequence of the request. */
  readonly tables?: readonly CombinedCounts[]
  /** By name of the group. */
  readonly groups?: ReadonlyMap<string, GroupSummary>
  /** In the sequence of the request. */
  readonly rules?: readonly RuleCounts[]
  /** Cells of CSV that are texts and begin like a formula, by column; absent: there are none. */
  readonly formulas?: ReadonlyMap<string, number>
}

export type SegmentSummary = Pick<ArtifactSummary, 'rows' | 'shares' | 'numeric'>

export type GroupSummary = Pick<ArtifactSummary, 'rows' | 'shares' | 'numeric' | 'segments'>

export interface LevelCounts {
  /** Rows by level, in ascending order of UTF-16 code units; whole numbers by their decimal text. */
  readonly counts: ReadonlyMap<string, number>
  readonly missing: number
}

export interface CombinedCounts {
  readonly columns: readonly string[]
  /** A level of each column and the rows that have all of them, ascending; rows without a level are in none. */
  readonly counts: readonly (readonly [levels: readonly string[], rows: number])[]
}

/** Rows that a rule is about, and those of them that break it. */
export interface RuleCounts {
  /** As the study writes it. */
  readonly rule: string
  /** In the sequence in which it names them. */
  readonly columns: readonly string[]
  readonly rows: number
  readonly broken: number
}

export interface RangeCounts {
  /** Null when no value is present. */
  readonly min: number | null
  readonly max: number | null
  /** Values below `min` or above `max` of the request, and values that are not numbers; missing ones do not count. */
  readonly outside: number
  readonly missing: number
}

/** All figures cover the present values; null when there are too few. */
export interface NumericSummary {
  readonly count: number
  readonly missing: number
  readonly mean: number | null
  /** With n - 1 in the denominator. */
  readonly sd: number | null
  /** In the sequence of `QUANTILES`, interpolated linearly (type 7 of Hyndman and Fan 1996). */
  readonly quantiles: readonly number[] | null
  /** When further ones are requested and there are values: share and quantile. */
  readonly at?: readonly (readonly [share: number, quantile: number])[]
  /** When requested. */
  readonly bins?: Bins
}

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const

/** Most levels of a column. No schema has more, so a file with more is not the requested one. */
export const MAX_LEVELS = 100_000

export function sortedCounts(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return byLevel(counts)
}

export function byLevel<V>(levels: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  return new Map([...levels].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Rows by the JSON of their levels. */
export const combinedCounts = (columns: readonly string[], rowsOf: ReadonlyMap<string, number>): CombinedCounts => ({
  columns,
  counts: [...byLevel(rowsOf)].map(([key, rows]) => [JSON.parse(key) as string[], rows]),
})

export function tooManyCombinations(columns: readonly string[]): UnreadableFileError {
  return new UnreadableFileError(`Columns ${columns.join(', ')} have more than ${MAX_LEVELS} combinations of levels.`)
}

export function tooManySegments(by: string): UnreadableFileError {
  return new UnreadableFileError(`Column "${by}" has more than ${MAX_SEGMENTS} levels, too many for segments.`)
}

/** The file is sound, and whoever asked for the column is to be told so. */
export class MissingColumnError extends UnreadableFileError {}

export function missingColumn(name: string, columns: readonly string[]): MissingColumnError {
  const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ', …' : '')
  return new MissingColumnError(`The file has no column "${name}"; it has: ${shown}.`)
}

export interface FirstRowsRequest {
  readonly rows: number
  /** Null: all columns. */
  readonly columns: readonly string[] | null
  /** Existing or new folder for temporary data; nothing is left there. */
  readonly tempDir: string
}

export interface FirstRows {
  /** Names of all columns, in file sequence. */
  readonly columns: readonly string[]
  /** Names of the columns of `rows`. */
  readonly shown: readonly string[]
  /** Values as the texts of levels; null where missing. */
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Places of the requested columns in the file, in the sequence of the request. */
export function wantedColumns(names: readonly string[], wanted: readonly string[] | null): number[] {
  if (wanted === null) return names.map((_, i) => i)
  return wanted.map((name) => {
    const at = names.indexOf(name)
    if (at < 0) throw missingColumn(name, names)
    return at
  })
}

export interface ReadArtifactOptions {
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** The file's content, if known: then the file is not read. */
  readonly content?: Buffer
  /** Default 512; of Parquet. */
  readonly memoryLimitMb?: number
}

export function tooManyLevels(column: string): UnreadableFileError {
  return new UnreadableFileError(`Column "${column}" has more than ${MAX_LEVELS} levels.`)
}

const MISSING = new Set(['', 'na', 'nan', 'null'])

/** Whether a text among numbers stands for a missing one. */
export function isMissingText(text: string): boolean {
  return MISSING.has(text.toLowerCase())
}
