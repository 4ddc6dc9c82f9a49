import * as nodeFs from 'node:fs/promises'
import { mkdir, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { reportHtml } from '../../src/report/html/page/page.ts'
import { HTML_MARK } from '../../src/report/html/page/page-mark.ts'
import { type RunChange, STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

const run = (options: RunChange['options'] = {}, env: RunChange['env'] = {}) =>
  rig.run({ env, options: { html: true, ...options } })
const path = 'out/demo/report.html'
const withoutPage = `${STUDY}output: { report: false }\n`

it('a run writes the page of its manifest beside it, with the same rights', async () => {
  const result = await run()
  expect(result).toMatchObject({ exitCode: 0, reportPath: join(rig.root, path) })
  expect(await rig.read(path)).toBe(reportHtml(parseManifest(await rig.read('out/demo/manifest.json'))))
  const rights = async (name: string) => (await stat(join(rig.root, 'out/demo', name))).mode
  expect(await rights('report.html')).toBe(await rights('manifest.json'))
  expect(await rig.list('out/demo')).not.toContain('report.html.tmp')
})

it('a run that has nothing to do writes the page again', async () => {
  await run()
  await rm(join(rig.root, path))
  expect(await run()).toMatchObject({ exitCode: 0, reportPath: join(rig.root, path) })
  expect(double.made('generations')).toBe(3)
})

it('neither --no-html nor `report: false` writes one, and neither changes what is asked for', async () => {
  expect(await run({ html: false })).toMatchObject({ exitCode: 0, reportPath: null })
  expect(await rig.list('out/demo')).not.toContain('report.html')
  const before = (await rig.manifest()).study.digest
  await rig.write('demo.study.yaml', withoutPage)
  expect(await run()).toMatchObject({ exitCode: 0, reportPath: null })
  expect(await rig.list('out/demo')).not.toContain('report.html')
  expect((await rig.manifest()).study.digest).toBe(before)
  expect(double.made('generations')).toBe(3)
})

it.each([
  ['a page of somebody', '<!doctype html>\n<title>Our results</title>\n'],
  ['another text', 'x'],
])('%s at the path of the page stays unchanged, and nothing is sent', async (_name, text) => {
  await rig.write(path, text)
  expect(await run()).toMatchObject({
    exitCode: 2,
    reportPath: null,
    message: expect.stringContaining(`${path} is not the report of a whatif run`),
  })
  expect(await rig.read(path)).toBe(text)
  expect(double.log).toEqual([])
  expect(await run({ html: false })).toMatchObject({ exitCode: 0 })
  expect(await rig.read(path)).toBe(text)
  expect(await run({ overwrite: true })).toMatchObject({ exitCode: 0 })
  expect((await rig.read(path)).startsWith(HTML_MARK)).toBe(true)
})

it('a link or a folder at the path of the page is refused, and an empty file is replaced', async () => {
  await rig.write('elsewhere.html', `${HTML_MARK}`)
  await mkdir(join(rig.root, 'out/demo'), { recursive: true })
  await symlink('../../elsewhere.html', join(rig.root, path))
  expect(await run()).toMatchObject({ exitCode: 2 })
  await rm(join(rig.root, path))
  await mkdir(join(rig.root, path))
  expect(await run()).toMatchObject({ exitCode: 2 })
  expect(double.log).toEqual([])
  await rm(join(rig.root, path), { recursive: true })
  await rig.write(path, '')
  expect(await run()).toMatchObject({ exitCode: 0 })
})

it('a run that is refused leaves the page of the run before', async () => {
  await run()
  const before = await rig.read(path)
  await rig.write('demo.study.yaml', STUDY.replace('rows: 100', 'rows: 200'))
  expect(await run({ budgetRows: 10 })).toMatchObject({ exitCode: 6, reportPath: null })
  expect(await rig.read(path)).toBe(before)
})

it('a page that cannot be written is a fault of its own: manifest and results stand', async () => {
  const full: typeof nodeFs.open = (file, ...rest) =>
    String(file).includes('report.html')
      ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: String(file), syscall: 'open' }))
      : nodeFs.open(file, ...rest)
  const result = await run({}, { fs: { ...nodeFs, open: full } })
  expect(result).toMatchObject({
    exitCode: expect.not.toSatisfy((code: number) => code === 0),
    message: expect.stringContaining('report.html'),
    reportPath: null,
    manifestPath: join(rig.root, 'out/demo/manifest.json'),
  })
  expect((await rig.manifest()).status).toBe('complete')
  expect(await run()).toMatchObject({ exitCode: 0, reportPath: join(rig.root, path) })
  expect(double.made('generations')).toBe(3)
})
