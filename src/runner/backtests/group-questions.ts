/**
 * What a service is asked for a backtest: the margins of each group, then the others reweighted to them, against the group.
 *
 * Both sides of such a difference have the group's margins as conditions, so that its standard error is that of what the margins do
 * not explain, in both samples (uncertainty as of any difference).
 */

import type { AnySchemaColumn } from '../../contract/datasets.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { RecordedEstimates } from '../../records/state/estimates.ts'
import type { Difference } from '../estimates/ask-differences.ts'
import type { AskedDataset } from '../estimates/asked-dataset.ts'
import { outcomeOf } from '../estimates/figure-estimates.ts'
import type { NamedFigure } from '../estimates/named-figure.ts'

type Conditions = EstimateRequest['scenario']
type Shares = NonNullable<Conditions['categorical']>

export interface Backtest {
  /** A column of levels. */
  readonly by: AnySchemaColumn
  /** The groups: levels of `by`. */
  readonly levels: readonly string[]
  /** None of them is `by`. Of a number, the mean is held. */
  readonly on: readonly AnySchemaColumn[]
  /** Of at most as many columns as a request for estimates may have. */
  readonly figures: readonly NamedFigure[]
  /** What shares are shares of; absent: see percentage-base.ts. */
  readonly base?: 'all' | 'valid' | null
}

/** The figures of a column: its mean, or its levels. Of two levels the other one says the same. */
export const figuresOf = (column: AnySchemaColumn): readonly NamedFigure[] =>
  column.levels === undefined
    ? [{ column, level: null }]
    : (column.levels.length === 2 ? column.levels.slice(1) : column.levels).map((level) => ({ column, level }))

/** A question for each group, whose answer has its margins in the scenario. */
export const marginQuestions = ({ by, levels }: Backtest): Difference[] =>
  levels.map((level) => ({ scenario: of({ [by.name]: { [level]: 1 } }), baseline: {} }))

export const marginOutcomes = ({ on }: Backtest): EstimateRequest['outcomes'] =>
  on.map(({ name: column, levels }) => ({ column, statistic: levels === undefined ? 'mean' : 'shares' }))

/** The others against the group: reweighted to its margins, and as they are. */
export interface GroupQuestion {
  readonly level: string
  readonly reweighted: Difference
  readonly asTheyAre: Difference
  /** Of rows that are like the group, and not of it. */
  readonly alike: Conditions
}

/** @param margins the answers to `marginQuestions`. Groups whose margins are not told are left out. */
export function groupQuestions(
  { by, levels, on }: Backtest,
  margins: readonly (RecordedEstimates | null)[],
): readonly GroupQuestion[] {
  return levels.flatMap((level, i) => {
    const conditions = marginsOf(margins[i] ?? null, on)
    if (conditions === null) return []
    const sides = (more: Conditions): Difference => ({
      scenario: { ...more, ...of({ [by.name]: { [level]: 0 }, ...more.categorical }) },
      baseline: { ...more, ...of({ [by.name]: { [level]: 1 }, ...more.categorical }) },
    })
    const reweighted = sides(conditions)
    return [{ level, reweighted, asTheyAre: sides({}), alike: reweighted.scenario }]
  })
}

const of = (categorical: Shares): Conditions => ({ categorical })

/** The margins of a group as conditions; null where one is not told. */
function marginsOf(estimates: RecordedEstimates | null, on: readonly AnySchemaColumn[]): Conditions | null {
  const categorical: Shares = {}
  const means: Record<string, number> = {}
  for (const column of on) {
    const { name } = column
    if (column.levels === undefined) {
      const mean = estimates?.means.find(([named]) => named === name)?.[1].scenario
      if (mean === undefined) return null
      means[name] = mean
      continue
    }
    const found = new Map(estimates?.shares.find(([named]) => named === name)?.[1] ?? [])
    if (found.size === 0) return null
    categorical[name] = sharesOf(
      column.levels.map((level) => [level, Math.max(0, found.get(level)?.scenario ?? 0)] as const),
      column.missing_share ?? 0,
    )
  }
  return { ...of(categorical), ...(Object.keys(means).length > 0 && { means }) }
}

/** Six decimals are exact to a row of a million. */
const UNIT = 1e6
/** What is left of all shares is rounding where it is below this. */
const SLACK = 10 / UNIT

/**
 * Shares of all levels, whose sum is at most 1: what is left belongs to rows without an answer. Where everybody in the group answered,
 * the sum is exactly 1.
 */
function sharesOf(
  found: readonly (readonly [level: string, share: number])[],
  missing: number,
): Record<string, number> {
  const total = found.reduce((sum, [, share]) => sum + share, 0)
  const isWhole = missing === 0 || total >= 1 - SLACK
  const scale = total > 0 && isWhole ? 1 / total : 1
  const units = found.map(([level, share]) => [level, Math.floor(share * scale * UNIT)] as const)
  const most = units.reduce((largest, one) => (one[1] > largest[1] ? one : largest), units[0]!)
  const rest = isWhole ? UNIT - units.reduce((sum, [, share]) => sum + share, 0) : 0
  return Object.fromEntries(units.map(([level, share]) => [level, (share + (level === most[0] ? rest : 0)) / UNIT]))
}

/** Each column once for its shares, and once for its mean. */
export function groupOutcomes(
  { figures, base = null }: Backtest,
  { study, name }: Pick<AskedDataset, 'study' | 'name'>,
): EstimateRequest['outcomes'] {
  const asked = figures.map((figure) => outcomeOf({ study, name, base: base ?? undefined }, figure))
  return [...new Map(asked.map((outcome) => [`${outcome.statistic} ${outcome.column}`, outcome])).values()]
}

/** Most levels of a column: a reply has all of them. */
export const mostLevels = (columns: readonly AnySchemaColumn[]): number =>
  Math.max(1, ...columns.map(({ levels = [] }) => levels.length))
