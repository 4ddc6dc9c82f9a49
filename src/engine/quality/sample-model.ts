import type { Model } from '../model.ts'
import { sampleRows } from '../sampling/sample.ts'
import type { SampledBlock } from '../sampling/sample-batch.ts'
import type { JobOptions } from '../threads/thread-pool.ts'

const SAMPLE_SEED = 1

/** As many rows as the model was trained on, always the same ones. */
export async function sampleModel(model: Model, options: JobOptions): Promise<SampledBlock[]> {
  const { base: order, rowCount } = model
  const { threads, signal, crew, isUrgent } = options
  const crewed = { threads, signal, crew, isUrgent }
  const request = { model, order, rowCount, seed: SAMPLE_SEED, preset: [], ranges: new Map(), ...crewed }
  const blocks: SampledBlock[] = []
  for await (const block of sampleRows(request)) blocks.push(block)
  return blocks
}
