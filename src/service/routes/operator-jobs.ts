import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { Job } from '../../contract/jobs.ts'
import type { OperatorJobList } from '../../contract/operator.ts'
import type { ServiceContext } from '../context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody, checkQuery } from '../http/request-shape.ts'
import { cancelJob } from '../jobs/end-jobs.ts'
import { jobRecord, listUnfinishedJobs } from '../records/job-records.ts'
import { OperatorPageSize } from './operator.ts'

const ListQuery = z.strictObject({
  trouble: z.literal('true').optional(),
  limit: OperatorPageSize,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, { error: 'is not a cursor of this list' })
    .transform(Number)
    .optional(),
})

/** `/operator/v1/jobs`: what has not ended, and cancelling it. Register only with an operator token. */
export function operatorJobRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/operator/v1/jobs', async (request): Promise<OperatorJobList> => {
      const { trouble, limit, cursor } = checkQuery(ListQuery, request.query)
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
