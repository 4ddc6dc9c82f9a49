import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { TrainResult, TrainTask } from '../../../../src/service/datasets/train-file.ts'
import { trainInProcess } from '../../../../src/service/datasets/training-places.ts'
import type { JobFailedError } from '../../../../src/service/jobs/processes/job-failed-error.ts'
import { WorkProcesses } from '../../../../src/service/jobs/processes/process-pool.ts'
import { starvedSoFar } from '../../../../src/service/jobs/processes/work-process.ts'

const ENTRY = join(import.meta.dirname, 'troubled-worker.js')
const MEMORY_BYTES = 400 * 2 ** 20

interface Deed {
  readonly deed: string
  readonly folder?: string
  readonly stage?: string
}
interface Answer {
  readonly pid: number
  readonly env: Record<string, string>
  /** Its further arguments. */
  readonly given: readonly string[]
  /** The priority in the operating system; lower values run first. */
  readonly priority: number
}

let processes: WorkProcesses<Deed, Answer>
const open = () => {
  processes = new WorkProcesses(pathToFileURL(ENTRY), { memoryBytes: MEMORY_BYTES })
}
afterEach(async () => {
  await processes.close()
})

const control = () => ({ signal: new AbortController().signal, onProgress: () => undefined })
const run = async (deed: string, stage?: string) =>
  await processes.run(stage === undefined ? { deed } : { deed, stage }, control())

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a work process', () => {
  it('gets only folders and language from the environment', async () => {
    open()
    process.env.DATABASE_URL = 'postgres://user:secret@host/db'
    try {
      const { env } = await run('answer')
      expect(JSON.stringify(env)).not.toContain('secret')
      const known = ['TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT']
      const given = Object.keys(env).filter((name) => !/^NODE_CHANNEL_/.test(name))
      expect(given.filter((name) => !known.includes(name.toUpperCase()))).toEqual([])
    } finally {
      delete process.env.DATABASE_URL
    }
  })

  it('has a lower priority if configured, and only then', async () => {
    open()
    expect((await run('answer')).priority).toBe(getPriority())
    await processes.close()
    processes = new WorkProcesses(pathToFileURL(ENTRY), { memoryBytes: MEMORY_BYTES, givesWay: true })
    expect((await run('answer')).priority).toBeGreaterThan(getPriority())
  })

  it('is reused after an answer and after a defect', async () => {
    open()
    const { pid } = await run('answer')
    await expect(run('throw')).rejects.toMatchObject({ code: 'svc_internal', cause: { message: 'a defect' } })
    expect((await run('answer')).pid).toBe(pid)
  })

  it('that finds the disk full ends its task with a fault that may be repeated', async () => {
    open()
    await expect(run('write to a full disk')).rejects.toMatchObject({
      name: 'Error',
      message: expect.stringContaining('ENOSPC'),
    })
  })

  it('is replaced after its twentieth task', async () => {
    open()
    const pids: number[] = []
    for (let i = 0; i < 21; i++) pids.push((await run('answer')).pid)
    expect(new Set(pids.slice(0, 20)).size).toBe(1)
    expect(pids[20]).not.toBe(pids[0])
    expect(isRunning(pids[0]!)).toBe(false)
  })

  it.each([
    ['crash', 'crash'],
    ['be killed', 'killed'],
    ['fill native memory', 'memory'],
    ['fill the heap', 'memory'],
    ['compute', 'time'],
    ['wait', 'time'],
  ])('that should %s ends for the reason "%s" and is replaced', async (deed, deathCause) => {
    open()
    await expect(run(deed, 'reading')).rejects.toMatchObject({
      name: 'ProcessDeathError',
      deathCause,
      stage: 'reading',
    })
    expect((await run('answer')).pid).toBeGreaterThan(0)
  })

  it('that writes more to its folder than it may ends for the reason "space"', async () => {
    open()
    const folder = await mkdtemp(join(tmpdir(), 'whatif-space-'))
    try {
      const task = { deed: 'fill the disk', stage: 'reading', folder }
      await expect(processes.run(task, control())).rejects.toMatchObject({ deathCause: 'space', isOfLimit: true })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('that the system kills for lack of memory is distinguished from one that somebody kills', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whatif-oom-'))
    try {
      const path = join(folder, 'vmstat')
      await writeFile(path, 'nr_free_pages 12\noom_kill 7\nunevictable_pgs_culled 0\n')
      expect(starvedSoFar(path)).toBe(7)
      expect(starvedSoFar(join(folder, 'none'))).toBe(0)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('has ended when its aborted task rejects, however busy it was', async () => {
    open()
    const { pid } = await run('answer')
    const abort = new AbortController()
    const given = processes.run(
      { deed: 'be endless', stage: 'reading' },
      { signal: abort.signal, onProgress: () => abort.abort(new Error('given up')) },
    )
    await expect(given).rejects.toThrow('given up')
    expect(isRunning(pid)).toBe(false)
  })

  it('has gone when the pool is closed', async () => {
    open()
    const { pid } = await run('answer')
    await processes.close()
    expect(isRunning(pid)).toBe(false)
    await expect(run('answer')).rejects.toThrow('closed')
  })

  it('ends by itself when its parent is killed, even in an endless loop', async () => {
    open()
    const parent = spawn(process.execPath, [join(import.meta.dirname, 'troubled-parent.js'), ENTRY], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let pid = 0
    for await (const line of createInterface({ input: parent.stdout })) {
      pid = Number(line)
      break
    }
    expect(isRunning(pid)).toBe(true)
    const gone = once(parent, 'exit')
    parent.kill('SIGKILL')
    await gone
    // Fails by the time limit of the test.
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
  })
})

describe('a training whose process dies', () => {
  const train = async (...deeds: Deed[]) => {
    open()
    const tried: boolean[] = []
    const pool = {
      run: async (_task: unknown, its: Parameters<typeof processes.run>[1], isFresh = false) => {
        tried.push(isFresh)
        return await processes.run(deeds[tried.length - 1] as Deed, its, isFresh)
      },
    } as unknown as WorkProcesses<TrainTask, TrainResult>
    const outcome = await trainInProcess(pool, {} as TrainTask, control()).catch((error: unknown) => error)
    return { outcome: outcome as JobFailedError & Answer, tried }
  }

  it('by crashing twice while reading fails with an unreadable file', async () => {
    const { outcome, tried } = await train({ deed: 'crash', stage: 'reading' }, { deed: 'crash', stage: 'reading' })
    expect(outcome).toMatchObject({
      code: 'svc_unreadable_file',
      detail: expect.stringMatching(/crash.*export .* CSV/s),
    })
    expect(tried).toEqual([false, true])
  })

  it('by crashing once is continued in a new process', async () => {
    const { outcome } = await train({ deed: 'crash', stage: 'reading' }, { deed: 'answer' })
    expect(outcome.pid).toBeGreaterThan(0)
  })

  it('by its use of memory is reported, both while reading and while training', async () => {
    const hungry = { deed: 'fill native memory' }
    const reading = await train({ ...hungry, stage: 'reading' }, { ...hungry, stage: 'reading' })
    expect(reading.outcome).toMatchObject({ code: 'svc_unreadable_file', detail: expect.stringContaining('memory') })
    await processes.close()
    const training = await train({ ...hungry, stage: 'training' })
    expect(training.outcome).toMatchObject({
      code: 'svc_untrainable_dataset',
      detail: expect.stringContaining('fewer columns'),
    })
  })

  it('by its reading time is reported, and not tried again', async () => {
    const { outcome, tried } = await train({ deed: 'compute', stage: 'reading' })
    expect(outcome).toMatchObject({ code: 'svc_unreadable_file', detail: expect.stringContaining('longer') })
    expect(tried).toEqual([false])
  })

  it('by its time or disk space is reported, in other words after reading', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whatif-space-'))
    try {
      const outcomes = []
      for (const stage of ['reading', 'training']) {
        outcomes.push((await train({ deed: 'fill the disk', stage, folder })).outcome)
        await processes.close()
      }
      outcomes.push((await train({ deed: 'compute', stage: 'measuring' })).outcome)
      expect(outcomes).toMatchObject([
        { code: 'svc_unreadable_file', detail: expect.stringContaining('more room on the disk') },
        { code: 'svc_untrainable_dataset', detail: expect.stringContaining('takes more room on the disk') },
        { code: 'svc_untrainable_dataset', detail: expect.stringContaining('takes more processor time') },
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it.each([
    ['being killed from outside', { deed: 'be killed', stage: 'reading' }],
    ['crashing after the file was read', { deed: 'crash', stage: 'training' }],
  ])('by %s is no fault of the file: the attempt may be repeated', async (_name, deed) => {
    const { outcome } = await train(deed)
    expect(outcome.name).toBe('ProcessDeathError')
  })
})
