import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeProject, type Project, shortTracker } from './project-folder.ts'

const study = (level: string) => `version: 1
name: tracker
datasets: { tracker: { file: tracker.csv } }
scenarios:
  more: { rows: 100, seed: 1, shares: { region: { ${level}: 0.5 } } }
`

const STUDY = 'brand.study.yaml'
const LOCK = 'brand.study.lock.json'

/** An incomplete configuration of a service: a command that reads it exits with 5. */
const NO_CREDENTIALS = { env: { WHATIF_BASE_URL: 'https://service.invalid' } }

describe('a study and its lock, with the real command', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject({ sharesProcess: true })
    await project.write('tracker.csv', shortTracker())
    await project.write(STUDY, study('North'))
  })
  afterAll(() => project.remove())

  it('validate --offline says that there is no lock, and --locked requires one', async () => {
    const { code, stderr } = await project.whatif(['validate', '--offline', STUDY])
    expect(code).toBe(0)
    expect(stderr).toBe(
      `${STUDY}: valid, 1 scenario (not checked against the cleaned data, because there is no lock file; see whatif lock)\n`,
    )
    const locked = await project.whatif(['validate', '--offline', '--locked', STUDY], NO_CREDENTIALS)
    expect(locked.code).toBe(4)
    expect(locked.stderr).toBe(`error S2302 there is no ${LOCK} next to the study, and --locked requires one\n`)
  })

  it('lock trains, writes the file next to the study, and prints no data', async () => {
    const { code, stdout, stderr } = await project.whatif(['lock', STUDY])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(new RegExp(`\n${LOCK}: written; commit it\n$`))
    expect(await project.read(LOCK)).toMatch(/^ {8}"region": \{"kind": "categorical", "levels": \[".*"North".*\]\},?$/m)
    expect(await project.list('out')).toEqual([])
  })

  it('lock --check --json is one document, and asks no service when the lock holds', async () => {
    const { code, stdout } = await project.whatif(['lock', '--check', '--json', STUDY])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: 1,
      command: 'lock',
      ok: true,
      exit_code: 0,
      data: { lock_file: LOCK, written: false, changes: [], digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      diagnostics: [],
    })
  })

  it('validate --offline --locked needs no credentials and finds a misspelt level at its place', async () => {
    const good = await project.whatif(['validate', '--offline', '--locked', STUDY], NO_CREDENTIALS)
    expect(good).toMatchObject({ code: 0, stdout: '' })
    expect(good.stderr).toMatch(new RegExp(`^${STUDY}: valid, 1 scenario \\(checked against ${LOCK}\\)$`, 'm'))
    await project.write(STUDY, study('Nrth'))
    const bad = await project.whatif(['validate', '--offline', '--locked', STUDY], NO_CREDENTIALS)
    await project.write(STUDY, study('North'))
    expect(bad.code).toBe(4)
    const [digest] = /(?<="schema_sha256": ")[0-9a-f]{8}/.exec(await project.read(LOCK))!
    expect(bad.stderr).toContain(`error S2103 unknown level "Nrth" in column "region"
  brand.study.yaml:5:51
    5 |   more: { rows: 100, seed: 1, shares: { region: { Nrth: 0.5 } } }
                                                          ^^^^
  did you mean "North"?  retained levels: `)
    expect(bad.stderr).toContain(`  schema: ${LOCK} (tracker, ${digest})\n`)
  })

  it('schema prints the published schema, and writes the study’s own for an editor', async () => {
    const { stdout } = await project.whatif(['schema'])
    const published = await readFile(resolve(import.meta.dirname, '../../schemas/study.v1.json'), 'utf8')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(published))
    const { code, stderr } = await project.whatif(['schema', '--study', STUDY, '--out', '.whatif/brand.schema.json'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^# yaml-language-server: \$schema=\.whatif\/brand\.schema\.json$/m)
    const schema = JSON.parse(await project.read(join('.whatif', 'brand.schema.json')))
    const isValid = new Ajv({ strictTuples: false, strictTypes: false, strictRequired: false }).compile(schema)
    expect(isValid(parse(study('North')))).toBe(true)
    expect(isValid(parse(study('Nrth')))).toBe(false)
    // Beside a column the editor shows what the training of the lock reported.
    const { region } = schema.definitions.shares.properties
    expect(region.description).toMatch(/^In the data: South 0\.\d+, North 0\.\d+, /)
    expect(region.properties.North.description).toMatch(/^In the data: 0\.\d+$/)
  })

  it('run --locked refuses another seed file', async () => {
    const rows = await project.read('tracker.csv')
    await project.write('tracker.csv', `${rows}${rows.split('\n')[1]}\n`)
    const { code, stderr } = await project.whatif(['run', '--locked', STUDY])
    expect(code).toBe(4)
    expect(stderr).toMatch(
      /^error S2303 brand\.study\.lock\.json would change, and --locked forbids that\n {2}tracker\.bytes: \d+ → \d+\n {2}tracker\.fingerprint: /m,
    )
  })

  it('lock makes a file with both sides of a merge again, which run and validate refuse', async () => {
    const lines = (await project.read(LOCK)).split('\n')
    const conflict = [lines[0]!, '<<<<<<< HEAD', lines[1]!, '=======', '>>>>>>> wave2', ...lines.slice(2)].join('\n')
    await project.write(LOCK, conflict)
    const refused = `error S2301 ${LOCK}: it holds an unresolved merge conflict, with marks in lines 2, 4 and 5
  run whatif lock, which makes it again from the study and its data\n`
    expect(await project.whatif(['validate', '--offline', STUDY])).toMatchObject({ code: 4, stderr: refused })
    expect(await project.whatif(['run', STUDY])).toMatchObject({ code: 4, stderr: expect.stringContaining(refused) })
    expect(await project.read(LOCK)).toBe(conflict)
    const { code, stderr } = await project.whatif(['lock', STUDY])
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /: made again, because it holds an unresolved merge conflict, with marks in lines 2, 4 and 5; look at the difference and commit it\n$/,
    )
    expect((await project.whatif(['validate', '--offline', '--locked', STUDY])).code).toBe(0)
  })

  it('schema --study without a lock says what to run first', async () => {
    await project.write('other.study.yaml', study('North'))
    const { code, stderr } = await project.whatif(['schema', '--study', 'other.study.yaml'])
    expect([code, stderr]).toEqual([
      2,
      'error: there is no other.study.lock.json beside the study\nRun first: whatif lock other.study.yaml\n',
    ])
  })
})
