/** What a manifest says about a dataset, and where its traces are at the service. */

import { z } from 'zod'
import { byName, count, sha256, text, texts } from '../values/common-values.ts'
import { ManifestColumn } from './columns.ts'
import { ModelQuality } from './model-quality.ts'
import type { Written } from './written.ts'

const cleaning = z.object({
  input_rows: count,
  clean_rows: count,
  input_columns: count,
  clean_columns: count,
  dropped_columns: z.array(z.object({ name: text, reason: text })),
})

export const ManifestDataset = z
  .object({
    fingerprint: sha256.nullable(),
    schema_sha256: sha256.nullable(),
    source: text.nullable().describe('As written in the study; null for a dataset named by its id.'),
    sha256: sha256.nullable().describe('Of the seed file as it lies there.'),
    bytes: count
      .optional()
      .describe('Size of that file; absent for a dataset named by its id, and in manifests of version 1.0.0.'),
    sent: z
      .object({ bytes: count, sha256 })
      .optional()
      .describe(
        "What was sent in place of the seed file, made of it by the study's declarations. Absent without declarations.",
      ),
    cleaning: cleaning.nullable(),
    cleaned_columns: texts
      .optional()
      .describe('The names of all columns after cleaning, in their sequence; absent where they are not known.'),
    labels: byName(text)
      .optional()
      .describe(
        'What the seed file says that columns mean, as its service reports it: labels of variables, texts of questions. Of the columns that results name; absent when there are none.',
      ),
    columns: byName(ManifestColumn)
      .optional()
      .describe(
        'The columns that conditions and comparisons name, as the service reports them; absent when none is known.',
      ),
    quality: ModelQuality.optional().describe(
      'How good the model is, as its service measured it on held-out rows of the seed; absent when the service does not tell. Each part is there when the service gave it.',
    ),
  })
  .meta({ id: 'dataset' })

/** The idempotency key of a request, with its scope and epoch. */
export const requestKey = z.string().regex(/^wi1\.(ds|gen)\.[0-9a-f]{32}\.[ex][A-Za-z0-9._-]*$/)

export const DatasetTrace = z
  .object({
    dataset_id: text.nullable(),
    trained_at: text.nullable(),
    expires_at: text.nullable(),
    idempotency_key: requestKey.nullable(),
    request_ids: texts,
    model_id: text.optional().describe('Identity of the trained model; absent when the service does not tell.'),
  })
  .meta({ id: 'dataset_trace' })

export type ManifestDataset = Written<z.infer<typeof ManifestDataset>>
export type DatasetTrace = Written<z.infer<typeof DatasetTrace>>
