import type { JobKind } from '../records/job-records.ts'

/** What happens inside the service that an operator counts or reads about. No tenant's names, rows or secrets. */
export type ServiceEvent =
  /** A seed file was received whole. */
  | { readonly type: 'upload.received'; readonly sizeBytes: number }
  | {
      readonly type: 'job.begun'
      readonly jobId: string
      readonly kind: JobKind
      readonly attempt: number
      /** Since the job was recorded. */
      readonly ageMs: number
      /** Of the request that ordered it; absent where nobody traces. */
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
  /** A job whose work broke off again and again, for a reason outside it, waits before it is begun again. */
  | {
      readonly type: 'job.postponed'
      readonly jobId: string
      readonly kind: JobKind
      readonly setbacks: number
      readonly pauseMs: number
    }
  /** A generation was recorded, and its rows with it in the ledger. */
  | { readonly type: 'rows.billed'; readonly jobId: string; readonly rows: number }
  /** A client's first claim came from another address than its request for access. */
  | { readonly type: 'credentials.claimed_elsewhere'; readonly clientId: string }
  /** The operator's command after an approval did not end well. */
  | { readonly type: 'approval_command.failed'; readonly clientId: string; readonly fault: string }
  | { readonly type: 'sweep.ended'; readonly removed: SweptCounts; readonly durationMs: number }
  /** A sweep would remove more than can be right: it removes nothing until the operator says so. */
  | {
      readonly type: 'sweep.held'
      readonly due: number
      readonly living: number
      readonly unwatchedMs: number
      readonly message: string
    }
  /** The machine's clock is so far ahead of the service's (behind: negative). Told once a minute. */
  | { readonly type: 'clock.wrong'; readonly wrongByMs: number; readonly message: string }
  | { readonly type: 'clock.right' }

/**
 * How an attempt at a job ended: `completed` or `failed` for good, `repeated` when it is handed out again after a
 * failure outside the job, `handed_back` because the process stops, `superseded` when the job was ended from outside.
 */
export type AttemptOutcome = 'completed' | 'failed' | 'repeated' | 'handed_back' | 'superseded'

/** What one sweep removed. */
export interface SweptCounts {
  readonly datasets: number
  readonly generations: number
}

/** Tells listeners of events, in the order in which they were added. A listener must not throw. */
export class ServiceEvents {
  readonly #listeners: ((event: ServiceEvent) => void)[] = []

  listen(listener: (event: ServiceEvent) => void): void {
    this.#listeners.push(listener)
  }

  emit(event: ServiceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
