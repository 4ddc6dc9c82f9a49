/**
 * A generation: rows from a model that follow a scenario.
 *
 * N  rows wanted, R  rows delivered, b  rows of a block, d  columns
 *
 * With the conditioned columns C in front, the joint closest to the model that follows the scenario is Q(x) = Q(C)
 * P(rest | C): a small table is projected exactly and rounded to whole rows, and the rest is sampled. Columns are tilted meanwhile, so
 * that their margins agree with those of the seed's rows weighted to the scenario, as far as these can be trusted.
 */
import type { Block, OutputColumn } from '../base/output-table.ts'
import type { Disclosure } from './disclosure/rounded-counts.ts'
import { weighSeed } from './estimates/seed-weights.ts'
import { settleWithMeans } from './estimates/settle-means.ts'
import type { EncodedColumn, Model } from './model/model.ts'
import { nearestMix } from './nearest/nearest-mix.ts'
import { sampleRows } from './sampling/sample.ts'
import { ownRows, tiltOfOrder } from './sampling/tilted-order.ts'
import { resolveConditions } from './scenario/conditions.ts'
import type { Settlement } from './scenario/feasibility.ts'
import { frontFor, type OrderStore, orderFor } from './scenario/order-cache.ts'
import { presetRows } from './scenario/preset-rows.ts'
import type { EvidenceCap, Feasibility, GenerateOptions, RequestedConditions } from './scenario/scenario.ts'

export interface GeneratedTable {
  readonly feasibility: Feasibility
  /** Length d: the model's columns in their order. */
  readonly columns: readonly OutputColumn[]
  /** Column → listed level → rows delivered with it, in the scenario's sequence. */
  readonly targetCounts: ReadonlyMap<string, ReadonlyMap<string, number>>
  /**
   * Largest distance of a level (listed or not) from its share of the R rows as whole rows; above 0 only if structural
   * zeros permit no table of whole rows that has them all.
   */
  readonly roundingDeviation: number
  /** R rows in blocks, sampled as they are read; none when R is 0. May be read once. */
  readonly blocks: AsyncIterable<Block>
}

export interface AssessOptions {
  /** Default DEFAULT_EVIDENCE_CAP. */
  readonly evidenceCap?: EvidenceCap | undefined
  /** Default `protected`. */
  readonly disclosure?: Disclosure | undefined
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  /** 0…1 */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

interface Orders {
  readonly orders?: OrderStore | undefined
}

/** Part of a conditioned generation's progress that is settling it, training an order included. */
const SETTLING_SHARE = 0.5

/**
 * Resolves the scenario, then samples its rows block by block. The rows depend only on the model, the scenario, N and
 * the seed: not on threads, nor on whether an order was trained before.
 *
 * @param options.orders Storage for orders that scenarios made necessary; without it, in memory only.
 *
 * @throws RangeError for an N that is not a whole number of at least 1, and for a scenario that contradicts the model's
 * columns or itself; the signal's reason when aborted. A scenario that cannot be filled does not throw: see
 * `feasibility`.
 */
export async function generate(model: Model, options: GenerateOptions & Orders): Promise<GeneratedTable> {
  const { rowCount, seed, scenario, evidenceCap, disclosure, threads, signal, onProgress = () => {}, orders } = options
  const { shares, cells = [], ranges, means = [] } = scenario
  const isForOwner = cells.length > 0 || shares.some(({ bounds }) => bounds !== undefined && bounds.size > 0)
  const conditioned = isForOwner || shares.some(({ levels }) => levels.size > 0) || ranges.length + means.length > 0
  const settling = conditioned ? SETTLING_SHARE : 0
  const {
    settlement,
    order,
    seed: weighted,
  } = await settle(
    model,
    scenario,
    rowCount,
    {
      evidenceCap,
      disclosure,
      threads,
      signal,
      onProgress: (fraction) => onProgress(settling * fraction),
      orders,
    },
    orderFor,
  )
  const { feasibility, conditions } = settlement
  const preset = await presetRows(model, settlement, seed)
  signal?.throwIfAborted()
  // Without conditions for owners the weights of the seed are looked up as a stranger may, whoever asks: this decides the rows.
  const asked = isForOwner ? disclosure : undefined
  const towards = weighted ?? (conditioned ? await weighSeed(model, { ...scenario, means: [] }, asked) : ownRows(model))
  signal?.throwIfAborted()
  const tilt = towards && tiltOfOrder(model, order, preset.codes.length, towards)
  return {
    feasibility,
    columns: model.columns.map(outputColumn),
    targetCounts: countTargets(scenario, settlement, preset.rounding.counts),
    roundingDeviation: preset.rounding.deviation,
    blocks: sampleRows({
      model,
      order,
      rowCount: feasibility.rows,
      seed,
      preset: preset.codes,
      ranges: new Map(conditions.ranges.map(({ index, range }) => [index, range])),
      given: preset.values,
      tilt,
      threads,
      signal,
      onProgress: (fraction) => onProgress(settling + (1 - settling) * fraction),
    }),
  }
}

/**
 * Returns how many of N rows a scenario allows, without drawing any.
 *
 * @throws as `generate`.
 */
export async function assessScenario(
  model: Model,
  scenario: RequestedConditions,
  rowCount: number,
  options: AssessOptions,
): Promise<Feasibility> {
  return (await settle(model, scenario, rowCount, options, frontFor)).settlement.feasibility
}

async function settle(
  model: Model,
  scenario: RequestedConditions,
  rowCount: number,
  options: AssessOptions & Orders,
  findOrder: typeof orderFor | typeof frontFor,
) {
  if (!(Number.isSafeInteger(rowCount) && rowCount >= 1)) {
    throw new RangeError(`rowCount must be a whole number of at least 1, got ${rowCount}`)
  }
  const conditions = resolveConditions(model, scenario)
  const { shares, ranges, means } = conditions
  // A column may have a range and a mean.
  const indices = new Set([...shares, ...ranges, ...means].map(({ index }) => index))
  const order = await findOrder(model, [...indices], options, options.orders)
  options.signal?.throwIfAborted()
  const settled = await settleWithMeans(model, order, scenario, conditions, rowCount, options)
  const { settlement } = settled
  const { feasibility } = settlement
  if (feasibility.shortfall === null) return { ...settled, order }
  const nearest = await nearestMix({ model, order, scenario, rowCount, options, signal: options.signal })
  const told = nearest === null ? feasibility : { ...feasibility, nearest }
  return { ...settled, settlement: { ...settlement, feasibility: told }, order }
}

function outputColumn(column: EncodedColumn): OutputColumn {
  const { name } = column
  if (column.kind === 'categorical') {
    return { name, kind: 'categorical', levels: column.levels, integer: column.integer }
  }
  if (column.format !== null) return { name, kind: column.format }
  return { name, kind: 'numeric', integer: column.integer, decimals: column.decimals }
}

/** Rows of every listed level, summed over the cells. */
function countTargets(
  scenario: RequestedConditions,
  { conditions, cells }: Settlement,
  counts: Int32Array,
): Map<string, Map<string, number>> {
  const D = conditions.shares.length
  return new Map(
    scenario.shares.map(({ column, levels }) => {
      const d = conditions.shares.findIndex((share) => share.column.name === column)
      const ofLevel = new Map([...levels.keys()].map((level) => [level, 0]))
      counts.forEach((count, c) => {
        if (count === 0) return
        const { column: encoded } = conditions.shares[d]!
        const level = encoded.levels[cells[c * D + d]! - encoded.missing]
        const before = level === undefined ? undefined : ofLevel.get(level)
        if (level !== undefined && before !== undefined) ofLevel.set(level, before + count)
      })
      return [column, ofLevel]
    }),
  )
}
