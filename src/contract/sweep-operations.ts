import { json, type Operation } from './operation.ts'
import { Restoration, RestoredCounts, SweepState } from './sweeps.ts'

/** The operator's word on what sweeps remove. */
export const SWEEP_OPERATIONS: readonly Operation[] = [
  {
    operationId: 'getSweeps',
    method: 'GET',
    path: '/operator/v1/sweeps',
    tag: 'operator',
    summary: 'Whether sweeps go on, and what can be taken back',
    description:
      'Sweeps remove what has expired. They are held when much has expired in a time in which no process was there to watch it pass: the service was off, or the clock of the database has jumped.',
    security: 'operator',
    responses: { 200: { description: 'The sweeps as they are.', content: json(SweepState) } },
  },
  {
    operationId: 'resumeSweeps',
    method: 'POST',
    path: '/operator/v1/sweeps/resume',
    tag: 'operator',
    summary: 'Let held sweeps go on: the clock of the database is right',
    description: 'What has expired is removed an hour after the next sweep. Changes nothing when sweeps are not held.',
    security: 'operator',
    responses: { 200: { description: 'The sweeps as they are now.', content: json(SweepState) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
  {
    operationId: 'restoreExpired',
    method: 'POST',
    path: '/operator/v1/sweeps/restore',
    tag: 'operator',
    summary: 'Take back datasets and generations that have expired and are not removed yet',
    description:
      'What expires is kept for an hour, and while sweeps are held. Nothing is kept longer than 7 days from its creation. What a client has deleted is gone at once.',
    security: 'operator',
    request: { required: false, content: json(Restoration) },
    responses: { 200: { description: 'How many are there again.', content: json(RestoredCounts) } },
    errors: ['svc_invalid_field', 'svc_body_too_large', 'svc_unsupported_content_type'],
  },
]
