/** A worker thread of threaded-crew.ts: opens jobs, runs their tasks one at a time, and answers. Runs compiled, from dist. */

import { parentPort } from 'node:worker_threads'
import { ENCODE_JOB } from './encoding/encode.ts'
import { MEMBERSHIP_JOB } from './quality/membership.ts'
import { NEAREST_JOB } from './quality/nearest-rows.ts'
import { PROPENSITY_JOB } from './quality/propensity.ts'
import { TWO_SAMPLE_JOB } from './quality/two-sample-test.ts'
import { SAMPLE_JOB } from './sampling/sample-batch.ts'
import type { AnyJobKind } from './threads/crew.ts'
import type { FromThread, ToThread } from './threads/threaded-crew.ts'
import { TREE_JOB } from './trees/tree-job.ts'

/** The kinds of work that worker threads do, by name. */
const JOB_KINDS: ReadonlyMap<string, AnyJobKind> = new Map(
  [ENCODE_JOB, TREE_JOB, SAMPLE_JOB, TWO_SAMPLE_JOB, NEAREST_JOB, PROPENSITY_JOB, MEMBERSHIP_JOB].map((kind) => [
    kind.name,
    kind as AnyJobKind,
  ]),
)

const handlers = new Map<number, (task: never) => unknown>()

parentPort?.on('message', (message: ToThread) => {
  const { job } = message
  if (message.type === 'close') {
    handlers.delete(job)
    return
  }
  try {
    if (message.type === 'open') {
      handlers.set(job, JOB_KINDS.get(message.kind)!.prepare(message.context as never))
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
