import type { EstimateRequest } from '../../contract/estimates.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { CurvePoint, SolutionRecord } from '../../records/solution.ts'
import type { RecordedEstimates } from '../../records/state/estimates.ts'
import { askDifferences } from './ask-differences.ts'
import type { AskedDataset } from './asked-dataset.ts'
import { around, type CurveValue, leavesChance, nearestSolution } from './curve-crossings.ts'
import { estimateOf, kindOf, outcomeOf } from './figure-estimates.ts'
import { foreseenDifference } from './foreseen-difference.ts'
import type { NamedFigure } from './named-figure.ts'

/** Values of the lever that are asked about, in steps of half a point. */
const STEPS = 200

/** Values of the curve that are told. */
const TOLD = 10

export interface LeverQuestion {
  readonly as: EstimateRequest['scenario']
  readonly figure: NamedFigure
  /** The level whose share is moved. */
  readonly lever: { readonly column: string; readonly level: string }
  /** How far the figure is to move: a fraction of 1 for a share, else in the unit of the column. */
  readonly by: number
}

/** What is known of a lever, whatever study it is of. */
export type LeverSolution = Omit<SolutionRecord, 'study' | 'scenario'>

/**
 * The share of a level that moves a figure of conditions by so much. The lever takes the place of what they say about the level;
 * everything else stays. The whole curve is asked for at once, and nothing is billed.
 */
export async function solveLever(
  dataset: AskedDataset,
  { as, figure, lever, by }: LeverQuestion,
): Promise<LeverSolution | NoEstimates> {
  const { name, datasetId, client, call, where } = dataset
  const { [lever.level]: _, ...others } = as.categorical?.[lever.column] ?? {}
  const { [lever.level]: _bounds, ...bounded } = as.bounds?.[lever.column] ?? {}
  const taken = [...Object.values(others), ...Object.values(bounded).map(({ min = 0 }) => min)]
  const most = Math.max(0, 1 - taken.reduce((sum, share) => sum + share, 0))
  const values = Array.from({ length: STEPS + 1 }, (_value, i) => Number(((most * i) / STEPS).toFixed(6)))
  const at = (value: number) => ({
    scenario: {
      ...as,
      categorical: { ...as.categorical, [lever.column]: { ...others, [lever.level]: value } },
      ...(as.bounds && { bounds: withColumn(as.bounds, lever.column, bounded) }),
    },
    baseline: as,
  })
  const base = { scenario: as, baseline: as }
  const leverFigure: NamedFigure = { column: { name: lever.column }, level: lever.level }
  const outcomes = [outcomeOf(dataset, figure), { column: lever.column, statistic: 'shares' as const }]
  const about = { client, datasetId, outcomes, call }
  const found = await askDifferences([base, ...values.map(at)], { ...about, where: where?.asked })
  if (typeof found === 'string') return found
  // The lever is a share of all rows, whichever rows the figure is of.
  const ofAll = where === undefined ? found : await askDifferences([base], { ...about, outcomes: outcomes.slice(1) })
  if (typeof ofAll === 'string') return ofAll
  const [whole, ...moved] = found
  const value = whole == null ? null : estimateOf(whole, figure)
  const from = ofAll[0] == null ? null : estimateOf(ofAll[0], leverFigure)
  if (value === null || from === null) return 'estimates_unreadable'
  const points = values.flatMap((share, i) => pointOf(share, moved[i] ?? null, figure))
  const curve: CurveValue[] = points.map((point) => ({ ...point, interval: point.interval ?? null }))
  const solution = nearestSolution(curve, by, from.against)
  const nearest = (to: number) => points.reduce((a, b) => (Math.abs(b.value - to) < Math.abs(a.value - to) ? b : a))
  return {
    dataset: name,
    figure: {
      column: figure.column.name,
      ...(figure.level !== null && { level: figure.level }),
      ...(figure.quantile !== undefined && { quantile: figure.quantile }),
      ...(figure.column.format !== undefined && { kind: 'date' as const }),
      value: kindOf(figure).round(value.against),
    },
    ...(where && { where: [...where.told] }),
    lever: { ...lever, value: toShare(from.against) },
    by,
    solution:
      solution === null
        ? null
        : { value: toShare(solution), ...shares(around(curve, by, solution)), support: nearest(solution).support },
    leaves_chance: shares(leavesChance(curve, from.against)),
    curve: points.filter((point) => values.indexOf(point.value) % (STEPS / TOLD) === 0),
  }
}

function pointOf(value: number, estimates: RecordedEstimates | null, figure: NamedFigure): CurvePoint[] {
  const estimate = estimates === null ? null : estimateOf(estimates, figure)
  if (estimates === null || estimate === null) return []
  const { scenario, delta, interval, support } = foreseenDifference(estimate, estimates, kindOf(figure))
  return [
    {
      ...{ value, scenario, difference: delta },
      ...(interval !== null && { interval: [...interval] as [number, number] }),
      support: support === 'unknown' ? 'too_few_rows' : support,
    },
  ]
}

const toShare = (value: number): number => Number(Math.min(1, Math.max(0, value)).toFixed(6))

const shares = <Ends extends Readonly<Record<string, number>>>(ends: Ends): Ends =>
  Object.fromEntries(Object.entries(ends).map(([name, value]) => [name, toShare(value)])) as Ends

type Bounds = NonNullable<EstimateRequest['scenario']['bounds']>

/** The bounds with those of one column replaced; none are left out, because a column with bounds has at least one. */
function withColumn(bounds: Bounds, column: string, own: Bounds[string] & object): Bounds {
  const { [column]: _, ...rest } = bounds
  return Object.keys(own).length === 0 ? rest : { ...rest, [column]: own }
}
