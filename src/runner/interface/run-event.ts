import type { AskedType } from '../../base/raw-table.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ManifestScenario } from '../../records/manifest/scenarios.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { Plan, PlannedError, UnknownResults } from '../plan/plan.ts'

/**
 * The events of a run, in sequence. Names of scenarios and datasets are the study's own. An event has no time, because
 * the printer of an event knows it. Nothing here is secret.
 */
export type RunEvent =
  | { readonly type: 'run.started'; readonly runId: string; readonly study: string; readonly scenarios: number }
  | LockEvent
  | JournalEvent
  | OutputEvent
  /** Sent once or more: the run carries out the last one before `run.finished`. */
  | { readonly type: 'plan'; readonly plan: Plan }
  | { readonly type: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] }
  | DatasetEvent
  | ScenarioEvent
  | RetryEvent
  | StatusEvent
  | GateEvent
  /** No new work is submitted from here on; running work continues to its end. */
  | { readonly type: 'breaker.opened'; readonly reason: 'payment' | 'failure' | 'network' | 'authentication' }
  | { readonly type: 'manifest.written'; readonly path: string; readonly final: boolean }
  | {
      readonly type: 'run.finished'
      readonly exitCode: number
      readonly reason: string
      /** Digest of the manifest; null for a run that was refused. */
      readonly digest: string | null
      readonly totals: Manifest['totals'] | null
    }

export type LockEvent =
  | { readonly type: 'lock.waiting'; readonly holder: LockHolder }
  | {
      readonly type: 'lock.taken_over'
      readonly holder: LockHolder
      readonly because: 'process_gone' | 'heartbeat_old'
    }

export interface LockHolder {
  readonly pid: number
  readonly host: string
  readonly runId: string
  readonly startedAt: string
  readonly heartbeatAt: string
}

/** Found when the state was opened. */
export type JournalEvent =
  | { readonly type: 'journal.recovered'; readonly cutBytes: number }
  | { readonly type: 'journal.pending'; readonly uploads: number; readonly generations: number }

/** Found in the output folder; `path` is relative to the anchor. */
export type OutputEvent =
  /** A manifest of ours that is not whole, and is replaced. */
  | { readonly type: 'manifest.damaged'; readonly path: string }
  /** Files of scenarios that no state knows, so that they are requested again. */
  | ({ readonly type: 'results.unknown' } & UnknownResults)

export type DatasetEvent =
  | { readonly type: 'dataset.hashing'; readonly dataset: string; readonly totalBytes: number }
  | { readonly type: 'dataset.hashed'; readonly dataset: string; readonly totalBytes: number; readonly sha256: string }
  /** First with `sentBytes` 0. */
  | {
      readonly type: 'dataset.uploading'
      readonly dataset: string
      readonly sentBytes: number
      readonly totalBytes: number
    }
  /** `progress` 0…1 and `stage` are null when the service does not report them. */
  | {
      readonly type: 'dataset.training'
      readonly dataset: string
      readonly progress: number | null
      readonly stage: string | null
    }
  | {
      readonly type: 'dataset.ready'
      readonly dataset: string
      readonly datasetId: string
      /** False when this run uploaded it. */
      readonly reused: boolean
      readonly expiresAt: string | null
      readonly cleanRows: number | null
      readonly cleanColumns: number | null
    }
  | { readonly type: 'dataset.expired'; readonly dataset: string; readonly datasetId: string }
  | {
      readonly type: 'dataset.retyped'
      readonly dataset: string
      /** By column of the file. */
      readonly types: Readonly<Record<string, AskedType>>
    }
  | { readonly type: 'dataset.failed'; readonly dataset: string; readonly error: RunFault }

export type ScenarioEvent =
  | {
      readonly type: 'scenario.submitted'
      readonly scenario: string
      readonly rows: number
      readonly key: string
      readonly generationId: string | null
      readonly jobId: string | null
      readonly requestId: string | null
      /** The service had this request before: nothing new was started. */
      readonly replayed: boolean
    }
  | {
      readonly type: 'scenario.polling'
      readonly scenario: string
      readonly progress: number | null
      readonly stage: string | null
    }
  | { readonly type: 'scenario.downloading'; readonly scenario: string; readonly receivedBytes: number }
  | {
      readonly type: 'scenario.downloaded'
      readonly scenario: string
      readonly path: string
      readonly bytes: number
      readonly sha256: string
    }
  /** A replay pointed to missing work: the same request is made again under the next epoch. */
  | { readonly type: 'scenario.bumped'; readonly scenario: string; readonly fromEpoch: number; readonly epoch: number }
  | { readonly type: 'scenario.expired'; readonly scenario: string; readonly generationId: string | null }
  /** Ends: exactly one of these per selected scenario. `result` is the manifest's entry. */
  | {
      readonly type: 'scenario.ready' | 'scenario.partial'
      readonly scenario: string
      readonly how: ResultSource
      readonly result: ManifestScenario
    }
  | { readonly type: 'scenario.failed'; readonly scenario: string; readonly error: RunFault }
  | {
      readonly type: 'scenario.not_started' | 'scenario.interrupted'
      readonly scenario: string
      readonly reason: string
      readonly error: RunFault
      /** The run reports the cause at its end, once for all scenarios that it stopped. */
      readonly isReportedAtEnd?: boolean
    }

/** How a scenario got its result in this run; `run.actions` of the manifest. */
export type ResultSource = 'generated' | 'resumed' | 'downloaded' | 'copied' | 'reused'

/** A failure that ended something, with the ids that support needs to find it. */
export interface RunFault extends PlannedError {
  /** The full message, for people. */
  readonly message: string
  /** The same with the service's address, which is never written to a file. Absent: equal to the message. */
  readonly located?: string
  readonly requestId: string | null
  readonly jobId: string | null
  readonly generationId: string | null
  readonly datasetId: string | null
}

/** Each gate that counts, once all results have arrived. */
export interface GateEvent {
  readonly type: 'gate'
  readonly of: 'scenario' | 'comparison' | 'backtest'
  /** Of the scenario, comparison or backtest. */
  readonly id: string
  readonly gate: GateResult
}

/** The service has reported an unknown status for a while. The run continues to wait. */
export interface StatusEvent {
  readonly type: 'status.unknown'
  /** As in `retry`. */
  readonly subject: string
  readonly status: string
}

export interface RetryEvent {
  readonly type: 'retry'
  /** `scenario switch--north`, `dataset panel`. */
  readonly subject: string
  readonly attempt: number
  readonly delayMs: number
  readonly reason: string
  readonly requestId: string | null
  /** The request: `POST /v1/datasets`. */
  readonly operation: string
  /** Origin of the request; for terminals only. */
  readonly origin: string
}
