import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { Job } from '../../contract/jobs.ts'
import { DEFAULT_RETENTION_HOURS } from '../../contract/limits.ts'
import type { OperatorArtifact, OperatorArtifactList, OperatorJobList } from '../../contract/operator.ts'
import { Restoration, type RestoredCounts, type SweepState } from '../../contract/sweeps.ts'
import type { ServiceContext } from '../context/context.ts'
import { listArtifacts, removeArtifact } from '../generations/stored-artifacts.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody, checkQuery } from '../http/request-shape.ts'
import { cancelJob } from '../jobs/end-jobs.ts'
import { jobRecord, listUnfinishedJobs } from '../records/job-records.ts'
import { countExpired, restoreExpired } from '../retention/expired-resources.ts'
import { readSweepWatch, resumeSweeps } from '../retention/sweep-brake.ts'
import { OperatorPageSize } from './operator.ts'

const JobListQuery = z.strictObject({
  trouble: z.literal('true').optional(),
  limit: OperatorPageSize,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'is not a cursor of this list' })
    .transform(Number)
    .optional(),
})

/** `/operator/v1/jobs`: unfinished jobs, and cancelling them. Register only with an operator token. */
export function operatorJobRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/jobs', async (request): Promise<OperatorJobList> => {
      const { trouble, limit, cursor } = checkQuery(JobListQuery, request.query)
      const page = { isInTrouble: trouble !== undefined, after: cursor ?? 0, limit }
      const { jobs, next } = await listUnfinishedJobs(context.db, page)
      return { jobs: [...jobs], next_cursor: next === null ? null : String(next) }
    })

    const config = { isBodyOptional: true }
    app.post<{ Params: { job_id: string } }>(
      '/operator/v1/jobs/:job_id/cancel',
      { config },
      async (request): Promise<Job> => {
        if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
        const job = await cancelJob(context, request.params.job_id)
        if (job === null) throw new ProblemError('svc_not_found', 'There is no such job.')
        return { ...jobRecord(job), request_id: request.id }
      },
    )
  }
}

const HOUR_MS = 60 * 60_000

/** `/operator/v1/sweeps`: held sweeps, and expired resources. Register only with an operator token. */
export function operatorSweepRoutes(context: ServiceContext): FastifyPluginAsync {
  const { db, now } = context
  const config = { isBodyOptional: true }
  return async (app) => {
    app.get('/operator/v1/sweeps', async (): Promise<SweepState> => await stateOf(context))

    app.post('/operator/v1/sweeps/resume', { config }, async (request): Promise<SweepState> => {
      if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
      await resumeSweeps(db, now())
      return await stateOf(context)
    })

    app.post('/operator/v1/sweeps/restore', { config }, async (request): Promise<RestoredCounts> => {
      const { hours = DEFAULT_RETENTION_HOURS, tenant_id: tenantId = null } =
        request.body === undefined ? {} : checkBody(Restoration, request.body)
      const nowMs = now()
      return await db.transaction(async (tx) => {
        return await restoreExpired(tx, { tenantId, nowMs, untilMs: nowMs + hours * HOUR_MS })
      })
    })
  }
}

async function stateOf({ db, now }: ServiceContext): Promise<SweepState> {
  const { held } = await readSweepWatch(db)
  return { held, restorable: await countExpired(db, now()) }
}

const ArtifactListQuery = z.strictObject({
  tenant_id: z.string().min(1).max(100).optional(),
  limit: OperatorPageSize,
  // Size and id, because the artifact itself may be removed before the next page is requested.
  cursor: z
    .string()
    .regex(/^\d{1,15}\.gen_[A-Za-z0-9]{1,64}$/, { error: 'is not a cursor of this list' })
    .optional(),
})

/** `/operator/v1/artifacts`: the largest artifacts, and removing them. Register only with an operator token. */
export function operatorArtifactRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/artifacts', async (request): Promise<OperatorArtifactList> => {
      const { tenant_id: tenantId, limit, cursor } = checkQuery(ArtifactListQuery, request.query)
      const [bytes = '', generationId = ''] = cursor?.split('.') ?? []
      const after = cursor === undefined ? null : { bytes: Number(bytes), generationId }
      const { artifacts, next } = await listArtifacts(context.db, { tenantId: tenantId ?? null, after, limit })
      return { artifacts: [...artifacts], next_cursor: next === null ? null : `${next.bytes}.${next.generationId}` }
    })

    app.post<{ Params: { generation_id: string } }>(
      '/operator/v1/artifacts/:generation_id/remove',
      { config: { isBodyOptional: true } },
      async (request): Promise<OperatorArtifact> => {
        if (request.body !== undefined) checkBody(z.strictObject({}), request.body)
        const artifact = await removeArtifact(context, request.params.generation_id)
        if (artifact === null) throw new ProblemError('svc_not_found', 'There is no such artifact.')
        return artifact
      },
    )
  }
}
