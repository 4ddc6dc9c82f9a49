import type { Block } from '../../base/output-table.ts'
import type { Model } from '../model/model.ts'
import { sampleRows } from '../sampling/sample.ts'
import type { JobOptions } from '../threads/thread-pool.ts'

const SAMPLE_SEED = 1

/** As many rows as the model was trained on, always the same ones. */
export async function sampleModel(model: Model, options: JobOptions): Promise<Block[]> {
  const blocks: Block[] = []
  for await (const block of sampled(model, model.rowCount, SAMPLE_SEED, options)) blocks.push(block)
  return blocks
}

/** Other rows than those of `sampleModel`, always the same ones. */
export function sampleFurther(model: Model, rowCount: number, options: JobOptions): AsyncIterable<Block> {
  return sampled(model, rowCount, SAMPLE_SEED + 1, options)
}

function sampled(model: Model, rowCount: number, seed: number, options: JobOptions): AsyncIterable<Block> {
  const { threads, signal, crew, isUrgent } = options
  const crewed = { threads, signal, crew, isUrgent }
  return sampleRows({ model, order: model.base, rowCount, seed, preset: [], ranges: new Map(), ...crewed })
}
