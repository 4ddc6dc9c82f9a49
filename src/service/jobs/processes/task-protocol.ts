import { writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { ErrorCode } from '../../../contract/errors.ts'
import { JobFailedError } from './job-failed-error.ts'
import { giveWayInThread } from './priority.ts'

/** Progress of a task, in the contract's stages. */
export interface TaskProgress {
  readonly stage: string
  /** Progress of the whole job, from 0 to 1. */
  readonly progress: number
}

export type ToWorker<Task> = { readonly type: 'run'; readonly task: Task } | { readonly type: 'abort' }

export type FromWorker<Result> =
  | ({ readonly type: 'progress' } & TaskProgress)
  | { readonly type: 'done'; readonly result: Result }
  /** The task cannot succeed, for a reason that its owner should see. */
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly detail: string }
  | { readonly type: 'failed'; readonly error: unknown }

export interface TaskControl {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
}

/** The worker's end of the channel to its parent thread or process. */
export interface TaskPort<Task, Result> {
  send(message: FromWorker<Result>): void
  onMessage(hear: (message: ToWorker<Task>) => void): void
}

/** Answers the tasks that arrive at this worker, one at a time. */
export function answerTasks<Task, Result>(
  port: TaskPort<Task, Result>,
  run: (task: Task, control: TaskControl) => Promise<Result>,
): void {
  let current: AbortController | null = null
  const answer = async (task: Task): Promise<void> => {
    const abort = new AbortController()
    current = abort
    try {
      const result = await run(task, {
        signal: abort.signal,
        onProgress: (progress) => port.send({ type: 'progress', ...progress }),
      })
      port.send({ type: 'done', result })
    } catch (error) {
      if (error instanceof JobFailedError) port.send({ type: 'refused', code: error.code, detail: error.detail })
      else port.send({ type: 'failed', error })
    } finally {
      current = null
    }
  }
  port.onMessage((message) => {
    if (message.type === 'run') void answer(message.task)
    else current?.abort(new Error('The work was given up.'))
  })
}

/**
 * The channel of a forked process to its parent. From now on the process lives as long as its parent, whatever signals
 * a terminal or a service manager sends to the group: the parent decides what happens to running work.
 */
export function processPort<Task, Result>(): TaskPort<Task, Result> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  offerToOutOfMemoryKiller()
  return {
    send: (message: FromWorker<Result>) => void process.send?.(message),
    onMessage: (hear) => void process.on('message', (message) => hear(message as ToWorker<Task>)),
  }
}

/**
 * If the machine runs out of memory, the kernel should end this process and not the service (proc(5), oom_score_adj).
 */
function offerToOutOfMemoryKiller(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not allowed everywhere, and not needed.
  }
}

/** The channel of a worker thread to its parent. */
export function threadPort<Task, Result>(): TaskPort<Task, Result> {
  if (parentPort === null) throw new Error('this module is the entry of a worker thread')
  const port = parentPort
  if ((workerData as { givesWay: boolean }).givesWay) giveWayInThread()
  return {
    send: (message: FromWorker<Result>) => port.postMessage(message),
    onMessage: (hear) => void port.on('message', (message: ToWorker<Task>) => hear(message)),
  }
}
