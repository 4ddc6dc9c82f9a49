import { createHash } from 'node:crypto'
import * as nodeFs from 'node:fs/promises'
import { readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { measure } from '../../src/answers/counts/measure.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { type RunChange, SEED_CSV, STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

const ORIGINAL = `${STUDY}output: { names: original }\n`
const PATH = 'out/demo/base.csv'

useRig(ORIGINAL)

/** A service that renames two columns of the file: `region` was "Region (ISO)", `answer` was "Q1". */
function renaming(): void {
  const renamed_columns = [
    { from: 'Region (ISO)', to: 'region' },
    { from: 'Q1', to: 'answer' },
  ]
  double.revise = (json) => {
    const { cleaning_summary } = json as { cleaning_summary?: object }
    return cleaning_summary === undefined
      ? json
      : { ...json, cleaning_summary: { ...cleaning_summary, renamed_columns } }
  }
}

const run = (change: RunChange = {}) => rig.run(change)
const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(join(rig.root, path)))
    .digest('hex')
const bytes = async (path: string) => (await readFile(join(rig.root, path))).length
const asked = () => double.log.length

describe('results with the names of the seed file', () => {
  it('are made of the artifacts, which stay beside them; the figures keep the cleaned names', async () => {
    renaming()
    expect(await run()).toMatchObject({ exitCode: 0, message: null })
    const [head, ...rows] = (await rig.read(PATH)).split('\n')
    const [cleanedHead, ...received] = (await rig.read('out/demo/received/base.csv')).split('\n')
    expect([head, cleanedHead]).toEqual(['id,Region (ISO),Q1,age', 'id,region,answer,age'])
    expect(rows).toEqual(received)
    const { scenarios } = await rig.manifest()
    expect(scenarios.base?.artifact).toEqual({
      path: 'base.csv',
      format: 'csv',
      names: 'original',
      bytes: await bytes(PATH),
      sha256: await sha256(PATH),
      received: {
        path: 'received/base.csv',
        format: 'csv',
        bytes: await bytes('out/demo/received/base.csv'),
        sha256: await sha256('out/demo/received/base.csv'),
      },
    })
    expect(Object.keys(scenarios['more-yes']?.shares ?? {})).toEqual(['answer'])
    expect(await rig.list('out/demo')).toEqual([
      'base.csv',
      'manifest.json',
      'more-yes.csv',
      'received',
      'run-record.json',
      'runs',
      'young.csv',
    ])
  })

  it('are up to date in the next run', async () => {
    renaming()
    const first = await run()
    const before = asked()
    const { ino } = await stat(join(rig.root, PATH))
    const second = await run()
    expect(second).toMatchObject({ exitCode: 0, digest: first.digest })
    expect(asked()).toBe(before)
    expect((await stat(join(rig.root, PATH))).ino).toBe(ino)
  })

  it('are made again without the service when they are gone', async () => {
    renaming()
    const first = await run()
    const [before, hash] = [asked(), await sha256(PATH)]
    await rm(join(rig.root, PATH))
    expect(await run()).toMatchObject({ exitCode: 0, digest: first.digest })
    expect(asked()).toBe(before)
    expect(await sha256(PATH)).toBe(hash)
  })

  it('stay unchanged when somebody edited them, unless --overwrite replaces them', async () => {
    renaming()
    await run()
    const hash = await sha256(PATH)
    await writeFile(join(rig.root, PATH), 'mine\n')
    expect(await run()).toMatchObject({ exitCode: 7 })
    expect((await rig.manifest()).scenarios.base).toMatchObject({ status: 'failed', error: { code: 'file_exists' } })
    expect(await rig.read(PATH)).toBe('mine\n')
    expect(await run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
    expect(await sha256(PATH)).toBe(hash)
  })

  it('stay unchanged in scenarios that are not selected', async () => {
    renaming()
    await run()
    await writeFile(join(rig.root, PATH), 'mine\n')
    expect(await run({ options: { selection: { select: ['young'], exclude: [] } } })).toMatchObject({ exitCode: 0 })
    expect(await rig.read(PATH)).toBe('mine\n')
    expect((await rig.manifest()).scenarios.base).toMatchObject({ status: 'ready', artifact: null })
  })

  it('are made again from an artifact that was fetched again', async () => {
    renaming()
    const first = await run()
    await rm(join(rig.root, 'out/demo/received/base.csv'))
    expect(await run()).toMatchObject({ exitCode: 0, digest: first.digest })
    expect(double.made('generations')).toBe(3)
    expect(await rig.list('out/demo/received')).toEqual(['base.csv', 'more-yes.csv', 'young.csv'])
  })

  it('replace artifacts with cleaned names, and the reverse, without a request', async () => {
    renaming()
    await rig.write('demo.study.yaml', STUDY)
    await run()
    const [before, cleaned] = [asked(), await sha256(PATH)]
    await rig.write('demo.study.yaml', ORIGINAL)
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect((await rig.read(PATH)).split('\n')[0]).toBe('id,Region (ISO),Q1,age')
    await rig.write('demo.study.yaml', STUDY)
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(await sha256(PATH)).toBe(cleaned)
    expect((await rig.manifest()).scenarios.base?.artifact).toEqual({
      path: 'base.csv',
      format: 'csv',
      bytes: await bytes(PATH),
      sha256: cleaned,
    })
    expect(asked()).toBe(before)
  })

  it('follow a scenario to its new name', async () => {
    renaming()
    await run()
    const before = asked()
    await rig.write('demo.study.yaml', ORIGINAL.replace('  base: {}', '  as-is: {}'))
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(asked()).toBe(before)
    expect(await rig.list('out/demo')).toEqual([
      'as-is.csv',
      'manifest.json',
      'more-yes.csv',
      'received',
      'run-record.json',
      'runs',
      'young.csv',
    ])
  })

  it('need the same requests as those with cleaned names', async () => {
    renaming()
    await run()
    const keys = double.log.filter(({ method }) => method === 'POST').map(({ key }) => key)
    await rm(join(rig.root, '.whatif'), { recursive: true })
    await rig.write('demo.study.yaml', STUDY)
    await run({ options: { overwrite: true } })
    const later = double.log.filter(({ method }) => method === 'POST').map(({ key }) => key)
    expect(new Set(later)).toEqual(new Set(keys))
    expect(double.made('generations')).toBe(3)
  })
})

describe('columns that keep their cleaned names', () => {
  it('are named by a note, where the service does not say how the file names them', async () => {
    const { diagnostics } = await run()
    const notes = diagnostics.filter(({ code }) => code === 'N2111')
    expect(notes.map(({ summary, detail, range }) => [summary, detail, range?.start.line])).toEqual([
      [
        'the columns of dataset "panel" keep their cleaned names',
        'the service does not say how the file names its columns',
        10,
      ],
    ])
    expect((await rig.read(PATH)).split('\n')[0]).toBe('id,region,answer,age')
    expect((await rig.manifest()).diagnostics.map(({ code }) => code)).toEqual(['N2111'])
  })
})

describe('a result that cannot be made', () => {
  it('fails its scenario, which the next run completes without another purchase', async () => {
    renaming()
    /** The artifact is torn once it is in its place. */
    const rename: typeof nodeFs.rename = async (from, to) => {
      await nodeFs.rename(from, to)
      if (String(to).endsWith('received/base.csv')) await truncate(to, 0)
    }
    expect(await run({ env: { fs: { ...nodeFs, rename } } })).toMatchObject({ exitCode: 7 })
    const { scenarios } = await rig.manifest()
    expect(scenarios.base).toMatchObject({
      status: 'failed',
      artifact: null,
      error: {
        code: 'export_failed',
        detail: 'out/demo/base.csv cannot be made: The CSV file has no header in its first MiB.',
      },
    })
    expect(scenarios.young).toMatchObject({ status: 'ready' })
    // A file that is not what was fetched stays until somebody removes it.
    expect(await run()).toMatchObject({ exitCode: 7 })
    await rm(join(rig.root, 'out/demo/received/base.csv'))
    expect(await run()).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
    expect(await rig.list('out/demo/received')).toEqual(['base.csv', 'more-yes.csv', 'young.csv'])
  })

  it('is refused before anything is bought when another file is at its path', async () => {
    renaming()
    await rig.write('out/demo/base.csv/keep.txt', 'mine')
    expect(await run()).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('out/demo/base.csv is a folder'),
    })
    expect(double.made('generations')).toBe(0)
  })

  it('is not written through a link that leads out of the project', async () => {
    await rig.write('elsewhere/keep.txt', 'mine')
    await rig.write('out/demo/keep.txt', 'mine')
    await symlink('../../../', join(rig.root, 'out/demo/received'))
    expect(await run()).toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('the "received" folder of the output is outside the project'),
    })
    expect(double.log).toEqual([])
  })
})

describe('results with cells that begin like a formula', () => {
  const counting = { env: { measure } }
  const artifact = async () => (await rig.manifest()).scenarios.base?.artifact
  beforeEach(async () => {
    await rig.write('seeds/panel.csv', SEED_CSV.replaceAll('West', '=West+1').replaceAll('South', '-5 to 5'))
    await rig.write('demo.study.yaml', STUDY)
  })

  it('stay as they are, and the manifest counts them', async () => {
    expect(await run(counting)).toMatchObject({ exitCode: 0 })
    expect((await rig.read(PATH)).split(',')).toContain('=West+1')
    expect((await artifact())?.notes).toEqual(['column "region": 50 cells that begin like a formula (=, +, - or @)'])
  })

  it('have an apostrophe where the study asks for it, without another request', async () => {
    await run(counting)
    const before = double.made('generations')
    await rig.write('demo.study.yaml', `${STUDY}output: { formulas: escape }\n`)
    expect(await run(counting)).toMatchObject({ exitCode: 0, message: null })
    expect(double.made('generations')).toBe(before)
    const cells = (await rig.read(PATH)).split(/[,\n]/)
    expect(cells.filter((cell) => cell === "'=West+1" || cell === "'-5 to 5")).toHaveLength(50)
    expect(cells).not.toContain('=West+1')
    expect((await artifact())?.notes).toEqual([
      'column "region": an apostrophe is in front of 50 cells that begin like a formula (=, +, - or @)',
    ])
    expect(await artifact()).toMatchObject({ format: 'csv', received: { path: 'received/base.csv' } })
    expect(manifestFaults(await rig.manifest())).toEqual([])
  })
})
