import pLimit from 'p-limit'
import type { CallOptions, ServiceClient } from '../client/service-client.ts'
import { ServiceError } from '../client/service-error.ts'
import type { StudyStatus } from './study-status.ts'

/** The service's current report of a job. */
export interface LiveJob {
  readonly status: string
  /** In [0, 1]. */
  readonly progress: number | null
  readonly stage: string | null
}

/** Jobs to ask about at once, and in total. */
const AT_ONCE = 4
const MOST_JOBS = 100

/** Jobs of a study that may be running at the service. */
export function liveJobIds({ datasets, scenarios }: StudyStatus): readonly string[] {
  const ids = [...datasets, ...scenarios].flatMap(({ jobId }) => (jobId === null ? [] : [jobId]))
  return [...new Set(ids)].slice(0, MOST_JOBS)
}

/** Asks once about each job. Jobs that the service does not know are left out. Rejects when it cannot be reached. */
export async function askLiveJobs(
  client: ServiceClient,
  ids: readonly string[],
  call: CallOptions,
): Promise<ReadonlyMap<string, LiveJob>> {
  const limit = pLimit(AT_ONCE)
  const jobs = new Map<string, LiveJob>()
  await Promise.all(
    ids.map((id) =>
      limit(async () => {
        try {
          const { value } = await client.getJob(id, call)
          jobs.set(id, { status: value.status, progress: value.progress ?? null, stage: value.stage ?? null })
        } catch (error) {
          if (!(error instanceof ServiceError) || (error.kind !== 'not_found' && error.kind !== 'gone')) throw error
        }
      }),
    ),
  )
  return jobs
}
