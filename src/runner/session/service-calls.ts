import type { Clock } from '../../base/clock.ts'
import { cutText } from '../../base/text/fit-text.ts'
import { CallLedger } from '../../client/call-ledger.ts'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import { ServiceError } from '../../client/service-error.ts'
import { isDeadline, type RunInterruptedError } from '../interface/exit-code.ts'
import { explainedDeadline } from '../interface/fault-text.ts'
import type { RunEvent } from '../interface/run-event.ts'

export interface ServiceCallsOptions {
  /** Starts the service or logs in. Called at most once, on first use. */
  readonly open: () => Promise<ServiceClient>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** ms since 1970; null = none. */
  readonly deadlineAt: number | null
  readonly emit: (event: RunEvent) => void
  /** Called before each try of a request that makes work; rejects when nothing may be sent any more. */
  readonly mayPost: () => Promise<void>
}

/** A run's access to the service: the client, the options of its calls, and their faults. */
export class ServiceCalls {
  readonly statuses: UnknownStatuses
  readonly #options: ServiceCallsOptions
  readonly #ledger = new CallLedger()
  #client: Promise<ServiceClient> | null = null
  #explained: RunInterruptedError | null = null

  constructor(options: ServiceCallsOptions) {
    this.#options = options
    this.statuses = new UnknownStatuses(() => options.clock.now(), options.emit)
  }

  client(): Promise<ServiceClient> {
    this.#client ??= this.#options.open()
    return this.#client
  }

  /** Whether anything was requested from the service. */
  get isUsed(): boolean {
    return this.#client !== null
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null)
    await client?.close()
  }

  /** Options of a call; `subject` names its purpose in `retry` events. */
  call(subject: string): CallOptions {
    const { signal, deadlineAt, emit } = this.#options
    return {
      signal,
      ledger: this.#ledger,
      ...(deadlineAt === null ? {} : { deadlineMs: deadlineAt }),
      onRetry: (retry) => emit({ type: 'retry', subject, ...retry }),
    }
  }

  /** Options of a request that makes work. */
  post(subject: string): CallOptions {
    return { ...this.call(subject), beforeTry: this.#options.mayPost }
  }

  /** Why the signal was aborted, in the same words for everything that it ended. */
  get abortReason(): unknown {
    const reason: unknown = this.#options.signal.reason
    if (!isDeadline(reason)) return reason
    this.#explained ??= explainedDeadline(reason, this.#ledger)
    return this.#explained
  }
}

/**
 * The service reports in a problem record (specification, "Errors" 1) that the resource does not exist, or no longer
 * exists. A bare 404 does not count, and neither does JSON of another shape (`{"message": "no Route matched"}`): a
 * gateway without a service behind it answers everything like that, and treating it as an expiry would buy all results
 * again.
 */
export function isGone(error: unknown): error is ServiceError {
  if (!isNotFound(error) || error.problem === null) return false
  const { type, title, status } = error.problem
  return type !== undefined && title !== undefined && status === error.status
}

/** A 404 or 410 of any origin. It suffices for a job, because the job's result shows how it ended. */
export function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.kind === 'not_found' || error.kind === 'gone')
}

/** A 4xx: nothing was made, and the next run may send the same key again. */
export function isRefusal(error: ServiceError): boolean {
  return error.status !== null && error.status >= 400 && error.status < 500
}

/** A newer service may report an unknown status for a moment. A persistent one is reported. */
const REPORTED_AFTER_MS = 60_000

/** Subjects that the last message names; further ones are only counted. */
const MOST_NAMED = 3

const LONGEST_STATUS = 60

/**
 * Statuses that this version does not know. Work with such a status counts as in progress (study language, section 11),
 * so only the deadline ends the wait. An event reports the wait once per subject, and the message of the deadline
 * reports it again.
 */
class UnknownStatuses {
  readonly #now: () => number
  readonly #emit: (event: RunEvent) => void
  readonly #seen = new Map<string, { readonly status: string; readonly since: number; isReported: boolean }>()

  constructor(now: () => number, emit: (event: RunEvent) => void) {
    this.#now = now
    this.#emit = emit
  }

  /** Records the status of an answer; `status` is undefined when it was a known one. */
  note(subject: string, status: string | undefined): void {
    if (status === undefined) {
      this.#seen.delete(subject)
      return
    }
    const word = cutText(status, LONGEST_STATUS)
    const before = this.#seen.get(subject)
    const seen = before?.status === word ? before : { status: word, since: this.#now(), isReported: false }
    this.#seen.set(subject, seen)
    if (seen.isReported || this.#now() - seen.since < REPORTED_AFTER_MS) return
    seen.isReported = true
    this.#emit({ type: 'status.unknown', subject, status: word })
  }

  /** The reason for the wait, to add to the message of a deadline; null when all statuses were known. */
  describe(): string | null {
    if (this.#seen.size === 0) return null
    const named = [...this.#seen]
      .slice(0, MOST_NAMED)
      .map(([subject, { status }]) => `${subject} has the status "${status}"`)
    const others = this.#seen.size - named.length
    const more = others > 0 ? ` (and ${others} more like it)` : ''
    return `${named.join(', ')}${more}, which this version of whatif does not know: ask the operator of the service for its meaning, or use a newer whatif`
  }
}
