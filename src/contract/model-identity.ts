import { z } from 'zod'

/**
 * Two fields of this service's own, in training summaries and generation records. The specification does not have them, so
 * they stay optional: a client must work without them, and another service need not send them.
 */
export const ModelId = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe(
    'Identity of the model, this service’s own: SHA-256 in hexadecimal of the trained model’s bytes, the engine version and ' +
      'the evidence cap. Two datasets with the same model_id give the same rows for the same request and seed.',
  )

export const EngineVersion = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'Version of reading, cleaning, training and sampling, this service’s own. The same version trains the same model from ' +
      'the same seed file.',
  )
