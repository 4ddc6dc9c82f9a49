/** Settles a scenario that states means: against the seed's rows, which decide what is possible, and against the model. */

import type { Model, Order } from '../model/model.ts'
import type { Conditions } from '../scenario/conditions.ts'
import { LOW_SUPPORT_ROWS, type Settlement, type SettleOptions, settleScenario } from '../scenario/feasibility.ts'
import type { RequestedConditions, Shortfall } from '../scenario/scenario.ts'
import { shortName } from '../scenario/shortfall-words.ts'
import { explainMeans } from './mean-reach.ts'
import { type WeightedSeed, weighSeed } from './seed-weights.ts'

export interface SettledMeans {
  readonly settlement: Settlement
  /** The seed's rows weighted to the scenario; null where it has no means or they cannot be weighted. */
  readonly seed: WeightedSeed | null
}

/**
 * Without means this is `settleScenario`.
 *
 * @throws RangeError for means of a protected seed: where a mean can no longer be met tells the largest value.
 */
export async function settleWithMeans(
  model: Model,
  order: Order,
  scenario: RequestedConditions,
  conditions: Conditions,
  rowCount: number,
  options: SettleOptions,
): Promise<SettledMeans> {
  if (conditions.means.length === 0) {
    return { settlement: await settleScenario(model, order, conditions, rowCount, options), seed: null }
  }
  if (options.disclosure !== 'exact') throw new RangeError('a protected seed takes no means')
  const seed = await weightedToMeans(model, scenario)
  const shortfall = seed === null ? await explained(model, scenario) : null
  const possible = shortfall === null ? conditions : { ...conditions, means: [] }
  // Bounds of shares come after the means.
  const pulls = new Map(conditions.means.map(({ column }, j) => [column, seed?.pulls[j] ?? 0]))
  const settlement = await settleScenario(model, order, possible, rowCount, { ...options, pulls })
  const { feasibility } = settlement
  // What shares and ranges rule out by themselves is the nearer reason.
  if (feasibility.rows === 0) return { settlement, seed }
  if (shortfall !== null) return { settlement: withoutRows(settlement, shortfall), seed }
  return { settlement: seed === null ? settlement : withSupport(settlement, model, seed), seed }
}

/** The `seed` of a settled scenario, from the scenario alone. */
export async function weightedToMeans(model: Model, scenario: RequestedConditions): Promise<WeightedSeed | null> {
  return (scenario.means ?? []).length === 0 ? null : await weighSeed(model, scenario, 'exact')
}

/** Null where the seed's rows do not have the shares either: the model may. */
async function explained(model: Model, scenario: RequestedConditions): Promise<Shortfall | null> {
  const known = await explainMeans(model, scenario)
  if (known !== null || (await weighSeed(model, { ...scenario, means: [] }, 'exact')) === null) return known
  const columns = (scenario.means ?? []).map(({ column }) => column)
  return {
    detail: `No weights of the seed rows that could be found give the means of ${columns.map(shortName).join(' and of ')} together with the other conditions.`,
    binding: columns.map((column) => ({ column })),
  }
}

function withoutRows(settlement: Settlement, shortfall: Shortfall): Settlement {
  const none = { rows: 0, fill: 0, effectiveRows: 0, largestTilt: 0, lowSupport: true, shortfall }
  const mix = new Float64Array(settlement.mix.length)
  return { ...settlement, mix, feasibility: { ...settlement.feasibility, ...none } }
}

/** Cells do not show how few rows have the values that a mean multiplies. */
function withSupport(settlement: Settlement, { rowCount, weights }: Model, seed: WeightedSeed): Settlement {
  const { feasibility } = settlement
  const effectiveRows = Math.min(feasibility.effectiveRows, seed.effectiveRows)
  let largestTilt = feasibility.largestTilt
  seed.weights.forEach((weight, row) => {
    const natural = (weights?.[row] ?? 1) / rowCount
    if (weight > 0) largestTilt = Math.max(largestTilt, weight / natural)
  })
  const support = { effectiveRows, largestTilt, lowSupport: effectiveRows < LOW_SUPPORT_ROWS }
  return { ...settlement, feasibility: { ...feasibility, ...support } }
}
