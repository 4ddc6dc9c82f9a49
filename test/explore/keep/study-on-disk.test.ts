import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StudyOnDisk, type StudyPlace } from '../../../src/explore/keep/study-on-disk.ts'
import type { KeptScenarios } from '../../../src/explore/wire/messages.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const KEPT = {
  scenarios: [{ id: 'half', conditions: { categorical: { region: { North: 0.5 } } } }],
  outcomes: [{ column: 'region', of: 'shares' }],
  where: [],
} as const
const OTHER = { ...KEPT, scenarios: [{ id: 'most', conditions: { categorical: { region: { North: 0.9 } } } }] }
const TEXT =
  'version: 1\nname: a\ndatasets: { panel: { file: a.csv } }\ndefaults: { rows: 10, seed: 1 }\nscenarios:\n  today: {}\n'

const folder = tempFolder()
let files = 0
function place(text: string | null): StudyPlace {
  const path = join(folder.path, `s${files++}.study.yaml`)
  if (text !== null) writeFileSync(path, text)
  const fresh = { name: 'a', file: 'a.csv', displayName: null, reading: {} }
  return { path, shown: 'a.study.yaml', dataset: 'panel', text, fresh: text === null ? fresh : null }
}

/** What the draft shows is saved. */
async function saved(study: StudyOnDisk, kept: KeptScenarios) {
  const draft = study.draft(kept)
  return draft.kind === 'refused' ? draft : await study.save({ ...kept, onto: draft.onto })
}

it('adds to the study, once and once more', async () => {
  const at = place(TEXT)
  const study = new StudyOnDisk(at)
  expect(study.draft(KEPT)).toMatchObject({ kind: 'draft', isNew: false, file: 'a.study.yaml' })
  expect(readFileSync(at.path, 'utf8')).toBe(TEXT)
  expect(await saved(study, KEPT)).toEqual({ kind: 'saved', file: 'a.study.yaml', command: 'whatif run a.study.yaml' })
  expect(await saved(study, KEPT)).toMatchObject({ kind: 'refused' })
  expect(await saved(study, OTHER)).toMatchObject({ kind: 'saved' })
  expect(readFileSync(at.path, 'utf8')).toMatch(/^version: 1\n.* {2}half:.* {2}most:/s)
})

it('leaves a file that somebody changed since as it is', async () => {
  const at = place(TEXT)
  const study = new StudyOnDisk(at)
  const changed = `${TEXT}# mine\n`
  writeFileSync(at.path, changed)
  expect(await saved(study, KEPT)).toMatchObject({ kind: 'refused', message: expect.stringContaining('has changed') })
  expect(readFileSync(at.path, 'utf8')).toBe(changed)
})

it('writes a new study, and replaces none', async () => {
  const at = place(null)
  const study = new StudyOnDisk(at)
  expect(study.draft(KEPT)).toMatchObject({ kind: 'draft', isNew: true })
  expect(existsSync(at.path)).toBe(false)
  writeFileSync(at.path, 'mine')
  expect(await saved(study, KEPT)).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('exists already'),
  })
  expect(readFileSync(at.path, 'utf8')).toBe('mine')
  const free = place(null)
  expect(await saved(new StudyOnDisk(free), KEPT)).toMatchObject({ kind: 'saved' })
  expect(readFileSync(free.path, 'utf8')).toContain('  half:\n    shares: { region: { North: 0.5 } }\n')
})

it('writes nothing that a person has not read: another tab saved since', async () => {
  const at = place(TEXT)
  const study = new StudyOnDisk(at)
  const draft = study.draft(OTHER)
  if (draft.kind === 'refused') throw new Error(draft.message)
  await saved(study, KEPT)
  const text = readFileSync(at.path, 'utf8')
  const refused = { kind: 'refused', message: expect.stringContaining('was saved in another tab since') }
  expect(await study.save({ ...OTHER, onto: draft.onto })).toMatchObject(refused)
  expect(readFileSync(at.path, 'utf8')).toBe(text)
  expect(await saved(study, OTHER)).toMatchObject({ kind: 'saved' })
})

it('says why a folder takes no file', async () => {
  const at = { ...place(null), path: join(folder.path, 'nowhere/a.study.yaml') }
  expect(await saved(new StudyOnDisk(at), KEPT)).toMatchObject({
    kind: 'refused',
    message:
      'a.study.yaml cannot be written (ENOENT). Nothing was written. Press Save again when it can, or copy the lines.',
  })
})
