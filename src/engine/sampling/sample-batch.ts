/**
 * Samples and decodes a run of blocks in one thread.
 *
 * d  columns     b  rows of the batch
 */

import type { Block } from '../../base/output-table.ts'
import type { Rule } from '../../base/rules/rule.ts'
import type { Derivation } from '../model/derivation.ts'
import { BLOCK_ROWS, type EncodedColumn, type Model, type Order } from '../model/model.ts'
import type { Relation } from '../model/relation.ts'
import type { JobKind } from '../threads/crew.ts'
import type { Tilt } from '../tilting/tilt.ts'
import { BATCH_BLOCKS } from './batches.ts'
import type { GivenValues } from './block-values.ts'
import { NumericDecoder } from './decode.ts'
import type { DrawnColumn } from './drawn-columns.ts'
import { PURPOSE, RandomStream } from './random.ts'
import { Recomputation } from './recompute.ts'
import { RuleKeeper } from './rule-keeper.ts'
import { BatchSampler } from './sample-tree.ts'
import type { ValueRange } from './value-cells.ts'

export interface SampleContext {
  readonly columns: readonly EncodedColumn[]
  readonly derivations: readonly Derivation[]
  readonly relations: readonly Relation[]
  readonly order: Order
  /** What rows follow; absent: nothing. */
  readonly rules?: readonly Rule<number>[] | undefined
  /** The seed's rows, where there are rules. */
  readonly seedRows?: Pick<Model, 'codes' | 'positions'> | undefined
  readonly seed: number
  /** Rows of the whole table. */
  readonly rowCount: number
  /** Codes of the first columns of the order, each as long as the part of the table that is sampled; may be empty. */
  readonly preset: readonly Uint16Array[]
  /** The row of the table at which the part begins, and with it what is preset and given. */
  readonly partStart: number
  /** Column index → range. */
  readonly ranges: ReadonlyMap<number, ValueRange>
  /** Column index → values of columns among the preset ones. */
  readonly given: ReadonlyMap<number, GivenValues>
  /** Null: leaves are drawn from as they are. */
  readonly tilt: Tilt | null
}

/** Rows firstBlock · BLOCK_ROWS up to, not including, endBlock · BLOCK_ROWS, or the end of the table. */
export interface SampleBatch {
  readonly firstBlock: number
  readonly endBlock: number
}

export const SAMPLE_JOB: JobKind<SampleContext, SampleBatch, Block> = {
  name: 'sample',
  prepare: (context) => sampleBatches(context),
}

function sampleBatches(context: SampleContext): (batch: SampleBatch) => Block {
  const { rowCount, partStart, rules = [], seedRows } = context
  const sampleRows = rowSampler(context)
  const keeper =
    rules.length > 0 && seedRows ? new RuleKeeper({ ...context, rules, seedRows }, () => redrawOf(context)) : null
  return ({ firstBlock, endBlock }) => {
    const first = firstBlock * BLOCK_ROWS
    const batchRows = Math.min(rowCount, endBlock * BLOCK_ROWS) - first
    const out = sampleRows(firstBlock, first, batchRows)
    keeper?.keep(out, firstBlock, first - partStart, batchRows)
    const columnsOut = out.map((column) =>
      'values' in column && !column.valid.includes(0) ? { values: column.values, valid: null } : column,
    )
    return { rowCount: batchRows, columns: columnsOut }
  }
}

/** Rows of a batch that are drawn again: without tilting, which is about the rows of a whole batch. */
function redrawOf(context: SampleContext) {
  const rowCount = Math.min(context.rowCount, BATCH_BLOCKS * BLOCK_ROWS)
  const preset = context.preset.map(() => new Uint16Array(rowCount))
  const given = new Map(
    [...context.given].map(([column, { isFixed }]) => [
      column,
      { values: new Float64Array(rowCount), valid: new Uint8Array(rowCount), isFixed },
    ]),
  )
  const sampleRows = rowSampler({ ...context, rowCount, partStart: 0, preset, given, tilt: null })
  return { preset, given, draw: (firstBlock: number, rows: number) => sampleRows(firstBlock, 0, rows) }
}

/** Draws rows of a table. Their random numbers are those of the blocks; what is preset is that of the table's rows from `first` on. */
function rowSampler(context: SampleContext): (firstBlock: number, first: number, rows: number) => DrawnColumn[] {
  const { columns, derivations, relations, order, seed, rowCount, partStart, preset, ranges, given, tilt } = context
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
  return (firstBlock, first, batchRows) => {
    const blocks = Math.ceil(batchRows / BLOCK_ROWS)
    const out = columns.map(
      (column): DrawnColumn =>
        column.kind === 'categorical'
          ? { codes: new Int32Array(batchRows) }
          : { values: new Float64Array(batchRows), valid: new Uint8Array(batchRows) },
    )
    sampler.startBatch(seed, firstBlock)
    decoders.forEach((decoder, c) => {
      decoder?.startBatch(seed, c, first)
    })
    recomputation.startBatch(seed, firstBlock, batchRows)
    for (let block = 0; block < blocks; block++) {
      const row = first - partStart + block * BLOCK_ROWS
      sampler.enter(block)
      preset.forEach((codes, position) => {
        sampler.codes.set(codes.subarray(row, row + BLOCK_ROWS), order.columns[position]! * BLOCK_ROWS)
      })
      recomputation.enter(block)
      recomputation.settlePreset(row)
    }
    sampler.sample(seed, firstBlock, batchRows, preset.length, settle)
    for (let block = 0; block < blocks; block++) {
      const start = block * BLOCK_ROWS
      const rows = Math.min(BLOCK_ROWS, batchRows - start)
      sampler.enter(block)
      recomputation.enter(block)
      for (let c = 0; c < columns.length; c++) {
        const column = out[c]!
        const at = c * BLOCK_ROWS
        if ('codes' in column) copyLevels(sampler.codes, at, rows, columns[c]!.missing, column.codes, start)
        else {
          const decoded = recomputation.valuesOf(c)
          if (decoded) {
            column.values.set(decoded.values.subarray(0, rows), start)
            column.valid.set(decoded.valid.subarray(0, rows), start)
            continue
          }
          stream.reset(seed, PURPOSE.value, firstBlock + block, c)
          decoders[c]!.decode(sampler.codes, at, rows, stream, column.values, column.valid, start)
        }
      }
    }
    return out
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
