import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realTime } from './real-time.ts'
import { FakeClock, makeRig } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

const LOCK = '.whatif/studies/demo/embedded/lock'
const JOURNAL = '.whatif/studies/demo/embedded/journal.ndjson'

useRig()

const made = () => ({ datasets: double.made('datasets'), generations: double.made('generations') })
const generationPosts = () => double.log.filter((r) => r.method === 'POST' && r.path.endsWith('/generations'))

describe('two runs of a study at once', () => {
  it('in one folder are billed once: the second waits for the first and then has nothing to do', async () => {
    const both = await Promise.all(
      [1, 2].map(() => rig.run({ options: { lockTimeoutMs: 60_000 }, env: realTime(double) })),
    )
    expect(both.map((r) => r.exitCode)).toEqual([0, 0])
    expect(made()).toEqual({ datasets: 1, generations: 3 })
    expect(generationPosts()).toHaveLength(3)
    const actions = both.map((r) => [...new Set(Object.values(r.manifest.run.actions))].join())
    expect(actions.sort()).toEqual(['generated', 'reused'])
  })

  it('in one folder without waiting end with one that completes, and one that names the holder of the lock', async () => {
    let release = () => {}
    const oneEnded = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    // The one that has the lock cannot be done before the other has come to it.
    double.intercept = () => oneEnded
    const both = await Promise.all([1, 2].map(() => rig.run({ env: realTime(double) }).finally(release)))
    expect(both.map((r) => r.exitCode).sort()).toEqual([0, 10])
    expect(made()).toEqual({ datasets: 1, generations: 3 })
    expect((await rig.manifest()).status).toBe('complete')
  })

  it.each([
    { scopes: [null, null], datasets: 1, generations: 3 },
    { scopes: ['nightly', 'nightly'], datasets: 1, generations: 3 },
    { scopes: [null, 'nightly'], datasets: 2, generations: 6 },
  ])(
    'on two machines with the scopes $scopes share what has the same key ($generations generations)',
    async ({ scopes, ...expected }) => {
      const other = await makeRig(double)
      const results = await Promise.all(
        [rig, other].map((where, i) => where.run({ options: { scope: scopes[i] ?? null }, env: realTime(double) })),
      )
      expect(results.map((r) => r.exitCode)).toEqual([0, 0])
      expect(made()).toEqual(expected)
      await other.remove()
    },
  )
})

describe('a machine that slept', () => {
  /** The machine sleeps for three minutes, in which another run takes the lock over because its holder seems gone. */
  const takenOver = (clock = rig.clock) => {
    clock.advance(180_000)
    const taken = join(rig.root, 'taken')
    writeFileSync(
      taken,
      JSON.stringify({
        pid: 1,
        host: 'there',
        run_id: 'other',
        started_at: '2026-11-20T12:00:00.000Z',
        heartbeat_at: '2026-11-20T12:00:00.000Z',
      }),
    )
    // Another file, as a lock that was taken over is: one that was written to may look the same within a few milliseconds.
    renameSync(taken, join(rig.root, LOCK))
  }

  it('between two tries of a request does not send it again, and writes nothing over the other run', async () => {
    let state = ''
    double.intercept = (r) => {
      if (!r.path.endsWith('/generations')) return undefined
      takenOver()
      return { status: 503, headers: { 'retry-after': '60' } }
    }
    const onEvent = (event: { type: string }) => {
      if (event.type === 'retry') state = readFileSync(join(rig.root, JOURNAL), 'utf8')
    }
    const result = await rig.run({ options: { concurrency: 1 }, env: { onEvent } })
    expect(result).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(generationPosts()).toHaveLength(1)
    expect(await rig.read(JOURNAL)).toBe(state)
    expect((await rig.manifest()).status).toBe('running')
    expect(JSON.parse(await rig.read(LOCK)).run_id).toBe('other')
  })

  it('while its work ended leaves the record of it to the other run', async () => {
    let state = ''
    double.intercept = (r) => {
      if (!r.path.includes('/jobs/')) return undefined
      takenOver()
      state = readFileSync(join(rig.root, JOURNAL), 'utf8')
      return undefined
    }
    expect(await rig.run()).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(state).toContain('"status":"training"')
    expect(await rig.read(JOURNAL)).toBe(state)
    expect((await rig.manifest()).status).toBe('running')
    expect(generationPosts()).toEqual([])
  })

  it('notices a takeover at its next heartbeat, even while it waits', async () => {
    class BeatingClock extends FakeClock {
      beats: (() => void)[] = []
      override every(_ms?: number, beat?: () => void): () => void {
        if (beat !== undefined) this.beats.push(beat)
        return () => {}
      }
    }
    const clock = new BeatingClock()
    double.pollsPerJob = Number.POSITIVE_INFINITY
    let polls = 0
    double.intercept = (r) => {
      if (!r.path.includes('/jobs/') || ++polls < 3) return undefined
      takenOver(clock)
      for (const beat of clock.beats) beat()
      // The answer that it waits for does not come.
      return new Promise(() => {})
    }
    const result = await rig.run({ env: { clock } })
    expect(result).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(polls).toBe(3)
    expect(made()).toEqual({ datasets: 1, generations: 0 })
    expect(JSON.parse(await rig.read(LOCK)).run_id).toBe('other')
  })
})
