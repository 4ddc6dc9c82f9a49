/** What is remembered of a request, whatever it asked for. Times are RFC 3339, UTC. */

import { z } from 'zod'
import type { DeepReadonly } from '../../base/deep-readonly.ts'
import { count, text, texts } from '../values/common-values.ts'

export const time = text.nullable()

const RecordedError = z.object({ code: text, detail: text })

export const requestFields = {
  key: text.regex(/^wi1\.(ds|gen)\.[0-9a-f]{32}\.[ex][A-Za-z0-9._-]*$/),
  /** The 32 hex digits of `key`. */
  hash: text.regex(/^[0-9a-f]{32}$/),
  /** `--scope` label; null without a label. */
  label: text.nullable(),
  epoch: count,
  /** Serial of the journal entry that made the record: a later one supersedes it. */
  madeAt: count,
  submittedAt: time,
  completedAt: time,
  expiresAt: time,
  jobId: text.nullable(),
  requestIds: texts,
  /** HTTP requests made to submit it, retries and later runs included. */
  attempts: count,
  error: RecordedError.nullable(),
}

/**
 * The model that rows come from, when the service reports it. Equal ids are the same model, whatever the dataset is called; equal
 * versions of the service's engine train the same model from the same seed file.
 */
export const RecordedModel = z.object({ id: text, engine: text.nullable() })

export type RecordedError = DeepReadonly<z.infer<typeof RecordedError>>
export type RecordedModel = DeepReadonly<z.infer<typeof RecordedModel>>
