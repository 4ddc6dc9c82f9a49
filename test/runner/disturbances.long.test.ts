import { renameSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeFs from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../../src/base/atomic-file.ts'
import type { RunEvent } from '../../src/runner/interface/run-event.ts'
import type { RunEnvironment } from '../../src/runner/interface/run-options.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { measureCsv } from './measure-csv.ts'
import { makeRig, STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const lockFile = '.whatif/studies/demo/embedded/lock'
const holder = (change = {}) =>
  JSON.stringify({
    pid: 1,
    host: 'there',
    run_id: 'other',
    started_at: '2026-11-20T11:59:00.000Z',
    heartbeat_at: '2026-11-20T12:00:00.000Z',
    ...change,
  })

describe('another run', () => {
  it('that holds the lock ends this one with 10, and its manifest and state stay unchanged', async () => {
    await rig.run()
    const before = [await rig.read('out/demo/manifest.json'), await rig.list('out/demo/runs')] as const
    await rig.write(lockFile, holder())
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(result.message).toContain('process 1 on there')
    expect(await rig.read('out/demo/manifest.json')).toBe(before[0])
    expect((await rig.list('out/demo/runs')).length).toBe(before[1].length + 1)
    expect(await rig.read(lockFile)).toBe(holder())
    expect(manifestFaults(result.manifest)).toEqual([])
  })

  it('is not a failure under --if-locked skip', async () => {
    await rig.write(lockFile, holder())
    expect(await rig.run({ options: { ifLocked: 'skip' } })).toMatchObject({ exitCode: 0, reason: 'lock_held' })
    expect(double.log).toEqual([])
  })

  it('that lasts beyond the deadline of this one is reported with its holder, exit code 10', async () => {
    await rig.write(lockFile, holder({ heartbeat_at: '2027-01-01T00:00:00.000Z' }))
    const onEvent = (event: RunEvent) => {
      if (event.type === 'lock.waiting') rig.clock.advance(20 * 60_000)
    }
    const options = { deadlineMs: 20 * 60_000, lockTimeoutMs: 40 * 60_000 }
    const result = await rig.run({ options, env: { onEvent } })
    expect(result).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(result.message).toContain('process 1 on there')
    expect(double.log).toEqual([])
  })

  it('that ends while this one waits lets this one continue', async () => {
    await rig.write(lockFile, holder({ heartbeat_at: '2027-01-01T00:00:00.000Z' }))
    const onEvent = (event: RunEvent) => {
      if (event.type === 'lock.waiting') rmSync(join(rig.root, lockFile))
    }
    const options = { deadlineMs: 20 * 60_000, lockTimeoutMs: 40 * 60_000 }
    expect(await rig.run({ options, env: { onEvent } })).toMatchObject({ exitCode: 0 })
  })

  it('that was killed loses its lock to the next run, which reports that', async () => {
    await rig.write(lockFile, holder({ host: 'here', pid: 7 }))
    const process = { pid: 100, host: 'here', place: 'here', exists: (pid: number) => pid !== 7 }
    expect(await rig.run({ env: { process } })).toMatchObject({ exitCode: 0 })
    expect(rig.events.find((e) => e.type === 'lock.taken_over')).toMatchObject({ because: 'process_gone' })
  })

  it('that takes the lock over stops this one before its next request, and its manifest stays', async () => {
    let posts = 0
    double.intercept = (r) => {
      if (r.method === 'POST' && r.path.endsWith('/generations') && ++posts === 1) {
        const taken = join(rig.root, 'taken')
        writeFileSync(taken, holder())
        renameSync(taken, join(rig.root, lockFile))
      }
      return undefined
    }
    double.pollsPerJob = 20
    const result = await rig.run({ options: { concurrency: 1 } })
    expect(result).toMatchObject({ exitCode: 10, reason: 'lock_held' })
    expect(posts).toBe(1)
    expect((await rig.manifest()).status).toBe('running')
    expect(await rig.read(lockFile)).toBe(holder())
  })
})

/** The real file system, with a fault at the first call that `isIt` points out, or at all of them. */
function faultyFs(code: string, isIt: (operation: string, path: string) => boolean, always = false): FileSystem {
  let struck = false
  const guard =
    <A extends unknown[], R>(operation: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if ((always || !struck) && isIt(operation, String(args[operation === 'rename' ? 1 : 0]))) {
        struck = true
        throw Object.assign(new Error(`${code}: ${operation}`), { code, path: args[operation === 'rename' ? 1 : 0] })
      }
      return call(...args)
    }
  return {
    ...nodeFs,
    open: guard('open', nodeFs.open),
    rename: guard('rename', nodeFs.rename),
    mkdir: guard('mkdir', nodeFs.mkdir) as FileSystem['mkdir'],
  }
}

describe('a disk', () => {
  it('that is full when an artifact is moved ends the run with 1, and the next one continues from there', async () => {
    const fs = faultyFs('ENOSPC', (operation, path) => operation === 'rename' && path.endsWith('young.csv'))
    const result = await rig.run({ env: { fs } })
    expect(result).toMatchObject({ exitCode: 1, reason: 'unexpected_error' })
    expect(result.message).toMatch(/^out\/demo\/young\.csv: the disk is full; make room \(ENOSPC\)$/)
    const manifest = await rig.manifest()
    expect(manifest.status).toBe('interrupted')
    expect(JSON.stringify(manifest)).not.toContain(rig.root)
    expect(manifestFaults(manifest)).toEqual([])
    expect((await rig.list('out/demo')).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })

  it('that is full when the running manifest is replaced does not stop the run', async () => {
    let writes = 0
    const fs = faultyFs(
      'ENOSPC',
      (operation, path) => operation === 'rename' && path.endsWith('manifest.json') && ++writes === 2,
    )
    // No artifact is measured, so no scenario ends, before the manifest is replaced.
    const measure: RunEnvironment['measure'] = async (...artifact) => {
      await expect.poll(() => writes).toBeGreaterThan(1)
      return measureCsv(...artifact)
    }
    expect(await rig.run({ env: { fs, measure } })).toMatchObject({ exitCode: 0 })
    expect((await rig.manifest()).status).toBe('complete')
  })

  it('without write permission ends the run with 2 before anything is sent', async () => {
    const fs = faultyFs('EACCES', (operation) => operation === 'mkdir', true)
    const result = await rig.run({ env: { fs } })
    expect(result).toMatchObject({ exitCode: 2, manifestPath: null })
    expect(result.message).toContain('EACCES')
    expect(double.log).toEqual([])
  })

  it('with a folder at an artifact’s path is reported before anything is bought, and the folder stays', async () => {
    await rig.write('out/demo/base.csv/keep', 'x')
    const result = await rig.run({ options: { overwrite: true } })
    expect(result).toMatchObject({ exitCode: 2, reason: 'usage' })
    expect(result.message).toContain('out/demo/base.csv is a folder')
    expect(double.made('generations')).toBe(0)
    expect(await rig.read('out/demo/base.csv/keep')).toBe('x')
  })
})

describe('an artifact', () => {
  it.each([
    { name: 'of fewer rows than reported', rows: 99, code: 'row_count_mismatch' },
    { name: 'of more rows than requested', rows: 101, code: 'row_count_mismatch' },
  ])('$name is refused and is never stored under the name of a result', async ({ rows, code }) => {
    double.intercept = (r) => {
      if (!r.path.includes('/artifacts/')) return undefined
      const lines = Array.from({ length: rows }, (_, i) => `r${i},North,Yes,20`)
      const csv = `id,region,answer,age\n${lines.join('\n')}\n`
      return { status: 200, bytes: Buffer.from(csv) } as never
    }
    expect(await rig.run()).toMatchObject({ exitCode: 7 })
    expect((await rig.manifest()).scenarios.base?.error?.code).toBe(code)
    expect(await rig.list('out/demo')).toEqual(['manifest.json', 'run-record.json', 'runs'])
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })

  it('without a conditioned column is refused', async () => {
    double.intercept = (r) =>
      r.path.includes('/artifacts/')
        ? ({ status: 200, bytes: Buffer.from(`id\n${'x\n'.repeat(100)}`) } as never)
        : undefined
    await rig.run()
    expect((await rig.manifest()).scenarios['more-yes']?.error).toEqual({
      code: 'column_missing',
      detail: 'the artifact has no column "answer"',
    })
  })

  it.each([401, 403, 404, 410])('is fetched once more under a fresh link when its link answers %i', async (status) => {
    const struck = new Set<string>()
    double.intercept = (r) => {
      if (!r.path.includes('/artifacts/') || struck.has(r.path)) return undefined
      struck.add(r.path)
      return { status, json: { title: 'x', status } }
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
  })

  it('whose links never work is a failed download, fetched by the next run without a new purchase', async () => {
    double.intercept = (r) => (r.path.includes('/artifacts/') ? { status: 410, json: {} } : undefined)
    expect(await rig.run()).toMatchObject({ exitCode: 7 })
    double.intercept = () => undefined
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })
})

it('with --out a run writes everything below that folder, and nothing into the project', async () => {
  const out = join(rig.root, 'elsewhere')
  expect(await rig.run({ request: { out } })).toMatchObject({ exitCode: 0 })
  expect(await rig.list('elsewhere')).toEqual([
    '.whatif',
    'base.csv',
    'manifest.json',
    'more-yes.csv',
    'run-record.json',
    'runs',
    'young.csv',
  ])
  expect(await rig.list('elsewhere/.whatif')).toEqual(['embedded'])
  expect(await rig.list('.')).toEqual(['demo.study.yaml', 'elsewhere', 'seeds'])
  const asked = double.log.length
  expect(await rig.run({ request: { out } })).toMatchObject({ exitCode: 0 })
  expect(double.log.length).toBe(asked)
})

it('a run reads and writes outside the project only what people allow', async () => {
  const other = await makeRig(double)
  const away = STUDY.replace('seeds/panel.csv', 'link/seeds/panel.csv')
  await nodeFs.symlink(other.root, join(rig.root, 'link'))
  await rig.write('demo.study.yaml', away)
  expect(await rig.run()).toMatchObject({ exitCode: 3 })
  expect(await rig.run({ options: { allowOutside: true } })).toMatchObject({ exitCode: 0 })
  await other.remove()
})
