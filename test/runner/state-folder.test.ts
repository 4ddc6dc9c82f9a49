import { createFsFromVolume, Volume } from 'memfs'
import { beforeEach, describe, expect, it } from 'vitest'
import { type FileSystem, writeAtomically } from '../../src/base/atomic-file.ts'
import { readJournal } from '../../src/runner/state/journal.ts'
import { acquireRunLock, type LockRequest } from '../../src/runner/state/run-lock.ts'
import { readState, StudyStore } from '../../src/runner/state/study-store.ts'
import { FakeClock } from './run-rig.ts'

let volume: Volume
let fs: FileSystem
let clock: FakeClock

beforeEach(() => {
  volume = new Volume()
  volume.mkdirSync('/state', { recursive: true })
  fs = createFsFromVolume(volume).promises as unknown as FileSystem
  clock = new FakeClock()
})

const openStore = (on: FileSystem, mayWrite = async () => {}): Promise<StudyStore> =>
  StudyStore.open({ fs: on, folder: '/state', clock, mayWrite })

const text = (path: string): string => volume.readFileSync(path, 'utf8') as string
const names = (): string[] => (volume.readdirSync('/state') as string[]).sort()

const scenario = (id: string) => ({
  kind: 'scenario' as const,
  id,
  set: { scenario: id, key: `key-${id}`, fingerprint: 'f', path: `${id}.csv`, sha256: 's' },
})

/** Fails with `code` from the `n`-th write on, after writing half of what it was given. */
function failingFs(code: string, n: number): FileSystem {
  let writes = 0
  const fault = () => Object.assign(new Error(code), { code })
  return {
    ...fs,
    open: (async (...args: Parameters<FileSystem['open']>) => {
      const file = await fs.open(...args)
      const write = (whole: (t: string, o: 'utf8') => Promise<void>) => async (t: string) => {
        if (++writes < n) return whole(t, 'utf8')
        await whole(t.slice(0, t.length / 2), 'utf8')
        throw fault()
      }
      return new Proxy(file, {
        get: (target, name) => {
          if (name === 'appendFile') return write(target.appendFile.bind(target) as never)
          if (name === 'writeFile') return write(target.writeFile.bind(target) as never)
          const value = Reflect.get(target, name) as unknown
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }) as FileSystem['open'],
    rename: fs.rename.bind(fs),
    unlink: fs.unlink.bind(fs),
    readFile: fs.readFile.bind(fs),
    link: fs.link.bind(fs),
  } as FileSystem
}

describe('the journal', () => {
  it('is read to its last complete line; the partial rest is cut before anything is appended', async () => {
    const store = await openStore(fs)
    await store.record(scenario('a'))
    await store.record(scenario('b'))
    await store.close()
    volume.appendFileSync('/state/journal.ndjson', '{"v":1,"serial":3,"kind":"scen')
    const again = await openStore(fs)
    expect(again.cutBytes).toBe(30)
    expect([...again.state.scenarios.keys()]).toEqual(['a', 'b'])
    await again.record(scenario('c'))
    await again.close()
    expect((await readJournal(fs, '/state/journal.ndjson')).lines.map((l) => JSON.parse(l).serial)).toEqual([1, 2, 3])
  })

  it('with a damaged line in the middle is refused', async () => {
    volume.writeFileSync('/state/journal.ndjson', 'not json\n')
    await expect(readState(fs, '/state')).rejects.toThrow('line 1 of journal.ndjson in /state is not readable')
  })

  it('appends simultaneous changes with one write, in sequence', async () => {
    const store = await openStore(fs)
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.record(scenario(id))))
    await store.close()
    const { lines } = await readJournal(fs, '/state/journal.ndjson')
    expect(lines.map((l) => JSON.parse(l).id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('records nothing of a run that has lost its lock, and fails for every waiting caller', async () => {
    let isHeld = true
    const store = await openStore(fs, async () => {
      if (!isHeld) throw new Error('lost')
    })
    await store.record(scenario('a'))
    isHeld = false
    const late = await Promise.allSettled(['b', 'c'].map((id) => store.record(scenario(id))))
    expect(late.map((l) => l.status)).toEqual(['rejected', 'rejected'])
    await expect(store.checkpoint()).rejects.toThrow('lost')
    await store.close()
    const { lines } = await readJournal(fs, '/state/journal.ndjson')
    expect(lines.map((l) => JSON.parse(l).id)).toEqual(['a'])
    expect(names()).toEqual(['journal.ndjson'])
  })

  it('refuses further changes after a full disk, so that no line follows half a line', async () => {
    const store = await openStore(failingFs('ENOSPC', 2))
    await store.record(scenario('a'))
    await expect(store.record(scenario('b'))).rejects.toThrow('ENOSPC')
    await expect(store.record(scenario('c'))).rejects.toThrow('ENOSPC')
    await store.close()
    const { state } = await openStore(fs)
    expect([...state.scenarios.keys()]).toEqual(['a'])
  })
})

describe('the snapshot', () => {
  it('and the journal together give the state, whichever of them is newer', async () => {
    const store = await openStore(fs)
    await store.record(scenario('a'))
    await store.checkpoint()
    await store.record(scenario('b'))
    await store.close()
    expect([...(await readState(fs, '/state')).scenarios.keys()]).toEqual(['a', 'b'])
    expect((await readState(fs, '/state')).serial).toBe(2)
  })

  it('is not written when nothing changed', async () => {
    const store = await openStore(fs)
    await store.checkpoint()
    expect(names()).toEqual(['journal.ndjson'])
    await store.close()
  })

  it('empties a long journal', async () => {
    const store = await openStore(fs)
    const long = 'x'.repeat(1200)
    await Promise.all(Array.from({ length: 1000 }, (_, i) => store.record(scenario(`${long}${i}`))))
    await store.checkpoint()
    expect(text('/state/journal.ndjson')).toBe('')
    await store.record(scenario('last'))
    await store.close()
    const state = await readState(fs, '/state')
    expect(state.scenarios.size).toBe(1001)
    expect(state.serial).toBe(1001)
  })

  it('with incomplete records is read without them', async () => {
    const json = {
      state_version: 1,
      serial: 5,
      generations: [{ key: 'wi1.gen.x' }],
      scenarios: [scenario('a').set, {}],
    }
    volume.writeFileSync('/state/state.json', JSON.stringify(json))
    const state = await readState(fs, '/state')
    expect([state.generations.size, [...state.scenarios.keys()]]).toEqual([0, ['a']])
  })

  it.each(['', '[]', '{"state_version":2}', '{"state_version":1,"serial":1'])(
    'that reads %j is refused',
    async (bad) => {
      volume.writeFileSync('/state/state.json', bad)
      await expect(readState(fs, '/state')).rejects.toThrow('delete that folder and run again')
    },
  )

  it('keeps the level names that objects cannot hold', async () => {
    const seeds = { kind: 'seed' as const, id: '__proto__', seed: 7 }
    const store = await openStore(fs)
    await store.record(seeds)
    await store.checkpoint()
    await store.close()
    volume.unlinkSync('/state/journal.ndjson')
    expect((await readState(fs, '/state')).seeds.get('__proto__')).toBe(7)
  })
})

describe('replacing a file', () => {
  it('on a full disk leaves the old content and no temporary file', async () => {
    await writeAtomically(fs, '/state/manifest.json', 'old')
    await expect(writeAtomically(failingFs('ENOSPC', 1), '/state/manifest.json', 'new')).rejects.toThrow('ENOSPC')
    expect(text('/state/manifest.json')).toBe('old')
    expect(names()).toEqual(['manifest.json'])
  })

  it('does not write through a link at the temporary name', async () => {
    volume.writeFileSync('/precious', 'mine')
    volume.symlinkSync('/precious', '/state/manifest.json.tmp')
    await writeAtomically(fs, '/state/manifest.json', 'new')
    expect([text('/precious'), text('/state/manifest.json')]).toEqual(['mine', 'new'])
  })
})

describe('the lock', () => {
  const events: string[] = []
  const here = { pid: 100, host: 'here', place: 'here', exists: () => true }
  const there = { ...here, host: 'there', place: 'there' }
  const request = (runId: string, change: Partial<LockRequest> = {}): LockRequest => ({
    fs,
    path: '/state/lock',
    clock,
    process: here,
    runId,
    timeoutMs: 0,
    signal: new AbortController().signal,
    onWait: (holder) => events.push(`wait for ${holder.runId}`),
    onTakeover: (holder, because) => events.push(`${because} ${holder.runId}`),
    ...change,
  })

  beforeEach(() => {
    events.length = 0
  })

  it('has one holder, whom the refusals of others name', async () => {
    const lock = await acquireRunLock(request('first'))
    await expect(acquireRunLock(request('second'))).rejects.toThrow(
      'another run of this study (first) holds the lock: process 100 on here, started 2026-11-20T12:00:00.000Z',
    )
    await lock.release()
    expect(names()).toEqual([])
    await (await acquireRunLock(request('second'))).release()
  })

  it('is taken by exactly one of many that come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => acquireRunLock(request(`run-${i}`))))
    expect(outcomes.filter((o) => o.status === 'fulfilled').length).toBe(1)
  })

  it('leaves no files of processes that were killed while they took it', async () => {
    volume.writeFileSync('/state/lock.killed', '{"pid":1')
    await acquireRunLock(request('next'))
    expect(names()).toEqual(['lock'])
  })

  it('is taken by a waiting run when it is released', async () => {
    const lock = await acquireRunLock(request('first'))
    const onWait = () => {
      events.push('waiting')
      void lock.release()
    }
    const second = await acquireRunLock(request('second', { timeoutMs: 10_000, onWait }))
    await second.assertHeld()
    expect(events).toEqual(['waiting'])
  })

  it('of a process that is gone is taken over', async () => {
    await acquireRunLock(request('dead', { process: { ...here, pid: 7 } }))
    const lock = await acquireRunLock(request('next', { process: { ...here, exists: (pid) => pid !== 7 } }))
    await lock.assertHeld()
    expect(events).toEqual(['process_gone dead'])
    expect(names()).toEqual(['lock'])
  })

  it('of another host is kept until its heartbeat is two minutes old', async () => {
    await acquireRunLock(request('far', { process: there }))
    const next = request('next', { process: { ...here, exists: () => false } })
    clock.advance(119_000)
    await expect(acquireRunLock(next)).rejects.toThrow('holds the lock')
    clock.advance(2_000)
    await acquireRunLock(next)
    expect(events).toEqual(['heartbeat_old far'])
  })

  it('of another container is kept, though the two have one host name and cannot see each other’s processes', async () => {
    await acquireRunLock(request('contained', { process: { ...here, place: 'here|another namespace' } }))
    const next = request('next', { process: { ...here, exists: () => false } })
    await expect(acquireRunLock(next)).rejects.toThrow('holds the lock')
  })

  it('that an earlier version took, without its namespace, is judged by its host', async () => {
    const seen = new Date(clock.now()).toISOString()
    const holder = { pid: 7, host: 'here', run_id: 'old', started_at: seen, heartbeat_at: seen }
    volume.writeFileSync('/state/lock', JSON.stringify(holder))
    await expect(acquireRunLock(request('next'))).rejects.toThrow('holds the lock')
    await acquireRunLock(request('next', { process: { ...here, exists: () => false } }))
    expect(events).toEqual(['process_gone old'])
  })

  it('of a dead holder goes to exactly one of many waiting runs', async () => {
    await acquireRunLock(request('dead', { process: { ...here, pid: 7 } }))
    const process = { ...here, exists: (pid: number) => pid !== 7 }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => acquireRunLock(request(`run-${i}`, { process }))),
    )
    const locks = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : []))
    const held = await Promise.allSettled(locks.map((lock) => lock.assertHeld()))
    expect(held.filter((h) => h.status === 'fulfilled').length).toBe(1)
  })

  it.each(['', 'not json', '[]', 'null', '{"pid":"7"}'])('that reads %j has no owner', async (content) => {
    volume.writeFileSync('/state/lock', content)
    await (await acquireRunLock(request('next'))).assertHeld()
  })

  it('that was taken over is not changed by its former holder', async () => {
    const slept = await acquireRunLock(request('slept', { process: there }))
    clock.advance(10 * 60_000)
    const next = await acquireRunLock(request('next'))
    await expect(slept.assertHeld()).rejects.toThrow('another run has taken over the lock')
    await slept.release()
    await next.assertHeld()
  })

  it('is checked again after a tenth of a second, and when the clock was set back', async () => {
    const lock = await acquireRunLock(request('first'))
    await lock.assertHeld()
    const taken = (volume.readFileSync('/state/lock', 'utf8') as string).replace('first', 'other')
    const takeOver = (path: string) => {
      volume.writeFileSync('/state/other', taken)
      volume.renameSync('/state/other', path)
    }
    takeOver('/state/lock')
    clock.advance(99)
    await lock.assertHeld()
    clock.advance(-200)
    await expect(lock.assertHeld()).rejects.toThrow('another run has taken over the lock')
    const next = await acquireRunLock(request('next', { path: '/state/next' }))
    await next.assertHeld()
    takeOver('/state/next')
    clock.advance(100)
    await expect(next.assertHeld()).rejects.toThrow('another run has taken over the lock')
  })

  it('is no longer waited for when the run is interrupted', async () => {
    await acquireRunLock(request('first'))
    const controller = new AbortController()
    const onWait = () => controller.abort(new Error('enough'))
    await expect(
      acquireRunLock(request('second', { timeoutMs: 60_000, signal: controller.signal, onWait })),
    ).rejects.toThrow('enough')
  })
})
