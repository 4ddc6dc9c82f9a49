import type { OutputFormat } from '../../base/result-formats.ts'
import { columnsOfRule, type Rule } from '../../base/rules/rule.ts'
import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { ArtifactSummary, RowTest, SegmentSummary } from '../../formats/reading/artifact-summary.ts'
import type { Measurement, NumberSummary, SegmentCounts } from '../../records/state/measurements.ts'
import { conditionsOf } from '../../study/conditions/condition.ts'
import { OUTCOME_KINDS, outcomesOf } from '../../study/outcomes/outcome.ts'
import { type RowFilter, rowFilterKey } from '../../study/outcomes/row-filter.ts'
import { comparedName } from '../../study/replicates.ts'
import type { Comparison, Scenario } from '../../study/study.ts'
import { binEdges } from './bin-edges.ts'
import { countedColumns, countedTable } from './condition-results.ts'

/** What to count in an artifact. */
export interface MeasureRequest {
  readonly path: string
  /** The content of the file at `path`, if known: then the file is not read. */
  readonly content?: Buffer
  /** A folder for data that does not fit into memory; created if missing. */
  readonly tempDir: string
  readonly format: OutputFormat
  /** Columns whose levels are counted. */
  readonly shares: readonly string[]
  /** Columns whose numbers are summarised. */
  readonly numbers: readonly string[]
  /** Columns whose values outside the range are counted; they are among `numbers`. */
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>
  /** Edges of the bins that numbers are counted in, by column; the columns are among `numbers`. */
  readonly bins: ReadonlyMap<string, readonly number[]>
  /** Quantiles by column, as shares of the rows up to them; the columns are among `numbers`. Absent: none. */
  readonly quantiles?: ReadonlyMap<string, readonly number[]>
  /** What is counted inside each level of a column, once for each such column; absent: nothing. */
  readonly segments?: readonly MeasuredSegments[]
  /** Columns whose combinations of levels are counted; absent: none. */
  readonly tables?: readonly (readonly string[])[]
  /** What is counted among the rows that pass filters; absent: nothing. */
  readonly groups?: readonly MeasuredGroup[]
  /** Rules whose breaking rows are counted, by the cleaned names of their columns; absent: none. */
  readonly rules?: readonly Rule[]
}

/** The rows that a comparison counts in. */
export interface MeasuredGroup {
  /** `rowFilterKey` of its filters. */
  readonly name: string
  readonly where: readonly RowFilter[]
  readonly shares: readonly string[]
  readonly numbers: readonly string[]
  readonly segments?: readonly MeasuredSegments[]
}

export interface MeasuredSegments {
  readonly by: string
  readonly shares: readonly string[]
  readonly numbers: readonly string[]
}

export type MeasuredColumns = Pick<
  MeasureRequest,
  'shares' | 'numbers' | 'ranges' | 'segments' | 'tables' | 'groups' | 'rules'
>

export type MeasureArtifact = (request: MeasureRequest, signal?: AbortSignal) => Promise<Measurement>

/** Most means, over all scenarios of all comparisons, whose distributions a manifest holds: about 20 MB of it. */
const MOST_DISTRIBUTIONS = 6000

/**
 * Columns that a scenario needs: those with conditions, and those it is compared by.
 *
 * @param schema of the scenario's dataset; null when it is not known, and then there are no bins.
 * @param rules of the dataset, by the cleaned names of their columns.
 */
export function measuredColumns(
  scenario: Scenario,
  comparisons: readonly Comparison[],
  schema: readonly AnySchemaColumn[] | null,
  rules: readonly Rule[] = [],
): MeasuredColumns & Pick<MeasureRequest, 'bins' | 'quantiles'> {
  const name = comparedName(scenario)
  const own = comparisons.filter((c) => c.against === name || c.scenarios.includes(name))
  const compared = own.filter(({ where }) => where.length === 0)
  const segments = segmentsOf(compared)
  const tables = conditionsOf(scenario, 'cell').map(({ columns }) => countedTable(columns))
  const quantiles = quantilesOf(own)
  const groups = groupsOf(own.filter(({ where }) => where.length > 0))
  return {
    shares: [...new Set([...countedColumns(scenario, 'shares'), ...comparedColumns(compared, 'shares')])],
    numbers: [...new Set([...countedColumns(scenario, 'numbers'), ...comparedColumns(compared, 'numbers')])],
    ranges: new Map(conditionsOf(scenario, 'range').map((range) => [range.column, range])),
    bins: isTooMany(comparisons) ? new Map() : edgesOf(new Set(comparedColumns(own, 'numbers')), schema ?? []),
    ...(quantiles.size === 0 ? {} : { quantiles }),
    ...(segments.length === 0 ? {} : { segments }),
    ...(tables.length === 0 ? {} : { tables }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(rules.length === 0 ? {} : { rules }),
  }
}

/** The quantiles of all comparisons together. */
function quantilesOf(comparisons: readonly Comparison[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  for (const { column, shares } of comparisons.flatMap((comparison) => outcomesOf(comparison, 'quantiles')))
    found.set(
      column,
      [...new Set([...(found.get(column) ?? []), ...shares])].sort((a, b) => a - b),
    )
  return found
}

/** Comparisons of the same rows are counted together. */
function groupsOf(comparisons: readonly Comparison[]): readonly MeasuredGroup[] {
  const byName = new Map<string, Comparison[]>()
  for (const comparison of comparisons) {
    const name = rowFilterKey(comparison.where)
    byName.set(name, [...(byName.get(name) ?? []), comparison])
  }
  return [...byName].map(([name, some]) => {
    const segments = segmentsOf(some)
    return {
      name,
      where: some[0]!.where,
      shares: [...new Set(comparedColumns(some, 'shares'))],
      numbers: [...new Set(comparedColumns(some, 'numbers'))],
      ...(segments.length > 0 && { segments }),
    }
  })
}

function comparedColumns(comparisons: readonly Comparison[], what: 'shares' | 'numbers'): readonly string[] {
  return comparisons.flatMap(({ outcomes }) =>
    outcomes.filter(({ kind }) => OUTCOME_KINDS[kind].counted === what).map(({ column }) => column),
  )
}

/** Comparisons by the same column are counted together. */
function segmentsOf(comparisons: readonly Comparison[]): readonly MeasuredSegments[] {
  return [...new Set(comparisons.flatMap(({ by }) => by ?? []))].map((by) => {
    const divided = comparisons.filter((comparison) => comparison.by === by)
    return {
      by,
      shares: [...new Set(comparedColumns(divided, 'shares'))],
      numbers: [...new Set(comparedColumns(divided, 'numbers'))],
    }
  })
}

const isTooMany = (comparisons: readonly Comparison[]): boolean =>
  comparisons.reduce((sum, c) => sum + c.scenarios.length * comparedColumns([c], 'numbers').length, 0) >
  MOST_DISTRIBUTIONS

function edgesOf(columns: ReadonlySet<string>, schema: readonly AnySchemaColumn[]): MeasureRequest['bins'] {
  return new Map(
    schema.flatMap((column) => {
      const edges = columns.has(column.name) ? binEdges(column) : null
      return edges === null ? [] : [[column.name, edges] as const]
    }),
  )
}

/** Counts an artifact by reading all of it. The reader is loaded on first use, because many runs measure nothing. */
export const measure: MeasureArtifact = async (request, signal) => {
  const { summarizeArtifact } = await import('../../formats/read-artifact.ts')
  const { path, format, tempDir, content } = request
  const options = { tempDir, ...(content && { content }) }
  const count = (asked: Omit<MeasuredColumns, 'ranges'>): Promise<ArtifactSummary> => {
    signal?.throwIfAborted()
    const ranges = new Map([...request.ranges].filter(([column]) => asked.numbers.includes(column)))
    const binsOf = (numbers: readonly string[]) =>
      new Map([...request.bins].filter(([column]) => numbers.includes(column)))
    const { quantiles } = request
    const further = quantiles && { quantiles }
    const segmentsOf = (some: readonly MeasuredSegments[] | undefined) =>
      some && { segments: some.map(({ by, shares, numbers }) => ({ by, shares, numeric: numbers, ...further })) }
    const groups = asked.groups?.map(({ name, where, shares, numbers, segments }) => ({
      ...{ name, where: where.map(testOf), shares, numeric: numbers, bins: binsOf(numbers), ...further },
      ...segmentsOf(segments),
    }))
    const columns = {
      ...{ shares: asked.shares, ranges, numeric: asked.numbers, bins: binsOf(asked.numbers), ...further },
      ...segmentsOf(asked.segments),
      ...(asked.tables && { tables: asked.tables }),
      ...(groups && { groups }),
      ...(asked.rules && { rules: asked.rules }),
    }
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
    const segmentsIn = (some: readonly MeasuredSegments[] | undefined) =>
      some && { segments: some.filter(({ by }) => isThere(by)).map((asked) => ({ by: asked.by, ...named(asked) })) }
    const groups = request.groups
      ?.filter(({ where }) => where.every(({ column }) => isThere(column)))
      .map((group) => ({ name: group.name, where: group.where, ...named(group), ...segmentsIn(group.segments) }))
    const tables = request.tables?.filter((columns) => columns.every(isThere))
    const rules = request.rules?.filter((rule) => columnsOfRule(rule).every(isThere))
    const asked = {
      ...named(request),
      ...segmentsIn(request.segments),
      ...(tables && { tables }),
      ...(groups && { groups }),
      ...(rules && { rules }),
    }
    return measurementOf(await count(asked), request)
  }
}

function measurementOf(summary: ArtifactSummary, request: MeasureRequest): Measurement {
  return {
    ...countsOf(summary),
    outside: [...summary.ranges].map(([column, { outside, missing }]) => [column, outside + missing]),
    absent: [...new Set(namedIn(request))].filter((column) => !summary.columns.includes(column)),
    ...(summary.formulas && { formulas: [...summary.formulas] }),
    ...(summary.tables && { tables: summary.tables }),
    ...(summary.rules && { rules: summary.rules }),
    ...(summary.segments && { segments: segmentCounts(summary.segments) }),
    ...(summary.groups && {
      groups: [...summary.groups].map(([name, { segments, ...group }]) => [
        name,
        { ...countsOf(group), ...(segments && { segments: segmentCounts(segments) }) },
      ]),
    }),
  }
}

const segmentCounts = (found: NonNullable<ArtifactSummary['segments']>): NonNullable<Measurement['segments']> =>
  [...found].map(
    ([by, levels]) => [by, [...levels].map(([level, counts]) => [level, countsOf(counts)] as const)] as const,
  )

const testOf = (filter: RowFilter): RowTest =>
  filter.kind === 'levels'
    ? { column: filter.column, levels: new Set(filter.levels.map(({ value }) => value)) }
    : { column: filter.column, min: filter.min, max: filter.max }

const namedIn = ({
  shares,
  numbers,
  segments = [],
  tables = [],
  groups = [],
  rules = [],
}: MeasureRequest): readonly string[] => [
  ...rules.flatMap((rule) => columnsOfRule(rule)),
  ...shares,
  ...numbers,
  ...segments.map(({ by }) => by),
  ...tables.flat(),
  ...groups.flatMap((group) => [
    ...group.where.map(({ column }) => column),
    ...group.shares,
    ...group.numbers,
    ...(group.segments ?? []).map(({ by }) => by),
  ]),
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
    ...(numeric?.at?.every(([, value]) => Number.isFinite(value)) && {
      at: numeric.at.map(([share, value]): [number, number] => [share, value]),
    }),
    ...(numeric?.bins && { bins: numeric.bins }),
  }
}

/** A sum of very large numbers can overflow, and JSON has no form for the result. */
const finite = (value: number | null | undefined): number | null =>
  value != null && Number.isFinite(value) ? value : null
