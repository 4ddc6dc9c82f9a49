import { readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProject, type Project } from './project-folder.ts'

const packageJson = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'))

const STUDY = `version: 1
name: small
datasets:
  panel: { file: panel.csv }
scenarios:
  as-is: { rows: 10, seed: 1 }
`

let project: Project
beforeAll(async () => {
  project = await makeProject({ sharesProcess: true })
  await project.write('panel.csv', `id,answer\n${'1,Yes\n2,No\n'.repeat(50)}`)
  await project.write('small.study.yaml', STUDY)
  await project.write('broken.study.yaml', STUDY.replace('rows: 10', 'rows: 0'))
  await project.write('latin1.study.yaml', Buffer.from(`${STUDY}# caf\xe9\n`, 'latin1'))
  const many = Array.from({ length: 3000 }, (_, i) => `  s${i}: { rows: 10, seed: ${i} }\n`).join('')
  await project.write('many.study.yaml', STUDY.replace('name: small', 'name: many').concat(many))
})
afterAll(() => project.remove())

const notStarted = async () => expect(await project.list('.whatif')).not.toContain('embedded')

describe('help and version', () => {
  it.each([
    'whatif',
    'whatif run',
    'whatif plan',
    'whatif validate',
    'whatif inspect',
    'whatif init',
    'whatif fmt',
    'whatif datasets',
    'whatif doctor',
    'whatif serve',
    'whatif auth',
    'whatif auth signup',
    'whatif operator',
    'whatif operator quota',
  ])('%s --help goes to stdout with exit code 0', async (command) => {
    const { code, stdout, stderr } = await project.whatif([...command.split(' ').slice(1), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: ${command} `))
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(82)
    expect(stdout, 'values of the program are not for people').not.toMatch(/default: (\[\]|\{\}|\d{5,})/)
  })

  it.each(['--version', '-V'])('whatif %s is the version of the package', async (flag) => {
    expect(await project.whatif([flag])).toEqual({
      code: 0,
      signal: null,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })
})

describe('a command line that cannot be understood', () => {
  it.each([
    { args: ['frobnicate'], said: "error: unknown command 'frobnicate'" },
    { args: ['rnu', 'small.study.yaml'], said: "error: unknown command 'rnu'\n(Did you mean run?)" },
    { args: ['run'], said: "error: missing required argument 'file'" },
    {
      args: ['run', '--force', 'small.study.yaml'],
      said: "error: option '--force [what]' argument 'small.study.yaml' is invalid. That is a study file. Write it before --force, or write --force \"*\" for all scenarios.",
    },
    {
      args: ['run', 'small.study.yaml', 'more'],
      said: "error: too many arguments for 'run'. Expected 1 argument but got 2.",
    },
    { args: ['run', 'small.study.yaml', '--nope'], said: "error: unknown option '--nope'" },
    { args: ['run', 'small.study.yaml', '--forse'], said: "error: unknown option '--forse'\n(Did you mean --force?)" },
    { args: ['run', 'none.study.yaml'], said: 'error: study file none.study.yaml: there is no such file' },
    { args: ['run', '.'], said: 'error: study file .: it is a folder' },
    {
      args: ['run', 'latin1.study.yaml'],
      said: 'error: study file latin1.study.yaml: it is not UTF-8 text\nSave it as UTF-8.',
    },
    { args: ['plan', 'none.study.yaml'], said: 'error: study file none.study.yaml: there is no such file' },
    { args: ['validate', 'none.study.yaml'], said: 'error: study file none.study.yaml: there is no such file' },
    {
      args: ['run', 'small.study.yaml', '--concurrency', '0'],
      said: "error: option '--concurrency <n>' argument '0' is invalid.",
    },
    {
      args: ['run', 'small.study.yaml', '--deadline', 'soon'],
      said: "error: option '--deadline <time>' argument 'soon' is invalid.",
    },
    {
      args: ['run', 'small.study.yaml', '--scope', 'a b'],
      said: "error: option '--scope <label>' argument 'a b' is invalid.",
    },
    {
      args: ['run', 'small.study.yaml', '--exit-zero-on', 'all'],
      said: 'error: --exit-zero-on all: expected gates, partial, or gates,partial',
    },
    { args: ['run', 'small.study.yaml', '--select', 'nothing-*'], said: 'error: ' },
    { args: ['serve', '--port', '65536'], said: "error: --port '65536' is invalid: expected a port from 0 to 65535" },
  ])('$args ends with exit code 2', async ({ args, said }) => {
    const { code, stdout, stderr } = await project.whatif(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.slice(0, said.length)).toBe(said)
    expect(stderr, 'no stack').not.toMatch(/\n\s+at /)
  })

  it('whatif alone shows the help on stderr and ends with exit code 2', async () => {
    const { code, stdout, stderr } = await project.whatif([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: whatif /)
  })

  it('checks WHATIF_CONCURRENCY as strictly as the flag', async () => {
    const { code, stderr } = await project.whatif(['run', 'small.study.yaml'], { env: { WHATIF_CONCURRENCY: 'many' } })
    expect(code).toBe(2)
    expect(stderr).toContain('WHATIF_CONCURRENCY')
  })
})

describe('the text on stdout', () => {
  it('is one JSON document with --json and nothing else', async () => {
    for (const [command, exitCode, file] of [
      ['plan', 0, 'small.study.yaml'],
      ['plan', 3, 'broken.study.yaml'],
      ['validate', 3, 'broken.study.yaml'],
      ['run', 3, 'broken.study.yaml'],
    ] as const) {
      const { code, stdout, stderr } = await project.whatif([command, file, '--json'])
      expect({ code, stderr }).toEqual({ code: exitCode, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ format_version: 1, command, ok: exitCode === 0, exit_code: exitCode })
    }
  })

  it('is the plan for people, without control codes where there is no terminal', async () => {
    const { code, stdout, stderr } = await project.whatif(['plan', 'small.study.yaml'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('as-is')
    expect(stdout + stderr).not.toMatch(/\p{Cc}(?<!\n)/u)
  })

  it.each([{ env: {} }, { env: { NO_COLOR: '1' } }, { env: { TERM: 'xterm-256color', CI: 'true' } }])(
    'has no control codes in diagnostics, with $env',
    async ({ env }) => {
      const { code, stderr } = await project.whatif(['validate', '--offline', 'broken.study.yaml'], { env })
      expect(code).toBe(3)
      expect(stderr).not.toMatch(/\p{Cc}(?<!\n)/u)
    },
  )

  it('can be closed early by its reader', async () => {
    const running = project.start(['plan', 'many.study.yaml', '--json'])
    await running.firstLine()
    running.closeStdout()
    const { code, signal, stderr } = await running.finished
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  })
})

describe('the configuration of a remote service', () => {
  const whole = {
    WHATIF_BASE_URL: 'https://service.example.org',
    WHATIF_CLIENT_ID: 'client-1',
    WHATIF_CLIENT_SECRET: 'secret-canary-0123456789',
  }
  const named = {
    WHATIF_BASE_URL: 'the address of the service (WHATIF_BASE_URL or --service URL)',
    WHATIF_CLIENT_ID: 'the client id (WHATIF_CLIENT_ID or WHATIF_CREDENTIALS_FILE)',
    WHATIF_CLIENT_SECRET: 'the client secret (WHATIF_CLIENT_SECRET or WHATIF_CREDENTIALS_FILE)',
  }
  const names = Object.keys(whole) as (keyof typeof whole)[]
  const parts = [...names.map((name) => [name]), ...names.map((name) => names.filter((other) => other !== name))]

  it.each(parts.map((missing) => ({ missing })))(
    'without $missing is exit code 5, never the embedded service',
    async ({ missing }) => {
      const env = Object.fromEntries(names.filter((name) => !missing.includes(name)).map((name) => [name, whole[name]]))
      const { code, stdout, stderr } = await project.whatif(['run', 'small.study.yaml'], { env })
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
      const present = names.filter((name) => !missing.includes(name))
      expect(stderr).toBe(
        `error: a remote service is only partly configured (${present.join(', ')}); missing: ${missing.map((name) => named[name]).join('; ')}
Set what is missing, or unset everything to use the embedded service.
`,
      )
      await notStarted()
    },
  )

  it.each([
    ['WHATIF_BASE_URL', 'http://service.example.org'],
    ['WHATIF_BASE_URL', 'http://127.0.0.1.example.org'],
    ['WHATIF_BASE_URL', 'http://169.254.169.254'],
    ['WHATIF_AUTH_URL', 'http://auth.example.org'],
    ['WHATIF_BASE_URL', 'https://user:hush@service.example.org'],
    ['WHATIF_BASE_URL', 'file:///etc/passwd'],
    ['WHATIF_BASE_URL', 'service.example.org'],
  ])('with %s=%s is exit code 5', async (name, value) => {
    const { code, stdout, stderr } = await project.whatif(['run', 'small.study.yaml', '--yes'], {
      env: { ...whole, [name]: value },
    })
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toMatch(/^error: the address of the (service|identity provider) /)
    expect(stderr).not.toMatch(/hush|canary/)
    await notStarted()
  })

  it.skipIf(process.platform === 'win32')('comes from a file of credentials only when that is private', async () => {
    await project.write('credentials.json', '{"client_id":"client-1"}')
    await chmod(project.path('credentials.json'), 0o644)
    const env = {
      WHATIF_BASE_URL: whole.WHATIF_BASE_URL,
      WHATIF_CREDENTIALS_FILE: 'credentials.json',
    }
    const open = await project.whatif(['run', 'small.study.yaml'], { env })
    expect(open).toMatchObject({ code: 5, stdout: '' })
    expect(open.stderr).toContain('can be read by others')
    await chmod(project.path('credentials.json'), 0o600)
    const incomplete = await project.whatif(['run', 'small.study.yaml'], { env })
    expect(incomplete).toMatchObject({ code: 5, stdout: '' })
    expect(incomplete.stderr).toContain('missing: the client secret')
  })
})
