import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../../src/base/atomic-file.ts'
import { unlockStudy } from '../../src/runner/state/run-lock.ts'
import { FakeClock, START_MS } from './run-rig.ts'

const PLACE = {
  projectRoot: '/p',
  studyFile: '/p/demo.study.yaml',
  studyName: 'demo',
  outputDir: 'out/demo',
  out: null,
  service: 'embedded',
}
const LOCK = '/p/.whatif/studies/demo/embedded/lock'

const at = (agoMs: number) => new Date(START_MS - agoMs).toISOString()
const holder = (change: object = {}) =>
  JSON.stringify({ pid: 7, host: 'here', run_id: 'r', started_at: at(9000), heartbeat_at: at(5000), ...change })

function setUp(lock: string | null) {
  const volume = Volume.fromJSON(lock === null ? { '/p/demo.study.yaml': '' } : { [LOCK]: lock })
  const fs = createFsFromVolume(volume).promises as unknown as FileSystem
  const unlock = (options: { force?: boolean; alive?: boolean; fs?: FileSystem } = {}) =>
    unlockStudy(
      PLACE,
      {
        fs: options.fs ?? fs,
        clock: new FakeClock(),
        process: { pid: 99, host: 'here', place: 'here', exists: () => options.alive ?? true },
      },
      { force: options.force ?? false },
    )
  return { volume, fs, unlock, left: () => Object.keys(volume.toJSON()).filter((path) => path.startsWith(LOCK)) }
}

describe('unlocking a study', () => {
  it('that is not locked changes nothing', async () => {
    const { unlock, volume } = setUp(null)
    expect(await unlock()).toEqual({ kind: 'not_locked' })
    expect(Object.keys(volume.toJSON())).toEqual(['/p/demo.study.yaml'])
  })

  it.each<[who: string, lock: string, alive: boolean, stale: string]>([
    ['a process of this host that is gone', holder(), false, 'process_gone'],
    [
      'another host that was silent for over two minutes',
      holder({ host: 'there', heartbeat_at: at(121_000) }),
      false,
      'heartbeat_old',
    ],
    ['nobody, because it is not readable', '\u001B[2J{', true, 'heartbeat_old'],
  ])('removes the lock of %s, and leaves no other file', async (_who, lock, alive, stale) => {
    const { unlock, left } = setUp(lock)
    expect(await unlock({ alive })).toMatchObject({ kind: 'removed', stale })
    expect(left()).toEqual([])
  })

  it.each<[who: string, lock: string, alive: boolean]>([
    ['a process of this host that is there', holder(), true],
    ['another host, whose processes cannot be seen', holder({ host: 'there' }), false],
  ])('leaves the lock of %s, unless it is forced', async (_who, lock, alive) => {
    const { unlock, left } = setUp(lock)
    expect(await unlock({ alive })).toMatchObject({ kind: 'held', holder: { pid: 7, runId: 'r' } })
    expect(left()).toEqual([LOCK])
    expect(await unlock({ alive, force: true })).toMatchObject({ kind: 'removed', stale: null })
    expect(left()).toEqual([])
  })

  it('refuses a state folder that leads out of the project', async () => {
    const { unlock, volume } = setUp(null)
    volume.mkdirSync('/elsewhere')
    volume.writeFileSync('/elsewhere/lock', 'precious')
    volume.mkdirSync('/p/.whatif/studies/demo', { recursive: true })
    volume.symlinkSync('/elsewhere', '/p/.whatif/studies/demo/embedded')
    await expect(unlock({ force: true })).rejects.toThrow('the folder ".whatif" is a link out of the project')
    expect(volume.readFileSync('/elsewhere/lock', 'utf8')).toBe('precious')
  })

  it('leaves a lock that another run took between the check and the removal', async () => {
    const { unlock, volume, fs } = setUp(holder())
    const rename: FileSystem['rename'] = async (from, to) => {
      volume.writeFileSync(LOCK, holder({ run_id: 'other', heartbeat_at: at(0) }))
      await fs.rename(from, to)
    }
    // What memfs hands out is bound to no object.
    expect(
      await unlock({
        alive: false,
        fs: new Proxy(fs, { get: (t, k) => (k === 'rename' ? rename : Reflect.get(t, k)) }),
      }),
    ).toMatchObject({
      kind: 'changed',
    })
    expect(volume.readFileSync(LOCK, 'utf8')).toContain('"other"')
  })
})
