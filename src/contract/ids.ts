import { z } from 'zod'

/** `Idempotency-Key` (specification, createDataset). */
export const IDEMPOTENCY_KEY_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/

/** Signup request id: no dots, dashes or whitespace, because it is used verbatim in a path. */
export const SIGNUP_REQUEST_ID_PATTERN = /^req_[A-Za-z0-9]{1,64}$/

/** Prefixes of the identifiers our service makes: prefix, underscore, 22 base62 characters. */
export const ID_PREFIXES = ['req', 'ds', 'job', 'gen', 'cli', 'ten', 'act', 'whk', 'msg', 'upl'] as const
export type IdPrefix = (typeof ID_PREFIXES)[number]

/**
 * Identifiers are JSON strings, never arrays (specification, "Resources"). Other services may use another format, so
 * the contract requires only a non-empty string.
 */
export const Identifier = z.string().min(1)

/** RFC 3339 date-time; ours are UTC with milliseconds. */
export const DateTime = z.string().meta({ format: 'date-time' })

/**
 * Two fields that only this service adds to training summaries and generation records. The specification does not have
 * them, so they are optional: a client must work without them, and another service need not send them.
 */
export const ModelId = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe(
    'Identity of the model, an extension of this service: SHA-256 in hexadecimal of the trained model’s bytes, the engine version, ' +
      'the evidence cap, and whether the seed is the caller’s own. Two datasets with the same model_id give the same rows for the same request and seed.',
  )

export const EngineVersion = z
  .string()
  .min(1)
  .max(64)
  .describe(
    'Version of reading, cleaning, training and sampling, an extension of this service. The same version trains the same model from ' +
      'the same seed file.',
  )
