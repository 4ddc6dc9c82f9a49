/** What `whatif verify --json` says: what holds of a run's files, and what does not. */

import { z } from 'zod'
import { sha256, text } from './values/common-values.ts'

const Check = z
  .object({
    of: z
      .enum([
        'signature',
        'record',
        'manifest',
        'gates',
        'comparison',
        'result',
        'figures',
        'report',
        'study',
        'lock',
        'seed',
        'model',
        'again',
      ])
      .describe('`figures`: counted again in the rows. `again`: against the rows of a repeated run.'),
    name: text.describe('Of the file, scenario, comparison or dataset; empty for a thing of which there is one.'),
    verdict: z.enum(['differs', 'not_checked', 'holds']),
    detail: text,
  })
  .meta({ id: 'check' })

export const VerificationRecord = z.object({
  study: text,
  run: text,
  manifest_digest: sha256,
  holds: z.boolean().describe('Whether nothing differs. What was not checked may.'),
  checks: z.array(Check),
})

/** What holds of a run's files, and what does not: the data of `whatif verify --json`. */
export type VerificationRecord = z.infer<typeof VerificationRecord>
export type Check = z.infer<typeof Check>
