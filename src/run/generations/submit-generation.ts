import { cutText } from '../../base/text/fit-text.ts'
import type { GenerationReceipt } from '../../client/replies.ts'
import type { Reply } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { scopeAt } from '../../plan/scope-at.ts'
import type { GenerationRecord } from '../../plan/study-state.ts'
import { generationKeyHash, requestKey } from '../../study/hashing/request-key.ts'
import type { Scenario } from '../../study/study.ts'
import { timestamp } from '../clock.ts'
import { faultOf, WorkFailed } from '../fault-text.ts'
import type { RunContext } from '../run-context.ts'
import { type AcceptedWork, awaitGeneration, isGone, isSettled } from './await-generation.ts'
import { type FinishedWork, type GenerationOrder, newRecord, recordDone, traced, withId } from './generation-record.ts'

/** Replays that point to dead work are answered by a new epoch so many times; then somebody has to look. */
const MOST_BUMPS = 3

/** The dataset that a generation was asked of is gone; the run uploads it again and plans anew. */
export class DatasetGoneError extends Error {
  override readonly name = 'DatasetGoneError'
  readonly datasetId: string

  constructor(datasetId: string) {
    super(`dataset ${datasetId} no longer exists at the service`)
    this.datasetId = datasetId
  }
}

/** Nothing more may be submitted: a breaker has opened. */
export class NotSubmitted extends Error {
  override readonly name = 'NotSubmitted'
}

/** A request whose key is on disk. */
export interface PreparedRequest {
  readonly order: GenerationOrder
  readonly key: string
  readonly epoch: number
}

/**
 * Puts a request's key on disk before the first byte of it is sent, so that whoever comes after a crash sends the same key.
 * Where it never comes to that, `withdrawUnsent` takes it back.
 */
export async function prepareRequest(
  context: RunContext,
  order: GenerationOrder,
  epoch = order.epoch,
): Promise<PreparedRequest> {
  const hash = generationKeyHash({ datasetId: order.datasetId, body: order.body })
  const label = context.options.scope
  const key = requestKey('gen', hash, scopeAt(label, epoch))
  mayPost(context)
  const set = newRecord(order, { key, hash, label, epoch, madeAt: context.state.serial + 1 }, context)
  context.unsent.set(key, context.state.generations.get(key) ?? null)
  await context.store.record({ kind: 'generation', id: key, set, forced: order.forced })
  return { order, key, epoch }
}

/** Requests a generation and sees it through to its end at the service. */
export async function generate(context: RunContext, first: PreparedRequest): Promise<FinishedWork> {
  const { order } = first
  let prepared = first
  for (let bump = 0; ; bump++) {
    const { key, epoch } = prepared
    const finished = await postAndFollow(context, order.scenario, key)
    if (finished !== 'gone') return finished
    await markDead(context, order.scenario, key, bump)
    prepared = await prepareRequest(context, order, epoch + 1)
  }
}

/** Takes back the records of requests that were prepared and that nothing was sent of: a breaker opened, the run was stopped. */
export async function withdrawUnsent(context: RunContext): Promise<void> {
  const unsent = [...context.unsent]
  context.unsent.clear()
  await Promise.all(unsent.map(([id, before]) => context.store.record({ kind: 'withdrawn', id, before })))
}

/** Sends a request again whose answer was never seen: same key, same bytes. */
export async function resumePrepared(context: RunContext, scenario: Scenario, key: string): Promise<FinishedWork> {
  const record = context.generation(key)
  const finished = await postAndFollow(context, scenario, key)
  if (finished !== 'gone') return finished
  await markDead(context, scenario, key, 0)
  const order = {
    scenario,
    fingerprint: record.fingerprint,
    datasetFingerprint: record.datasetFingerprint,
    datasetInputs: record.datasetInputs,
    datasetId: record.datasetId,
    body: record.body,
    epoch: record.epoch + 1,
    forced: context.state.forced.has(key),
  }
  return generate(context, await prepareRequest(context, order))
}

function mayPost(context: RunContext): void {
  context.signal.throwIfAborted()
  if (context.breaker !== null) throw new NotSubmitted('nothing more is submitted in this run')
}

async function postAndFollow(context: RunContext, scenario: Scenario, key: string): Promise<FinishedWork | 'gone'> {
  mayPost(context)
  const record = context.generation(key)
  context.running.set(scenario.id, key)
  context.onChange()
  const reply = await post(context, scenario, record)
  const { value } = reply
  if (!reply.replayed) context.bought.add(key)
  const accepted: Partial<GenerationRecord> = {
    status: 'processing',
    generationId: value.generation_id ?? null,
    jobId: value.job_id ?? null,
    submittedAt: record.submittedAt ?? timestamp(context.env.clock),
    requestIds: withId(record.requestIds, reply.requestId),
    attempts: record.attempts + reply.attempts,
    error: null,
  }
  const { generation_id } = value
  const seen = generation_id === undefined ? null : { ...value, generation_id }
  const recorded = context.store.record({ kind: 'generation', id: key, set: accepted })
  context.emit({
    type: 'scenario.submitted',
    scenario: scenario.id,
    rows: scenario.rows,
    key,
    generationId: value.generation_id ?? null,
    jobId: value.job_id ?? null,
    requestId: reply.requestId,
    replayed: reply.replayed,
  })
  context.onChange()
  // How finished work ended is recorded by the same write, and nothing is done before that.
  if (seen !== null && isSettled(seen)) recorded.catch(() => {})
  else await recorded
  return follow(context, scenario, key, { seen, fresh: !reply.replayed })
}

/**
 * Sees accepted work through: waits for its end and records it. `gone`: the service does not know it (any more). Rejects
 * with `WorkFailed` when it failed.
 */
export function follow(
  context: RunContext,
  scenario: Scenario,
  key: string,
  known: Pick<AcceptedWork, 'seen' | 'fresh'>,
): Promise<FinishedWork | 'gone'> {
  return traced(context, key, () => followToEnd(context, scenario, key, known))
}

async function followToEnd(
  context: RunContext,
  scenario: Scenario,
  key: string,
  known: Pick<AcceptedWork, 'seen' | 'fresh'>,
): Promise<FinishedWork | 'gone'> {
  const record = context.generation(key)
  context.running.set(scenario.id, key)
  const { generationId, jobId } = record
  const settled = await awaitGeneration(context, scenario.id, { generationId, jobId, ...known })
  if (settled.kind === 'gone') return 'gone'
  const requestIds = settled.requestIds.reduce<readonly string[]>(withId, record.requestIds)
  if (settled.kind === 'failed') {
    const { code, message } = settled.error
    await context.store.record({
      kind: 'generation',
      id: key,
      set: {
        status: 'failed',
        requestIds,
        completedAt: timestamp(context.env.clock),
        error: { code, detail: cutText(message, 500) },
      },
    })
    throw settled.error
  }
  if (!context.bought.has(key)) context.collected.add(key)
  // On its way to the disk while the artifact is on its way here; nothing is done with the file before.
  const recorded = recordDone(context, key, settled.generation, requestIds)
  recorded.catch(() => {})
  return { key, generation: settled.generation, recorded }
}

async function post(
  context: RunContext,
  scenario: Scenario,
  record: GenerationRecord,
): Promise<Reply<GenerationReceipt>> {
  const client = await context.client()
  const { datasetId, body, key } = record
  try {
    const request = { datasetId, body, idempotencyKey: key }
    context.began = true
    context.unsent.delete(key)
    return await client.createGeneration(request, context.post(`scenario ${scenario.id}`))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (isGone(error) && (await datasetIsGone(context, datasetId))) {
      await context.store.record({ kind: 'generation', id: key, set: { status: 'gone' } })
      throw new DatasetGoneError(datasetId)
    }
    const { code, detail } = faultOf(error)
    await context.store.record({
      kind: 'generation',
      id: key,
      set: {
        ...(isRefusal(error) ? { status: 'refused', error: { code, detail } } : {}),
        requestIds: withId(record.requestIds, error.requestId),
        attempts: record.attempts + error.attempts,
      },
    })
    throw error
  }
}

/** A 404 for a generation can mean that the dataset is gone; only the dataset itself can say so. */
async function datasetIsGone(context: RunContext, datasetId: string): Promise<boolean> {
  const client = await context.client()
  try {
    await client.getDataset(datasetId, context.call(`dataset ${datasetId}`))
    return false
  } catch (error) {
    if (isGone(error)) return true
    throw error
  }
}

/** A 4xx: nothing was made, the same key may be sent again in the next run. */
export function isRefusal(error: ServiceError): boolean {
  return error.status !== null && error.status >= 400 && error.status < 500
}

async function markDead(
  context: RunContext,
  { id: scenario, rows }: Scenario,
  key: string,
  bump: number,
): Promise<void> {
  const record = context.generation(key)
  await context.store.record({ kind: 'generation', id: key, set: { status: 'gone' } })
  if (bump >= MOST_BUMPS) {
    throw new WorkFailed(
      'dead_replay',
      `the service answers this request again and again with work that is gone (generation ${record.generationId ?? 'unknown'}); run with --scope <label> to make it new work`,
    )
  }
  if (context.bought.has(key)) holdToBudget(context, rows, record.generationId)
  context.emit({ type: 'scenario.bumped', scenario, fromEpoch: record.epoch, epoch: record.epoch + 1 })
}

/**
 * Work that is gone and that the service did not call a replay may have been made, and billed, for this very run: what is asked
 * for in its place comes on top of the plan's bound, and the budget is to hold all the same.
 */
function holdToBudget(context: RunContext, rows: number, generationId: string | null): void {
  const { budget, totals } = context.plan!
  const again = context.rowsAskedAgain + rows
  if (budget.rowsPerRun !== null && totals.rowsBound + again > budget.rowsPerRun) {
    throw new WorkFailed(
      'dead_replay',
      `the service has no generation ${generationId ?? 'unknown'}, which it had just accepted, and asking anew could pass the budget of ${budget.rowsPerRun} rows; find out why it is gone, then run again`,
    )
  }
  context.rowsAskedAgain = again
}
