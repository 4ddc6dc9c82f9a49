import type { Generation } from '../../client/replies.ts'
import type { Reply } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Shortfall } from '../../contract/generations.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import type { OpenRun } from '../session/open-run.ts'
import { isGone, isNotFound } from '../session/service-calls.ts'

/** First wait, growth and longest wait between two requests for a generation without a job. */
const FIRST_POLL_MS = 250
const GROWTH = 1.6
const LONGEST_POLL_MS = 15_000

/** Requests for newly accepted work before a 404 is believed, and the wait between them. */
const FRESH_TRIES = 3
const FRESH_TRY_MS = 1000

const INFEASIBLE: ErrorCode = 'svc_infeasible_scenario'

/** A generation that the service has accepted, now or in an earlier run. */
export interface AcceptedWork {
  /** Null: the service names it when the job has ended. */
  readonly generationId: string | null
  readonly jobId: string | null
  /** The last answer of the service about it, if any. */
  readonly seen: Generation | null
  /** Accepted a moment ago and not marked as a replay: a 404 may come from a replica that lags behind. */
  readonly fresh: boolean
}

/** A generation at its end: with an artifact to fetch, failed, or no longer at the service. */
export type Settled =
  | { readonly kind: 'done'; readonly generation: Generation; readonly requestIds: readonly string[] }
  | {
      readonly kind: 'failed'
      readonly error: WorkFailedError
      /** Why no row can be made, where that is the reason and the service says it. */
      readonly shortfall: Shortfall | null
      readonly requestIds: readonly string[]
    }
  | { readonly kind: 'gone' }

/**
 * Follows a generation until it is `ready` or `partial` and has an artifact address, or has failed, or turns out not to
 * exist. Unknown statuses count as in progress. Work that failed, or that this run saw running, is never `gone`: a new
 * request would be bought a second time.
 */
export async function awaitGeneration(run: OpenRun, scenario: string, work: AcceptedWork): Promise<Settled> {
  const requestIds: string[] = []
  const failed = (error: WorkFailedError): Settled => ({ kind: 'failed', error, shortfall: null, requestIds })
  if (work.seen !== null && isSettled(work.seen)) return settled(work.seen, requestIds)
  const job = await awaitJob(run, scenario, work.jobId, requestIds)
  const generationId = work.generationId ?? job.generationId
  if (job.error !== null) {
    const isInfeasible = job.error.code === INFEASIBLE && generationId !== null
    const shortfall = isInfeasible ? await shortfallOf(run, scenario, generationId) : null
    return { kind: 'failed', error: job.error, shortfall, requestIds }
  }
  if (generationId === null) {
    if (job.end === 'unknown') return { kind: 'gone' }
    return failed(new WorkFailedError('generation_missing', `the job ended as ${job.end} and names no generation`))
  }
  let tries = work.fresh ? FRESH_TRIES : 1
  for (let delayMs = FIRST_POLL_MS; ; ) {
    const reply = await getGeneration(run, scenario, generationId)
    if (reply === 'gone') {
      if (job.end === 'failed') return failed(withoutReason('job'))
      tries -= 1
      if (tries === 0) return job.wasSeenRunning ? failed(vanished(generationId)) : { kind: 'gone' }
      await run.env.clock.sleep(FRESH_TRY_MS, run.signal)
      continue
    }
    if (reply.requestId !== null) requestIds.push(reply.requestId)
    run.service.statuses.note(`scenario ${scenario}`, reply.value.unknown_status)
    if (isSettled(reply.value)) return settled(reply.value, requestIds)
    // The job has ended, so the record will not change any more.
    if (job.end === 'failed') return failed(withoutReason('job'))
    run.emit({ type: 'scenario.polling', scenario, progress: null, stage: null })
    await run.env.clock.sleep(delayMs * (0.5 + run.env.random() / 2), run.signal)
    delayMs = Math.min(LONGEST_POLL_MS, delayMs * GROWTH)
  }
}

function settled(generation: Generation, requestIds: readonly string[]): Settled {
  if (generation.status !== 'failed') return { kind: 'done', generation, requestIds }
  const { error } = generation
  const failure =
    error === undefined ? withoutReason('generation') : WorkFailedError.fromService(error.code, error.detail)
  return { kind: 'failed', error: failure, shortfall: generation.shortfall ?? null, requestIds }
}

const withoutReason = (what: string) => new WorkFailedError('failed', `the ${what} failed; the service gives no reason`)

const vanished = (generationId: string) =>
  new WorkFailedError(
    'generation_missing',
    `the job has ended, and the service has no generation ${generationId}; --retry-failed requests it again`,
  )

/** True when there is nothing more to wait for: it has failed, or can be downloaded. */
export function isSettled(generation: Generation): boolean {
  const { status } = generation
  return status === 'failed' || ((status === 'ready' || status === 'partial') && generation.artifact_url !== undefined)
}

interface JobEnd {
  /**
   * `failed`: the generation itself may have the reason. `unknown`: there is no such job, so only the generation can
   * show the result.
   */
  readonly end: 'completed' | 'failed' | 'unknown'
  /** The job ended without a result and gave a reason. */
  readonly error: WorkFailedError | null
  readonly generationId: string | null
  /** Some poll found it in progress: it is not a replay of work that ended long ago. */
  readonly wasSeenRunning: boolean
}

async function awaitJob(run: OpenRun, scenario: string, jobId: string | null, requestIds: string[]): Promise<JobEnd> {
  const unknown: JobEnd = { end: 'unknown', error: null, generationId: null, wasSeenRunning: false }
  if (jobId === null) return unknown
  const client = await run.service.client()
  let polls = 0
  try {
    const reply = await client.waitForJob(jobId, {
      ...run.service.call(`scenario ${scenario}`),
      onPoll: (job) => {
        polls += 1
        run.service.statuses.note(`scenario ${scenario}`, job.unknown_status)
        if (job.status === 'completed') return
        const { progress = null, stage = null } = job
        run.emit({ type: 'scenario.polling', scenario, progress, stage })
      },
    })
    if (reply.requestId !== null) requestIds.push(reply.requestId)
    const { status, error, generation_id = null } = reply.value
    const known = { generationId: generation_id, wasSeenRunning: polls > 1 }
    if (status === 'completed') return { ...known, end: 'completed', error: null }
    if (error !== undefined)
      return { ...known, end: 'failed', error: WorkFailedError.fromService(error.code, error.detail) }
    if (status === 'failed') return { ...known, end: 'failed', error: null }
    return {
      ...known,
      end: 'failed',
      error: WorkFailedError.fromService(`job_${status}`, `the job ended as ${status}`),
    }
  } catch (error) {
    if (isNotFound(error)) return { ...unknown, wasSeenRunning: polls > 0 }
    throw error
  }
}

/** The job has the reason in words alone. Without the record these are all that is known. */
async function shortfallOf(run: OpenRun, scenario: string, generationId: string): Promise<Shortfall | null> {
  try {
    const reply = await getGeneration(run, scenario, generationId)
    return reply === 'gone' ? null : (reply.value.shortfall ?? null)
  } catch (error) {
    if (error instanceof ServiceError && !run.signal.aborted) return null
    throw error
  }
}

async function getGeneration(
  run: OpenRun,
  scenario: string,
  generationId: string,
): Promise<Reply<Generation> | 'gone'> {
  const client = await run.service.client()
  try {
    return await client.getGeneration(generationId, run.service.call(`scenario ${scenario}`))
  } catch (error) {
    if (isGone(error)) return 'gone'
    throw error
  }
}
