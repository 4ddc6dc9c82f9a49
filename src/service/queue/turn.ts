import { hasCode, WhatifError } from '../../base/whatif-error.ts'
import type { JobKind } from '../records/job-records.ts'

/** A job as it is put into its queue. */
export interface NewEntry {
  readonly queue: JobKind
  readonly jobId: string
  readonly tenantId: string
  /** How long it should keep a worker, in milliseconds. */
  readonly workMs: number
}

/** Longest expected work of a small job, in milliseconds: one worker is reserved for those. */
export const SMALL_WORK_MS = 1_500

export const isSmallWork = ({ workMs }: Pick<NewEntry, 'workMs'>): boolean => workMs <= SMALL_WORK_MS

/**
 * The workers of a process. Besides those for all jobs it has two for tenants that have nothing running while those are
 * busy: a guest, which takes any job of them, and a reserve, which takes small ones. So one tenant's long jobs make
 * another wait only if a third one's long job keeps the guest.
 */
export type Place = 'worker' | 'guest' | 'reserve'

/** A job as a worker gets it. */
export interface Turn {
  readonly jobId: string
  /** Aborts when the queue stops, and when the lease is lost. */
  readonly signal: AbortSignal
  /** In the reserve, an `attemptEnd` aborts work that proves to be large. */
  readonly place: Place
  /** Whether it should be short. */
  readonly isSmall: boolean
  /** Reports a job that was expected to be small and is not: for a while the tenant's jobs go only to the other workers. */
  readonly reportLarge: () => void
  /** How often work on this job was interrupted for a reason outside it, including the death of a holder. */
  readonly setbacks: number
  /** Whether it was taken over from a holder that did not renew its lease. */
  readonly wasLost: boolean
}

/**
 * The error of an attempt that ends for a reason of its own. `too_large`: the job is not small, and goes at once to a worker without
 * that limit. `lost_again`: its workers were lost too often, and it is tried again after a pause; the loss itself is
 * already counted. `superseded`: the job has ended otherwise, and nothing may be recorded. `in_parts`: parts are at work, its own or
 * those of another generation, and the last of them wakes its entry, which the attempt has paused.
 */
export function attemptEnd(code: keyof typeof ATTEMPT_ENDS): WhatifError {
  return new WhatifError(code, ATTEMPT_ENDS[code])
}

const ATTEMPT_ENDS = {
  too_large: 'The job is larger than expected.',
  lost_again: 'Its worker was lost repeatedly.',
  superseded: 'The attempt is no longer valid.',
  in_parts: 'The job waits for parts that are at work.',
} as const

/** Whether an attempt ended for that reason. */
export function isAttemptEnd(error: unknown, code: keyof typeof ATTEMPT_ENDS): boolean {
  return hasCode(error, code)
}

export interface Workers {
  /** Most concurrent jobs, without those of the guest and the reserve. */
  readonly concurrency: number
  /** Whether there are a guest and a reserve. */
  readonly hasExtra: boolean
  /** Called when a job is expected. */
  readonly prepare?: () => void
  readonly handle: (turn: Turn) => Promise<void>
}

/** After this many setbacks a job waits longer each time, and the operator is notified. */
export const SETBACKS_IN_A_ROW = 3

const FIRST_PAUSE_MS = 5_000
const FIRST_LONG_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** How long a job waits after its `setbacks`-th setback, in milliseconds: 5 s, then 15 s, 30 s, 1 min … 10 min. */
export function pauseMs(setbacks: number): number {
  if (setbacks < SETBACKS_IN_A_ROW) return FIRST_PAUSE_MS
  return Math.min(LONGEST_PAUSE_MS, FIRST_LONG_PAUSE_MS * 2 ** Math.min(20, setbacks - SETBACKS_IN_A_ROW))
}
