import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig(`${STUDY}output: { dir: web }\n`)

it.each([
  ['of a browser extension', '{\n  "manifest_version": 3,\n  "name": "demo",\n  "version": "1"\n}\n'],
  ['of a web application', '{"name": "Demo", "icons": []}'],
  ['that is no JSON', 'rows: 3\n'],
  ['that is empty', ''],
  ['of nothing', 'null'],
])('a manifest.json %s stays unchanged, and nothing is sent', async (_name, text) => {
  await rig.write('web/manifest.json', text)
  const result = await rig.run()
  expect(result).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('web/manifest.json is not the manifest of'),
  })
  expect(await rig.read('web/manifest.json')).toBe(text)
  expect(double.log).toEqual([])
  expect(await rig.run({ options: { overwrite: true } })).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(await rig.read('web/manifest.json'))).toMatchObject({ manifest_version: 1, status: 'complete' })
})

it('a link at its path is never treated as a manifest of ours', async () => {
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  await rig.write('elsewhere/manifest.json', await rig.read('web/manifest.json'))
  await rm(join(rig.root, 'web/manifest.json'))
  await symlink('../elsewhere/manifest.json', join(rig.root, 'web/manifest.json'))
  expect(await rig.run()).toMatchObject({ exitCode: 2 })
})

it('a damaged manifest of ours is replaced, and the run says so', async () => {
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  const whole = await rig.read('web/manifest.json')
  for (const torn of ['', '\0'.repeat(100), whole.slice(0, 9), whole.slice(0, 500), whole.slice(0, -3)]) {
    await rig.write('web/manifest.json', torn)
    rig.events.length = 0
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(rig.events).toContainEqual({ type: 'manifest.damaged', path: 'web/manifest.json' })
    expect(JSON.parse(await rig.read('web/manifest.json'))).toMatchObject({ manifest_version: 1 })
  }
})

it.each([
  ['begins in another way', '{ "name": "demo", '],
  ['is JSON', '{"name": "Demo", "icons": []}'],
  ['is text', 'rows: 3\n'],
])('a foreign manifest.json that %s is refused among results of ours as well', async (_, text) => {
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  await rig.write('web/manifest.json', text)
  expect(await rig.run()).toMatchObject({ exitCode: 2 })
  expect(await rig.read('web/manifest.json')).toBe(text)
})

it('files of results without the state that knows them are named before anything is requested', async () => {
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  rig.events.length = 0
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  expect(rig.events.filter(({ type }) => type === 'results.unknown')).toEqual([])
  await rm(join(rig.root, '.whatif'), { recursive: true })
  rig.events.length = 0
  await rig.run()
  const types = rig.events.map(({ type }) => type)
  expect(rig.events).toContainEqual({ type: 'results.unknown', path: 'web', scenarios: expect.any(Number) })
  expect(types.indexOf('results.unknown')).toBeLessThan(types.indexOf('scenario.submitted'))
})

it('our own manifest is replaced, even that of another version, of another study or of a killed run', async () => {
  expect(await rig.run()).toMatchObject({ exitCode: 0 })
  const ours = JSON.parse(await rig.read('web/manifest.json'))
  for (const change of [
    { manifest_version: 2 },
    { study: { ...ours.study, name: 'old-name' } },
    { status: 'running' },
  ]) {
    await rig.write('web/manifest.json', JSON.stringify({ ...ours, ...change }))
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
  }
})
