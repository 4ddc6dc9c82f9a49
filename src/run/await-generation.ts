import type { Generation } from '../client/replies.ts'
import type { Reply } from '../client/service-client.ts'
import { ServiceError } from '../client/service-error.ts'
import { WorkFailed } from './fault-text.ts'
import type { RunContext } from './run-context.ts'

/** First wait, growth and longest wait between two looks at a generation that has no job to wait for. */
const FIRST_POLL_MS = 250
const GROWTH = 1.6
const LONGEST_POLL_MS = 15_000

/** A generation at its end: with an artifact to fetch, failed, or no longer there. */
export type Settled =
  | { readonly kind: 'done'; readonly generation: Generation; readonly requestIds: readonly string[] }
  | { readonly kind: 'failed'; readonly error: WorkFailed; readonly requestIds: readonly string[] }
  | { readonly kind: 'gone' }

/**
 * Follows a generation until it is `ready` or `partial` and has an artifact address, or has failed, or turns out not to
 * exist. `seen` is what the service said of it last, when it did. Unknown statuses count as in progress.
 */
export async function awaitGeneration(
  context: RunContext,
  scenario: string,
  work: { readonly generationId: string; readonly jobId: string | null; readonly seen: Generation | null },
): Promise<Settled> {
  const requestIds: string[] = []
  let generation = work.seen
  if (generation === null || !isSettled(generation)) {
    const job = work.jobId === null ? null : await awaitJob(context, scenario, work.jobId, requestIds)
    if (job === 'failed' || job === null || job === 'completed') generation = null
    else return { kind: 'failed', error: job, requestIds }
  }
  for (let delayMs = FIRST_POLL_MS; generation === null || !isSettled(generation); ) {
    if (generation !== null) {
      context.emit({ type: 'scenario.polling', scenario, progress: null, stage: null })
      await context.env.clock.sleep(delayMs * (0.5 + context.env.random() / 2), context.signal)
      delayMs = Math.min(LONGEST_POLL_MS, delayMs * GROWTH)
    }
    const reply = await look(context, scenario, work.generationId)
    if (reply === 'gone') return { kind: 'gone' }
    if (reply.requestId !== null) requestIds.push(reply.requestId)
    generation = reply.value
  }
  if (generation.status === 'failed') {
    const { code, detail } = generation.error ?? {
      code: 'failed',
      detail: 'the generation failed; the service gives no reason',
    }
    return { kind: 'failed', error: new WorkFailed(code, detail), requestIds }
  }
  return { kind: 'done', generation, requestIds }
}

/** True when there is nothing more to wait for: it has failed, or can be downloaded. */
export function isSettled(generation: Generation): boolean {
  const { status } = generation
  return status === 'failed' || ((status === 'ready' || status === 'partial') && generation.artifact_url !== undefined)
}

/**
 * `failed`: the generation itself will say why. A `WorkFailed`: the job ended without a result. Null: there is no such
 * job, so only the generation can tell.
 */
async function awaitJob(
  context: RunContext,
  scenario: string,
  jobId: string,
  requestIds: string[],
): Promise<'completed' | 'failed' | WorkFailed | null> {
  const client = await context.client()
  try {
    const reply = await client.waitForJob(jobId, {
      ...context.call(`scenario ${scenario}`),
      onPoll: (job) => {
        if (job.status === 'completed') return
        const { progress = null, stage = null } = job
        context.emit({ type: 'scenario.polling', scenario, progress, stage })
      },
    })
    if (reply.requestId !== null) requestIds.push(reply.requestId)
    const { status, error } = reply.value
    if (status === 'completed') return 'completed'
    if (error !== undefined) return new WorkFailed(error.code, error.detail)
    if (status === 'failed') return 'failed'
    return new WorkFailed(`job_${status}`, `the job ended as ${status}`)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

async function look(context: RunContext, scenario: string, generationId: string): Promise<Reply<Generation> | 'gone'> {
  const client = await context.client()
  try {
    return await client.getGeneration(generationId, context.call(`scenario ${scenario}`))
  } catch (error) {
    if (isGone(error)) return 'gone'
    throw error
  }
}

/** The service says that there is no such thing, or no longer. */
export function isGone(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.kind === 'not_found' || error.kind === 'gone')
}
