/** What a run of one part of a study leaves for `whatif merge`: the content of `part.json`, version 1. */

import { z } from 'zod'
import type { DeepReadonly } from '../base/deep-readonly.ts'
import { ExistingRecord, UploadRecord } from './state/datasets.ts'
import { EstimateRecord } from './state/estimates.ts'
import { GenerationRecord } from './state/generations.ts'
import { ordinal, sha256, text } from './values/common-values.ts'

export const Part = z.object({
  part_version: z.literal(1),
  shard: z.object({ index: ordinal, of: ordinal }),
  study: text,
  /** `embedded`, or 8 hex digits. */
  service: text,
  scope: text.nullable(),
  /** Most rows of a scenario in a trial; null: none. */
  trial: ordinal.nullable(),
  /** Id of the run that wrote it. */
  run: text,
  /** Where the artifacts lie: relative to this file, with `/`. */
  artifacts: z.array(z.object({ path: text, sha256 })),
  uploads: z.array(UploadRecord),
  existing: z.array(ExistingRecord),
  generations: z.array(GenerationRecord),
  estimates: z.array(EstimateRecord),
})

export type Part = DeepReadonly<z.infer<typeof Part>>
