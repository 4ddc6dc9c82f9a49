import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { Job } from '../../contract/jobs.ts'
import type { ServiceContext } from '../context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { checkBody } from '../http/request-shape.ts'
import { cancelJob } from '../work/cancel-job.ts'
import { jobRecord } from '../work/job-records.ts'

/** `/operator/v1/jobs`: cancelling. Register only with an operator token. */
export function operatorJobRoutes(context: ServiceContext): FastifyPluginAsync {
  return async (app) => {
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
