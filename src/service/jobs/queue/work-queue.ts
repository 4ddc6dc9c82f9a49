import { WhatifError } from '../../../base/whatif-error.ts'
import type { JobKind } from '../../records/job-records.ts'
import type { Queryable } from '../../store/database.ts'

/** A job as it is put into its queue. */
export interface NewEntry {
  readonly queue: JobKind
  readonly jobId: string
  readonly tenantId: string
  /** Whether it should take a moment only: a worker is kept free for such jobs of tenants that have nothing running. */
  readonly isSmall: boolean
}

/** A job as it is handed out. */
export interface Turn {
  readonly jobId: string
  /** Aborts when the queue stops, and when the lease was lost all the same. */
  readonly signal: AbortSignal
  /** True for the worker that is kept for small jobs: work that turns out to be large is given up by an `AttemptError`. */
  readonly isReserve: boolean
  /** Whether it should take a moment only. */
  readonly isSmall: boolean
  /** Times that work on this job broke off for a reason outside it, the death of a holder included. */
  readonly setbacks: number
  /** Whether it was taken over from a holder that did not renew its lease. */
  readonly wasLost: boolean
}

/**
 * The attempt breaks off for a reason of its own. `too_large`: the job is not small, and is handed out again at once to a
 * worker that has time. `lost_again`: its workers were lost too often, and it is handed out again after a pause; the loss
 * itself is counted already. `superseded`: the job has ended otherwise, and nothing may be recorded.
 */
export class AttemptError extends WhatifError {
  declare readonly code: keyof typeof ATTEMPT_ENDS

  constructor(code: keyof typeof ATTEMPT_ENDS) {
    super(code, ATTEMPT_ENDS[code])
  }
}

const ATTEMPT_ENDS = {
  too_large: 'The job is larger than it looked.',
  lost_again: 'Its worker did not come back, again and again.',
  superseded: 'The attempt no longer counts.',
} as const

/** Whether an attempt broke off for that reason. */
export function isAttemptError(error: unknown, code: AttemptError['code']): boolean {
  return error instanceof AttemptError && error.code === code
}

export interface Workers {
  /** Jobs worked on at once, those of the reserve not counted. */
  readonly concurrency: number
  /** Whether one more worker takes small jobs while all others are at work, of tenants that have nothing running. */
  readonly hasReserve: boolean
  /** What they do when a job is expected. */
  readonly prepare?: () => void
  readonly handle: (turn: Turn) => Promise<void>
}

/**
 * Hands job ids to workers of any process, at least once each. It carries ids only: the rows of the table `jobs` are the
 * truth about what is to be done and how far it is, and whoever is handed an id looks there first.
 *
 * Of the tenants that wait, the next job is that of the one with the fewest running; among equals, of the one whose last
 * turn was longest ago. A tenant's own jobs come in the order in which they were put in.
 */
export interface WorkQueue {
  /** Whoever waits for news looks for itself this often, in milliseconds: notifications can be lost. */
  readonly pollMs: number
  /** Puts a job into its queue as part of the transaction that records it; its commit wakes an idle worker. */
  enqueue(tx: Queryable, entry: NewEntry): Promise<void>
  /** Says that a job is about to be put into a queue: what its workers of this process, if any, can do ahead is done now. */
  expect(queue: JobKind): void
  /**
   * Starts workers. A job is taken off the queue when `handle` resolves. When it rejects, or this process dies, the job is
   * handed out again: a killed worker's after its lease, which is renewed while the worker lives.
   */
  work(queue: JobKind, workers: Workers): void
  /**
   * Has everything handed out anew, at once. Only for a database that no other process uses: what was being worked on when
   * the last process died is no one's any more.
   */
  recover(): Promise<void>
  /**
   * Calls `listener` when a job may have ended, in this process or another one, until told to stop. A hint that saves
   * waiting, never the truth: look at the job's row, and look again after `pollMs` without a hint.
   */
  onAnnounced(jobId: string, listener: () => void): () => void
  /** Stops handing out jobs, aborts the signals of those being worked on and waits for their handlers. */
  stop(): Promise<void>
}

/** Setbacks after which a job is tried again soon; from the next one on it waits longer, and the operator is told. */
export const SETBACKS_IN_A_ROW = 3

const FIRST_PAUSE_MS = 5_000
const FIRST_LONG_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** How long a job waits after its `setbacks`-th setback, in milliseconds: 5 s, then 15 s, 30 s, 1 min … 10 min. */
export function pauseMs(setbacks: number): number {
  if (setbacks < SETBACKS_IN_A_ROW) return FIRST_PAUSE_MS
  return Math.min(LONGEST_PAUSE_MS, FIRST_LONG_PAUSE_MS * 2 ** Math.min(20, setbacks - SETBACKS_IN_A_ROW))
}
