import { z } from 'zod'
import { NO_CONTROL_CHARACTERS } from './access.ts'
import { DateTime, Identifier } from './ids.ts'
import { DEFAULT_RETENTION_HOURS, MAX_RETENTION_HOURS } from './limits.ts'
import { json, type OperatorOperation } from './operation.ts'

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

/** The operator's word on what sweeps remove. */
export const SWEEP_OPERATIONS: readonly OperatorOperation[] = [
  {
    operationId: 'getSweeps',
    method: 'GET',
    path: '/operator/v1/sweeps',
    summary: 'Whether sweeps go on, and what can be taken back',
    description:
      'Sweeps remove what has expired. They are held when much has expired in a time in which no process was there to watch it pass: the service was off, or the clock of the database has jumped.',
    responses: { 200: { description: 'The sweeps as they are.', content: json(SweepState) } },
  },
  {
    operationId: 'resumeSweeps',
    method: 'POST',
    path: '/operator/v1/sweeps/resume',
    summary: 'Let held sweeps go on: the clock of the database is right',
    description: 'What has expired is removed an hour after the next sweep. Changes nothing when sweeps are not held.',
    responses: { 200: { description: 'The sweeps as they are now.', content: json(SweepState) } },
  },
  {
    operationId: 'restoreExpired',
    method: 'POST',
    path: '/operator/v1/sweeps/restore',
    summary: 'Take back datasets and generations that have expired and are not removed yet',
    description:
      'What expires is kept for an hour, and while sweeps are held. Nothing is kept longer than 7 days from its creation. What a client has deleted is gone at once.',
    request: { required: false, content: json(Restoration) },
    responses: { 200: { description: 'How many are there again.', content: json(RestoredCounts) } },
  },
]
