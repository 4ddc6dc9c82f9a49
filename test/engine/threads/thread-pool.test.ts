import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { NumericColumn } from '../../../src/engine/cleaning/table.ts'
import { ENCODE_JOB } from '../../../src/engine/encoding/encode.ts'
import type { Crew } from '../../../src/engine/threads/crew.ts'
import { openCrew, openJob } from '../../../src/engine/threads/thread-pool.ts'
import { numeric, tableOf } from '../survey-table.ts'

/** Threads run compiled code; `npm test` builds it first. */
const built = existsSync(new URL('../../../dist/engine/thread-worker.js', import.meta.url))

const columnOf = (...values: number[]) => tableOf([numeric('x', values)]).columns[0] as NumericColumn
/** Encodes to codes 0, 1, 2 … */
const task = (rows: number) => ({ column: columnOf(...Array.from({ length: rows }, (_, i) => i)), edges: null })
const faulty = { column: { ...columnOf(1, 2), values: Float64Array.of(1, Number.NaN) }, edges: null }

const CREWS = [
  { name: 'the calling thread', threads: 1 },
  { name: 'two threads', threads: 2 },
] as const

describe.skipIf(!built).each(CREWS)('a crew of $name', (options) => {
  let crew: Crew
  const open = (signal?: AbortSignal) => openJob(ENCODE_JOB, null, { threads: options.threads, crew, signal })
  afterEach(() => crew.close())

  it('runs the tasks of several jobs', async () => {
    crew = openCrew(options)
    const jobs = [open(), open()]
    const sizes = Array.from({ length: 20 }, (_, i) => 2 + i)
    const results = await Promise.all(
      sizes.flatMap((size) => jobs.map(async (job) => (await job.run(task(size))).codes.length)),
    )
    expect(results).toEqual(sizes.flatMap((size) => [size, size]))
  })

  it('rejects with the error of a task, and continues', async () => {
    crew = openCrew(options)
    const job = open()
    const results = await Promise.allSettled([job.run(task(3)), job.run(faulty), job.run(task(4)), job.run(task(5))])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { name: 'RangeError', message: expect.stringContaining('NaN') } })
  })

  it('leaves other jobs alone when one is closed', async () => {
    crew = openCrew(options)
    const [closed, other] = [open(), open()]
    const runs = Promise.allSettled(Array.from({ length: 9 }, () => closed.run(task(9))))
    const others = Promise.all(Array.from({ length: 9 }, () => other.run(task(9))))
    closed.close()
    expect(new Set((await runs).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(await others).toHaveLength(9)
    await expect(closed.run(task(2))).rejects.toThrow('the job was closed')
  })

  it('rejects the tasks of a job with the reason of its abort', async () => {
    crew = openCrew(options)
    const abort = new AbortController()
    const job = open(abort.signal)
    const runs = Array.from({ length: 9 }, () => job.run(task(9)))
    const reason = new Error('no longer wanted')
    abort.abort(reason)
    for (const run of runs) await expect(run).rejects.toBe(reason)
    expect(await open().run(task(2))).toMatchObject({ codes: Uint16Array.of(0, 1) })
  })

  it('rejects unfinished and later work once it is closed', async () => {
    crew = openCrew(options)
    const job = open()
    const runs = Promise.allSettled(Array.from({ length: 9 }, () => job.run(task(9))))
    crew.close()
    expect((await runs).every(({ status }) => status === 'rejected')).toBe(true)
    await expect(job.run(task(2))).rejects.toThrow('closed')
    await expect(openJob(ENCODE_JOB, null, { threads: 2, crew }).run(task(2))).rejects.toThrow('closed')
  })
})

it('urgent tasks precede all waiting ones, in the order of their arrival', async () => {
  const crew = openCrew({ threads: 1 })
  const options = { threads: 1, crew }
  const patient = openJob(ENCODE_JOB, null, options)
  const urgent = openJob(ENCODE_JOB, null, { ...options, isUrgent: true })
  const ended: string[] = []
  const run = async (job: typeof patient, name: string) => {
    await job.run(task(2))
    ended.push(name)
  }
  await Promise.all([run(patient, 'a'), run(patient, 'b'), run(urgent, 'A'), run(patient, 'c'), run(urgent, 'B')])
  crew.close()
  expect(ended).toEqual(['A', 'B', 'a', 'b', 'c'])
})

it.each([0, -1, 1.5, Number.NaN])('a crew of %d threads is refused', (threads) => {
  expect(() => openCrew({ threads })).toThrow(RangeError)
})
