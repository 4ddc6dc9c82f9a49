import * as nodeFs from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseRunRecord } from '../../src/answers/verification/parse-run-record.ts'
import { sha256Hex } from '../../src/base/sha256.ts'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const path = 'out/demo/run-record.json'
const record = async () => parseRunRecord(await rig.read(path))

it('a run records what it used and what it made, with the rights of the manifest', async () => {
  const { digest } = await rig.run({ request: { studyText: STUDY } })
  const { used, generated, run, folder, environment } = await record()
  const manifest = await rig.read('out/demo/manifest.json')
  expect({ folder, run: run.id }).toEqual({ folder: 'out/demo', run: (await rig.manifest()).run.id })
  expect(generated.manifest).toEqual({
    path: 'manifest.json',
    bytes: Buffer.byteLength(manifest),
    sha256: sha256Hex(manifest),
    digest,
  })
  expect(used.study).toEqual({ path: 'demo.study.yaml', bytes: STUDY.length, sha256: sha256Hex(STUDY) })
  expect(used.lock).toBeNull()
  const seed = await rig.read('seeds/panel.csv')
  const seedDigest = { bytes: Buffer.byteLength(seed), sha256: sha256Hex(seed) }
  expect(used.datasets.panel).toMatchObject({ source: 'seeds/panel.csv', file: seedDigest, sent: seedDigest })
  const rows = await rig.read('out/demo/base.csv')
  expect(generated.scenarios.base?.result).toEqual({
    path: 'base.csv',
    bytes: Buffer.byteLength(rows),
    sha256: sha256Hex(rows),
  })
  expect(environment.platform).toBe(`${process.platform} ${process.arch}`)
  expect(await rig.read(path)).not.toContain(rig.root)
  const rights = async (name: string) => (await stat(join(rig.root, 'out/demo', name))).mode
  expect(await rights('run-record.json')).toBe(await rights('manifest.json'))
})

it('--out outside the project leaves no path of it in the record', async () => {
  const out = join(rig.root, '..', `${rig.root.split('/').at(-1)}-elsewhere`)
  try {
    await rig.run({ request: { out } })
    const text = await nodeFs.readFile(join(out, 'run-record.json'), 'utf8')
    expect((await parseRunRecord(text)).folder).toBeNull()
    expect(text).not.toContain('..')
    expect(text).not.toContain(rig.root)
  } finally {
    await nodeFs.rm(out, { recursive: true, force: true })
  }
})

it('a record that is replaced takes its signature with it; a run that is refused leaves both', async () => {
  await rig.run()
  await rig.write(`${path}.sig`, 'signature')
  const before = await rig.read(path)
  await rig.write('demo.study.yaml', STUDY.replace('rows: 100', 'rows: 200'))
  expect(await rig.run({ options: { budgetRows: 10 } })).toMatchObject({ exitCode: 6 })
  expect(await rig.read(path)).toBe(before)
  expect(await rig.list('out/demo')).toContain('run-record.json.sig')
  await rig.run()
  expect(await rig.read(path)).not.toBe(before)
  expect(await rig.list('out/demo')).not.toContain('run-record.json.sig')
})

it('a file of somebody else at its path stays, and nothing is sent', async () => {
  await rig.write(path, '{"laps": 4}')
  expect(await rig.run()).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${path} is not the record of a whatif run`),
  })
  expect(await rig.read(path)).toBe('{"laps": 4}')
  expect(double.log).toEqual([])
  expect(await rig.run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
})

it('a record that cannot be written is a fault of its own: manifest and results stand', async () => {
  const full: typeof nodeFs.open = (file, ...rest) =>
    String(file).includes('run-record.json')
      ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: String(file), syscall: 'open' }))
      : nodeFs.open(file, ...rest)
  expect(await rig.run({ env: { fs: { ...nodeFs, open: full } } })).toMatchObject({
    exitCode: expect.not.toSatisfy((code: number) => code === 0),
    message: expect.stringContaining('run-record.json'),
    manifestPath: join(rig.root, 'out/demo/manifest.json'),
  })
  expect((await rig.manifest()).status).toBe('complete')
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(double.made('generations')).toBe(3)
})
