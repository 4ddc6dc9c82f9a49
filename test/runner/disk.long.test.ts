import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { fullFs } from './full-fs.ts'
import { makeRig, type Rig, STUDY } from './run-rig.ts'
import { type ServiceDouble, startServiceDouble } from './service-double.ts'

const STATE_FOLDER = '.whatif/studies/demo/embedded'

let double: ServiceDouble
let rig: Rig

beforeEach(async () => {
  double = await startServiceDouble()
  rig = await makeRig(double)
})

afterEach(async () => {
  await rig.remove()
  await double.close()
})

const posts = (): string[] => double.log.filter((r) => r.method === 'POST' && r.key !== null).map((r) => r.path)

/** The files under final names in an output folder, which must be complete, with valid manifests. */
async function faultsUnder(list: (path: string) => Promise<string[]>, read: (path: string) => Promise<string>) {
  const faults: string[] = []
  const made = new Set([...double.generations.values()].map(({ csv }) => csv.toString('utf8')))
  for (const name of await list('')) {
    if (name.endsWith('.csv') && !made.has(await read(name))) faults.push(`${name} is no artifact of the service`)
    if (name.endsWith('.part') || name.endsWith('.tmp')) faults.push(`${name} was left behind`)
    if (name === 'manifest.json') faults.push(...manifestFaults(JSON.parse(await read(name))))
  }
  for (const name of await list('runs')) faults.push(...manifestFaults(JSON.parse(await read(`runs/${name}`))))
  return faults
}

describe('a disk that is full from the n-th change on', () => {
  const TWO = STUDY.replace(/ {2}young.*\n/, '')
  const options = { concurrency: 1 }

  /** Null where the run was over before the disk was full. */
  async function fillAt(change: number): Promise<{ readonly faults: readonly unknown[] } | null> {
    await rig.remove()
    await double.close()
    double = await startServiceDouble()
    rig = await makeRig(double, TWO)
    const disk = fullFs(change)
    const full = await rig.run({ options, env: { fs: disk.fs } })
    if (disk.changes() < change) return null
    const faults: unknown[] = []
    const sent = double.made('datasets') + double.made('generations')
    const isNamed = full.exitCode === 0 || full.message?.includes('the disk is full; make room (ENOSPC)')
    // A finished run may lack only a snapshot of the journal.
    if (!isNamed || ![0, 1, 2].includes(full.exitCode)) faults.push([full.exitCode, full.message])
    if (full.exitCode === 2 && sent > 0) faults.push(`exit 2 after ${sent} pieces of work`)
    if (sent === 0 && full.exitCode === 1) faults.push('exit 1 before anything was sent')
    if (JSON.stringify(full.manifest).includes(rig.root)) faults.push('the manifest has a path')
    const list = (path: string) => rig.list(join('out/demo', path))
    const read = (path: string) => rig.read(join('out/demo', path))
    faults.push(...(await faultsUnder(list, read)))
    const roomy = await rig.run({ options })
    if (roomy.exitCode !== 0) faults.push(['again', roomy.exitCode, roomy.message])
    faults.push(...(await faultsUnder(list, read)))
    const made = [double.made('datasets'), double.made('generations')]
    if (made.join() !== '1,2') faults.push(`made ${made.join()}`)
    const files = await list('')
    if (files.join() !== 'base.csv,manifest.json,more-yes.csv,run-record.json,runs') faults.push(files)
    return { faults }
  }

  it('ends the run with its reason and no partial file; with room again the same command completes it and buys nothing twice', async () => {
    const found: unknown[] = []
    let change = 1
    for (; ; change++) {
      const round = await fillAt(change)
      if (round === null) break
      if (round.faults.length > 0) found.push({ change, ...round })
    }
    expect(found).toEqual([])
    expect(change).toBeGreaterThan(40)
  })
})

/** A disk of 400 KB of its own; null where it may not be mounted (not root, or in a container without the right to). */
const disk = await (async () => {
  const folder = await mkdtemp(join(tmpdir(), 'whatif-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    await rm(folder, { recursive: true })
    return null
  }
})()

afterAll(async () => {
  if (disk === null) return
  execFileSync('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
})

describe.skipIf(disk === null)('a small disk of its own', () => {
  const out = join(disk ?? '', 'out')
  const filler = join(disk ?? '', 'filler')
  const list = (path: string) => readdir(join(out, path)).catch(() => [] as string[])
  const read = (path: string) => readFile(join(out, path), 'utf8')

  /** Leaves so many bytes free. */
  function fillUp(leaveBytes: number): void {
    const { bavail, bsize } = statfsSync(disk as string)
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)))
  }

  beforeAll(() => mkdir(out))

  afterEach(async () => {
    execFileSync('mount', ['-o', 'remount,rw', disk as string])
    rmSync(filler, { force: true })
    await rm(out, { recursive: true, force: true })
  })

  it('that is full is reported before anything is sent', async () => {
    fillUp(0)
    const result = await rig.run({ request: { out } })
    expect(result).toMatchObject({ exitCode: 2, reason: 'usage', manifestPath: null })
    expect(result.message).toContain('the disk is full; make room (ENOSPC)')
    expect(double.log).toEqual([])
  })

  it('without room for the artifacts ends the run at the first one, and none is bought twice when there is room', async () => {
    // 3,000 rows exceed the free space; the state of two scenarios does not.
    await rig.write('demo.study.yaml', STUDY.replace('rows: 100', 'rows: 8000'))
    fillUp(64 * 1024)
    const options = { concurrency: 1 }
    const result = await rig.run({ request: { out }, options })
    expect(result).toMatchObject({ exitCode: 1, error: null })
    expect(result.message).toContain('the disk is full; make room (ENOSPC)')
    expect(double.made('generations')).toBe(1)
    expect(await faultsUnder(list, read)).toEqual([])
    expect(result.manifest.scenarios.base).toMatchObject({ status: 'interrupted', error: { code: 'disk' } })
    rmSync(filler)
    execFileSync('mount', ['-o', 'remount,size=4m', disk as string])
    expect(await rig.run({ request: { out }, options })).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    expect(await faultsUnder(list, read)).toEqual([])
  })

  it('that is read-only is reported before anything is sent', async () => {
    execFileSync('mount', ['-o', 'remount,ro', disk as string])
    const result = await rig.run({ request: { out } })
    expect(result.message).toContain('the disk is read-only here')
    expect(result).toMatchObject({ exitCode: 2, reason: 'usage', manifestPath: null })
    expect(double.log).toEqual([])
  })
})

describe('something in the way', () => {
  it('of --out, if it is a file, is reported by its name', async () => {
    const result = await rig.run({ request: { out: join(rig.root, 'seeds/panel.csv') } })
    expect(result).toMatchObject({ exitCode: 2, message: expect.stringMatching(/^panel\.csv: .*move it away/) })
    expect(double.log).toEqual([])
  })

  it.each(['.', 'link to it'])('of --out, where the embedded service keeps its data (%s), is reported', async (how) => {
    await symlink(rig.root, join(rig.root, 'link to it'))
    const out = join(rig.root, how)
    const result = await rig.run({ request: { out } })
    expect(result).toMatchObject({ exitCode: 2, message: expect.stringContaining('name a subfolder') })
    expect(double.log).toEqual([])
    expect(await rig.list('.whatif')).toEqual([])
    const planned = planFromDisk(await rig.request({ request: { out } }), rig.environment())
    await expect(planned).rejects.toMatchObject({ reason: 'usage', code: 'place_taken' })
    // The results of another service may stand there.
    const service = { label: '0123abcd', kind: 'remote' } as const
    expect(await rig.run({ request: { out, service } })).toMatchObject({ exitCode: 0 })
  })

  it.each([
    { at: 'out/demo', is: 'file' },
    { at: 'out/demo/manifest.json', is: 'folder' },
    { at: 'out/demo/runs', is: 'file' },
    { at: 'out/demo/base.csv', is: 'folder' },
    { at: 'out/demo/base.csv.part', is: 'folder' },
    { at: 'out/demo/base.csv', is: 'pipe' },
    { at: 'out/demo/base.csv', is: 'link' },
    { at: '.whatif', is: 'file' },
    { at: STATE_FOLDER, is: 'file' },
    ...['lock', 'journal.ndjson', 'state.json'].flatMap((name) =>
      (['folder', 'pipe', 'link', 'loop'] as const).map((is) => ({ at: `${STATE_FOLDER}/${name}`, is })),
    ),
    { at: 'out/demo', is: 'loop' },
    { at: 'out/demo', is: 'dangling link' },
    { at: '.whatif', is: 'loop' },
    { at: STATE_FOLDER, is: 'dangling link' },
    { at: 'seeds/panel.csv', is: 'pipe' },
    { at: 'seeds/panel.csv', is: 'folder' },
    { at: 'seeds/panel.csv', is: 'loop' },
    { at: 'seeds/panel.csv', is: 'dangling link' },
    { at: 'demo.study.lock.json', is: 'pipe' },
    { at: 'demo.study.lock.json', is: 'loop' },
  ])('at $at (a $is) is reported before anything is sent, and is not removed', async ({ at, is }) => {
    const path = join(rig.root, at)
    await rm(path, { recursive: true, force: true })
    await mkdir(dirname(path), { recursive: true })
    await writeFile(join(rig.root, 'other.txt'), 'mine\n')
    if (is === 'file') await writeFile(path, 'mine\n')
    else if (is === 'folder') await mkdir(join(path, 'mine'), { recursive: true })
    else if (is === 'pipe') execFileSync('mkfifo', [path])
    else if (is === 'link') await symlink(join(rig.root, 'other.txt'), path)
    else await symlink(is === 'loop' ? path : join(rig.root, 'nowhere'), path)
    const before = execFileSync('ls', ['-ld', '--time-style=full-iso', path], { encoding: 'utf8' })
    const result = await rig.run()
    // A plan is made from the same places, and does not wait for a pipe either.
    if (at.startsWith(STATE_FOLDER) && is !== 'dangling link')
      await expect(planFromDisk(await rig.request(), rig.environment())).rejects.toThrow()
    expect(posts()).toEqual([])
    expect([2, 3, 4]).toContain(result.exitCode)
    expect(result.message).toMatch(/out\/demo|runs|\.whatif|seeds\/panel\.csv|demo\.study\.lock\.json/)
    expect(execFileSync('ls', ['-ld', '--time-style=full-iso', path], { encoding: 'utf8' })).toBe(before)
    expect(await rig.read('other.txt')).toBe('mine\n')
  })

  it('at the name of a temporary file is replaced, because these names belong to the run', async () => {
    await rig.write('out/demo/more-yes.csv.part', 'half of something')
    await mkdir(join(rig.root, 'out/demo/runs'))
    await rig.write('other.txt', 'mine\n')
    await symlink(join(rig.root, 'other.txt'), join(rig.root, 'out/demo/base.csv.part'))
    await link(join(rig.root, 'other.txt'), join(rig.root, 'out/demo/manifest.json.tmp'))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(await rig.read('other.txt')).toBe('mine\n')
    expect(await rig.list('out/demo')).toEqual([
      'base.csv',
      'manifest.json',
      'more-yes.csv',
      'run-record.json',
      'runs',
      'young.csv',
    ])
  })
})

describe('a seed file', () => {
  it('is never replaced by a result, which is reported before anything is sent', async () => {
    const seed = await rig.read('seeds/panel.csv')
    await rig.write('demo.study.yaml', `${STUDY.replace('base: {}', 'panel: {}')}output: { dir: seeds }\n`)
    for (const overwrite of [false, true]) {
      const result = await rig.run({ options: { overwrite } })
      expect(result).toMatchObject({ exitCode: 2, message: expect.stringContaining('panel.csv is a seed file') })
    }
    expect(posts()).toEqual([])
    expect(await rig.read('seeds/panel.csv')).toBe(seed)
  })

  it.each([
    { is: 'reached through a linked folder', file: 'linked/panel.csv' },
    { is: 'spelled with detours', file: './seeds/../seeds//panel.csv' },
    { is: 'a link that the study names', file: 'seeds/panel.csv', target: 'real/data.csv' },
    { is: 'the target of a link that the study names', file: 'named.csv', link: 'named.csv' },
  ])('is recognized where it is $is', async ({ file, target, link: name }) => {
    const seed = await rig.read('seeds/panel.csv')
    await symlink('seeds', join(rig.root, 'linked'))
    if (target !== undefined) {
      await rig.write(target, seed)
      await rm(join(rig.root, 'seeds/panel.csv'))
      await symlink(`../${target}`, join(rig.root, 'seeds/panel.csv'))
    }
    if (name !== undefined) await symlink('seeds/panel.csv', join(rig.root, name))
    const study = STUDY.replace('base: {}', 'panel: {}').replace('file: seeds/panel.csv', `file: ${file}`)
    await rig.write('demo.study.yaml', `${study}output: { dir: seeds }\n`)
    const result = await rig.run({ options: { overwrite: true } })
    expect(result).toMatchObject({ exitCode: 2, message: expect.stringContaining('panel.csv is a seed file') })
    expect(posts()).toEqual([])
    expect(await rig.read('seeds/panel.csv')).toBe(seed)
  })

  it('is not replaced where it lies at the path of a result that is fetched again', async () => {
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    const seed = await rig.read('seeds/panel.csv')
    await rig.write('out/demo/base.csv', seed)
    await rig.write('demo.study.yaml', STUDY.replace('seeds/panel.csv', 'out/demo/base.csv'))
    const result = await rig.run({ options: { overwrite: true } })
    expect(result).toMatchObject({ exitCode: 7, manifest: { scenarios: { base: { error: { code: 'file_exists' } } } } })
    expect(await rig.read('out/demo/base.csv')).toBe(seed)
  })

  it.each(['copy', 'hard link'])(
    'is not confused with its %s in another folder, which is any file in the way',
    async (is) => {
      await mkdir(join(rig.root, 'out/demo'), { recursive: true })
      const [seed, result] = [join(rig.root, 'seeds/panel.csv'), join(rig.root, 'out/demo/base.csv')]
      await (is === 'copy' ? copyFile(seed, result) : link(seed, result))
      const refused = await rig.run()
      expect(refused).toMatchObject({
        exitCode: 7,
        manifest: {
          scenarios: { base: { error: { code: 'file_exists', detail: expect.stringContaining('--overwrite') } } },
        },
      })
      const before = await rig.read('seeds/panel.csv')
      expect(await rig.run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
      expect(await rig.read('seeds/panel.csv')).toBe(before)
      expect(await rig.read('out/demo/base.csv')).not.toBe(before)
    },
  )

  it.each(['/dev/zero', '/dev/null'])('that is %s is refused at once', async (device) => {
    await rm(join(rig.root, 'seeds/panel.csv'))
    await symlink(device, join(rig.root, 'seeds/panel.csv'))
    expect(await rig.run({ options: { allowOutside: true } })).toMatchObject({ exitCode: 2 })
    expect(await rig.run()).toMatchObject({ exitCode: 3 })
    expect(double.log).toEqual([])
  })

  it('that changes after it was hashed is detected', async () => {
    const result = await rig.run({
      env: {
        onEvent: (event) => {
          if (event.type === 'dataset.hashed') {
            appendFileSync(join(rig.root, 'seeds/panel.csv'), 'r40,North,Yes,20\n')
          }
        },
      },
    })
    expect(result.exitCode).toBe(7)
    expect(double.made('datasets')).toBe(0)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
  })
})
