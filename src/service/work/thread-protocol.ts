import { type MessagePort, parentPort } from 'node:worker_threads'

/** How far a task is, in the words of the contract's stages. */
export interface TaskProgress {
  readonly stage: string
  /** 0…1 of the whole job. */
  readonly progress: number
}

export type ToThread<Task> = { readonly type: 'run'; readonly task: Task } | { readonly type: 'abort' }

export type FromThread<Result> =
  | ({ readonly type: 'progress' } & TaskProgress)
  | { readonly type: 'done'; readonly result: Result }
  /** The task cannot succeed, for a reason that its owner should read. */
  | {
      readonly type: 'refused'
      readonly code: 'svc_unreadable_file' | 'svc_untrainable_dataset'
      readonly detail: string
    }
  | { readonly type: 'failed'; readonly error: unknown }

/** Says why a task cannot succeed; thrown in a thread, it arrives as `refused`. */
export class TaskRefused extends Error {
  readonly code: 'svc_unreadable_file' | 'svc_untrainable_dataset'

  constructor(code: TaskRefused['code'], detail: string) {
    super(detail)
    this.code = code
  }
}

export interface TaskControl {
  readonly signal: AbortSignal
  readonly onProgress: (progress: TaskProgress) => void
}

/**
 * Answers the tasks that arrive in this worker thread, one at a time. `transfer` names the buffers of a result that move
 * to the receiver instead of being copied.
 */
export function answerTasks<Task, Result>(
  run: (task: Task, control: TaskControl) => Promise<Result>,
  transfer: (result: Result) => ArrayBuffer[] = () => [],
): void {
  if (parentPort === null) throw new Error('this module is the entry of a worker thread')
  const port: MessagePort = parentPort
  let current: AbortController | null = null
  const answer = async (task: Task): Promise<void> => {
    const abort = new AbortController()
    current = abort
    const send = (message: FromThread<Result>, buffers: ArrayBuffer[] = []): void => port.postMessage(message, buffers)
    try {
      const result = await run(task, {
        signal: abort.signal,
        onProgress: (progress) => send({ type: 'progress', ...progress }),
      })
      send({ type: 'done', result }, transfer(result))
    } catch (error) {
      if (error instanceof TaskRefused) send({ type: 'refused', code: error.code, detail: error.message })
      else send({ type: 'failed', error })
    } finally {
      current = null
    }
  }
  port.on('message', (message: ToThread<Task>) => {
    if (message.type === 'run') void answer(message.task)
    else current?.abort(new Error('The work was given up.'))
  })
}
