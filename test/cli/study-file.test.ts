import { mkdir, rm, symlink } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { init } from '../../src/cli/commands/init.ts'
import { readStudyFile, readStudyFiles } from '../../src/local/study-file.ts'
import { makeProject, type Project } from './project-folder.ts'

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('out/manifest.json', '{\n  "manifest_version": 1\n}\n')
  await project.write('a.study.lock.json', '{\n  "lock_version": 1\n}\n')
  await project.write('plan.json', '{"plan_version":1}')
  await project.write('panel.CSV', 'a\n1\n')
  await project.write('study.json', '{ "version": 1, "name": "a", "x-plan_version": 1, "scenarios": 1 }')
})
afterAll(() => project.remove())

describe('a study file', () => {
  it.each([
    ['out/manifest.json', 'it is the manifest of a run', /^whatif report .*manifest\.json shows it\.$/],
    ['a.study.lock.json', 'it is a lock file', /^Name the study that it belongs to\.$/],
    ['plan.json', 'it is a saved plan', /^whatif run STUDY --plan .*plan\.json carries it out\.$/],
    ['panel.CSV', 'it is a seed file', /^whatif init .*panel\.CSV writes a study for it\.$/],
  ])('is not %s, and the message names what it is', async (file, what, hint) => {
    const path = project.path(file)
    await expect(readStudyFile(path)).rejects.toMatchObject({
      exitCode: 2,
      message: `study file ${path}: ${what}`,
      hint: expect.stringMatching(hint),
    })
  })

  it.each([
    ['studies/brnad.study.yaml', 'there is no such file', 'Did you mean studies/brand.study.yaml?'],
    [
      'studies/nothing.yml',
      'there is no such file',
      'Studies there: studies/brand.study.yaml, studies/other.study.yml.',
    ],
    ['studies', 'it is a folder', 'Studies there: studies/brand.study.yaml, studies/other.study.yml.'],
    ['out', 'it is a folder', null],
    ['none/brand.study.yaml', 'there is no such file', null],
  ])('that is not there or a folder is told with the studies beside it: %s', async (file, what, hint) => {
    for (const name of ['brand.study.yaml', 'other.study.yml']) await project.write(`studies/${name}`, 'version: 1\n')
    const { code, stderr } = await project.whatif(['plan', file])
    expect([code, stderr]).toEqual([2, `error: study file ${file}: ${what}\n${hint === null ? '' : `${hint}\n`}`])
    await rm(project.path('studies'), { recursive: true })
  })

  it('may be written as JSON', async () => {
    const { diagnostics } = await readStudyFile(project.path('study.json'))
    expect(diagnostics.map(({ code }) => code)).toEqual(['S1103', 'S1104'])
  })

  it('is identified by its place in the project, through any links to its folder', async () => {
    const aside = `${project.root}-link`
    await mkdir(project.path('studies'))
    await project.write('studies/brand.study.yaml', 'version: 1\n')
    await symlink(project.root, aside)
    try {
      const path = project.path('studies/brand.study.yaml')
      const file = await readStudyFile(`${aside}/studies/brand.study.yaml`)
      expect(file).toMatchObject({ path, projectRoot: project.root, name: 'studies/brand.study.yaml' })
    } finally {
      await rm(aside)
    }
  })

  it('has its tolerances compared with chance only for a service that may sample rows', async () => {
    const scenario = '{ rows: 200, seed: 1, shares: { a: { b: 0.5 } }, expect: { shares: { tolerance: 0.05 } } }'
    await project.write(
      'brand.study.yaml',
      `version: 1\nname: b\ndatasets: { p: { file: p.csv } }\nscenarios: { x: ${scenario} }\n`,
    )
    const validate = (...more: string[]) => project.whatif(['validate', '--offline', ...more, 'brand.study.yaml'])
    expect((await validate()).stderr).not.toContain('W5102')
    expect((await validate('--service', 'https://service.example.org')).stderr).toContain(
      'warning W5102 tolerance 0.05 is below chance',
    )
  })

  it('is not a seed file, and is not uploaded as one', async () => {
    await expect(init('brand.study.yaml', { deadline: 1000 }, {})).rejects.toMatchObject({
      exitCode: 2,
      message: 'seed file brand.study.yaml: it is a study file',
    })
  })
})

describe('several study files', () => {
  it('that cannot be read are reported together', async () => {
    const names = ['none.study.yaml', 'seeds.csv', 'brand.study.yaml', '.']
    await project.write('seeds.csv', 'a\n1\n')
    await expect(readStudyFiles(names.map((name) => project.path(name)))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /none\.study\.yaml: there is no such file; .*seeds\.csv: it is a seed file; .*: it is a folder$/,
      ),
      hint: expect.stringMatching(
        /^Studies there: .*brand\.study\.yaml\.\nwhatif init .*seeds\.csv writes a study for it\.$/,
      ),
    })
  })

  it('are read once each, however often they are named', async () => {
    const path = project.path('once.study.yaml')
    await project.write('once.study.yaml', 'version: 1\n')
    const files = await readStudyFiles([path, path.replace('once', './once'), path])
    expect(files.map((file) => file.path)).toEqual([path])
  })
})
