/** A worker thread of thread-pool.ts: opens a job, runs its tasks one at a time, and answers. Runs compiled, from dist. */

import { parentPort } from 'node:worker_threads'
import { JOB_KINDS, type JobKind } from './thread-tasks.ts'

export type ToThread =
  | { readonly type: 'open'; readonly kind: JobKind; readonly context: unknown }
  | { readonly type: 'run'; readonly task: unknown }
  | { readonly type: 'close' }

export type FromThread =
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'failed'; readonly error: unknown }

let run: (task: never) => unknown = noJob

function noJob(): never {
  throw new Error('a task arrived before its job')
}

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'close') {
    run = noJob
    return
  }
  try {
    if (message.type === 'open') {
      run = (JOB_KINDS[message.kind] as (context: unknown) => (task: never) => unknown)(message.context)
    } else {
      const result = run(message.task as never)
      parentPort!.postMessage({ type: 'done', result } satisfies FromThread, ownBuffers(result))
    }
  } catch (error) {
    // A job that cannot be opened fails at its first task: messages and answers stay in step.
    if (message.type === 'open') {
      run = () => {
        throw error
      }
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
