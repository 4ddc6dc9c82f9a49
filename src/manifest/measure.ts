import type { ArtifactSummary, SegmentSummary } from '../formats/reading/artifact-summary.ts'
import type { Measurement, NumberSummary, SegmentCounts } from '../plan/study-state.ts'
import type { Comparison, Scenario } from '../study/study.ts'

/** What to count in an artifact. */
export interface MeasureRequest {
  readonly path: string
  /** The content of the file at `path`, if known: then the file is not read. */
  readonly content?: Buffer
  /** A folder for data that does not fit into memory; created if missing. */
  readonly tempDir: string
  readonly format: 'parquet' | 'csv' | 'arrow'
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns whose numbers are summarised. */
  readonly numbers: readonly string[]
  /** Columns whose values outside the range are counted; they are among `numbers`. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
  /** What is counted inside each level of a column, once for each such column; absent: nothing. */
  readonly segments?: readonly MeasuredSegments[]
}

export interface MeasuredSegments {
  readonly by: string
  readonly shares: readonly string[]
  readonly numbers: readonly string[]
}

type MeasuredColumns = Pick<MeasureRequest, 'shares' | 'numbers' | 'ranges' | 'segments'>

export type MeasureArtifact = (request: MeasureRequest, signal?: AbortSignal) => Promise<Measurement>

/** Columns that a scenario needs: those with conditions, and those it is compared by. */
export function measuredColumns(scenario: Scenario, comparisons: readonly Comparison[]): MeasuredColumns {
  const compared = comparisons.filter((c) => c.against === scenario.id || c.scenarios.includes(scenario.id))
  const segments = segmentsOf(compared)
  return {
    shares: [...new Set([...scenario.shares.keys(), ...compared.flatMap((c) => c.shares)])],
    numbers: [...new Set([...scenario.ranges.keys(), ...compared.flatMap((c) => c.means)])],
    ranges: scenario.ranges,
    ...(segments.length === 0 ? {} : { segments }),
  }
}

/** Comparisons by the same column are counted together. */
function segmentsOf(comparisons: readonly Comparison[]): readonly MeasuredSegments[] {
  return [...new Set(comparisons.flatMap(({ by }) => by ?? []))].map((by) => {
    const divided = comparisons.filter((comparison) => comparison.by === by)
    return {
      by,
      shares: [...new Set(divided.flatMap((c) => c.shares))],
      numbers: [...new Set(divided.flatMap((c) => c.means))],
    }
  })
}

/** True when a measurement holds every required column; comparisons may have been added since it was made. */
export function coversColumns(measured: Measurement, wanted: Omit<MeasuredColumns, 'ranges'>): boolean {
  const { absent } = measured
  return covers(measured, wanted, absent) && (wanted.segments ?? []).every((asked) => coversSegments(measured, asked))
}

function covers(
  counted: Pick<Measurement, 'shares' | 'numbers'>,
  wanted: Pick<MeasuredSegments, 'shares' | 'numbers'>,
  absent: readonly string[],
): boolean {
  const shares = new Set([...counted.shares.map(([column]) => column), ...absent])
  const numbers = new Set([...counted.numbers.map(([column]) => column), ...absent])
  return wanted.shares.every((c) => shares.has(c)) && wanted.numbers.every((c) => numbers.has(c))
}

function coversSegments({ absent, segments }: Measurement, wanted: MeasuredSegments): boolean {
  if (absent.includes(wanted.by)) return true
  const levels = segments?.find(([by]) => by === wanted.by)?.[1]
  // All levels are counted alike; without rows there is none.
  return levels?.every(([, counts]) => covers(counts, wanted, absent)) ?? false
}

/** Counts an artifact by reading all of it. The reader is loaded on first use, because many runs measure nothing. */
export const measure: MeasureArtifact = async (request, signal) => {
  const { summarizeArtifact } = await import('../formats/read-artifact.ts')
  const { path, format, tempDir, content } = request
  const options = { tempDir, ...(content && { content }) }
  const count = (asked: Omit<MeasuredColumns, 'ranges'>): Promise<ArtifactSummary> => {
    signal?.throwIfAborted()
    const ranges = new Map([...request.ranges].filter(([column]) => asked.numbers.includes(column)))
    const segments = asked.segments?.map(({ by, shares, numbers }) => ({ by, shares, numeric: numbers }))
    const columns = { shares: asked.shares, ranges, numeric: asked.numbers, ...(segments && { segments }) }
    return summarizeArtifact(path, format, columns, options)
  }
  try {
    return measurementOf(await count(request), request)
  } catch (error) {
    // A missing column is reported, and everything else is still counted.
    const { columns } = await count({ shares: [], numbers: [] })
    const isThere = (column: string): boolean => columns.includes(column)
    if (namedIn(request).every(isThere)) throw error
    const named = (asked: Pick<MeasuredSegments, 'shares' | 'numbers'>) => ({
      shares: asked.shares.filter(isThere),
      numbers: asked.numbers.filter(isThere),
    })
    const segments = request.segments
      ?.filter(({ by }) => isThere(by))
      .map((asked) => ({ by: asked.by, ...named(asked) }))
    return measurementOf(await count({ ...named(request), ...(segments && { segments }) }), request)
  }
}

function measurementOf(summary: ArtifactSummary, request: MeasureRequest): Measurement {
  return {
    ...countsOf(summary),
    outside: [...summary.ranges].map(([column, { outside, missing }]) => [column, outside + missing]),
    absent: [...new Set(namedIn(request))].filter((column) => !summary.columns.includes(column)),
    ...(summary.segments && {
      segments: [...summary.segments].map(
        ([by, levels]) => [by, [...levels].map(([level, counts]) => [level, countsOf(counts)] as const)] as const,
      ),
    }),
  }
}

const namedIn = ({ shares, numbers, segments = [] }: MeasureRequest): readonly string[] => [
  ...shares,
  ...numbers,
  ...segments.map(({ by }) => by),
]

function countsOf(summary: SegmentSummary & Partial<Pick<ArtifactSummary, 'ranges'>>): SegmentCounts {
  return {
    rows: summary.rows,
    shares: [...summary.shares].map(([column, { counts, missing }]) => [column, { levels: [...counts], missing }]),
    numbers: [...summary.numeric.keys()].map((column) => [column, numberSummary(summary, column)]),
  }
}

function numberSummary(
  summary: SegmentSummary & Partial<Pick<ArtifactSummary, 'ranges'>>,
  column: string,
): NumberSummary {
  const numeric = summary.numeric.get(column)
  const range = summary.ranges?.get(column)
  return {
    n: numeric?.count ?? 0,
    missing: numeric?.missing ?? range?.missing ?? 0,
    min: finite(range?.min),
    max: finite(range?.max),
    mean: finite(numeric?.mean),
    sd: finite(numeric?.sd),
    quantiles: numeric?.quantiles?.every(Number.isFinite) ? numeric.quantiles : null,
  }
}

/** A sum of very large numbers can overflow, and JSON has no form for the result. */
const finite = (value: number | null | undefined): number | null =>
  value != null && Number.isFinite(value) ? value : null
