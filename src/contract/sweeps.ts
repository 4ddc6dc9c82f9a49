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
        living: z.int().describe('Datasets and generations that have not expired.'),
      })
      .nullable()
      .describe('Present while sweeps remove nothing and wait for the operator. Null: they run.'),
    restorable: z
      .object({ datasets: z.int(), generations: z.int() })
      .describe('Resources that have expired and are not yet removed.'),
  })
  .meta({ id: 'SweepState' })
export type SweepState = z.infer<typeof SweepState>

/** POST /operator/v1/sweeps/restore; the body is optional. */
export const Restoration = z
  .strictObject({
    hours: z
      .int()
      .min(1)
      .max(MAX_RETENTION_HOURS)
      .optional()
      .describe(`Their new retention from now on, default ${DEFAULT_RETENTION_HOURS}.`),
    tenant_id: Identifier.max(100)
      .regex(NO_CONTROL_CHARACTERS)
      .optional()
      .describe('Restore only resources of this tenant.'),
  })
  .meta({ id: 'Restoration' })
export type Restoration = z.infer<typeof Restoration>

/** Reply of a restoration. */
export const RestoredCounts = z.object({ datasets: z.int(), generations: z.int() }).meta({ id: 'RestoredCounts' })
export type RestoredCounts = z.infer<typeof RestoredCounts>

/** What the operator can see and decide about sweeps. */
export const SWEEP_OPERATIONS: readonly OperatorOperation[] = [
  {
    operationId: 'getSweeps',
    method: 'GET',
    path: '/operator/v1/sweeps',
    summary: 'Whether sweeps run, and what can be restored',
    description:
      'Sweeps remove what has expired. They are held when much has expired while no process was running: the service was off, or the clock of the database has jumped.',
    responses: { 200: { description: 'The state of the sweeps.', content: json(SweepState) } },
  },
  {
    operationId: 'resumeSweeps',
    method: 'POST',
    path: '/operator/v1/sweeps/resume',
    summary: 'Resume held sweeps: the clock of the database is right',
    description: 'Expired resources are removed an hour after the next sweep. Changes nothing if sweeps are not held.',
    responses: { 200: { description: 'The new state of the sweeps.', content: json(SweepState) } },
  },
  {
    operationId: 'restoreExpired',
    method: 'POST',
    path: '/operator/v1/sweeps/restore',
    summary: 'Restore datasets and generations that have expired and are not yet removed',
    description:
      'Expired resources stay for an hour, and while sweeps are held. No resource stays longer than 7 days from its creation. Resources that a client deletes are removed at once.',
    request: { required: false, content: json(Restoration) },
    responses: { 200: { description: 'How many were restored.', content: json(RestoredCounts) } },
  },
]
