import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stateBucket } from '../../src/local/state-bucket.ts'
import { BucketObjects } from '../../src/objects/bucket-objects.ts'
import type { ObjectStorage } from '../../src/objects/object-storage.ts'
import type { SharedStore } from '../../src/runner/interface/shared-store.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { readStudyStatus } from '../../src/runner/study-status.ts'
import { realTime } from './real-time.ts'
import { makeRig, type Rig, type RunChange, STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

/** A storage with two sets of credentials. */
export interface BucketUnderTest {
  /** May do anything in the bucket. */
  readonly owner: ObjectStorage
  /** As a job of a pull request: may list, may read below `main/` and `pr-1/`, and write and delete below `pr-1/`. */
  readonly branch: ObjectStorage
  readonly close: () => Promise<void>
}

/** What holds of a state in a bucket, whatever storage it is. */
export function describeStateBucket(name: string, start: () => Promise<BucketUnderTest>): void {
  describe(name, () => {
    useRig()
    let bucket: BucketUnderTest
    let other: Rig
    let stores: SharedStore[]
    let objects: BucketObjects

    beforeAll(async () => {
      bucket = await start()
    }, 120_000)

    afterAll(async () => await bucket?.close())

    beforeEach(async () => {
      other = await makeRig(double)
      stores = []
      objects = new BucketObjects(bucket.owner)
      for (const key of await objects.list('')) await objects.remove(key)
    })

    afterEach(async () => {
      await Promise.all([other.remove(), objects.close(), ...stores.map((store) => store.close())])
    })

    const by = (storage: ObjectStorage, change: RunChange = {}): RunChange => {
      const store = stateBucket(storage)
      stores.push(store)
      return { ...change, env: { ...realTime(double), shared: async () => store, ...change.env } }
    }
    const owner = (change?: RunChange) => by(bucket.owner, change)
    const branch = (change: RunChange = {}) =>
      by(bucket.branch, { ...change, options: { scope: 'pr-1', reads: ['main'], ...change.options } })
    const posts = () => double.log.filter(({ method, path }) => method === 'POST' && !path.includes('/oauth')).length
    /** Everything below `main/`, with its version. */
    const ofMain = async () => {
      const keys = (await objects.list('main/')).filter((key) => !key.endsWith('/lock'))
      return await Promise.all(keys.map(async (key) => [key, (await objects.read(key))?.version]))
    }

    it('lets an empty machine go on with no request to the service, and brings only what it asks for', async () => {
      const first = await rig.run(owner())
      expect(first).toMatchObject({ exitCode: 0, message: null })
      const sent = posts()
      const second = await other.run(owner({ options: { download: { select: ['young'], exclude: [] } } }))
      expect(second).toMatchObject({ exitCode: 0, digest: first.digest })
      expect(posts()).toBe(sent)
      expect(await other.read('out/demo/young.csv')).toBe(await rig.read('out/demo/young.csv'))
      expect(existsSync(join(other.root, 'out/demo/base.csv'))).toBe(false)
    })

    it('has manifest, records and artifacts, and is read by plan and status', async () => {
      await rig.run(owner())
      const folder = 'main/demo/embedded/results/'
      expect((await objects.read(`${folder}manifest.json`))?.text).toBe(await rig.read('out/demo/manifest.json'))
      expect((await objects.read(`${folder}run-record.json`))?.text).toBe(await rig.read('out/demo/run-record.json'))
      expect(await objects.list('main/artifacts/')).toHaveLength(3)
      const before = await ofMain()
      const request = await other.request()
      const environment = other.environment(owner())
      expect((await planFromDisk(request, environment)).plan.totals).toMatchObject({ generate: 0, reuse: 3 })
      const status = await readStudyStatus(
        { ...request, out: null, allowOutside: false, selection: { select: [], exclude: [] }, scope: null },
        environment,
      )
      expect(status.scenarios.map(({ status: state, file }) => [state, file])).toEqual(
        Array.from({ length: 3 }, () => ['ready', 'shared']),
      )
      expect(status).toMatchObject({ lock: null, last: { exitCode: 0 }, lastComplete: { exitCode: 0 } })
      expect(await ofMain()).toEqual(before)
    })

    it('of two machines at once one works, and the other ends with exit code 10, or waits', async () => {
      let release = () => {}
      const oneEnded = new Promise<undefined>((resolve) => {
        release = () => resolve(undefined)
      })
      double.intercept = () => oneEnded
      const both = await Promise.all([rig, other].map((where) => where.run(owner()).finally(release)))
      expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 10])
      expect(double.made('generations')).toBe(3)
      double.intercept = () => undefined
      const waiting = { options: { lockTimeoutMs: 60_000 } }
      const again = await Promise.all([rig, other].map((where) => where.run(owner(waiting))))
      expect(again.map(({ exitCode }) => exitCode)).toEqual([0, 0])
      expect(double.made('generations')).toBe(3)
    })

    it('a hostile pull request, with credentials for its own scope, changes nothing that main reads', async () => {
      await rig.run(owner())
      const before = await ofMain()
      // It takes the results of main, and buys what it changes.
      await other.write('demo.study.yaml', STUDY.replace('0.7', '0.9'))
      expect(await other.run(branch())).toMatchObject({ exitCode: 0, message: null })
      expect(double.made('generations')).toBe(4)
      // It calls itself main.
      const refused = await other.run(by(bucket.branch))
      expect(refused).toMatchObject({ exitCode: 5, reason: 'authentication' })
      expect(refused.message).toContain('write and delete objects below their own --scope')
      // It goes round the program.
      const hostile = new BucketObjects(bucket.branch, { tries: 1 })
      const [artifact = ''] = await hostile.list('main/artifacts/')
      for (const attempt of [
        () => hostile.write(artifact, 'region\nNorth\n'),
        () => hostile.write('main/demo/embedded/state.json', '{}'),
        () => hostile.create('main/demo/embedded/journal/000000000009999.ndjson', '{}\n'),
        () => hostile.remove('main/demo/embedded/state.json'),
        () => hostile.remove(artifact),
        () => hostile.write('main/demo/embedded/lock', '{}'),
      ])
        await expect(attempt()).rejects.toMatchObject({ status: 403 })
      // What it may write is its own, and main does not look there.
      for (const key of await hostile.list('pr-1/')) await hostile.write(key, 'poison')
      await hostile.close()
      expect(await ofMain()).toEqual(before)
      const main = await rig.run(owner())
      expect(main.exitCode).toBe(0)
      expect(Object.values(main.manifest.run.actions)).toEqual(['reused', 'reused', 'reused'])
      expect(double.made('generations')).toBe(4)
    })

    it('an entry in a trusted scope whose bytes are not those of its name is refused', async () => {
      await rig.run(owner())
      for (const key of await objects.list('main/artifacts/')) await objects.write(key, 'region,answer,age\n')
      const result = await other.run(branch({ options: { download: { select: ['base'], exclude: [] } } }))
      expect(result).toMatchObject({ exitCode: 7, reason: 'failed' })
      expect(result.message).toContain('has other bytes than its SHA-256 says')
      expect(existsSync(join(other.root, 'out/demo/base.csv'))).toBe(false)
    })
  })
}
