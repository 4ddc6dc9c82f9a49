import { createHash } from 'node:crypto'
import type { EvidenceCap } from '../settings/settings.ts'

/**
 * Version of everything between a seed file and its rows: reading and cleaning, training, sampling and the writing of values,
 * and the default evidence cap. `test/service/engine-version.test.ts` holds a digest of models and rows beside it: when that
 * changes, raise the version and the digest together.
 */
export const ENGINE_VERSION = '7'

/** What determines the rows that a model gives for a request and a seed. */
export interface ModelParts {
  /** SHA-256 of the trained model, as stored in its file. */
  readonly modelSha256: string
  readonly evidenceCap: EvidenceCap
}

/**
 * The identity of a model: equal identities give the same rows for the same request and seed. It is made from the
 * trained model's own bytes, which cannot be forgotten when code changes, and not from the inputs of training. The
 * version covers sampling, which no model contains.
 */
export function modelIdentity({ modelSha256, evidenceCap }: ModelParts): string {
  const { naturalShareFactor, rowsPerSeedRow } = evidenceCap
  const parts = ['whatif-model', 1, modelSha256, ENGINE_VERSION, naturalShareFactor, rowsPerSeedRow]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
