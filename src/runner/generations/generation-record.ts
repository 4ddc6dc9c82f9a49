import { timestamp } from '../../base/clock.ts'
import type { Generation } from '../../client/replies.ts'
import { ServiceError } from '../../client/service-error.ts'
import { trustedShortfall } from '../../client/trusted-shortfall.ts'
import type { Conditions } from '../../contract/conditions.ts'
import type { Shortfall } from '../../contract/generations.ts'
import type { DatasetInputs, GenerationRecord, RecordedShortfall } from '../../records/state/generations.ts'
import type { Scenario } from '../../study/study.ts'
import { WorkFailedError } from '../interface/fault-text.ts'

import { recordedModel } from '../session/dataset-records.ts'
import type { OpenRun } from '../session/open-run.ts'
import { withRequestId } from '../state/study-store.ts'

/** One generation to request. */
export interface GenerationRequest {
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
  /** Resolves when the journal has recorded the end; until then the artifact is only received. */
  readonly recorded: Promise<void>
}

/** The record that is on disk before a request is sent. */
export function newRecord(
  wanted: GenerationRequest,
  made: Pick<GenerationRecord, 'key' | 'hash' | 'label' | 'epoch' | 'madeAt'>,
  run: OpenRun,
): GenerationRecord {
  const before = run.store.state.generations.get(made.key)
  return {
    ...made,
    scenario: wanted.scenario.id,
    fingerprint: wanted.fingerprint,
    dataset: wanted.scenario.dataset,
    datasetFingerprint: wanted.datasetFingerprint,
    datasetInputs: wanted.datasetInputs,
    datasetId: wanted.datasetId,
    body: wanted.body,
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
    // To the service, the same key sent again after a refusal is one request: its traces are kept together.
    requestIds: before?.requestIds ?? [],
    attempts: before?.attempts ?? 0,
  }
}

/** @param body As it was sent. */
export function recordedShortfall(shortfall: Shortfall | null | undefined, body: string): RecordedShortfall | null {
  if (!shortfall) return null
  const { conditions = {} } = JSON.parse(body) as { readonly conditions?: Conditions }
  return trustedShortfall(shortfall, conditions)
}

/** Records that a generation is finished at the service. */
export async function recordDone(
  run: OpenRun,
  key: string,
  generation: Generation,
  requestIds: readonly string[],
): Promise<void> {
  const { status } = generation
  await run.store.record({
    kind: 'generation',
    id: key,
    set: {
      status: status === 'partial' ? 'partial' : 'ready',
      generationId: generation.generation_id,
      requestIds,
      completedAt: run.store.generation(key).completedAt ?? timestamp(run.env.clock),
      expiresAt: generation.expires_at ?? null,
      rowsReported: generation.rows_generated ?? null,
      shortfall: recordedShortfall(generation.shortfall, run.store.generation(key).body),
      evidence: generation.evidence ?? null,
      model: recordedModel(generation),
      error: null,
    },
  })
}

/** Runs work under a key. If one of its requests fails, support can look up that request's id. */
export async function traced<T>(run: OpenRun, key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const requestId = error instanceof ServiceError || error instanceof WorkFailedError ? error.requestId : null
    const { requestIds } = run.store.generation(key)
    if (requestId !== null && !requestIds.includes(requestId)) {
      await run.store.record({ kind: 'generation', id: key, set: { requestIds: withRequestId(requestIds, requestId) } })
    }
    throw error
  }
}
