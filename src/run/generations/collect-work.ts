import type { Plan, ScenarioPlan } from '../../plan/plan.ts'
import type { RunContext } from '../session/run-context.ts'
import { awaitGeneration } from './await-generation.ts'
import { fetchFinished } from './fetch-finished.ts'
import { recordDone } from './generation-record.ts'
import { type Fetch, inParallel } from './in-parallel.ts'
import { DATASET_IS_GONE, follow, resumePrepared } from './submit-generation.ts'

/**
 * First of all, before any dataset is looked at and before anything is bought: work of earlier runs is polled and
 * fetched, lost files are fetched again, and what is only probably expired is asked about. Sends nothing but GETs.
 * Expired work is recorded as gone; the next plan decides what to do about it.
 */
export async function collectPending(context: RunContext, plan: Plan): Promise<void> {
  const pending = plan.scenarios.filter((s) => !context.ends.has(s.id) && isCollectable(s))
  await inParallel(context, pending, async (s) => () => collect(context, s))
}

/** Work that GETs alone can bring to its end. */
export function isCollectable({ action }: ScenarioPlan): boolean {
  return (
    (action.kind === 'resume' && action.from !== 'prepared') ||
    action.kind === 'download' ||
    (action.kind === 'regenerate' && !action.certain)
  )
}

async function collect(context: RunContext, plan: ScenarioPlan): Promise<Fetch | null> {
  const scenario = context.scenario(plan.id)
  const wanted = plan.action.kind === 'resume' ? 'resumed' : 'downloaded'
  // A probably expired scenario is planned under its next key; the work to ask about is under the one before.
  const record = plan.action.kind === 'regenerate' ? pastWork(context, plan) : context.generation(plan.key!)
  if (record === null || (record.generationId ?? record.jobId) === null) return null
  if (record.status === 'processing') {
    const finished = await follow(context, scenario, record.key, { seen: null, fresh: false })
    if (finished === 'gone') {
      await markGone(context, plan.id, record.key, record.generationId)
      return null
    }
    return fetchFinished(context, scenario, finished, wanted)
  }
  context.running.set(plan.id, record.key)
  const { generationId } = record
  const found = await awaitGeneration(context, plan.id, { generationId, jobId: null, seen: null, fresh: false })
  if (found.kind === 'gone') {
    await markGone(context, plan.id, record.key, generationId)
    return null
  }
  if (found.kind === 'failed') throw found.error
  context.alive.add(record.key)
  const recorded = recordDone(context, record.key, found.generation, record.requestIds)
  await recorded
  return fetchFinished(context, scenario, { key: record.key, generation: found.generation, recorded }, wanted)
}

function pastWork(context: RunContext, plan: ScenarioPlan) {
  let newest = null
  for (const record of context.state.generations.values()) {
    if (record.fingerprint !== plan.fingerprint || record.label !== context.options.scope) continue
    if (newest === null || newest.madeAt < record.madeAt) newest = record
  }
  return newest
}

async function markGone(context: RunContext, id: string, key: string, generationId: string | null): Promise<void> {
  await context.store.record({ kind: 'generation', id: key, set: { status: 'gone' } })
  context.running.delete(id)
  context.emit({ type: 'scenario.expired', scenario: id, generationId })
}

/**
 * Requests whose answer was never seen are sent again: same key, same bytes, to the dataset they were made for. They may
 * have been paid already, so they come before any dataset is made anew.
 */
export async function resumeRequests(context: RunContext, plan: Plan): Promise<void> {
  const pending = plan.scenarios.filter((s) => s.action.kind === 'resume' && !context.ends.has(s.id))
  await inParallel(context, pending, async (s) => async () => {
    const scenario = context.scenario(s.id)
    const finished = await resumePrepared(context, scenario, s.key!)
    if (finished !== DATASET_IS_GONE) return fetchFinished(context, scenario, finished, 'resumed')
    // The work never was, or is gone with its dataset: the next plan makes it on a new one.
    context.running.delete(s.id)
    return null
  })
}
