import { z } from 'zod'
import { sha256, count as wholeNumber } from './values/common-values.ts'

/** Descriptions begin with the value that is expected: messages about a damaged file quote them. */
const count = wholeNumber.meta({ id: 'count', description: 'A whole number of at least 0.' })

const action = z
  .object({
    action: z
      .string()
      .regex(/^[a-z]{1,20}$/)
      .describe('A word, such as upload, generate, reuse or skip.'),
    idempotency_key: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,128}$/)
      .nullable()
      .describe('A request key or null: null where there is none, or none yet.'),
  })
  .meta({ id: 'action', description: 'An object with an action and its request key.' })

const actions = z
  .record(
    z
      .string()
      .regex(/^[a-z0-9._-]{1,120}$/)
      .describe('Ids, which are lower-case words.'),
    action,
  )
  .meta({ id: 'actions', description: 'An object of actions by id.' })

/** What `whatif plan --save` writes: `schemas/plan.v1.json`. */
export const SavedPlanRecord = z.object({
  plan_version: z.literal(1).describe('The number 1; a plan of another version is to be saved again.'),
  study: z
    .string()
    .regex(/^[a-z0-9._-]{1,40}$/)
    .describe('The name of a study.'),
  study_digest: sha256.describe('64 hexadecimal digits: a digest of everything that can change the outcome of a run.'),
  lock_digest: sha256
    .nullable()
    .describe('64 hexadecimal digits or null: a digest of the lock file; null when there was none.'),
  service: z
    .string()
    .regex(/^(?:embedded|[0-9a-f]{8})$/)
    .describe('"embedded" or 8 hexadecimal digits: a label of the service; never its address.'),
  scope: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,48}$/)
    .nullable()
    .describe('A label or null: `--scope` of the plan.'),
  state_serial: count.describe('A whole number of at least 0: how far the journal of the study had come.'),
  uploads: count.describe('A whole number of at least 0: datasets that would be uploaded and trained.'),
  rows_bound: count.describe('A whole number of at least 0: the most rows that can be billed.'),
  datasets: actions.describe('An object of actions by dataset.'),
  scenarios: actions.describe('An object of actions by scenario.'),
})

export type SavedPlanRecord = z.infer<typeof SavedPlanRecord>
