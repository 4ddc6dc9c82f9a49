import type { ServiceContext } from '../context/context.ts'
import { attemptEnd, isAttemptEnd, pauseMs, SETBACKS_IN_A_ROW, type Turn } from '../queue/turn.ts'
import { lockDataset } from '../records/dataset-records.ts'
import {
  beginJob,
  endAttempt,
  endJob,
  isTerminal,
  type JobRow,
  lockUnfinishedJob,
  noteProgress,
  postponeJob,
  readJob,
  returnJob,
} from '../records/job-records.ts'
import type { AttemptOutcome } from '../telemetry/service-events.ts'
import { endOverdueJobs, settleUnsuccessful } from './end-jobs.ts'
import { isOutsideFault, repeatThroughOutages, retryThroughOutages } from './outages.ts'
import { JobFailedError } from './processes/job-failed-error.ts'
import type { TaskProgress } from './processes/task-protocol.ts'
import { ProcessDeathError } from './processes/work-process.ts'

/** A job fails permanently after this many unexpectedly failed attempts. */
const MAX_ATTEMPTS = 3
/** Minimum interval between writes of progress to the job's row; short jobs never write it. */
const NOTE_MS = 500
/** The row is read at least this often, to notice that another process ended the job. */
const CHECK_MS = 5_000

export interface AttemptControl {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
  /** Whether this job may have killed its process: it then runs in a separate one. */
  readonly isSuspect: boolean
}

/**
 * Runs a job from the queue: starts it, watches deadline, cancellation and shutdown, records progress and a failure.
 * `work` records success itself. Resolves when nothing remains to be done. Rejects if the job should be tried again;
 * its row then does not change, or returns to its previous state if the service stops.
 *
 * A fault outside the job never fails it. The attempt waits for unavailable storage or an unavailable database, and a
 * job whose process was killed restarts. After three setbacks in a row it waits longer each time, until its deadline,
 * and the operator is notified. It then also runs in a separate process (`isSuspect`), which shows whether the job
 * itself kills its process.
 */
export async function runAttempt(
  context: ServiceContext,
  turn: Turn,
  work: (attempt: JobRow, control: AttemptControl) => Promise<void>,
): Promise<void> {
  const { jobId, signal: stopping, setbacks } = turn
  if (turn.wasLost && setbacks > SETBACKS_IN_A_ROW) await postpone(context, turn)
  const deadlineMs = context.settings.jobDeadlineMinutes * 60_000
  const { db } = context
  // If the reply was lost, the job has begun; it begins again.
  const begin = async () => await beginJob(db, jobId, { nowMs: context.now(), deadlineMs })
  const attempt = await repeatThroughOutages(db, stopping, begin)
  if (attempt === null) {
    const job = await readJob(context.db, jobId)
    if (job !== null && !isTerminal(job.status)) await endOverdueJobs(context.db, context.now())
    return
  }
  const end = beginEvents(context, attempt)
  const watch = new AttemptWatch(context, attempt, stopping)
  let outcome: AttemptOutcome = 'superseded'
  try {
    const isSuspect = setbacks >= SETBACKS_IN_A_ROW
    await retryThroughOutages(context, watch.signal, async () => {
      await work(attempt, { signal: watch.signal, onProgress: watch.onProgress, isSuspect })
    })
    outcome = 'completed'
  } catch (error) {
    if (isAttemptEnd(error, 'in_parts')) {
      outcome = 'handed_back'
      return
    }
    if (isAttemptEnd(error, 'superseded') || watch.isSuperseded) return
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
    if (isAttemptEnd(error, 'too_large')) {
      await returnJob(context.db, attempt)
      throw error
    }
    if (isOutsideFault(error)) {
      await reportSetback(context, attempt, setbacks + 1)
      throw error
    }
    const isFinal = error instanceof JobFailedError || attempt.attempts >= MAX_ATTEMPTS
    if (!isFinal) throw error
    outcome = 'failed'
    await recordFailure(context, attempt, error instanceof JobFailedError ? error : lastWord(error))
    if (!(error instanceof JobFailedError) || error.cause !== undefined) throw error
  } finally {
    watch.end()
    end(outcome)
  }
}

/** Reports that the attempt began; the returned function reports its end. */
function beginEvents({ events, now }: ServiceContext, attempt: JobRow): (outcome: AttemptOutcome) => void {
  const job = { jobId: attempt.job_id, kind: attempt.kind, attempt: attempt.attempts }
  const startedMs = performance.now()
  const ageMs = Math.max(0, now() - Date.parse(attempt.created_at))
  const traced = attempt.trace_parent !== null && { traceParent: attempt.trace_parent }
  events?.emit({ type: 'job.begun', ...job, ageMs, ...traced })
  return (outcome) =>
    events?.emit({ type: 'job.ended', ...job, outcome, durationMs: Math.round(performance.now() - startedMs) })
}

/** The error that ends the transaction of an attempt whose job has already ended in another way. */
export function superseded(): Error {
  return attemptEnd('superseded')
}

/** Delays a job that was lost again; the setback is already counted. */
async function postpone(context: ServiceContext, { jobId, setbacks }: Turn): Promise<never> {
  const job = await readJob(context.db, jobId)
  if (job !== null && !isTerminal(job.status)) await reportSetback(context, job, setbacks)
  throw attemptEnd('lost_again')
}

/** From the third setback on, shows the job as waiting and reports it to the operator. */
async function reportSetback(context: ServiceContext, job: JobRow, setbacks: number): Promise<void> {
  if (setbacks < SETBACKS_IN_A_ROW) return
  // The pause happens anyway.
  await postponeJob(context.db, job.job_id).catch(() => undefined)
  const pause = { setbacks, pauseMs: pauseMs(setbacks) }
  context.events?.emit({ type: 'job.postponed', jobId: job.job_id, kind: job.kind, ...pause })
}

async function recordFailure(context: ServiceContext, attempt: JobRow, failure: JobFailedError): Promise<void> {
  const error = { code: failure.code, detail: failure.detail }
  const isRecorded = await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    await lockDataset(tx, attempt.dataset_id)
    const whole = attempt.part_of
    if (whole !== null && (await lockUnfinishedJob(tx, whole)) === null) return false
    if (!(await endAttempt(tx, attempt, { status: 'failed', error, nowMs }))) return false
    // What one part cannot do, the job cannot.
    if (whole !== null) await endJob(tx, whole, { status: 'failed', error, nowMs })
    await settleUnsuccessful(tx, attempt, { error, ...failure.findings }, nowMs)
    return true
  })
  if (isRecorded) context.remover?.soon()
}

/** The error of a job after its last attempt. */
function lastWord(cause: unknown): JobFailedError {
  if (cause instanceof ProcessDeathError && cause.deathCause === 'starved') {
    return new JobFailedError(
      'svc_internal',
      'The work takes more memory than this machine has. Send fewer columns, or a sample of the rows.',
      { cause },
    )
  }
  return new JobFailedError('svc_internal', 'The service failed unexpectedly.', { cause })
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
    this.#stopListening = context.queue.onJobEnded(attempt.job_id, () => void this.#look())
    this.#noting = setInterval(() => void this.#note(), NOTE_MS)
    // A started job has a deadline.
    const leftMs = Math.max(0, Date.parse(attempt.deadline_at as string) - context.now())
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
    const isDue = performance.now() - this.#notedAt >= CHECK_MS
    if (this.#isNoting || (this.#latest === null && !isDue)) return
    this.#isNoting = true
    await this.#look()
    this.#isNoting = false
  }

  /** Records progress, if there is any, and checks whether the attempt is still valid. */
  async #look(): Promise<void> {
    const progress = this.#latest
    this.#latest = null
    this.#notedAt = performance.now()
    try {
      const { db } = this.#context
      if (!(await noteProgress(db, this.#attempt, progress)) && !this.signal.aborted) this.#supersede()
    } catch {
      // The next progress report repeats this; the end of the attempt records what matters.
    }
  }
}
