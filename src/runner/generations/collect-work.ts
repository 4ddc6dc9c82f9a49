import type { ScenarioPlan } from '../plan/plan.ts'
import { announce } from '../session/end-scenario.ts'
import type { PlannedRun } from '../session/plan-run.ts'
import { awaitGeneration } from './await-generation.ts'
import { recordDone } from './generation-record.ts'
import { type Fetch, inParallel } from './in-parallel.ts'
import { fetchFinished } from './store-artifact.ts'
import { DATASET_IS_GONE, follow, resumePrepared } from './submit-generation.ts'

/**
 * The first step, before any dataset is checked and before anything is bought: polls and fetches work of earlier runs,
 * fetches lost files again, and asks about work that has probably expired. Sends only GETs. Expired work is recorded as
 * gone; the next plan decides what to do about it.
 */
export async function collectPending(run: PlannedRun): Promise<void> {
  const pending = run.plan.scenarios.filter((s) => !run.progress.ends.has(s.id) && isCollectable(s))
  if (pending.length > 0) await run.service.client()
  await inParallel(run, pending, async (s) => () => collect(run, s))
}

/** Work that GETs alone can finish. */
export function isCollectable({ action }: ScenarioPlan): boolean {
  return (
    (action.kind === 'resume' && action.from !== 'prepared') ||
    action.kind === 'download' ||
    (action.kind === 'regenerate' && !action.certain)
  )
}

async function collect(run: PlannedRun, plan: ScenarioPlan): Promise<Fetch | null> {
  const scenario = run.scenarios.get(plan.id)!
  const wanted = plan.action.kind === 'resume' ? 'resumed' : 'downloaded'
  // A probably expired scenario is planned under its next key; the work to ask about is under the previous one.
  const record = plan.action.kind === 'regenerate' ? pastWork(run, plan) : run.store.generation(plan.key!)
  if (record === null || (record.generationId ?? record.jobId) === null) return null
  if (record.status === 'processing') {
    const finished = await follow(run, scenario, record.key, { seen: null, fresh: false })
    if (finished === 'gone') {
      await markGone(run, plan.id, record.key, record.generationId)
      return null
    }
    return fetchFinished(run, scenario, finished, wanted)
  }
  run.progress.running.set(plan.id, record.key)
  const { generationId } = record
  const found = await awaitGeneration(run, plan.id, { generationId, jobId: null, seen: null, fresh: false })
  if (found.kind === 'gone') {
    await markGone(run, plan.id, record.key, generationId)
    return null
  }
  if (found.kind === 'failed') throw found.error
  run.known.alive.add(record.key)
  const recorded = recordDone(run, record.key, found.generation, record.requestIds)
  await recorded
  return fetchFinished(run, scenario, { key: record.key, generation: found.generation, recorded }, wanted)
}

function pastWork(run: PlannedRun, plan: ScenarioPlan) {
  let newest = null
  for (const record of run.store.state.generations.values()) {
    if (record.fingerprint !== plan.fingerprint || record.label !== run.options.scope) continue
    if (newest === null || newest.madeAt < record.madeAt) newest = record
  }
  return newest
}

async function markGone(run: PlannedRun, id: string, key: string, generationId: string | null): Promise<void> {
  await run.store.record({ kind: 'generation', id: key, set: { status: 'gone' } })
  run.progress.running.delete(id)
  run.emit({ type: 'scenario.expired', scenario: id, generationId })
}

/**
 * Sends requests again whose answer was never seen: same key, same bytes, same dataset. They may have been paid
 * already, so they come before any dataset is trained again.
 */
export async function resumeRequests(run: PlannedRun): Promise<void> {
  const pending = run.plan.scenarios.filter((s) => s.action.kind === 'resume' && !run.progress.ends.has(s.id))
  await inParallel(run, pending, async (s) => async () => {
    const scenario = run.scenarios.get(s.id)!
    const finished = await resumePrepared(run, scenario, s.key!)
    if (finished !== DATASET_IS_GONE) return fetchFinished(run, scenario, finished, 'resumed')
    // The work never existed, or is gone with its dataset: the next plan makes it on a new one.
    run.progress.running.delete(s.id)
    return null
  })
}

/** `whatif resume` submits nothing: requests that would be submitted, or sent again, are left for `whatif run`. */
export function leaveUnsubmitted(run: PlannedRun): void {
  for (const { id, key, action } of run.plan.scenarios) {
    if (run.progress.ends.has(id)) continue
    if (action.kind === 'generate' || action.kind === 'regenerate') {
      // Not counted against the run, because nobody asked it to submit.
      const fault = faultFor('not_submitted', 'whatif run would submit it; resume only collects')
      announce(run, id, { kind: 'stopped', status: 'not_started', fault, cause: 'ok', key: null })
    } else if (action.kind === 'resume' && action.from === 'prepared') {
      // Sending it again can be the purchase.
      const detail = 'the answer to its request was never seen; whatif run sends it again under the same key'
      const fault = faultFor('unanswered', detail)
      announce(run, id, { kind: 'stopped', status: 'interrupted', fault, cause: 'deadline_or_network', key })
    }
  }
}

function faultFor(code: string, detail: string) {
  return { code, detail, message: detail, requestId: null, jobId: null, generationId: null, datasetId: null }
}
