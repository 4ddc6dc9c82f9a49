import type { AnySchemaColumn } from '../contract/datasets.ts'
import type { ArtifactSummary } from '../formats/reading/artifact-summary.ts'
import type { Measurement, NumberSummary } from '../plan/study-state.ts'
import type { Comparison, Scenario } from '../study/study.ts'
import { binEdges } from './bin-edges.ts'
import { areEqual } from './histogram.ts'

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
  /** Edges of the bins that numbers are counted in, by column; the columns are among `numbers`. */
  readonly bins: ReadonlyMap<string, readonly number[]>
}

export type MeasureArtifact = (request: MeasureRequest, signal?: AbortSignal) => Promise<Measurement>

/** Most means, over all scenarios of all comparisons, whose distributions a manifest holds: about 20 MB of it. */
const MOST_DISTRIBUTIONS = 6000

/**
 * Columns that a scenario needs: those with conditions, and those it is compared by.
 *
 * @param schema of the scenario's dataset; null when it is not known, and then there are no bins.
 */
export function measuredColumns(
  scenario: Scenario,
  comparisons: readonly Comparison[],
  schema: readonly AnySchemaColumn[] | null,
): Pick<MeasureRequest, 'shares' | 'numbers' | 'ranges' | 'bins'> {
  const compared = comparisons.filter((c) => c.against === scenario.id || c.scenarios.includes(scenario.id))
  return {
    shares: [...new Set([...scenario.shares.keys(), ...compared.flatMap((c) => c.shares)])],
    numbers: [...new Set([...scenario.ranges.keys(), ...compared.flatMap((c) => c.means)])],
    ranges: scenario.ranges,
    bins: isTooMany(comparisons) ? new Map() : edgesOf(new Set(compared.flatMap((c) => c.means)), schema ?? []),
  }
}

const isTooMany = (comparisons: readonly Comparison[]): boolean =>
  comparisons.reduce((sum, { scenarios, means }) => sum + scenarios.length * means.length, 0) > MOST_DISTRIBUTIONS

function edgesOf(columns: ReadonlySet<string>, schema: readonly AnySchemaColumn[]): MeasureRequest['bins'] {
  return new Map(
    schema.flatMap((column) => {
      const edges = columns.has(column.name) ? binEdges(column) : null
      return edges === null ? [] : [[column.name, edges] as const]
    }),
  )
}

/** True when a measurement holds every required column; comparisons may have been added since it was made. */
export function coversColumns(measured: Measurement, wanted: Pick<MeasureRequest, 'shares' | 'numbers'>): boolean {
  const shares = new Set([...measured.shares.map(([column]) => column), ...measured.absent])
  const numbers = new Set([...measured.numbers.map(([column]) => column), ...measured.absent])
  return wanted.shares.every((c) => shares.has(c)) && wanted.numbers.every((c) => numbers.has(c))
}

/** True when a measurement holds its numbers in the required bins; the schema may have changed since it was made. */
export function coversBins(measured: Measurement, { bins }: Pick<MeasureRequest, 'bins'>): boolean {
  const counted = new Map(measured.numbers)
  return [...bins].every(([column, edges]) => {
    if (measured.absent.includes(column)) return true
    const have = counted.get(column)?.bins?.edges
    return have !== undefined && areEqual(edges, have)
  })
}

/** Counts an artifact by reading all of it. The reader is loaded on first use, because many runs measure nothing. */
export const measure: MeasureArtifact = async (request, signal) => {
  const { summarizeArtifact } = await import('../formats/read-artifact.ts')
  const { path, format, tempDir, content } = request
  const options = { tempDir, ...(content && { content }) }
  const count = (asked: { shares: readonly string[]; numbers: readonly string[] }): Promise<ArtifactSummary> => {
    signal?.throwIfAborted()
    const ranges = new Map([...request.ranges].filter(([column]) => asked.numbers.includes(column)))
    const bins = new Map([...request.bins].filter(([column]) => asked.numbers.includes(column)))
    return summarizeArtifact(path, format, { shares: asked.shares, ranges, numeric: asked.numbers, bins }, options)
  }
  try {
    return measurementOf(await count(request), request)
  } catch (error) {
    // A missing column is reported, and everything else is still counted.
    const { columns } = await count({ shares: [], numbers: [] })
    const isThere = (column: string): boolean => columns.includes(column)
    const present = { shares: request.shares.filter(isThere), numbers: request.numbers.filter(isThere) }
    if (present.shares.length + present.numbers.length === request.shares.length + request.numbers.length) throw error
    return measurementOf(await count(present), request)
  }
}

function measurementOf(summary: ArtifactSummary, request: MeasureRequest): Measurement {
  const asked = new Set([...request.shares, ...request.numbers])
  return {
    rows: summary.rows,
    shares: [...summary.shares].map(([column, { counts, missing }]) => [column, { levels: [...counts], missing }]),
    numbers: [...summary.numeric.keys()].map((column) => [column, numberSummary(summary, column)]),
    outside: [...summary.ranges].map(([column, { outside, missing }]) => [column, outside + missing]),
    absent: [...asked].filter((column) => !summary.columns.includes(column)),
  }
}

function numberSummary(summary: ArtifactSummary, column: string): NumberSummary {
  const numeric = summary.numeric.get(column)
  const range = summary.ranges.get(column)
  return {
    n: numeric?.count ?? 0,
    missing: numeric?.missing ?? range?.missing ?? 0,
    min: finite(range?.min),
    max: finite(range?.max),
    mean: finite(numeric?.mean),
    sd: finite(numeric?.sd),
    quantiles: numeric?.quantiles?.every(Number.isFinite) ? numeric.quantiles : null,
    ...(numeric?.bins && { bins: numeric.bins }),
  }
}

/** A sum of very large numbers can overflow, and JSON has no form for the result. */
const finite = (value: number | null | undefined): number | null =>
  value != null && Number.isFinite(value) ? value : null
