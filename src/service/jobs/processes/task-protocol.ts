/** How far a task is, in the words of the contract's stages. */
export interface TaskProgress {
  readonly stage: string
  /** 0…1 of the whole job. */
  readonly progress: number
}

export type ToWorker<Task> = { readonly type: 'run'; readonly task: Task } | { readonly type: 'abort' }

export type FromWorker<Result> =
  | ({ readonly type: 'progress' } & TaskProgress)
  | { readonly type: 'done'; readonly result: Result }
  /** The task cannot succeed, for a reason that its owner should read. */
  | { readonly type: 'refused'; readonly code: RefusalCode; readonly detail: string }
  | { readonly type: 'failed'; readonly error: unknown }

export type RefusalCode = 'svc_unreadable_file' | 'svc_untrainable_dataset' | 'svc_quota_exceeded' | 'svc_unavailable'

/** Says why a task cannot succeed; thrown in a worker, it arrives as `refused`. */
export class TaskRefused extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, detail: string) {
    super(detail)
    this.code = code
  }
}

export interface TaskControl {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
}

/** The worker's end of the line to whoever gives it tasks: of a thread, or of a process. */
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
      if (error instanceof TaskRefused) port.send({ type: 'refused', code: error.code, detail: error.message })
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
