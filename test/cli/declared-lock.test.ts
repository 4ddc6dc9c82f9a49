import { afterAll, beforeAll, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/sha256.ts'
import type { Declarations } from '../../src/study/declarations.ts'
import { declarationsDigest } from '../../src/study/hashing/declarations-value.ts'
import { datasetFingerprint } from '../../src/study/hashing/fingerprint.ts'
import { renderLock } from '../../src/study/lock/render-lock.ts'
import { makeProject, type Project } from './project-folder.ts'

const SEED = `id,region\n${Array.from({ length: 40 }, (_, i) => `r${i},${['North', 'South'][i % 2]}`).join('\n')}\n`
const study = (fields: string) => `version: 1
name: a
datasets: { panel: { file: p.csv${fields} } }
scenarios: { a: { rows: 10, seed: 1, shares: { region: { North: 1 } } } }
`
const LOCKED: Declarations = { drop: ['id'] }

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('p.csv', SEED)
  const sha256 = sha256Hex(SEED)
  const declarations = declarationsDigest(LOCKED)!
  const fingerprint = datasetFingerprint({ fileSha256: sha256, autoClean: true, declarations: LOCKED })
  const seed = { autoClean: true, bytes: SEED.length, declarations, fingerprint, sha256 }
  const columns = new Map([['region', { kind: 'categorical' as const, levels: ['North', 'South'] }]])
  const panel = { seed, columns, dropped: [], schemaSha256: '5'.repeat(64) }
  await project.write('a.study.lock.json', renderLock({ levelSalt: null, datasets: new Map([['panel', panel]]) }))
})
afterAll(() => project.remove())

const found = async (fields: string, ...flags: string[]) => {
  await project.write('a.study.yaml', study(fields))
  const { stdout } = await project.whatif(['validate', '--offline', '--json', ...flags, 'a.study.yaml'])
  return JSON.parse(stdout).diagnostics as { code: string; summary: string; detail: string }[]
}

it.each([
  ['other declarations', ', drop: [id], header_rows: 1'],
  ['no declarations', ''],
])('a study with %s is reported when its lock has declarations', async (_, fields) => {
  expect((await found(fields)).filter(({ code }) => code === 'W2304')).toMatchObject([
    { summary: 'the declarations of dataset "panel" changed since a.study.lock.json' },
  ])
})

it('--locked refuses it, and names the change', async () => {
  const [refusal] = (await found(', drop: [id], header_rows: 1', '--locked')).filter(({ code }) => code === 'S2303')
  expect(refusal?.detail).toContain('panel.declarations: the declarations of dataset panel changed')
})

it('the same declarations in another sequence of keys are no change', async () => {
  const all = await found(', "drop": [ "id" ]')
  expect(all.map(({ summary }) => summary).join('\n')).not.toContain('declarations')
})
