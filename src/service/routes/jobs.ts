import type { FastifyPluginAsync } from 'fastify'
import type { Job } from '../../contract/jobs.ts'
import type { ServiceContext } from '../context/context.ts'
import { endOfWait } from '../http/closing.ts'
import { ProblemError } from '../http/problem-error.ts'
import { preferredWaitSeconds } from '../http/request-headers.ts'
import { awaitJob } from '../jobs/await-job.ts'
import { isTerminal, jobRecord, readJobs } from '../records/job-records.ts'
import { GatheredReads } from '../store/gathered-reads.ts'

/** GET /v1/jobs/{job_id}. */
export function jobRoutes(context: ServiceContext): FastifyPluginAsync {
  // Waiting clients call this route repeatedly.
  const jobs = new GatheredReads((jobIds) => readJobs(context.db, jobIds))
  return async (app) => {
    app.get<{ Params: { job_id: string } }>('/v1/jobs/:job_id', async (request, reply): Promise<Job> => {
      const { job_id: jobId } = request.params
      let row = await jobs.read(jobId)
      if (row === null || row.tenant_id !== request.identity.tenantId || row.part_of !== null) {
        throw new ProblemError('svc_not_found', 'There is no such job.')
      }
      reply.header('cache-control', 'no-store')
      const waitSeconds = preferredWaitSeconds(request.headers.prefer)
      if (waitSeconds !== null) {
        reply.header('preference-applied', `wait=${waitSeconds}`)
        if (!isTerminal(row.status)) {
          const look = (id: string) => jobs.read(id)
          row = (await awaitJob(context, jobId, waitSeconds * 1000, endOfWait(reply), look)) ?? row
        }
      }
      return { ...jobRecord(row), request_id: request.id }
    })
  }
}
