import { createHash, createHmac, type KeyObject } from 'node:crypto'
import type { Settings } from '../settings/settings.ts'

/**
 * Version of everything between a seed file and its rows: reading and cleaning, training, sampling and the writing of values,
 * and the default evidence cap. `test/engine/engine-version.test.ts` holds a digest of models and rows beside it: when that
 * changes, raise the version and the digest together.
 */
export const ENGINE_VERSION = '9'

/**
 * The identity of a model: equal identities give the same rows for the same request and seed. It is made from the
 * trained model's own bytes, which cannot be forgotten when code changes, and not from the inputs of training. The
 * version covers sampling, which no model contains. Whose seed it is decides how far its combinations may be multiplied. Of a
 * protected seed the noise of its counts does so too, which is the installation's: there equal identities are of one installation.
 *
 * @param modelSha256 SHA-256 of the trained model, as stored in its file.
 * @param rowKeys The key of the noise. With it, nobody can try what a model of other rows would be called.
 */
export function modelIdentity(
  modelSha256: string,
  { evidenceCap, disclosure }: Pick<Settings, 'evidenceCap' | 'disclosure'>,
  rowKeys: KeyObject,
): string {
  const { naturalShareFactor, rowsPerSeedRow } = evidenceCap
  const parts = ['whatif-model', 1, modelSha256, ENGINE_VERSION, naturalShareFactor, rowsPerSeedRow]
  parts.push(
    disclosure === 'exact' ? disclosure : createHmac('sha256', rowKeys).update(`model ${modelSha256}`).digest('hex'),
  )
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
