import { timestamp } from '../../base/clock.ts'
import type { Generation } from '../../client/replies.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { DatasetInputs, GenerationRecord } from '../../plan/study-state.ts'
import type { Scenario } from '../../study/study.ts'
import { WorkFailedError } from '../interface/fault-text.ts'
import { recordedModel } from '../session/dataset-records.ts'
import type { RunContext } from '../session/run-context.ts'

/** One generation to be requested. */
export interface GenerationOrder {
  readonly scenario: Scenario
  readonly fingerprint: string
  readonly datasetFingerprint: string
  readonly datasetInputs: DatasetInputs
  readonly datasetId: string
  /** Canonical. */
  readonly body: string
  readonly epoch: number
  /** Made by `--force` or `--force-dataset`. */
  readonly forced: boolean
}

/** Work that is finished at the service: its artifact can be fetched. */
export interface FinishedWork {
  readonly key: string
  readonly generation: Generation
  /** Resolves when the journal has its end; until then nothing is done with the artifact but receiving it. */
  readonly recorded: Promise<void>
}

/** The record that is on disk before a request is sent. */
export function newRecord(
  order: GenerationOrder,
  request: Pick<GenerationRecord, 'key' | 'hash' | 'label' | 'epoch' | 'madeAt'>,
  context: RunContext,
): GenerationRecord {
  const before = context.state.generations.get(request.key)
  return {
    ...request,
    scenario: order.scenario.id,
    fingerprint: order.fingerprint,
    dataset: order.scenario.dataset,
    datasetFingerprint: order.datasetFingerprint,
    datasetInputs: order.datasetInputs,
    datasetId: order.datasetId,
    body: order.body,
    status: 'prepared',
    generationId: null,
    jobId: null,
    rowsReported: null,
    submittedAt: null,
    completedAt: null,
    expiresAt: null,
    shortfall: null,
    evidence: null,
    model: null,
    artifact: null,
    error: null,
    // The same key sent again after a refusal is one request to the service: its traces are kept together.
    requestIds: before?.requestIds ?? [],
    attempts: before?.attempts ?? 0,
  }
}

/** Records that a generation is finished at the service. */
export async function recordDone(
  context: RunContext,
  key: string,
  generation: Generation,
  requestIds: readonly string[],
): Promise<void> {
  const { status } = generation
  await context.store.record({
    kind: 'generation',
    id: key,
    set: {
      status: status === 'partial' ? 'partial' : 'ready',
      generationId: generation.generation_id,
      requestIds,
      completedAt: context.generation(key).completedAt ?? timestamp(context.env.clock),
      expiresAt: generation.expires_at ?? null,
      rowsReported: generation.rows_generated ?? null,
      shortfall: generation.shortfall ?? null,
      evidence: generation.evidence ?? null,
      model: recordedModel(generation),
      error: null,
    },
  })
}

/** Ids kept per piece of work: the last ones, enough for support. */
const MOST_REQUEST_IDS = 20

export function withId(ids: readonly string[], id: string | null): readonly string[] {
  return id === null || ids.includes(id) ? ids : [...ids, id].slice(-MOST_REQUEST_IDS)
}

/** Work under a key. Where a request of it fails, that request is among those that support can look up. */
export async function traced<T>(context: RunContext, key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const requestId = error instanceof ServiceError || error instanceof WorkFailedError ? error.requestId : null
    const { requestIds } = context.generation(key)
    if (requestId !== null && !requestIds.includes(requestId)) {
      await context.store.record({ kind: 'generation', id: key, set: { requestIds: withId(requestIds, requestId) } })
    }
    throw error
  }
}
