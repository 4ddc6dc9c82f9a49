import { WhatifError } from '../../base/whatif-error.ts'
import type { JobKind } from '../records/job-records.ts'

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
  /** Says that the job looked small and was not: for a while the tenant's jobs go to the other workers alone. */
  readonly reportLarge: () => void
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

/** After this many setbacks a job waits longer each time, and the operator hears of it. */
export const SETBACKS_IN_A_ROW = 3

const FIRST_PAUSE_MS = 5_000
const FIRST_LONG_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** How long a job waits after its `setbacks`-th setback, in milliseconds: 5 s, then 15 s, 30 s, 1 min … 10 min. */
export function pauseMs(setbacks: number): number {
  if (setbacks < SETBACKS_IN_A_ROW) return FIRST_PAUSE_MS
  return Math.min(LONGEST_PAUSE_MS, FIRST_LONG_PAUSE_MS * 2 ** Math.min(20, setbacks - SETBACKS_IN_A_ROW))
}
