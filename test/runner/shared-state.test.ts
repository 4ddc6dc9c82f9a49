import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RunInterruptedError, RunRefusalError } from '../../src/runner/interface/exit-code.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { type MemoryStore, memoryStore } from './memory-store.ts'
import { realTime } from './real-time.ts'
import { makeRig, type Rig, type RunChange, STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

let store: MemoryStore
let other: Rig

beforeEach(async () => {
  store = memoryStore()
  other = await makeRig(double)
})

afterEach(async () => {
  await other.remove()
})

const shared = (change: RunChange = {}): RunChange => ({ ...change, env: { shared: async () => store, ...change.env } })
const posts = () => double.log.filter(({ method, path }) => method === 'POST' && !path.includes('/oauth'))
const isHere = (where: Rig, path: string) => existsSync(join(where.root, path))
const writes = () => store.log.filter((line) => /^(?:write|create|replace|remove|upload) /.test(line))

describe('a state that several machines share', () => {
  it('lets an empty machine go on: no request to the service, the same digest, no artifact downloaded', async () => {
    const first = await rig.run(shared())
    expect(first.exitCode).toBe(0)
    const sent = posts().length
    const second = await other.run(shared())
    expect(second).toMatchObject({ exitCode: 0, digest: first.digest })
    expect(posts()).toHaveLength(sent)
    expect(store.log.filter((line) => line.startsWith('download'))).toEqual([])
    expect(isHere(other, 'out/demo/base.csv')).toBe(false)
    expect((await other.manifest()).totals).toMatchObject({ ready: 3 })
  })

  it('downloads what is asked for, and nothing else', async () => {
    await rig.run(shared())
    const download = { select: ['young'], exclude: [] }
    expect((await other.run(shared({ options: { download } }))).exitCode).toBe(0)
    expect(await other.read('out/demo/young.csv')).toBe(await rig.read('out/demo/young.csv'))
    expect(isHere(other, 'out/demo/base.csv')).toBe(false)
    expect(store.log.filter((line) => line.startsWith('download'))).toHaveLength(1)
  })

  it('generates only what has changed, wherever it runs', async () => {
    await rig.run(shared())
    await other.write('demo.study.yaml', STUDY.replace('0.7', '0.6'))
    const result = await other.run(shared())
    expect(result.exitCode).toBe(0)
    expect(double.made('generations')).toBe(4)
    expect(double.made('datasets')).toBe(1)
    expect(Object.values(result.manifest.run.actions).sort()).toEqual(['generated', 'reused', 'reused'])
  })

  it('is read by a plan, which writes nothing there', async () => {
    await rig.run(shared())
    const before = [...store.objects]
    const request = await other.request()
    const { plan } = await planFromDisk(request, other.environment(shared()))
    expect(plan.totals).toMatchObject({ generate: 0, upload: 0, reuse: 3 })
    expect([...store.objects]).toEqual(before)
  })

  it('begins with what is known on the first machine, artifacts included', async () => {
    await rig.run()
    const made = double.made('generations')
    await rig.run(shared())
    const download = { select: ['base'], exclude: [] }
    expect((await other.run(shared({ options: { download } }))).exitCode).toBe(0)
    expect(await other.read('out/demo/base.csv')).toBe(await rig.read('out/demo/base.csv'))
    expect(double.made('generations')).toBe(made)
  })

  it('knows a request before it is sent, so that another machine collects it', async () => {
    const stop = new AbortController()
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'scenario.submitted') stop.abort(new RunInterruptedError('SIGTERM'))
    }
    double.intercept = (request) => {
      if (request.method !== 'POST' || !request.path.endsWith('/generations')) return undefined
      const kept = [...store.objects.values()].some(({ bytes }) => bytes.includes(request.key ?? '?'))
      return kept ? undefined : { status: 500 }
    }
    double.pollsPerJob = 1
    await rig.run(shared({ env: { onEvent, signal: stop.signal } }))
    const made = double.made('generations')
    expect(made).toBeGreaterThan(0)
    const result = await other.run(shared())
    expect(result.exitCode).toBe(0)
    expect(double.made('generations')).toBe(3)
  })

  it('does not take an artifact that differs from its name', async () => {
    await rig.run(shared())
    for (const [key, { version }] of store.objects)
      if (key.includes('/artifacts/')) store.objects.set(key, { bytes: Buffer.from('region\nNorth\n'), version })
    const download = { select: ['base'], exclude: [] }
    const result = await other.run(shared({ options: { download } }))
    expect(isHere(other, 'out/demo/base.csv')).toBe(false)
    expect(result.exitCode).not.toBe(0)
  })
})

describe('two machines at once', () => {
  it('one works, and the other ends with exit code 10, or waits', async () => {
    let release = () => {}
    const oneEnded = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    double.intercept = () => oneEnded
    const both = await Promise.all(
      [rig, other].map((where) => where.run(shared({ env: realTime(double) })).finally(release)),
    )
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 10])
    expect(double.made('generations')).toBe(3)
    double.intercept = () => undefined
    const waiting = shared({ options: { lockTimeoutMs: 60_000 }, env: realTime(double) })
    const again = await Promise.all([rig, other].map((where) => where.run(waiting)))
    expect(again.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(double.made('generations')).toBe(3)
  })

  it('a machine that slept sends and writes nothing more once another has taken over', async () => {
    double.intercept = (request) => {
      if (!request.path.endsWith('/datasets')) return undefined
      rig.clock.advance(180_000)
      const key = 'main/demo/embedded/lock'
      const holder = {
        pid: 1,
        host: 'there',
        run_id: 'other',
        started_at: '',
        heartbeat_at: '2026-11-20T12:03:00.000Z',
      }
      store.objects.set(key, { bytes: Buffer.from(JSON.stringify(holder)), version: 'theirs' })
      return undefined
    }
    const result = await rig.run(shared())
    expect(result).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(double.made('generations')).toBe(0)
    expect(store.objects.get('main/demo/embedded/lock')?.version).toBe('theirs')
  })

  it('takes over a lock that was silent for two minutes, and says so', async () => {
    const holder = { pid: 1, host: 'there', run_id: 'gone', started_at: '', heartbeat_at: '2026-11-20T11:00:00.000Z' }
    await store.create('main/demo/embedded/lock', JSON.stringify(holder))
    expect((await rig.run(shared())).exitCode).toBe(0)
    expect(rig.events).toContainEqual(expect.objectContaining({ type: 'lock.taken_over', because: 'heartbeat_old' }))
  })

  it('cannot write the same part of the journal: the second one stops', async () => {
    let isTaken = false
    store.onRequest = (line) => {
      const key = /^create (main\/demo\/embedded\/journal\/.*)/.exec(line)?.[1]
      if (key === undefined || isTaken || writes().length < 6) return
      isTaken = true
      store.objects.set(key, { bytes: Buffer.from('{"v":1,"serial":1}\n'), version: 'theirs' })
    }
    expect(await rig.run(shared())).toMatchObject({ exitCode: 10, reason: 'lock_held' })
  })
})

describe('scopes', () => {
  const branch = (change: RunChange = {}): RunChange =>
    shared({ ...change, options: { scope: 'pr-123', reads: ['main'], ...change.options } })

  it('read what they are told to trust, and write nothing but their own', async () => {
    const main = await rig.run(shared())
    const before = [...store.objects]
    store.log.length = 0
    const result = await other.run(branch())
    expect(result).toMatchObject({ exitCode: 0, digest: main.digest })
    expect(double.made('generations')).toBe(3)
    expect(writes().every((line) => /^\w+ pr-123\//.test(line))).toBe(true)
    for (const [key, { version }] of before) expect(store.objects.get(key)?.version).toBe(version)
  })

  it('buy only what the branch changes, and main never sees it', async () => {
    await rig.run(shared())
    await other.write('demo.study.yaml', STUDY.replace('0.7', '0.9'))
    expect((await other.run(branch())).exitCode).toBe(0)
    expect(double.made('generations')).toBe(4)
    const mainAgain = await rig.run(shared())
    expect(Object.values(mainAgain.manifest.run.actions)).toEqual(['reused', 'reused', 'reused'])
    expect(double.made('generations')).toBe(4)
  })

  it('whose rights end at their own folder are refused elsewhere, and change nothing there', async () => {
    await rig.run(shared())
    const before = new Map(store.objects)
    // What a hostile pull request can do: call its own scope what it likes, with credentials that only read main.
    store.onRequest = (line) => {
      if (/^(?:write|create|replace|remove|upload) main\//.test(line))
        throw new RunRefusalError('authentication', 'shared_state', 'AccessDenied')
    }
    await other.write('demo.study.yaml', STUDY.replace('0.7', '0.9'))
    expect(await other.run(shared())).toMatchObject({ exitCode: 5, reason: 'authentication' })
    expect(store.objects).toEqual(before)
  })

  it('have names that cannot be confused with main or with themselves', async () => {
    expect(await rig.run(shared({ options: { scope: 'main' } }))).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(await rig.run(shared({ options: { reads: ['main'] } }))).toMatchObject({ exitCode: 2, reason: 'usage' })
  })
})

describe('a store that cannot be used', () => {
  it('ends the run before anything is sent', async () => {
    store.requireConditions = async () => {
      throw new RunRefusalError('usage', 'shared_state', 'does not keep to conditional writes')
    }
    const result = await rig.run(shared())
    expect(result).toMatchObject({ exitCode: 2, message: 'does not keep to conditional writes' })
    expect(posts()).toEqual([])
  })

  it('that stops answering ends the run before the next request is sent', async () => {
    store.onRequest = (line) => {
      if (line.startsWith('create main/demo/embedded/journal/') && writes().length > 5)
        throw new RunRefusalError('deadline_or_network', 'shared_state', 'the storage does not answer')
    }
    const result = await rig.run(shared())
    expect(result.exitCode).toBe(11)
    store.onRequest = () => {}
    expect((await other.run(shared())).exitCode).toBe(0)
    expect(double.made('generations')).toBe(3)
    expect(double.made('datasets')).toBe(1)
  })
})
