import { z } from 'zod'
import { NO_CONTROL_CHARACTERS } from './access.ts'
import { DateTime, Identifier } from './ids.ts'
import { DEFAULT_RETENTION_HOURS, MAX_RETENTION_HOURS } from './limits.ts'

/** GET /operator/v1/sweeps, and the reply of resuming them. */
export const SweepState = z
  .object({
    held: z
      .object({
        since: DateTime,
        due: z.int().describe('Datasets and generations that have expired, by the clock of the database.'),
        living: z.int().describe('Those that have not.'),
      })
      .nullable()
      .describe('Present while sweeps remove nothing and wait for the operator; null: they go on.'),
    restorable: z
      .object({ datasets: z.int(), generations: z.int() })
      .describe('What has expired and is not removed yet.'),
  })
  .meta({ id: 'SweepState' })
export type SweepState = z.infer<typeof SweepState>

/** POST /operator/v1/sweeps/restore; the body may be left out. */
export const Restoration = z
  .strictObject({
    hours: z
      .int()
      .min(1)
      .max(MAX_RETENTION_HOURS)
      .optional()
      .describe(`How long they are kept from now on, default ${DEFAULT_RETENTION_HOURS}.`),
    tenant_id: Identifier.max(100).regex(NO_CONTROL_CHARACTERS).optional().describe('Those of this tenant alone.'),
  })
  .meta({ id: 'Restoration' })
export type Restoration = z.infer<typeof Restoration>

/** Reply of a restoration. */
export const RestoredCounts = z.object({ datasets: z.int(), generations: z.int() }).meta({ id: 'RestoredCounts' })
export type RestoredCounts = z.infer<typeof RestoredCounts>
