import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import iconv from 'iconv-lite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeProject, type Project, startWhatif } from './project-folder.ts'

const SCHEMAS = resolve(import.meta.dirname, '../../schemas')
const PANEL = `id,answer,region\n${Array.from(
  { length: 300 },
  (_, i) => `${i},${['Yes', 'No'][i % 2]},${['North', 'South', 'East'][i % 3]}`,
).join('\n')}\n`

let project: Project
beforeEach(async () => {
  project = await makeProject({ sharesProcess: true })
})
afterEach(() => project.remove())

/** `whatif init` in a folder of the project, and the schema that the study's first line names, from the study's folder. */
async function initIn(folder: string, env: NodeJS.ProcessEnv = {}) {
  await mkdir(project.path(folder), { recursive: true })
  const made = await startWhatif(['init'], { cwd: project.path(folder), env }).finished
  const study = join(folder, 'first-study.study.yaml')
  const [line = ''] = made.code === 0 ? (await project.read(study)).split('\n') : []
  const schema = /^# yaml-language-server: \$schema=(\S+)$/.exec(line)?.[1] ?? null
  return { ...made, schema, schemaFile: schema === null ? null : resolve(project.path(dirname(study)), schema) }
}

describe('the declarations that a new study proposes', () => {
  it('are comments beside the file, with their reasons', async () => {
    const rows = PANEL.trimEnd().split('\n')
    const data = rows.map(
      (row, i) => `${row},${i === 0 ? 'pondera,mood' : `${0.5 + (i % 7) / 4},${i % 9 === 0 ? 99 : i % 6}`}`,
    )
    await project.write('panel.csv', `${data.join('\n')}\n`)
    const { code, stderr } = await project.whatif(['init', 'panel.csv'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const study = await project.read('panel.study.yaml')
    expect(study).toContain(
      [
        '    file: panel.csv',
        '    # Declarations are carried out before the upload. Take the # away where they hold.',
        '    # weight: pondera',
        '    #   a survey weight by its name and values from 0.5 to 2, 1.25 on average',
        '    # drop: [id]',
        '    #   identifiers: the service leaves them out, and dropped here they are not sent at all',
        '    # missing: { mood: [99] }',
        '    #   codes that seem to mean no answer: far from the other numbers',
        '',
      ].join('\n'),
    )
    const checked = await project.whatif(['validate', 'panel.study.yaml'])
    expect(checked).toMatchObject({ code: 0 })
  })

  it('keep the type of codes, so that the next wave fits in which nobody ticked some of them', async () => {
    /** Answers of 300 people from 1 or `least` to 10 and to 5. */
    const wave = (least: number): string => {
      const within = (value: number, most: number) => Math.max(least, (value % most) + 1)
      const rows = Array.from(
        { length: 300 },
        (_, i) => `${within(i * 7, 10)},${within(i * 3, 5)},${i % 2 ? 'no' : 'yes'}`,
      )
      return `recommend,service,member\n${rows.join('\n')}\n`
    }
    await project.write('panel.csv', wave(1))
    expect(await project.whatif(['init', 'panel.csv'])).toMatchObject({ code: 0 })
    expect(await project.read('panel.study.yaml')).toContain(
      [
        '    file: panel.csv',
        '    # Answers in codes keep their type, even if some codes are missing in a later file.',
        '    types: { recommend: ordinal, service: ordinal }',
        '',
      ].join('\n'),
    )
    await project.write('panel.csv', wave(2))
    const { code, stderr } = await project.whatif(['run', 'panel.study.yaml'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })
})

describe('a file that is read as the command line says', () => {
  /** Answers in two encodings alike, below two rows of names. */
  const TEXT = `age,answer\nin years,in words\n${Array.from(
    { length: 300 },
    (_, i) => `${18 + (i % 60)},${['мужской', 'женский'][i % 2]}`,
  ).join('\n')}\n`
  const flags = ['--encoding', 'CP1251', '--header-rows', '2']
  const at = (args: readonly string[]) => project.whatif(args)

  it('is inspected so, and declared so in the new study, which trains nothing again', async () => {
    await project.write('panel.csv', iconv.encode(TEXT, 'windows-1251'))
    const inspected = await at(['inspect', 'panel.csv', ...flags, '--json'])
    expect(inspected).toMatchObject({ code: 0 })
    const { data } = JSON.parse(inspected.stdout)
    expect(data.schema).toMatchObject([
      { name: 'age', label: 'in years' },
      { name: 'answer', levels: ['женский', 'мужской'] },
    ])
    expect(await at(['init', 'panel.csv', ...flags])).toMatchObject({ code: 0 })
    const study = await project.read('panel.study.yaml')
    expect(study).toContain('    file: panel.csv\n    header_rows: 2\n    encoding: windows-1251\n')
    const checked = await at(['inspect', 'panel.study.yaml#panel', '--json'])
    expect(checked).toMatchObject({ code: 0 })
    expect(JSON.parse(checked.stdout).data.dataset_id).toBe(data.dataset_id)
  })

  it('is refused with the option that is missing', async () => {
    await project.write('panel.csv', iconv.encode(TEXT.replaceAll(/мужской|женский/g, 'أنثى'), 'windows-1256'))
    const refused = await at(['inspect', 'panel.csv'])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('Pass the right one, such as --encoding windows-1256')
    expect(refused.stderr).not.toContain('of the study')
  })
})

describe('the schema that the first line of a new study names', () => {
  it.each([
    ['.', './node_modules/whatif/schemas/study.v1.json'],
    ['studies/brand', '../../node_modules/whatif/schemas/study.v1.json'],
  ])('belongs to the whatif installed in the project, from %s', async (folder, expected) => {
    await cp(SCHEMAS, project.path('node_modules/whatif/schemas'), { recursive: true })
    const { schema, schemaFile, stderr } = await initIn(folder)
    expect(schema).toBe(expected)
    expect(existsSync(schemaFile!)).toBe(true)
    expect(stderr).not.toContain('schema')
  })

  it('belongs to the whatif at the top of a repository with several packages', async () => {
    await mkdir(project.path('.git'))
    await project.write('surveys/package.json', '{}\n')
    await cp(SCHEMAS, project.path('node_modules/whatif/schemas'), { recursive: true })
    expect((await initIn('surveys')).schema).toBe('../node_modules/whatif/schemas/study.v1.json')
  })

  it('is never outside the repository', async () => {
    await cp(SCHEMAS, project.path('node_modules/whatif/schemas'), { recursive: true })
    await mkdir(project.path('repository/.git'), { recursive: true })
    expect((await initIn('repository')).schema).toBe('.whatif/study.v1.schema.json')
  })

  it('belongs to the repository itself, in a clone of whatif', async () => {
    await project.write('package.json', '{ "name": "whatif" }\n')
    await cp(SCHEMAS, project.path('schemas'), { recursive: true })
    expect((await initIn('examples/tea')).schema).toBe('../../schemas/study.v1.json')
    expect(existsSync(project.path('.whatif'))).toBe(false)
  })

  it('is a copy in the project where whatif is installed globally, and init says so', async () => {
    // Schemas of the project's own have nothing to do with it.
    await project.write('schemas/study.v1.json', '{}')
    const { schema, schemaFile, stderr } = await initIn('studies')
    expect(schema).toBe('../.whatif/study.v1.schema.json')
    expect(schemaFile).toBe(project.path('.whatif/study.v1.schema.json'))
    const published = await project.whatif(['schema'])
    expect(await project.read('.whatif/study.v1.schema.json')).toBe(published.stdout)
    expect(stderr).toMatch(
      /^first-study\.study\.yaml: written\n\.\.\/\.whatif\/study\.v1\.schema\.json: written\n\.\.\/\.gitignore: written\n/,
    )
  })

  it('replaces no other file, which init checks before it writes anything', async () => {
    await project.write('.whatif/study.v1.schema.json', 'mine\n')
    const { code, stderr } = await initIn('.')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^error: [^\n]*\.whatif\/study\.v1\.schema\.json: the file exists and is not a JSON Schema; /,
    )
    expect(await project.files()).toEqual(['.whatif/study.v1.schema.json', 'package.json'])
  })
})

describe('the next steps that init prints', () => {
  it.each([
    [{}, '  whatif validate'],
    [{ npm_command: 'exec' }, '  npx whatif validate'],
  ])('begin like the command itself: %j', async (env, line) => {
    expect((await initIn('.', env)).stderr).toContain(`\n${line} first-study.study.yaml\n`)
  })
})

const hasGit = spawnSync('git', ['--version']).status === 0

describe.skipIf(!hasGit)('a repository after init and run (needs git)', () => {
  /** The files that `git add -A` adds. */
  const added = () => {
    const git = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('git', args, { cwd: project.root, encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      return stdout
    }
    git('init', '-q')
    git('add', '-A')
    return git('ls-files').trim().split('\n')
  }

  it('commits the study and its data, and no results, state or packages', async () => {
    await rm(project.path('package.json'))
    await project.write('package-lock.json', '{}\n')
    await project.write('node_modules/other/index.js', '')
    await project.write('panel.csv', PANEL)
    for (const args of [
      ['init', 'panel.csv'],
      ['run', 'panel.study.yaml', '--yes'],
    ])
      expect(await project.whatif(args)).toMatchObject({ code: 0 })
    expect(await project.list('out/panel')).toContain('manifest.json')
    expect(added()).toEqual(['.gitignore', 'package-lock.json', 'panel.csv', 'panel.study.yaml'])
  })

  it('commits no results of a study in a folder of its own', async () => {
    await initIn('studies')
    await project.write('studies/out/first-study/manifest.json', '{}\n')
    expect(added()).toEqual(['.gitignore', 'package.json', 'studies/first-study.study.yaml'])
  })
})
