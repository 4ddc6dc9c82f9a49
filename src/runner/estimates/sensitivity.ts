import { largestBeyondChance } from '../../answers/arithmetic/beyond-chance.ts'
import { twoSidedP } from '../../answers/arithmetic/student-t.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { LeverRecord, SensitivityRecord } from '../../records/sensitivity.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'
import { askDifferences } from './ask-differences.ts'
import type { AskedDataset, TrainedDataset } from './asked-dataset.ts'
import { estimateOf, kindOf, outcomeOf } from './figure-estimates.ts'
import { foreseenDifference } from './foreseen-difference.ts'
import { type Lever, leversOf } from './levers.ts'
import type { NamedFigure } from './named-figure.ts'

/** How far a lever is moved: 10 points. */
export const STEP = 0.1

/** How far each lever of a dataset moves a figure, by the seed's estimates; or why the service does not tell. Nothing is billed. */
export async function sensitivityOf(
  dataset: AskedDataset & Pick<TrainedDataset, 'schema'>,
  figure: NamedFigure,
): Promise<Omit<SensitivityRecord, 'study'> | NoEstimates> {
  const { name, datasetId, schema, client, call, where } = dataset
  const { levers, notMoved } = leversOf(schema, figure.column.name, {
    step: STEP,
    // A quantile, and a figure of some rows, do not change in a straight line with the share above a median.
    isLinear: figure.quantile === undefined && where === undefined,
  })
  const about = { client, datasetId, outcomes: [outcomeOf(dataset, figure)], call, where: where?.asked }
  const still = { scenario: {}, baseline: {} }
  const found = await askDifferences(
    [still, ...levers.map(({ scenario, baseline }) => ({ scenario, baseline }))],
    about,
  )
  if (typeof found === 'string') return found
  const [whole, ...moved] = found
  const value = whole == null ? null : estimateOf(whole, figure)
  if (value === null) return 'estimates_unreadable'
  const effects = levers.map((lever, i) => effectOf(lever, moved[i] ?? null, figure, value.against))
  const pValues = effects.map(({ p }) => p)
  const most = largestBeyondChance(pValues.filter((p) => p !== null))
  const records = effects.map(({ record, p }) => ({ ...record, ...(p !== null && { beyond_chance: p <= most }) }))
  const isDate = figure.column.format !== undefined
  return {
    dataset: name,
    figure: {
      column: figure.column.name,
      ...(figure.level !== null && { level: figure.level }),
      ...(figure.quantile !== undefined && { quantile: figure.quantile }),
      ...(isDate && { kind: 'date' as const }),
      value: kindOf(figure).round(value.against),
    },
    ...(where && { where: [...where.told] }),
    step: STEP,
    questions: {
      asked: pValues.filter((p) => p !== null).length,
      beyond_chance: records.filter((record) => record.beyond_chance === true).length,
    },
    levers: records.sort(byEffect),
    not_moved: [...notMoved],
  }
}

/** `p`: of chance; null where nothing is known of it. */
function effectOf(
  { column, level, split, from, to, moved, scale }: Lever,
  estimates: RecordedEstimates | null,
  figure: NamedFigure,
  value: number,
): { readonly record: LeverRecord; readonly p: number | null } {
  const lever = {
    column,
    ...(level !== null && { level }),
    ...(split !== null && { split }),
    ...(from !== null && to !== null && { from, to }),
    moved,
  }
  const estimate = estimates === null ? null : estimateOf(estimates, figure)
  if (estimates === null || estimate === null) return { record: { ...lever, support: 'too_few_rows' }, p: null }
  const { scenario, against, difference, standardError } = estimate
  const scaled: RecordedEstimate =
    scale === 1
      ? estimate
      : {
          ...estimate,
          scenario: value + (scenario - against) * scale,
          against: value,
          difference: difference * scale,
          standardError: standardError * scale,
        }
  const foreseen = foreseenDifference(scaled, estimates, kindOf(figure))
  const { delta, interval, standard_error: error, support } = foreseen
  const isKnown = interval !== null && error !== null
  return {
    record: {
      ...lever,
      scenario: foreseen.scenario,
      difference: delta,
      ...(isKnown && { standard_error: error, interval: [...interval] as [number, number] }),
      support: support === 'unknown' ? 'too_few_rows' : support,
    },
    p: !isKnown ? null : error === 0 ? (delta === 0 ? 1 : 0) : twoSidedP(delta / error, estimate.degreesOfFreedom),
  }
}

/** Those beyond chance first, then by the size of the difference; those of which nothing is known last. */
function byEffect(a: LeverRecord, b: LeverRecord): number {
  const rank = ({ beyond_chance: isBeyond, difference }: LeverRecord): number =>
    isBeyond ? 0 : difference === undefined ? 2 : 1
  return rank(a) - rank(b) || Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0)
}
