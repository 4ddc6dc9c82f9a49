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
import { type WeightedSeed, weighSeed } from './estimates/seed-weights.ts'
import { settleWithMeans, weightedToMeans } from './estimates/settle-means.ts'
import type { EncodedColumn, Model } from './model/model.ts'
import { nearestMix } from './nearest/nearest-mix.ts'
import type { RowPart } from './sampling/batches.ts'
import { sampleRows } from './sampling/sample.ts'
import { ownRows, tiltOfOrder } from './sampling/tilted-order.ts'
import { resolveConditions } from './scenario/conditions.ts'
import type { Settlement } from './scenario/feasibility.ts'
import type { FilledCells } from './scenario/filled-cells.ts'
import { frontFor, type OrderStore, orderFor } from './scenario/order-cache.ts'
import { layRows, type PackedRows, type Preset, roundMix, unpackRows } from './scenario/preset-rows.ts'
import { openRanges, type RangeDraws } from './scenario/range-draws.ts'
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
  const { plan, sampling } = await settleRows(model, options)
  const all = partOfPlan(plan, { firstRow: 0, endRow: plan.feasibility.rows })
  const { settled: _, draws: _of, ...told } = plan
  return { ...told, columns: outputColumns(model), blocks: await rowsOfPart(model, sampling, all) }
}

/** Plans the rows of `generate`; `sampling` has what is then left of its progress. */
export async function settleRows<O extends GenerateOptions & Orders>(
  model: Model,
  options: O,
): Promise<{ readonly plan: RowPlan; readonly sampling: O }> {
  const { onProgress = () => {} } = options
  const settling = isConditioned(options.scenario) ? SETTLING_SHARE : 0
  const plan = await planRows(model, { ...options, onProgress: (fraction) => onProgress(settling * fraction) })
  const sampling = { ...options, onProgress: (fraction: number) => onProgress(settling + (1 - settling) * fraction) }
  return { plan, sampling }
}

/** What is decided about all rows of a generation before the first of them is sampled. */
export interface RowPlan extends Omit<GeneratedTable, 'columns' | 'blocks'> {
  /** The cells with their counts; where a mean is stated, codes and values of R rows. */
  readonly settled: FilledCells | PackedRows
  /** How the rows of cells are drawn; absent: not known. */
  readonly draws?: RangeDraws
  /** See SettledMeans.seed; absent: not known. */
  readonly weighted?: WeightedSeed | null
}

/** Part of the rows of a generation, with what its plan says about them. */
export interface PlannedPart extends RowPart, Pick<RowPlan, 'draws' | 'weighted'> {
  readonly feasibility: Pick<Feasibility, 'rows'>
  /** The cells of all R rows; where a mean is stated, codes and values of the part's rows alone, in the plan's sequence of columns. */
  readonly settled: FilledCells | Preset
}

/** What the plan says about some of its rows: firstRow up to, not including, endRow. */
export function partOfPlan({ settled, ...plan }: RowPlan, { firstRow, endRow }: RowPart): PlannedPart {
  const ofPart = 'counts' in settled ? settled : unpackRows(settled, { firstRow, endRow })
  return { ...plan, firstRow, endRow, settled: ofPart }
}

/**
 * Settles a scenario and rounds its mix to R rows, as the first step of `generate`. That takes no memory per row, unless a mean is stated:
 * then all rows are laid, and finding values takes several times 8 bytes per row.
 *
 * @throws as `generate`.
 */
export async function planRows(model: Model, options: GenerateOptions & Orders): Promise<RowPlan> {
  const { scenario, rowCount, seed, signal } = options
  const { settlement, seed: weighted } = await settle(model, scenario, rowCount, options, orderFor)
  const { settled, rounding } = await roundMix(model, settlement, seed)
  const { conditions, drawn, walk, inside } = settlement
  signal?.throwIfAborted()
  return {
    feasibility: settlement.feasibility,
    targetCounts: countTargets(scenario, settlement, rounding.counts),
    roundingDeviation: rounding.deviation,
    settled,
    draws: { conditions, drawn, walk, inside },
    weighted,
  }
}

/**
 * Samples the rows of one part, which are those that `generate` has at the same places: what is preset depends on the counts of all rows
 * and on the unit, and the rest of a batch of blocks on what is preset in that batch.
 *
 * @throws as `generate`; RangeError for a part that does not begin where a batch begins.
 */
export async function rowsOfPart(
  model: Model,
  options: GenerateOptions & Orders,
  part: PlannedPart,
): Promise<AsyncIterable<Block>> {
  const { scenario, seed, disclosure, threads, signal, onProgress = () => {} } = options
  const { settled, feasibility } = part
  const { indices, conditions } = conditionedColumns(model, scenario)
  const order = await orderFor(model, indices, options, options.orders)
  // Without conditions for owners the weights of the seed are looked up as a stranger may, whoever asks: this decides the rows.
  const asked = isForOwner(scenario) ? disclosure : undefined
  const ofMeans = part.weighted === undefined ? await weightedToMeans(model, scenario) : part.weighted
  const towards =
    ofMeans ?? (isConditioned(scenario) ? await weighSeed(model, { ...scenario, means: [] }, asked) : ownRows(model))
  signal?.throwIfAborted()
  const { rows } = feasibility
  const laid =
    'counts' in settled
      ? layRows(model, part.draws ?? openRanges(model, order, conditions), settled, { rows, seed, part })
      : [{ firstRow: part.firstRow, endRow: part.endRow, preset: settled }]
  const same = {
    model,
    order,
    rowCount: rows,
    seed,
    ranges: new Map(conditions.ranges.map(({ index, range }) => [index, range])),
    tilt: towards && tiltOfOrder(model, order, indices.length, towards),
    threads,
    signal,
  }
  return (async function* () {
    for (const { firstRow, endRow, preset } of laid) {
      const done = firstRow - part.firstRow
      yield* sampleRows({
        ...same,
        part: { firstRow, endRow },
        preset: preset.codes,
        given: preset.values,
        onProgress: (share) => onProgress((done + share * (endRow - firstRow)) / (part.endRow - part.firstRow)),
      })
    }
  })()
}

/** The columns of the rows, in the model's order. */
export function outputColumns(model: Model): readonly OutputColumn[] {
  return model.columns.map(outputColumn)
}

function isForOwner({ shares, cells = [] }: RequestedConditions): boolean {
  return cells.length > 0 || shares.some(({ bounds }) => bounds !== undefined && bounds.size > 0)
}

function isConditioned(scenario: RequestedConditions): boolean {
  const { shares, ranges, means = [] } = scenario
  return isForOwner(scenario) || shares.some(({ levels }) => levels.size > 0) || ranges.length + means.length > 0
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
  const { conditions, indices } = conditionedColumns(model, scenario)
  const order = await findOrder(model, indices, options, options.orders)
  options.signal?.throwIfAborted()
  const settled = await settleWithMeans(model, order, scenario, conditions, rowCount, options)
  const { settlement } = settled
  const { feasibility } = settlement
  if (feasibility.shortfall === null) return { ...settled, order }
  const nearest = await nearestMix({ model, order, scenario, rowCount, options, signal: options.signal })
  const told = nearest === null ? feasibility : { ...feasibility, nearest }
  return { ...settled, settlement: { ...settlement, feasibility: told }, order }
}

function conditionedColumns(model: Model, scenario: RequestedConditions) {
  const conditions = resolveConditions(model, scenario)
  const { shares, ranges, means } = conditions
  // A column may have a range and a mean.
  return { conditions, indices: [...new Set([...shares, ...ranges, ...means].map(({ index }) => index))] }
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
