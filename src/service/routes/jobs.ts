import type { FastifyPluginAsync } from 'fastify'
import type { Job } from '../../contract/jobs.ts'
import type { ServiceContext } from '../context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { GatheredReads } from '../store/gathered-reads.ts'
import { jobRecord, readJobs } from '../work/job-records.ts'

/** GET /v1/jobs/{job_id}. */
export function jobRoutes(context: ServiceContext): FastifyPluginAsync {
  // The route that waiting clients ask again and again.
  const jobs = new GatheredReads((jobIds) => readJobs(context.db, jobIds))
  return async (app) => {
    app.get<{ Params: { job_id: string } }>('/v1/jobs/:job_id', async (request, reply): Promise<Job> => {
      const row = await jobs.read(request.params.job_id)
      if (row === null || row.tenant_id !== request.identity.tenantId) {
        throw new ProblemError('svc_not_found', 'There is no such job.')
      }
      reply.header('cache-control', 'no-store')
      return { ...jobRecord(row), request_id: request.id }
    })
  }
}
