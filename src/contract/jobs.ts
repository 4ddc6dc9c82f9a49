import { z } from 'zod'
import { DateTime, Identifier } from './ids.ts'
import { WorkError } from './problem.ts'

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'expired', 'cancelled'] as const
export const JobStatus = z.enum(JOB_STATUSES)
export type JobStatus = z.infer<typeof JobStatus>

export const TERMINAL_JOB_STATUSES = [
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const satisfies readonly JobStatus[]

/** GET /v1/jobs/{job_id}. */
export const Job = z
  .object({
    job_id: Identifier,
    status: JobStatus,
    dataset_id: Identifier.optional().describe('Present when a completed job trained a dataset.'),
    generation_id: Identifier.optional().describe('Present when a completed job produced a generation.'),
    kind: z.enum(['training', 'generation']).optional(),
    progress: z.number().min(0).max(1).optional().describe('Share of the work that is done.'),
    stage: z.string().optional().describe('What is being done.'),
    error: WorkError.optional().describe('Why it failed.'),
    created_at: DateTime.optional(),
    request_id: z.string().optional(),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>
