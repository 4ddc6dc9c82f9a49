import type { Bins } from '../../base/bins.ts'
import type { LevelCounts, Measurement, NumberSummary, SegmentCounts } from '../../records/state/measurements.ts'
import { rowFilterKey } from '../../study/outcomes/row-filter.ts'
import type { Comparison } from '../../study/study.ts'
import { areEqual } from '../counts/histogram.ts'
import { type KnownSchema, schemaHasLevel } from '../counts/known-names.ts'

/** One side of a comparison. */
export interface ComparedSide {
  /** Null when there is no result. */
  readonly measured: Measurement | null
  /** Trained dataset that it was generated from. */
  readonly datasetId: string | null
  /** Identity of its model; null when the service does not report it. */
  readonly modelId: string | null
  /** Rows of the seed behind it, by its generation's evidence; null when the service does not report it. */
  readonly effectiveRows: number | null
  /** Cleaned schema of that dataset; absent or null when it is not known. */
  readonly schema?: KnownSchema
  /** False when it was not selected: then a missing result is no failure. */
  readonly selected: boolean
}

/**
 * A side as its rows are that pass the filters of a comparison; none: as it is. Without counts of them it has no rows, and where
 * a filter names a level that its data have no more: the rows of the other levels are another group.
 */
export function filteredSide(side: ComparedSide, { where }: Pick<Comparison, 'where'>): ComparedSide {
  const { measured } = side
  if (where.length === 0 || measured === null) return side
  const isGone = where.some(
    (filter) =>
      filter.kind === 'levels' &&
      filter.levels.some(({ value }) => schemaHasLevel(side.schema ?? null, filter.column, value) === false),
  )
  if (isGone) return { ...side, measured: withoutRows(measured) }
  const group = measured.groups?.find(([name]) => name === rowFilterKey(where))?.[1] ?? NO_ROWS
  return { ...side, measured: { ...group, outside: [], absent: measured.absent } }
}

/** A side in which nothing can be evaluated. */
export function withoutRows({ absent }: Measurement): Measurement {
  return { ...NO_ROWS, outside: [], absent }
}

const NO_ROWS: SegmentCounts = { rows: 0, shares: [], numbers: [] }

/** One side of a comparison, with the replicates that it consists of. */
export interface PooledSide extends ComparedSide {
  /** The replicates that have a result. */
  readonly replicates: readonly { readonly id: string; readonly side: ComparedSide & { measured: Measurement } }[]
}

export const isPooled = (side: ComparedSide | PooledSide | undefined): side is PooledSide =>
  side !== undefined && 'replicates' in side

/** The parts of a side: its replicates with a result, or the side itself. */
export const partsOf = (side: ComparedSide | PooledSide): readonly ComparedSide[] =>
  isPooled(side) ? side.replicates.map((one) => one.side) : [side]

/** Replicates as one side. Those without a result are left out; the side has none only if all lack one. */
export function pooledSide(members: readonly (readonly [id: string, side: ComparedSide | undefined])[]): PooledSide {
  const replicates = members.flatMap(([id, side]) =>
    side?.measured == null ? [] : [{ id, side: { ...side, measured: side.measured } }],
  )
  const [first] = replicates
  const effective = replicates.map(({ side }) => side.effectiveRows)
  return {
    measured: first === undefined ? null : pooledMeasurement(replicates.map(({ side }) => side.measured)),
    datasetId: first?.side.datasetId ?? null,
    modelId: first?.side.modelId ?? null,
    schema: first?.side.schema ?? null,
    // The same rows of the seed are behind all replicates: more replicates do not make them more.
    effectiveRows: effective.length === 0 || effective.includes(null) ? null : Math.min(...effective.map(Number)),
    selected: members.some(([, side]) => side?.selected === true),
    replicates,
  }
}

/**
 * The counts of several artifacts, as if their rows stood in one. The list of quantiles is empty, because those of the
 * parts do not determine them. A column that some part was not counted by is left out.
 */
export function pooledMeasurement(parts: readonly Measurement[]): Measurement {
  const [first] = parts
  if (first === undefined) throw new TypeError('nothing to pool')
  if (parts.length === 1) return first
  const segments = first.segments && pooledSegments(parts)
  return {
    ...pooledCounts(parts),
    outside: inAll(parts.map(({ outside }) => outside)).map(([column, rows]) => [column, sum(rows)] as const),
    absent: [...new Set(parts.flatMap(({ absent }) => absent))],
    ...(segments && { segments }),
  }
}

function pooledCounts(parts: readonly SegmentCounts[]): SegmentCounts {
  return {
    rows: sum(parts.map(({ rows }) => rows)),
    shares: inAll(parts.map(({ shares }) => shares)).map(([column, of]) => [column, pooledLevels(of)] as const),
    numbers: inAll(parts.map(({ numbers }) => numbers)).map(([column, of]) => [column, pooledNumbers(of)] as const),
  }
}

/** A level that only some parts have rows of is a segment of these alone. */
function pooledSegments(parts: readonly Measurement[]): NonNullable<Measurement['segments']> {
  return inAll(parts.map(({ segments = [] }) => segments)).map(([by, of]) => {
    const levels = new Map<string, SegmentCounts[]>()
    for (const [level, counts] of of.flat()) levels.set(level, [...(levels.get(level) ?? []), counts])
    return [by, [...levels].map(([level, counts]) => [level, pooledCounts(counts)] as const)] as const
  })
}

function pooledLevels(parts: readonly LevelCounts[]): LevelCounts {
  const counts = new Map<string, number>()
  for (const [level, count] of parts.flatMap(({ levels }) => levels))
    counts.set(level, (counts.get(level) ?? 0) + count)
  return {
    levels: [...counts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    missing: sum(parts.map(({ missing }) => missing)),
  }
}

/** Mean and variance from those of the parts: the squared deviations inside them, and those of their means. */
function pooledNumbers(parts: readonly NumberSummary[]): NumberSummary {
  const filled = parts.filter(({ n }) => n > 0)
  const [only] = filled
  const missing = sum(parts.map((part) => part.missing))
  const bins = pooledBins(parts)
  if (only === undefined) return { ...parts[0]!, missing, ...(bins && { bins }) }
  const n = sum(filled.map((part) => part.n))
  const mean = finite(sum(filled.map((part) => part.n * (part.mean ?? Number.NaN))) / n)
  const squares = filled.map((part) => {
    const inside = part.n === 1 ? 0 : (part.n - 1) * (part.sd ?? Number.NaN) ** 2
    return inside + part.n * ((part.mean ?? Number.NaN) - (mean ?? Number.NaN)) ** 2
  })
  return {
    ...(filled.length === 1 && only.at && { at: only.at }),
    n,
    missing,
    min: least(filled.map(({ min }) => min)),
    max: least(
      filled.map(({ max }) => max),
      -1,
    ),
    mean,
    sd: n < 2 ? null : finite(Math.sqrt(sum(squares) / (n - 1))),
    quantiles: filled.length === 1 ? only.quantiles : filled.some((part) => part.quantiles === null) ? null : [],
    ...(bins && { bins }),
  }
}

/** Undefined where the parts are not counted in the same bins. */
function pooledBins(parts: readonly NumberSummary[]): Bins | undefined {
  const all = parts.flatMap(({ bins }) => bins ?? [])
  const [first] = all
  if (first === undefined || all.length < parts.length) return undefined
  if (!all.every(({ edges }) => areEqual(edges, first.edges))) return undefined
  return {
    edges: first.edges,
    counts: first.counts.map((_, i) => sum(all.map(({ counts }) => counts[i] ?? 0))),
    below: sum(all.map(({ below }) => below)),
    above: sum(all.map(({ above }) => above)),
  }
}

/** What each list has under a name that all of them have. */
function inAll<V>(lists: readonly (readonly (readonly [name: string, value: V])[])[]): [name: string, values: V[]][] {
  const found = new Map<string, V[]>()
  for (const [name, value] of lists.flat()) found.set(name, [...(found.get(name) ?? []), value])
  return [...found].filter(([, values]) => values.length === lists.length)
}

/** @param sign -1: the greatest. Null where one is unknown. */
function least(ends: readonly (number | null)[], sign = 1): number | null {
  const known = ends.flatMap((end) => (end === null ? [] : [sign * end]))
  return known.length < ends.length || known.length === 0 ? null : sign * Math.min(...known)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Very large numbers overflow, and JSON has no form for the result. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
