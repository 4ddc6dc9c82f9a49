import { timestamp } from '../../base/clock.ts'
import { cutText } from '../../base/text/fit-text.ts'
import type { GenerationReceipt } from '../../client/replies.ts'
import type { Reply } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { generationKeyHash, requestKey, scopeAt } from '../../study/hashing/request-key.ts'
import type { Scenario } from '../../study/study.ts'
import { faultOf, WorkFailedError } from '../interface/fault-text.ts'
import { requireMayPost } from '../session/end-scenario.ts'
import type { PlannedRun } from '../session/plan-run.ts'
import { isGone, isRefusal } from '../session/service-calls.ts'
import { withRequestId } from '../state/study-store.ts'
import { type AcceptedWork, awaitGeneration, isSettled } from './await-generation.ts'
import {
  type FinishedWork,
  type GenerationRequest,
  newRecord,
  recordDone,
  recordedShortfall,
  traced,
} from './generation-record.ts'

/** New epochs to try when replays point to missing work; after that a person has to decide. */
const MOST_BUMPS = 3

/** The dataset of a generation request is gone: the run uploads it again and plans again. */
export const DATASET_IS_GONE = 'dataset_is_gone'

/** A request whose key is on disk. */
export interface PreparedRequest {
  readonly request: GenerationRequest
  readonly key: string
  readonly epoch: number
}

/**
 * Puts a request's key on disk before its first byte is sent, so that a run after a crash sends the same key.
 * `withdrawUnsent` removes the record if nothing was sent.
 */
export async function prepareRequest(
  run: PlannedRun,
  request: GenerationRequest,
  epoch = request.epoch,
): Promise<PreparedRequest> {
  const hash = generationKeyHash({ datasetId: request.datasetId, body: request.body })
  const label = run.options.scope
  const key = requestKey('gen', hash, scopeAt(label, epoch))
  requireMayPost(run)
  const set = newRecord(request, { key, hash, label, epoch, madeAt: run.store.state.serial + 1 }, run)
  run.sent.unsent.set(key, run.store.state.generations.get(key) ?? null)
  await run.store.record({ kind: 'generation', id: key, set, forced: request.forced })
  return { request, key, epoch }
}

/** Requests a generation and follows it to its end at the service. */
export async function generate(
  run: PlannedRun,
  first: PreparedRequest,
): Promise<FinishedWork | typeof DATASET_IS_GONE> {
  const { request } = first
  let prepared = first
  for (let bump = 0; ; bump++) {
    const { key, epoch } = prepared
    const finished = await postAndFollow(run, request.scenario, key)
    if (finished !== 'gone') return finished
    await markDead(run, request.scenario, key, bump)
    prepared = await prepareRequest(run, request, epoch + 1)
  }
}

/** Removes the records of requests that were prepared and never sent: a breaker opened, or the run was stopped. */
export async function withdrawUnsent(run: PlannedRun): Promise<void> {
  const unsent = [...run.sent.unsent]
  run.sent.unsent.clear()
  await Promise.all(unsent.map(([id, before]) => run.store.record({ kind: 'withdrawn', id, before })))
}

/** Sends a request again whose answer was never seen: same key, same bytes. */
export async function resumePrepared(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
): Promise<FinishedWork | typeof DATASET_IS_GONE> {
  const record = run.store.generation(key)
  const finished = await postAndFollow(run, scenario, key)
  if (finished !== 'gone') return finished
  await markDead(run, scenario, key, 0)
  const request = {
    scenario,
    fingerprint: record.fingerprint,
    datasetFingerprint: record.datasetFingerprint,
    datasetInputs: record.datasetInputs,
    datasetId: record.datasetId,
    body: record.body,
    epoch: record.epoch + 1,
    forced: run.store.state.forced.has(key),
  }
  return generate(run, await prepareRequest(run, request))
}

async function postAndFollow(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
): Promise<FinishedWork | 'gone' | typeof DATASET_IS_GONE> {
  requireMayPost(run)
  const record = run.store.generation(key)
  run.progress.running.set(scenario.id, key)
  run.progress.onChange()
  const reply = await post(run, scenario, record)
  if (reply === DATASET_IS_GONE) return reply
  const { value } = reply
  if (!reply.replayed) run.sent.bought.add(key)
  const accepted: Partial<GenerationRecord> = {
    status: 'processing',
    generationId: value.generation_id ?? null,
    jobId: value.job_id ?? null,
    submittedAt: record.submittedAt ?? timestamp(run.env.clock),
    requestIds: withRequestId(record.requestIds, reply.requestId),
    attempts: record.attempts + reply.attempts,
    error: null,
  }
  const { generation_id } = value
  const seen = generation_id === undefined ? null : { ...value, generation_id }
  const recorded = run.store.record({ kind: 'generation', id: key, set: accepted })
  run.emit({
    type: 'scenario.submitted',
    scenario: scenario.id,
    rows: scenario.rows,
    key,
    generationId: value.generation_id ?? null,
    jobId: value.job_id ?? null,
    requestId: reply.requestId,
    replayed: reply.replayed,
  })
  run.progress.onChange()
  // The same write records the end of finished work, and nothing is done before that.
  if (seen !== null && isSettled(seen)) recorded.catch(() => {})
  else await recorded
  return follow(run, scenario, key, { seen, fresh: !reply.replayed })
}

/**
 * Follows accepted work: waits for its end and records it. `gone`: the service does not know it (any more). Rejects
 * with `WorkFailedError` when it failed.
 */
export function follow(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
  known: Pick<AcceptedWork, 'seen' | 'fresh'>,
): Promise<FinishedWork | 'gone'> {
  return traced(run, key, () => followToEnd(run, scenario, key, known))
}

async function followToEnd(
  run: PlannedRun,
  scenario: Scenario,
  key: string,
  known: Pick<AcceptedWork, 'seen' | 'fresh'>,
): Promise<FinishedWork | 'gone'> {
  const record = run.store.generation(key)
  run.progress.running.set(scenario.id, key)
  const { generationId, jobId } = record
  const settled = await awaitGeneration(run, scenario.id, { generationId, jobId, ...known })
  if (settled.kind === 'gone') return 'gone'
  const requestIds = settled.requestIds.reduce<readonly string[]>(withRequestId, record.requestIds)
  if (settled.kind === 'failed') {
    const { code, message } = settled.error
    await run.store.record({
      kind: 'generation',
      id: key,
      set: {
        status: 'failed',
        requestIds,
        completedAt: timestamp(run.env.clock),
        shortfall: recordedShortfall(settled.shortfall, record.body),
        error: { code, detail: cutText(message, 500) },
      },
    })
    throw settled.error
  }
  if (!run.sent.bought.has(key)) run.sent.collected.add(key)
  // The record is written while the artifact is downloaded; nothing is done with the file before.
  const recorded = recordDone(run, key, settled.generation, requestIds)
  recorded.catch(() => {})
  return { key, generation: settled.generation, recorded }
}

async function post(
  run: PlannedRun,
  scenario: Scenario,
  record: GenerationRecord,
): Promise<Reply<GenerationReceipt> | typeof DATASET_IS_GONE> {
  const client = await run.service.client()
  const { datasetId, body, key } = record
  try {
    run.sent.began = true
    run.sent.unsent.delete(key)
    return await client.createGeneration(
      { datasetId, body, idempotencyKey: key },
      run.service.post(`scenario ${scenario.id}`),
    )
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (isGone(error) && (await datasetIsGone(run, datasetId))) {
      await run.store.record({ kind: 'generation', id: key, set: { status: 'gone' } })
      return DATASET_IS_GONE
    }
    const { code, detail } = faultOf(error)
    await run.store.record({
      kind: 'generation',
      id: key,
      set: {
        ...(isRefusal(error) ? { status: 'refused', error: { code, detail } } : {}),
        requestIds: withRequestId(record.requestIds, error.requestId),
        attempts: record.attempts + error.attempts,
      },
    })
    throw error
  }
}

/** A 404 for a generation can mean that the dataset is gone; only a request for the dataset shows it. */
async function datasetIsGone(run: PlannedRun, datasetId: string): Promise<boolean> {
  const client = await run.service.client()
  try {
    await client.getDataset(datasetId, run.service.call(`dataset ${datasetId}`))
    return false
  } catch (error) {
    if (isGone(error)) return true
    throw error
  }
}

async function markDead(run: PlannedRun, { id: scenario, rows }: Scenario, key: string, bump: number): Promise<void> {
  const record = run.store.generation(key)
  await run.store.record({ kind: 'generation', id: key, set: { status: 'gone' } })
  if (bump >= MOST_BUMPS) {
    throw new WorkFailedError(
      'dead_replay',
      `the service repeatedly answers this request with work that is gone (generation ${record.generationId ?? 'unknown'}); run with --scope <label> to make it new work`,
    )
  }
  if (run.sent.bought.has(key)) enforceBudget(run, rows, record.generationId)
  run.emit({ type: 'scenario.bumped', scenario, fromEpoch: record.epoch, epoch: record.epoch + 1 })
}

/**
 * Missing work that the service did not mark as a replay may have been made, and billed, for this run. Its replacement
 * comes on top of the plan's bound, and the budget must still hold.
 */
function enforceBudget(run: PlannedRun, rows: number, generationId: string | null): void {
  const { budget, totals } = run.plan
  const again = run.sent.rowsAskedAgain + rows
  if (budget.rowsPerRun !== null && totals.rowsBound + again > budget.rowsPerRun) {
    throw new WorkFailedError(
      'dead_replay',
      `the service has no generation ${generationId ?? 'unknown'}, which it had just accepted, and a new request could exceed the budget of ${budget.rowsPerRun} rows; find out why it is gone, then run again`,
    )
  }
  run.sent.rowsAskedAgain = again
}
