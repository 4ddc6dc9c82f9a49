/**
 * Samples and decodes a run of blocks in one thread.
 *
 * d  columns     b  rows of the batch
 */

import type { Block } from '../../base/output-table.ts'
import type { Derivation } from '../model/derivation.ts'
import { BLOCK_ROWS, type EncodedColumn, type Order } from '../model/model.ts'
import type { Relation } from '../model/relation.ts'
import type { JobKind } from '../threads/crew.ts'
import type { Tilt } from '../tilting/tilt.ts'
import type { GivenValues } from './block-values.ts'
import { NumericDecoder } from './decode.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { Recomputation } from './recompute.ts'
import { BatchSampler } from './sample-tree.ts'
import type { ValueRange } from './value-cells.ts'

export interface SampleContext {
  readonly columns: readonly EncodedColumn[]
  readonly derivations: readonly Derivation[]
  readonly relations: readonly Relation[]
  readonly order: Order
  readonly seed: number
  /** Rows of the whole table. */
  readonly rowCount: number
  /** Codes of the first columns of the order, each of length rowCount; may be empty. */
  readonly preset: readonly Uint16Array[]
  /** Column index → range. */
  readonly ranges: ReadonlyMap<number, ValueRange>
  /** Column index → values of columns among the preset ones. */
  readonly given: ReadonlyMap<number, GivenValues>
  /** Null: leaves are drawn from as they are. */
  readonly tilt: Tilt | null
}

/** Most blocks of a batch: 32,768 rows, a few megabytes of values. */
export const BATCH_BLOCKS = 32

/** Rows firstBlock · BLOCK_ROWS up to, not including, endBlock · BLOCK_ROWS, or the end of the table. */
export interface SampleBatch {
  readonly firstBlock: number
  readonly endBlock: number
}

type OwnedColumn = { readonly codes: Int32Array } | { readonly values: Float64Array; readonly valid: Uint8Array }

export const SAMPLE_JOB: JobKind<SampleContext, SampleBatch, Block> = {
  name: 'sample',
  prepare: (context) => sampleBatches(context),
}

function sampleBatches(context: SampleContext): (batch: SampleBatch) => Block {
  const { columns, derivations, relations, order, seed, rowCount, preset, ranges, given, tilt } = context
  const sampler = new BatchSampler(order, columns, Math.min(BATCH_BLOCKS, Math.ceil(rowCount / BLOCK_ROWS)), tilt)
  const stream = new RandomStream(seed, PURPOSE.value)
  const decoders = columns.map((column, c) =>
    column.kind === 'numeric' ? new NumericDecoder(column, ranges.get(c) ?? null) : null,
  )
  const recomputation = new Recomputation(
    { columns, derivations, relations, order, preset: preset.length, ranges, given, decoders },
    sampler,
  )
  const settle = (position: number, block: number) => {
    recomputation.enter(block)
    recomputation.settle(position)
  }
  return ({ firstBlock, endBlock }) => {
    const first = firstBlock * BLOCK_ROWS
    const batchRows = Math.min(rowCount, endBlock * BLOCK_ROWS) - first
    const out = columns.map(
      (column): OwnedColumn =>
        column.kind === 'categorical'
          ? { codes: new Int32Array(batchRows) }
          : { values: new Float64Array(batchRows), valid: new Uint8Array(batchRows) },
    )
    sampler.startBatch(seed, firstBlock)
    decoders.forEach((decoder, c) => {
      decoder?.startBatch(seed, c, first)
    })
    recomputation.startBatch(seed, firstBlock, batchRows)
    for (let block = 0; block < endBlock - firstBlock; block++) {
      const row = first + block * BLOCK_ROWS
      sampler.enter(block)
      preset.forEach((codes, position) => {
        sampler.codes.set(codes.subarray(row, row + BLOCK_ROWS), order.columns[position]! * BLOCK_ROWS)
      })
      recomputation.enter(block)
      recomputation.settlePreset(row)
    }
    sampler.sample(seed, firstBlock, batchRows, preset.length, settle)
    for (let block = firstBlock; block < endBlock; block++) {
      const row = block * BLOCK_ROWS
      const rows = Math.min(BLOCK_ROWS, rowCount - row)
      sampler.enter(block - firstBlock)
      recomputation.enter(block - firstBlock)
      for (let c = 0; c < columns.length; c++) {
        const column = out[c]!
        const at = c * BLOCK_ROWS
        if ('codes' in column) copyLevels(sampler.codes, at, rows, columns[c]!.missing, column.codes, row - first)
        else {
          const decoded = recomputation.valuesOf(c)
          if (decoded) {
            column.values.set(decoded.values.subarray(0, rows), row - first)
            column.valid.set(decoded.valid.subarray(0, rows), row - first)
            continue
          }
          stream.reset(seed, PURPOSE.value, block, c)
          decoders[c]!.decode(sampler.codes, at, rows, stream, column.values, column.valid, row - first)
        }
      }
    }
    const columnsOut = out.map((column) =>
      'values' in column && !column.valid.includes(0) ? { values: column.values, valid: null } : column,
    )
    return { rowCount: batchRows, columns: columnsOut }
  }
}

function copyLevels(
  codes: Uint16Array,
  from: number,
  rows: number,
  missing: number,
  out: Int32Array,
  at: number,
): void {
  for (let r = 0; r < rows; r++) out[at + r] = codes[from + r]! - missing
}
