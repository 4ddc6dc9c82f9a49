import { getPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WorkThreads } from '../../../../src/service/jobs/processes/thread-pool.ts'

const ENTRY = pathToFileURL(join(import.meta.dirname, 'gated-worker.js'))

interface Task {
  readonly name: string
  /** The task ends when it is opened. */
  readonly gate?: Int32Array
}

const before = getPriority()
let threads: WorkThreads<Task, string>
beforeEach(() => {
  threads = new WorkThreads(ENTRY, 1)
})
afterEach(async () => {
  await threads.close()
})

const run = async (task: Task, signal = new AbortController().signal) =>
  await threads.run(task, { signal, onProgress: () => undefined, affinity: 'any' })

function closedGate(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4))
}

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1)
}

// Elsewhere threads have no priorities.
it.runIf(process.platform === 'linux')('only threads that start with a low priority give way to others', async () => {
  expect(Number(await run({ name: 'priority' }))).toBe(getPriority())
  await threads.close()
  threads = new WorkThreads(ENTRY, 1, { givesWay: true })
  expect(Number(await run({ name: 'priority' }))).toBeGreaterThan(getPriority())
  // Those who answer requests do not.
  expect(getPriority()).toBe(before)
})

describe('tasks that wait for a thread', () => {
  it('run in the order in which they came', async () => {
    const gate = closedGate()
    const ended: string[] = []
    const all = [{ name: 'first', gate }, { name: 'second' }, { name: 'third' }].map(
      async (task) => void ended.push(await run(task)),
    )
    open(gate)
    await Promise.all(all)
    expect(ended).toEqual(['first', 'second', 'third'])
  })

  it('run after an earlier task was aborted', async () => {
    const gate = closedGate()
    const first = run({ name: 'first', gate })
    const givenUp = new AbortController()
    const second = run({ name: 'second' }, givenUp.signal)
    const third = run({ name: 'third' })
    givenUp.abort(new Error('nobody wants it'))
    await expect(second).rejects.toThrow('nobody wants it')
    open(gate)
    expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  })
})
