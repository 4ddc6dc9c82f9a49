import type { Model } from '../../../src/engine/model/model.ts'
import type { Settlement } from '../../../src/engine/scenario/feasibility.ts'
import { layRows, roundMix } from '../../../src/engine/scenario/preset-rows.ts'

/** Codes of the conditioned columns for the rows of a settled scenario without means, of at most one unit. */
export async function laidCodes(model: Model, settlement: Settlement, seed: number): Promise<readonly Uint16Array[]> {
  const { rows } = settlement.feasibility
  const { settled } = await roundMix(model, settlement, seed)
  if (!('counts' in settled)) throw new Error('a scenario with means has no counts')
  const [laid, ...others] = layRows(model, settlement, settled, { rows, seed, part: { firstRow: 0, endRow: rows } })
  if (laid === undefined || others.length > 0) throw new Error('there are several units')
  return laid.preset.codes
}
