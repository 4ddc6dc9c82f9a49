/** Samples a table from a model: blocks in parallel, delivered in order, the same bytes for any number of threads. */

import type { Block } from '../../base/output-table.ts'
import { BLOCK_ROWS, type Model, type Order } from '../model/model.ts'
import { type JobOptions, openJob } from '../threads/thread-pool.ts'
import type { Tilt } from '../tilting/tilt.ts'
import { BATCH_BLOCKS, BATCH_ROWS, LEAST_PARTED_ROWS, type RowPart } from './batches.ts'
import type { GivenValues } from './block-values.ts'
import { SAMPLE_JOB } from './sample-batch.ts'
import { ownRows, tiltOfOrder } from './tilted-order.ts'
import type { ValueRange } from './value-cells.ts'

export interface SampleRequest {
  readonly model: Model
  readonly order: Order
  /** Rows of the whole table. */
  readonly rowCount: number
  /**
   * The rows to sample, of a table of more than LEAST_PARTED_ROWS; firstRow is a multiple of BATCH_ROWS, and so is endRow unless it is
   * the last. Absent: all.
   */
  readonly part?: RowPart | undefined
  /** Any safe integer. */
  readonly seed: number
  /**
   * Codes of columns order.columns[0 … preset.length - 1], each as long as the rows to sample. These columns are taken as they are; the
   * others are sampled given them. Empty for a table without conditions.
   */
  readonly preset: readonly Uint16Array[]
  /** Column index → range inside which the column's values are drawn; its preset codes must have mass there. */
  readonly ranges: ReadonlyMap<number, ValueRange>
  /** Column index → values of preset columns that the scenario gives; their codes go with them. Absent: none. */
  readonly given?: ReadonlyMap<number, GivenValues>
  /** Absent or null: leaves are drawn from as they are. */
  readonly tilt?: Tilt | null
  /** See JobOptions.threads. */
  readonly threads: number
  readonly signal?: AbortSignal | undefined
  /** 0…1, rising, last 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** Batches sampled ahead of the consumer, per thread. */
const AHEAD = 2

/**
 * Yields batches of at most 32,768 rows with all columns in the model's order.
 *
 * @throws RangeError when preset columns do not fit the request; the signal's reason when aborted.
 */
export async function* sampleRows(request: SampleRequest): AsyncGenerator<Block, void, undefined> {
  const {
    model,
    order,
    rowCount,
    seed,
    preset,
    ranges,
    given = new Map(),
    tilt = null,
    part = { firstRow: 0, endRow: rowCount },
    onProgress = () => {},
  } = request
  const partRows = part.endRow - part.firstRow
  if (!(Number.isSafeInteger(rowCount) && rowCount >= 0)) throw new RangeError(`rowCount is ${rowCount}`)
  if (!Number.isSafeInteger(seed)) throw new RangeError(`seed must be a safe integer, got ${seed}`)
  if (preset.length > order.columns.length) {
    throw new RangeError(`${preset.length} preset columns, the order has ${order.columns.length}`)
  }
  preset.forEach((codes, position) => {
    if (codes.length !== partRows) {
      throw new RangeError(`preset column ${position} has ${codes.length} rows, the request ${partRows}`)
    }
  })
  if (partRows < rowCount) requirePart(part, rowCount)
  for (const column of ranges.keys()) {
    if (model.columns[column]?.kind !== 'numeric') throw new RangeError(`column ${column} is not numeric`)
    if (order.columns.indexOf(column) >= preset.length)
      throw new RangeError(`column ${column} is ranged but not preset`)
  }
  const { columns, derivations, relations, rules } = model
  const context = {
    columns,
    derivations,
    relations,
    ...(rules && { rules, seedRows: { codes: model.codes, positions: model.positions } }),
    order,
    seed,
    rowCount,
    partStart: part.firstRow,
    preset: preset.map(toShared),
    ranges,
    given,
    tilt,
  }
  const job = openJob(SAMPLE_JOB, context, request)
  const blocks = Math.ceil(rowCount / BLOCK_ROWS)
  // Batches of about the same length: in a short one, chance would decide what the margins of its predecessors are.
  const batchBlocks = Math.ceil(blocks / Math.ceil(blocks / BATCH_BLOCKS))
  const lastBlock = Math.ceil(part.endRow / BLOCK_ROWS)
  const ahead: Promise<Block>[] = []
  let next = part.firstRow / BLOCK_ROWS
  let rows = 0
  try {
    while (next < lastBlock || ahead.length > 0) {
      while (next < lastBlock && ahead.length < request.threads * AHEAD) {
        const endBlock = Math.min(lastBlock, next + batchBlocks)
        const batch = job.run({ firstBlock: next, endBlock })
        // They are awaited in sequence below; until then, an early failure must not count as unhandled.
        batch.catch(() => {})
        ahead.push(batch)
        next = endBlock
      }
      const block = await ahead.shift()!
      rows += block.rowCount
      onProgress(rows / partRows)
      yield block
    }
  } finally {
    job.close()
  }
}

function requirePart({ firstRow, endRow }: RowPart, rowCount: number): void {
  const isCut = firstRow % BATCH_ROWS === 0 && (endRow % BATCH_ROWS === 0 || endRow === rowCount)
  if (rowCount > LEAST_PARTED_ROWS && isCut && firstRow >= 0 && firstRow < endRow && endRow <= rowCount) return
  throw new RangeError(`rows ${firstRow} to ${endRow} are no part of a table of ${rowCount} rows`)
}

function toShared(codes: Uint16Array): Uint16Array {
  if (codes.buffer instanceof SharedArrayBuffer) return codes
  const copy = new Uint16Array(new SharedArrayBuffer(codes.byteLength))
  copy.set(codes)
  return copy
}

const SAMPLE_SEED = 1

/** As many rows as the model was trained on; always the same rows. */
export async function sampleModel(model: Model, options: JobOptions): Promise<Block[]> {
  const blocks: Block[] = []
  for await (const block of sampled(model, model.rowCount, SAMPLE_SEED, options)) blocks.push(block)
  return blocks
}

/** Rows other than those of `sampleModel`; always the same rows. */
export function sampleFurther(model: Model, rowCount: number, options: JobOptions): AsyncIterable<Block> {
  return sampled(model, rowCount, SAMPLE_SEED + 1, options)
}

function sampled(model: Model, rowCount: number, seed: number, options: JobOptions): AsyncIterable<Block> {
  const { threads, signal, crew, isUrgent } = options
  const crewed = { threads, signal, crew, isUrgent }
  const tilt = tiltOfOrder(model, model.base, 0, ownRows(model))
  return sampleRows({ model, order: model.base, rowCount, seed, preset: [], ranges: new Map(), tilt, ...crewed })
}
