import type { JobKind } from '../records/job-records.ts'

/** Events inside the service for metrics and log. Without tenants' names, rows or secrets. */
export type ServiceEvent =
  /** A seed file was received completely. */
  | { readonly type: 'upload.received'; readonly sizeBytes: number }
  | {
      readonly type: 'job.begun'
      readonly jobId: string
      readonly kind: JobKind
      readonly attempt: number
      /** Since the job was recorded. */
      readonly ageMs: number
      /** Trace of the request that created the job; absent without tracing. */
      readonly traceParent?: string
    }
  | {
      readonly type: 'job.ended'
      readonly jobId: string
      readonly kind: JobKind
      readonly attempt: number
      readonly outcome: AttemptOutcome
      readonly durationMs: number
    }
  /** A job that was interrupted repeatedly by faults outside it waits before it restarts. */
  | {
      readonly type: 'job.postponed'
      readonly jobId: string
      readonly kind: JobKind
      readonly setbacks: number
      readonly pauseMs: number
    }
  /** A generation was recorded, with its rows in the ledger. */
  | { readonly type: 'rows.billed'; readonly jobId: string; readonly rows: number }
  /** A client's first claim came from another address than its request for access. */
  | { readonly type: 'credentials.claimed_elsewhere'; readonly clientId: string }
  /** The operator's command after an approval failed. */
  | { readonly type: 'approval_command.failed'; readonly clientId: string; readonly fault: string }
  | { readonly type: 'sweep.ended'; readonly removed: SweptCounts; readonly durationMs: number }
  /** A sweep would remove implausibly much: it removes nothing until the operator confirms. */
  | {
      readonly type: 'sweep.held'
      readonly due: number
      readonly living: number
      readonly unwatchedMs: number
      readonly message: string
    }
  /** A delivery of a webhook was tried. */
  | { readonly type: 'webhook.attempted'; readonly outcome: 'delivered' | 'repeated' | 'failed' }
  /** Nothing is sent to this webhook any more. */
  | { readonly type: 'webhook.disabled'; readonly webhookId: string; readonly reason: string }
  /**
   * How far the machine's clock is ahead of the service's (behind: negative), if it is wrong. Reported once a minute.
   */
  | { readonly type: 'clock.wrong'; readonly wrongByMs: number; readonly message: string }
  | { readonly type: 'clock.right' }

/**
 * How an attempt at a job ended: `completed` or `failed` permanently, `repeated` if it is tried again after a failure
 * outside the job, `handed_back` because the process stops, `superseded` if the job was ended from outside.
 */
export type AttemptOutcome = 'completed' | 'failed' | 'repeated' | 'handed_back' | 'superseded'

/** What one sweep removed. */
export interface SweptCounts {
  readonly datasets: number
  readonly generations: number
}

/** Reports events to listeners, in the sequence in which they were added. A listener must not throw. */
export class ServiceEvents {
  readonly #listeners: ((event: ServiceEvent) => void)[] = []

  listen(listener: (event: ServiceEvent) => void): void {
    this.#listeners.push(listener)
  }

  emit(event: ServiceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
