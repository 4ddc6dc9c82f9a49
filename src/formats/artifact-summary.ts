import { UnreadableFileError } from './unreadable-file-error.ts'

/** What the measuring of an artifact asks for; columns by name. */
export interface ArtifactRequest {
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns with the range that their values should keep; dates in milliseconds since 1970-01-01T00:00:00Z. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
  /** Columns whose distribution is described. */
  readonly numeric: readonly string[]
}

export interface ArtifactSummary {
  readonly rows: number
  /** Names of all columns, in the order of the file. */
  readonly columns: readonly string[]
  readonly shares: ReadonlyMap<string, LevelCounts>
  readonly ranges: ReadonlyMap<string, RangeCounts>
  readonly numeric: ReadonlyMap<string, NumericSummary>
}

export interface LevelCounts {
  /** Rows by level, in ascending order of UTF-16 code units; whole numbers by their decimal text. */
  readonly counts: ReadonlyMap<string, number>
  readonly missing: number
}

export interface RangeCounts {
  /** Null when no value is present. */
  readonly min: number | null
  readonly max: number | null
  /** Values below `min` or above `max` of the request, and values that are no numbers; missing ones do not count. */
  readonly outside: number
  readonly missing: number
}

/** All figures are of the values present; null where there are too few. */
export interface NumericSummary {
  readonly count: number
  readonly missing: number
  readonly mean: number | null
  /** With n - 1 in the denominator. */
  readonly sd: number | null
  /** In the order of `QUANTILES`, interpolated linearly (type 7 of Hyndman and Fan 1996). */
  readonly quantiles: readonly number[] | null
}

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const

/** More levels than a schema could hold: the file is not what was asked for. */
export const MAX_LEVELS = 100_000

export function sortedCounts(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function missingColumn(name: string, columns: readonly string[]): UnreadableFileError {
  const shown = columns.slice(0, 20).join(', ') + (columns.length > 20 ? ', …' : '')
  return new UnreadableFileError(`The file has no column "${name}"; it has: ${shown}.`)
}

export interface ReadArtifactOptions {
  /** Existing or new folder for what does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** What is at the path, where it is at hand: it is not read then. */
  readonly content?: Buffer
  /** Default 512; of Parquet and CSV. */
  readonly memoryLimitMb?: number
}
