import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { problem, SECRET_CANARY } from '../runner/service-double.ts'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from './double-project.ts'
import { cleanEnvironment, type Finished } from './project-folder.ts'
import { runnerCommands } from './runner-commands.ts'

let at: DoubleProject
beforeEach(async () => {
  at = await makeDoubleProject()
  await at.project.write('summary.md', '')
})
afterEach(() => at.remove())

const inGitHub = () => ({
  ...at.env,
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_WORKSPACE: at.project.root,
  GITHUB_STEP_SUMMARY: at.project.path('summary.md'),
})
const whatif = (...args: string[]): Promise<Finished> => at.project.whatif(args, { env: inGitHub() })
const mask = { name: 'add-mask', properties: {}, data: SECRET_CANARY }

/** Text that tries all ways to be a command: at the start of a line, behind white space, after a wrap, in the old form. */
const FORGED = [
  '::error::forged',
  `\n::add-mask::forged\r::error::forged`,
  `${'word '.repeat(14)}::error file=x::forged ${'::warning::forged '.repeat(8)}`,
  '##[error]forged ##[add-mask]forged',
  '%0A::error::forged',
].join(' ')

describe('in GitHub Actions', () => {
  it('a run masks its secret before anything else, and annotates faults at their place in the study', async () => {
    at.double.feasible = (body) => (body.conditions === undefined ? 60 : body.row_count)
    const { code, stdout, stderr } = await whatif('run', 'demo.study.yaml')
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
    expect(stderr.split('\n')[0]).toBe(`::add-mask::${SECRET_CANARY}`)
    expect(runnerCommands(stderr)).toEqual([
      mask,
      {
        name: 'error',
        properties: { file: 'demo.study.yaml', line: '7', col: '3', title: 'scenario base partial' },
        data: '60 of 100 rows',
      },
    ])
    const summary = await at.project.read('summary.md')
    expect(summary).toMatch(/^### whatif run `demo`: fewer rows than the policy accepts \(exit code 8\)\n/)
    expect(summary).toContain('| `base` | partial | 60 | 100 | – | – | `generated` |\n')
    expect(summary).toContain('| error | `scenario base partial` | `demo.study.yaml:7` | `60 of 100 rows` |\n')
    expect(summary + stderr.split('\n').slice(1).join('\n')).not.toContain(SECRET_CANARY)
  })

  it('--json keeps stdout one document, and prints only commands beside it', async () => {
    at.double.feasible = () => 60
    const { code, stdout, stderr } = await whatif('run', 'demo.study.yaml', '--json')
    expect(code).toBe(8)
    expect(JSON.parse(stdout)).toMatchObject({ command: 'run', exit_code: 8 })
    expect(runnerCommands(stderr).map(({ name }) => name)).toEqual(['add-mask', 'error', 'error', 'error'])
    expect(stderr.trimEnd().split('\n')).toHaveLength(4)
  })

  it('--reporter plain turns annotations and the summary off, and github turns them on elsewhere', async () => {
    await at.project.write('demo.study.yaml', DEMO_STUDY.replace('rows: 100', 'rows: 0'))
    const plain = await whatif('validate', '--offline', 'demo.study.yaml', '--reporter', 'plain')
    expect({ code: plain.code, commands: runnerCommands(plain.stderr) }).toEqual({ code: 3, commands: [] })
    expect(await at.project.read('summary.md')).toBe('')
    const elsewhere = await at.project.whatif(['validate', '--offline', 'demo.study.yaml', '--reporter', 'github'])
    expect(runnerCommands(elsewhere.stderr)).toMatchObject([
      { name: 'error', properties: { file: 'demo.study.yaml', line: '5', col: '19', title: 'S1106' } },
    ])
  })

  it.each([
    { args: ['plan', 'demo.study.yaml', '--budget-rows', '10'], code: 6, title: 'exit code 6' },
    { args: ['plan', 'demo.study.yaml', '--locked'], code: 4, title: 'S2302' },
    { args: ['lock', 'demo.study.yaml', '--check'], code: 4, title: 'exit code 4' },
    { args: ['validate', 'demo.study.yaml', '--offline', '--locked'], code: 4, title: 'S2302' },
    { args: ['run', 'demo.study.yaml', '--budget-rows', '10'], code: 6, title: 'exit code 6' },
    { args: ['run', 'none.study.yaml'], code: 2, title: 'exit code 2' },
    { args: ['gate', 'none.json'], code: 2, title: 'exit code 2' },
  ])('$args annotates exit code $code and sums it up', async ({ args, code, title }) => {
    const ended = await whatif(...args)
    expect(ended.code).toBe(code)
    const errors = runnerCommands(ended.stderr).filter(({ name }) => name === 'error')
    expect(errors).toMatchObject([{ properties: { title } }])
    expect(await at.project.read('summary.md')).toContain(`(exit code ${code})\n`)
  })

  it('no text of the service becomes a command, in the log or in an annotation', async () => {
    at.double.intercept = ({ method, path }) =>
      method === 'POST' && path.endsWith('/generations') ? problem(422, 'svc_bad', FORGED.repeat(2)) : undefined
    for (const args of [['--verbose'], ['--events']]) {
      const { code, stdout, stderr } = await whatif('run', 'demo.study.yaml', '--retry-failed', ...args)
      expect(code).toBe(7)
      expect(runnerCommands(stdout)).toEqual([])
      const commands = runnerCommands(stderr)
      expect(commands.slice(0, 1)).toEqual([mask])
      expect(commands.slice(1).map(({ properties }) => properties.title)).toEqual([
        'scenario base refused',
        'scenario more-yes refused',
        'scenario young refused',
      ])
    }
  })

  it('no text of a study becomes a command, whichever command shows it', async () => {
    const name = JSON.stringify(FORGED)
    const forged = `  forged: { shares: { ${name}: { ${name}: 0.5 }, answer: { ${name}: 0.2 } }, description: ${name} }`
    await at.project.write('demo.study.yaml', DEMO_STUDY.replace(/^budget/m, `${forged}\nbudget`))
    let shown = 0
    for (const [command = '', ...flags] of [
      ['validate', '--offline'],
      ['validate'],
      ['plan'],
      ['run', '--json'],
      ['run', '--select', FORGED],
    ]) {
      const ended = await at.project.whatif([command, 'demo.study.yaml', ...flags], { env: at.env })
      const text = `${ended.stdout}\n${ended.stderr}`
      expect({ command, flags, commands: runnerCommands(text) }).toEqual({ command, flags, commands: [] })
      if (text.includes('forged')) shown++
    }
    expect(shown).toBeGreaterThan(2)
  })

  it.skipIf(process.platform === 'win32')('the secret is not written to a log that is kept in a file', async () => {
    const command = `exec "${process.execPath}" "${resolve(import.meta.dirname, '../../bin/whatif.js')}" plan demo.study.yaml 2> err.log`
    const { status } = spawnSync('sh', ['-c', command], {
      cwd: at.project.root,
      env: { ...cleanEnvironment(), ...inGitHub() },
    })
    expect(status).toBe(0)
    expect(await at.project.read('err.log')).not.toContain(SECRET_CANARY)
  })
})

describe('--reporter junit=FILE', () => {
  it('writes the result of a run, and replaces it with each run', async () => {
    const args = ['run', 'demo.study.yaml', '--reporter', 'junit=reports/junit.xml', '--quiet']
    expect(await whatif(...args)).toMatchObject({ code: 0 })
    expect(await at.project.read('reports/junit.xml')).toContain('tests="3" failures="0" errors="0" skipped="0"')
    await at.project.write('demo.study.yaml', DEMO_STUDY.replace('rows: 100', 'rows: 0'))
    expect(await whatif(...args)).toMatchObject({ code: 3 })
    expect(await at.project.read('reports/junit.xml')).toMatch(/<error type="invalid_study" message="S1106 /)
    expect(await at.project.whatif(args, { env: { WHATIF_BASE_URL: at.double.url } })).toMatchObject({ code: 3 })
    await at.project.write('demo.study.yaml', DEMO_STUDY)
    expect(await at.project.whatif(args, { env: { WHATIF_BASE_URL: at.double.url } })).toMatchObject({ code: 5 })
    expect(await at.project.read('reports/junit.xml')).toContain(
      '<error type="exit code 5" message="a remote service is only partly',
    )
  })

  it('replaces no other file, and is refused before anything is sent', async () => {
    await at.project.write('notes.xml', '<mine/>')
    const { code, stderr } = await whatif('run', 'demo.study.yaml', '--reporter', 'junit=notes.xml')
    expect(code).toBe(2)
    expect(stderr).toContain('error: --reporter junit=notes.xml: the file exists and is not such a report')
    expect(await at.project.read('notes.xml')).toBe('<mine/>')
    expect(at.double.log).toEqual([])
  })

  it('is written by whatif gate as well', async () => {
    expect(await whatif('run', 'demo.study.yaml', '--quiet')).toMatchObject({ code: 0 })
    expect(await whatif('gate', 'out/demo/manifest.json', '--reporter', 'junit=gate.xml')).toMatchObject({ code: 0 })
    expect(await at.project.read('gate.xml')).toContain('<testsuites name="demo" tests="3"')
  })
})

describe('--reporter', () => {
  it('that a command does not have is exit code 2', async () => {
    const { code, stderr } = await at.project.whatif(['validate', 'demo.study.yaml', '--reporter', 'junit=a'])
    expect(code).toBe(2)
    expect(stderr).toContain('Expected auto, plain or github.')
  })
})

describe('--events', () => {
  const schema = JSON.parse(readFileSync(new URL('../../schemas/events.v1.json', import.meta.url), 'utf8'))
  const isEvent = new Ajv({ strict: false }).compile(schema)

  it('replaces progress on stderr, and does not take a study for its file', async () => {
    const { code, stdout, stderr } = await at.project.whatif(['run', '--json', '--events', 'demo.study.yaml'], {
      env: at.env,
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
    const events = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const event of events) expect(isEvent(event)).toBe(true)
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run.started', 'dataset.ready', 'scenario.ready']),
    )
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', exit_code: 0 })
    expect(stderr).not.toContain(SECRET_CANARY)
    expect(stderr).not.toContain(at.double.url)
  })

  it('=FILE is appended to by every run, with progress as usual', async () => {
    const run = () => at.project.whatif(['run', '--events=events.ndjson', 'demo.study.yaml'], { env: at.env })
    expect((await run()).stderr).toMatch(/^base: ready, 100 rows \(generated\)$/m)
    await run()
    const events = (await at.project.read('events.ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.filter(({ type }) => type === 'run.started')).toHaveLength(2)
    expect(new Set(events.map(({ run: id }) => id)).size).toBe(2)
  })

  it('=FILE that cannot be written is exit code 2, before anything is sent', async () => {
    await mkdir(at.project.path('folder'))
    const { code, stderr } = await at.project.whatif(['run', '--events=folder', 'demo.study.yaml'], { env: at.env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'error: --events=folder: it is a folder\n' })
    expect(at.double.log).toEqual([])
  })
})

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

describe.skipIf(!hasScript)('at a pseudo-terminal (needs script of util-linux)', () => {
  const atTerminal = (env: NodeJS.ProcessEnv): Promise<string> =>
    new Promise((settle, fail) => {
      const command = `'${process.execPath}' '${resolve(import.meta.dirname, '../../bin/whatif.js')}' run demo.study.yaml --yes`
      const child = spawn('script', ['-qefc', command, '/dev/null'], {
        cwd: at.project.root,
        env: { ...cleanEnvironment(), ...at.env, TERM: 'xterm', NO_COLOR: '1', ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      child.on('error', fail)
      child.on('close', () => settle(text))
    })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves a cursor begins with it
  const ESCAPE = /\u001b/

  it('of a CI system progress is printed as lines', async () => {
    const text = await atTerminal({ CI: 'true' })
    expect(text).toMatch(/^base: ready, 100 rows \(generated\)\r$/m)
    expect(text).not.toMatch(ESCAPE)
  })

  it('of a person progress is a list that is redrawn', async () => {
    expect(await atTerminal({})).toMatch(ESCAPE)
  })
})
