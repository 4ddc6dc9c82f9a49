import type { ServiceContext } from '../context.ts'
import { lockDataset } from '../records/dataset-records.ts'
import {
  beginJob,
  endAttempt,
  isTerminal,
  type JobRow,
  noteProgress,
  postponeJob,
  readJob,
  returnJob,
} from '../records/job-records.ts'
import type { AttemptOutcome } from '../telemetry/service-events.ts'
import { endOverdueJobs, settleUnsuccessful } from './end-jobs.ts'
import { JobFailedError } from './job-failed-error.ts'
import { isOutsideFault, repeatThroughOutages, retryThroughOutages } from './outages.ts'
import type { TaskProgress } from './processes/task-protocol.ts'
import { ProcessDeathError } from './processes/work-process.ts'
import { AttemptError, isAttemptError, pauseMs, SETBACKS_IN_A_ROW, type Turn } from './queue/turn.ts'

/** A job fails for good when this many attempts failed in a way that nobody expects. */
const MAX_ATTEMPTS = 3
/** Progress is written to the job's row this often at most; short jobs never write it. */
const NOTE_MS = 500
/** The row is read at least this often, to notice an end that another process decided. */
const CHECK_MS = 5_000

export interface AttemptControl {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
  /** Whether this job may have killed its process: it gets one of its own. */
  readonly isSuspect: boolean
}

/**
 * Runs a job that came from the queue: begins it, watches deadline, cancellation and shutdown, notes progress, and
 * records a failure. `work` records success itself. Resolves when nothing is left to do. Rejects when the job should be
 * handed out again; its row stays as it is, or goes back to what it was when the service stops.
 *
 * A fault outside the job never fails it. The attempt waits for storage or a database that is away, and a job whose process
 * was killed begins again. After three setbacks in a row it waits longer each time, until its deadline, and the operator
 * hears of it. It also gets a process of its own then (`isSuspect`), which shows whether the job itself kills its process.
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
  // If the answer was lost, the job has begun; it begins again.
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
    if (isAttemptError(error, 'superseded') || watch.isSuperseded) return
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
    if (isAttemptError(error, 'too_large')) {
      await returnJob(context.db, attempt)
      throw error
    }
    if (isOutsideFault(error)) {
      await tellSetback(context, attempt, setbacks + 1)
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
  return new AttemptError('superseded')
}

/** Makes a job wait that was lost again; the setback is counted already. */
async function postpone(context: ServiceContext, { jobId, setbacks }: Turn): Promise<never> {
  const job = await readJob(context.db, jobId)
  if (job !== null && !isTerminal(job.status)) await tellSetback(context, job, setbacks)
  throw new AttemptError('lost_again')
}

/** Shows the job as waiting from the third setback on, and reports it to the operator. */
async function tellSetback(context: ServiceContext, job: JobRow, setbacks: number): Promise<void> {
  if (setbacks < SETBACKS_IN_A_ROW) return
  // The pause follows in any case.
  await postponeJob(context.db, job.job_id).catch(() => undefined)
  const pause = { setbacks, pauseMs: pauseMs(setbacks) }
  context.events?.emit({ type: 'job.postponed', jobId: job.job_id, kind: job.kind, ...pause })
}

async function recordFailure(context: ServiceContext, attempt: JobRow, failure: JobFailedError): Promise<void> {
  const error = { code: failure.code, detail: failure.detail }
  const isRecorded = await context.db.transaction(async (tx) => {
    const nowMs = context.now()
    await lockDataset(tx, attempt.dataset_id)
    if (!(await endAttempt(tx, attempt, { status: 'failed', error, nowMs }))) return false
    await settleUnsuccessful(tx, attempt, { error, ...failure.findings }, nowMs)
    return true
  })
  if (isRecorded) context.remover?.soon()
}

/** What a job fails with after its last attempt. */
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
    // Begun, it has a deadline.
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
