import { createHash } from 'node:crypto'
import type { EvidenceCap } from '../settings/settings.ts'

/**
 * Version of everything between a seed file and its rows: reading and cleaning, training, sampling and the writing of values,
 * and the default evidence cap. `test/service/engine-version.test.ts` holds a digest of models and rows beside it: when that
 * changes, raise the version and the digest together.
 */
export const ENGINE_VERSION = '4'

/** What decides which rows a model gives for a request and a seed. */
export interface ModelParts {
  /** SHA-256 of the trained model, as its file carries it. */
  readonly modelSha256: string
  readonly evidenceCap: EvidenceCap
}

/**
 * The identity of a model: equal identities give the same rows for the same request and seed. It is made of the trained
 * model's own bytes, which nobody can forget to change, and not of what it was trained from. The version covers sampling,
 * which is in no model.
 */
export function modelIdentity({ modelSha256, evidenceCap }: ModelParts): string {
  const { naturalShareFactor, rowsPerSeedRow } = evidenceCap
  const parts = ['whatif-model', 1, modelSha256, ENGINE_VERSION, naturalShareFactor, rowsPerSeedRow]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
