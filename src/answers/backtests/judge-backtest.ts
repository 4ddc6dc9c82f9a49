/** What all predictions of a backtest come to together. */

import type { BacktestTotals, GroupRecord, PredictionRecord } from '../../records/manifest/backtests.ts'
import { largestBeyondChance } from '../arithmetic/beyond-chance.ts'
import { roundRatio } from '../arithmetic/figures.ts'
import { twoSidedP } from '../arithmetic/student-t.ts'

export interface JudgedGroups {
  readonly groups: readonly GroupRecord[]
  readonly totals: BacktestTotals
}

/**
 * Marks the errors that chance does not explain, judged over all groups and figures together, and counts. Each prediction is a
 * question of its own: of a column of two levels only one is predicted.
 */
export function judgeGroups(groups: readonly GroupRecord[]): JudgedGroups {
  const most = largestBeyondChance(predictionsOf(groups).flatMap((one) => pValueOf(one) ?? []))
  const judged = groups.map((group) => ({
    ...group,
    predictions: group.predictions.map((one) => {
      const p = pValueOf(one)
      return p === null ? one : { ...one, beyond_chance: p <= most }
    }),
  }))
  return { groups: judged, totals: totalsOf(judged) }
}

function totalsOf(groups: readonly GroupRecord[]): BacktestTotals {
  const all = predictionsOf(groups)
  const told = all.filter(({ holds }) => holds !== undefined)
  const relative = relativeError(told)
  return {
    predictions: all.length,
    nearer: all.filter(({ nearer }) => nearer).length,
    told: told.length,
    held: told.filter(({ holds }) => holds === true).length,
    beyond_chance: all.filter(({ beyond_chance: beyond }) => beyond === true).length,
    ...(relative !== null && { relative_error: relative }),
  }
}

const predictionsOf = (groups: readonly GroupRecord[]): PredictionRecord[] =>
  groups.flatMap(({ predictions }) => predictions)

/** Null: nothing is known of chance. */
function pValueOf({
  error,
  standard_error: se,
  interval,
  degrees_of_freedom: degrees,
}: PredictionRecord): number | null {
  if (se === undefined || interval === undefined) return null
  if (se === 0) return error === 0 ? 1 : 0
  return twoSidedP(error / se, degrees ?? null)
}

/**
 * Root mean squares, each error in its standard errors, so that shares and means of any unit count alike and what is known badly
 * counts little.
 */
export function relativeError(
  told: readonly Pick<PredictionRecord, 'error' | 'unweighted' | 'actual' | 'standard_error'>[],
): number | null {
  const known = told.flatMap(({ error, unweighted, actual, standard_error: se }) =>
    se ? [{ error: error / se, unweighted: (unweighted - actual) / se }] : [],
  )
  const [own, none] = [
    known.reduce((sum, one) => sum + one.error ** 2, 0),
    known.reduce((sum, one) => sum + one.unweighted ** 2, 0),
  ]
  return none === 0 ? null : roundRatio(Math.sqrt(own / none))
}
