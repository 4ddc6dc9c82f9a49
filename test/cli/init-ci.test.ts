import { mkdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeProject, type Project } from './project-folder.ts'

const STUDY = 'version: 1\nname: brand\ndatasets: { p: { file: p.csv } }\nscenarios: { a: { rows: 10, seed: 1 } }\n'

let project: Project
beforeEach(async () => {
  project = await makeProject({ sharesProcess: true })
  await mkdir(project.path('.git'))
})
afterEach(() => project.remove())

const init = (...args: string[]) => project.whatif(['init', ...args])

describe('whatif init --ci of a project that has studies', () => {
  it('writes the workflow alone, for the study that is there', async () => {
    await project.write('studies/brand.study.yaml', STUDY)
    const before = await project.list('.')
    const { code, stderr } = await init('--ci', 'github')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `.github/workflows/whatif.yml: written
1 study: studies/brand.study.yaml
next: the workflow needs lock files: whatif lock studies/brand.study.yaml
`,
    })
    expect(await project.list('.')).toEqual([...before, '.github'].sort())
    expect(parse(await project.read('.github/workflows/whatif.yml')).env.STUDY).toBe('studies/brand.study.yaml')
  })

  it('writes a workflow for each of several, which keep their states apart', async () => {
    for (const name of ['brand', 'brand-2']) await project.write(`${name}.study.yaml`, STUDY)
    await project.write('other.study.yaml', STUDY)
    await project.write('brand.study.lock.json', '{}')
    const { code, stderr } = await init('--ci', 'github', 'brand.study.yaml', 'brand-2.study.yaml')
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('whatif lock brand-2.study.yaml\n'),
    })
    expect(await project.list('.github/workflows')).toEqual(['whatif-brand-2.yml', 'whatif-brand.yml'])
    const [one, two] = await Promise.all(
      ['brand', 'brand-2'].map(async (name) => parse(await project.read(`.github/workflows/whatif-${name}.yml`))),
    )
    expect([one.name, one.env.STUDY, two.env.STUDY]).toEqual(['whatif brand', 'brand.study.yaml', 'brand-2.study.yaml'])
    const restore = (workflow: typeof one): string =>
      workflow.jobs.run.steps.find(({ name }: { name?: string }) => name === 'Restore results and state').with[
        'restore-keys'
      ]
    expect(restore(two).startsWith(restore(one))).toBe(false)
    expect(one.jobs.run.concurrency.group).not.toBe(two.jobs.run.concurrency.group)
  })

  it('has a job for each study in the one file of GitLab', async () => {
    for (const name of ['one', 'two']) await project.write(`${name}.study.yaml`, STUDY)
    expect(await init('--ci', 'gitlab')).toMatchObject({ code: 0 })
    const jobs = parse(await project.read('.gitlab-ci.yml'))
    expect(Object.keys(jobs)).toEqual([
      'whatif-validate-one',
      'whatif-run-one',
      'whatif-validate-two',
      'whatif-run-two',
    ])
    expect(jobs['whatif-run-two']).toMatchObject({
      needs: ['whatif-validate-two'],
      variables: { STUDY: 'two.study.yaml', OUT: 'whatif-out' },
      cache: { key: 'whatif-run-two' },
      resource_group: 'whatif-run-two',
      before_script: ['npm ci', 'export PATH="$PWD/node_modules/.bin:$PATH"'],
    })
  })

  it('keeps a pipeline of GitLab that is there, and says what to add to it', async () => {
    await project.write('one.study.yaml', STUDY)
    await project.write('.gitlab-ci.yml', 'test: { script: [make] }\n')
    const { code, stderr } = await init('--ci', 'gitlab', 'one.study.yaml')
    expect(code).toBe(0)
    expect(stderr).toContain(`.gitlab-ci.yml: it is there already and stays; add to it:
  include:
    - local: .gitlab/whatif.yml
`)
    expect(await project.read('.gitlab-ci.yml')).toBe('test: { script: [make] }\n')
    const part = parse(await project.read('.gitlab/whatif.yml'))
    expect(Object.keys(part)).toEqual(['whatif-validate-one', 'whatif-run-one'])
    expect([part['whatif-validate-one'].stage, part['whatif-run-one'].stage]).toEqual(['.pre', '.post'])
    const { data } = JSON.parse((await init('--ci', 'gitlab', 'one.study.yaml', '--json')).stdout)
    expect(data ?? null).not.toHaveProperty('written')
  })

  it('replaces nothing, and refuses what is no study of the repository', async () => {
    await project.write('one.study.yaml', STUDY)
    await project.write('.github/workflows/whatif.yml', 'mine\n')
    expect(await init('--ci', 'github')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing was written'),
    })
    expect(await project.read('.github/workflows/whatif.yml')).toBe('mine\n')
    expect(await init('--ci', 'github', 'gone.study.yaml')).toMatchObject({ code: 2 })
    expect(await init('--ci', 'github', 'one.study.yaml', 'data.csv')).toMatchObject({ code: 2 })
    await project.write('compose.yaml', 'version: "3"\nservices: {}\n')
    expect(await init('--ci', 'gitlab', 'compose.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('study compose.yaml: it is no study, because it has neither'),
    })
  })
})

describe('whatif init in a repository', () => {
  it('keeps the line ends of studies and lock files', async () => {
    const { code } = await init('--ci', 'github')
    expect(code).toBe(0)
    expect(await project.list('.')).toContain('first-study.study.yaml')
    expect(await project.read('.gitattributes')).toBe('*.study.yaml text eol=lf\n*.study.lock.json text eol=lf\n')
  })

  it('keeps a .gitattributes that is there, and says which lines it lacks', async () => {
    await project.write('.gitattributes', '*.png -text\n*.study.yaml text eol=lf\n')
    const { stderr } = await init()
    expect(stderr).toContain(`.gitattributes: it is there already and stays; add to it:
  *.study.lock.json text eol=lf
`)
    expect(await project.read('.gitattributes')).toBe('*.png -text\n*.study.yaml text eol=lf\n')
  })

  it('asks for nothing where all files have LF', async () => {
    await project.write('.gitattributes', '* text=auto eol=lf\n')
    expect((await init()).stderr).not.toContain('.gitattributes')
  })
})
