/** A worker thread of threaded-crew.ts: opens jobs, runs their tasks one at a time, and answers. Runs compiled, from dist. */

import { parentPort } from 'node:worker_threads'
import { JOB_KINDS, type JobKind } from './threads/thread-tasks.ts'

/** `job` is the number of a job. */
export type ToThread =
  | { readonly type: 'open'; readonly job: number; readonly kind: JobKind; readonly context: unknown }
  | { readonly type: 'run'; readonly job: number; readonly task: unknown }
  | { readonly type: 'close'; readonly job: number }

export type FromThread =
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: unknown }

const handlers = new Map<number, (task: never) => unknown>()

parentPort?.on('message', (message: ToThread) => {
  const { job } = message
  if (message.type === 'close') {
    handlers.delete(job)
    return
  }
  try {
    if (message.type === 'open') {
      handlers.set(job, (JOB_KINDS[message.kind] as (context: unknown) => (task: never) => unknown)(message.context))
    } else {
      const run = handlers.get(job)
      if (!run) throw new Error('a task arrived without its job')
      const result = run(message.task as never)
      parentPort!.postMessage({ type: 'done', result } satisfies FromThread, ownBuffers(result))
    }
  } catch (error) {
    // A job that cannot be opened fails at its first task: messages and answers stay in step.
    if (message.type === 'open') {
      handlers.set(job, () => {
        throw error
      })
    } else parentPort!.postMessage({ type: 'failed', error } satisfies FromThread)
  }
})

/** Buffers of a result that can change owner instead of being copied; shared ones need neither. */
function ownBuffers(value: unknown, found: ArrayBuffer[] = []): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && !found.includes(value.buffer)) found.push(value.buffer)
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) ownBuffers(part, found)
  }
  return found
}
