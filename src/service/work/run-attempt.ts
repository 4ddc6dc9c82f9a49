import { setTimeout as wait } from 'node:timers/promises'
import { StorageError } from '../blobs/storage-error.ts'
import type { ServiceContext } from '../context.ts'
import { lockDataset } from '../datasets/dataset-records.ts'
import type { AttemptOutcome } from '../service-event.ts'
import { DatabaseUnavailableError } from '../store/database-unavailable-error.ts'
import { tryToRemoveDoomedBlobs } from '../store/doomed-blobs.ts'
import type { TaskProgress } from '../workers/task-protocol.ts'
import { endOverdueJobs, settleUnsuccessful } from './end-jobs.ts'
import { beginJob, endAttempt, isTerminal, type JobRow, noteProgress, readJob, returnJob } from './job-records.ts'
import { WorkFailure } from './work-failure.ts'

/** An attempt that fails for a reason outside the job is repeated this often before the job fails. */
const MAX_ATTEMPTS = 3
/** Progress is written to the job's row this often at most; short jobs never write it. */
const NOTE_MS = 500
/** The row is looked at this often at least, to notice an end that another process decided. */
const LOOK_MS = 5_000
/** Storage that has gone away is looked for this often. */
const STORAGE_LOOK_MS = 2_000

/** The attempt no longer counts: the job was cancelled, has expired, or was begun again elsewhere. */
class SupersededError extends Error {}

export interface AttemptControl {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
}

/**
 * Runs a job that came from the queue: begins it, watches deadline, cancellation and shutdown, notes progress, and
 * records a failure. `work` records success itself. Resolves when nothing is left to do; rejects when the job should be
 * handed out again, which leaves its row as it is, or as it was before when the service stops.
 */
export async function runAttempt(
  context: ServiceContext,
  jobId: string,
  stopping: AbortSignal,
  work: (attempt: JobRow, control: AttemptControl) => Promise<void>,
): Promise<void> {
  const attempt = await beginJob(context.db, jobId, context.now())
  if (attempt === null) {
    const job = await readJob(context.db, jobId)
    if (job !== null && !isTerminal(job.status)) await endOverdueJobs(context.db, context.now())
    return
  }
  const end = beginEvents(context, attempt)
  const watch = new AttemptWatch(context, attempt, stopping)
  let outcome: AttemptOutcome = 'superseded'
  try {
    // The process may have died of this very job, each time it was begun.
    if (attempt.attempts > MAX_ATTEMPTS) throw unexpected(new Error(`begun ${attempt.attempts} times`))
    await workWhileStorageIsThere(context, watch, async () => {
      await work(attempt, { signal: watch.signal, onProgress: watch.onProgress })
    })
    outcome = 'completed'
  } catch (error) {
    if (error instanceof SupersededError || watch.isSuperseded) return
    if (stopping.aborted) {
      outcome = 'handed_back'
      await returnJob(context.db, attempt)
      throw error
    }
    if (watch.signal.aborted) {
      await endOverdueJobs(context.db, context.now())
      return
    }
    outcome = 'repeated'
    // A database that is away says nothing about the job.
    if (error instanceof DatabaseUnavailableError) throw error
    const isFinal = error instanceof WorkFailure || attempt.attempts >= MAX_ATTEMPTS
    if (isFinal) outcome = 'failed'
    if (!isFinal) throw error
    await recordFailure(context, attempt, error instanceof WorkFailure ? error : unexpected(error))
    if (!(error instanceof WorkFailure) || error.cause !== undefined) throw error
  } finally {
    watch.end()
    end(outcome)
  }
}

/** Tells that the attempt began; what it returns tells how it ended. */
function beginEvents({ events, now }: ServiceContext, attempt: JobRow): (outcome: AttemptOutcome) => void {
  const job = { jobId: attempt.job_id, kind: attempt.kind, attempt: attempt.attempts }
  const startedMs = performance.now()
  const ageMs = Math.max(0, now() - Date.parse(attempt.created_at))
  const traced = attempt.trace_parent !== null && { traceParent: attempt.trace_parent }
  events?.emit({ type: 'job.begun', ...job, ageMs, ...traced })
  return (outcome) =>
    events?.emit({ type: 'job.ended', ...job, outcome, durationMs: Math.round(performance.now() - startedMs) })
}

/** To be thrown in the transaction that records an attempt whose job has ended otherwise. */
export function superseded(): Error {
  return new SupersededError('The attempt no longer counts.')
}

/** Storage that is away for a while is no fault of the job: its work begins again when storage is back. */
async function workWhileStorageIsThere(
  { blobs }: ServiceContext,
  { signal }: { readonly signal: AbortSignal },
  work: () => Promise<void>,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await work()
      return
    } catch (error) {
      // What fails again and again while the storage is there, the operator should hear of.
      if (!(error instanceof StorageError) || signal.aborted || failures > MAX_ATTEMPTS) throw error
    }
    do await wait(STORAGE_LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    while (
      !(await blobs.check().then(
        () => true,
        () => false,
      ))
    )
  }
}

async function recordFailure(context: ServiceContext, attempt: JobRow, failure: WorkFailure): Promise<void> {
  const error = { code: failure.code, detail: failure.detail }
  const isRecorded = await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    await lockDataset(tx, attempt.dataset_id)
    if (!(await endAttempt(tx, attempt, { status: 'failed', error, nowMs }))) return false
    await settleUnsuccessful(tx, attempt, { error, ...failure.findings }, nowMs)
    return true
  })
  if (!isRecorded) return
  await tryToRemoveDoomedBlobs(context.db, context.blobs, context.now())
}

function unexpected(cause: unknown): WorkFailure {
  return new WorkFailure('svc_internal', 'The service failed in a way it did not expect.', { cause })
}

class AttemptWatch {
  isSuperseded = false
  readonly signal: AbortSignal
  readonly #abort = new AbortController()
  readonly #context: ServiceContext
  readonly #attempt: JobRow
  readonly #stopListening: () => void
  readonly #noting: NodeJS.Timeout
  readonly #deadline: NodeJS.Timeout
  #latest: TaskProgress | null = null
  #isNoting = false
  #notedAt = performance.now()

  constructor(context: ServiceContext, attempt: JobRow, stopping: AbortSignal) {
    this.#context = context
    this.#attempt = attempt
    this.signal = AbortSignal.any([this.#abort.signal, stopping])
    this.#stopListening = context.queue.onAnnounced(attempt.job_id, () => void this.#look())
    this.#noting = setInterval(() => void this.#note(), NOTE_MS)
    const leftMs = Math.max(0, Date.parse(attempt.deadline_at) - context.now())
    this.#deadline = setTimeout(() => this.#abort.abort(new Error('The deadline has passed.')), leftMs)
    this.#noting.unref()
    this.#deadline.unref()
  }

  readonly onProgress = (progress: TaskProgress): void => {
    this.#latest = progress
  }

  end(): void {
    clearInterval(this.#noting)
    clearTimeout(this.#deadline)
    this.#stopListening()
  }

  #supersede(): void {
    this.isSuperseded = true
    this.#abort.abort(superseded())
  }

  async #note(): Promise<void> {
    const isDue = performance.now() - this.#notedAt >= LOOK_MS
    if (this.#isNoting || (this.#latest === null && !isDue)) return
    this.#isNoting = true
    await this.#look()
    this.#isNoting = false
  }

  /** Notes progress, if there is any, and finds out whether the attempt still counts. */
  async #look(): Promise<void> {
    const progress = this.#latest
    this.#latest = null
    this.#notedAt = performance.now()
    try {
      const { db } = this.#context
      if (!(await noteProgress(db, this.#attempt, progress)) && !this.signal.aborted) this.#supersede()
    } catch {
      // Noted again with the next progress; what matters is recorded when the attempt ends.
    }
  }
}
