import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { program } from '../../src/cli/main.ts'
import { inStudyFolder, whatif } from './command-in-process.ts'

/** Every command that does something itself, by its whole name. */
function allCommands(command: Command, names: readonly string[] = []): (readonly [name: string, command: Command])[] {
  if (command.commands.length === 0) return [[names.join(' '), command]]
  return command.commands.flatMap((one) => allCommands(one, [...names, one.name()]))
}

const hasJson = (command: Command) => command.options.some((option) => option.long === '--json')

/** Commands whose `--json` is no document when they end, and why. */
const NO_DOCUMENT: Readonly<Record<string, string>> = {
  serve: 'it prints its addresses once it listens, and continues',
  explore: 'it prints the address of its page, and continues',
  mcp: 'it speaks its protocol on stdout, and continues',
}
const commands = allCommands(await program({}))
  .map(([name]) => name)
  .filter((name) => !(name in NO_DOCUMENT))

inStudyFolder(async (folder) => {
  await writeFile(join(folder, 'latin1.study.yaml'), Buffer.from('# caf\xe9\n', 'latin1'))
  await mkdir(join(folder, 'folder'))
})

/** Options without which a command says first that they are not there. */
const NEEDED: Readonly<Record<string, string>> = {
  'auth signup': '--company x --email a@example.org',
  sensitivity: '--outcome a',
  solve: '--lever a --outcome b --by +0.1',
  backtest: '--by a --on b --outcomes c',
}

/** The message of each command when it fails; a command without such a line has the reason. */
const REFUSED: Readonly<Record<string, readonly [line: string, code: number, message: RegExp] | string>> = {
  run: ['none.study.yaml', 2, /^study file none\.study\.yaml: there is no such file$/],
  resume: ['folder', 2, /^study file folder: it is a folder$/],
  plan: ['latin1.study.yaml', 2, /^study file latin1\.study\.yaml: it is not UTF-8 text$/],
  status: ['none.study.yaml', 2, /there is no such file/],
  merge: ['none.study.yaml', 2, /there is no such file/],
  list: ['a.study.yaml --select status:ready', 2, /^whatif list cannot select by status/],
  unlock: ['none.study.yaml', 2, /there is no such file/],
  validate: ['none.study.yaml', 2, /there is no such file/],
  init: ['folder', 2, /^seed file folder: it is a folder$/],
  fmt: ['none.study.yaml', 2, /there is no such file/],
  migrate: ['none.study.yaml', 2, /there is no such file/],
  datasets: ['--service https://s.example.org', 5, /^a remote service is only partly configured/],
  doctor: 'reports all of it as its checks',
  explain: ['S9999', 2, /S9999/],
  schema: ['--study none.study.yaml', 2, /^study file none\.study\.yaml: there is no such file$/],
  head: ['none.json', 2, /^manifest none\.json: there is no such file/],
  report: ['none.json', 2, /^manifest none\.json: there is no such file/],
  'auth signup': ['--company x --email a@example.org', 5, /^no service is configured$/],
  'auth status': ['', 5, /^no service is configured$/],
  'auth claim': [
    '--service https://s.example.org',
    5,
    /^no request for access to https:\/\/s\.example\.org is known here$/,
  ],
  'auth rotate': ['--service https://s.example.org', 5, /^no credentials of https:\/\/s\.example\.org are stored$/],
  sensitivity: ['none.study.yaml --outcome a.b', 2, /^study file none\.study\.yaml: there is no such file$/],
  solve: [
    'none.study.yaml a --lever a.b --outcome c.d --by +0.1',
    2,
    /^study file none\.study\.yaml: there is no such file$/,
  ],
  backtest: ['none.csv --by a --on b --outcomes c', 2, /^none\.csv: there is no such file/],
  lock: ['p.csv', 2, /^study file p\.csv: it is a seed file$/],
  inspect: ['none.csv', 2, /^none\.csv: there is no such file/],
  diff: ['none.json', 2, /^name two manifests to compare/],
  verify: ['none.json', 2, /^manifest none\.json: there is no such file/],
  gate: ['none.json', 2, /^manifest none\.json: there is no such file/],
  'storage hold': ['--for 25h', 2, /^a hold lasts from 1s to 24h$/],
  'storage release': ['--data nowhere', 5, /^DATABASE_URL is not set$/],
  'storage resume-sweeps': ['', 5, /^DATABASE_URL is not set$/],
  'storage check': ['--data nowhere', 2, /^there is no data folder$/],
  'operator signups': ['', 5, /^no service is configured$/],
  'operator approve': ['r', 5, /^no service is configured$/],
  'operator decline': ['r', 5, /^no service is configured$/],
  'operator tenants': ['--service ftp://s.example.org', 5, /must be https/],
  'operator quota': ['t', 2, /^nothing to set/],
  'operator retention': ['t x', 2, /^hours 'x' is invalid/],
  'operator revoke-tokens': ['c', 5, /^no service is configured$/],
  'operator log': ['--service https://s.example.org', 5, /^there is no operator token$/],
  'migrate-database': ['', 5, /DATABASE_URL is not set$/],
  'operator sweeps': ['', 5, /^no service is configured$/],
  'operator resume-sweeps': ['', 5, /^no service is configured$/],
  'operator restore-expired': ['--hours 0', 2, /^option '--hours <n>' argument '0' is invalid/],
  'operator artifacts': ['', 5, /^no service is configured$/],
  'operator remove-artifact': ['g', 5, /^no service is configured$/],
  'operator jobs': ['', 5, /^no service is configured$/],
  'operator cancel': ['j --service https://s.example.org', 5, /^there is no operator token$/],
}

describe('a command with --json prints one document', () => {
  it('is accepted by every command', async () => {
    const without = allCommands(await program({})).filter(([, command]) => !hasJson(command))
    expect(without.map(([name]) => name)).toEqual([])
  })

  it('is tested here for every command that ends with a document', () => {
    expect(Object.keys(REFUSED).sort()).toEqual([...commands].sort())
  })

  it.each(commands)('%s: when the command line has an unknown option', async (command) => {
    const { stdout, stderr, code } = await whatif(`${command} ${NEEDED[command] ?? ''} --json --nope`)
    const { data, ...document } = JSON.parse(stdout)
    expect(document).toEqual({ format_version: 1, command, ok: false, exit_code: 2, diagnostics: [] })
    expect(data.message).toMatch(/^unknown option '--nope'/)
    expect(stderr).toContain("error: unknown option '--nope'")
    expect(code).toBe(2)
  })

  it.each(Object.entries(REFUSED).filter(([, refused]) => typeof refused !== 'string'))(
    '%s: when it cannot continue',
    async (command, refused) => {
      const [line, exitCode, message] = refused as readonly [string, number, RegExp]
      const { stdout, stderr, code } = await whatif(`${command} ${line} --json`.replace('  ', ' '))
      const { data, ...document } = JSON.parse(stdout)
      expect(document).toEqual({ format_version: 1, command, ok: false, exit_code: exitCode, diagnostics: [] })
      expect(data.message).toMatch(message)
      expect(stderr).toContain(`error: ${data.message}\n${data.hint === null ? '' : `${data.hint}\n`}`)
      expect(code).toBe(exitCode)
    },
  )

  it.each(['run', 'validate', 'lock', 'resume', 'plan', 'status', 'unlock', 'inspect'])(
    '%s: when the disk has a fault, which is not an unexpected error',
    async (command) => {
      await mkdir('shut', { recursive: true })
      for (const [name, text] of Object.entries({ 'package.json': '{}', 'p.csv': 'a\n1\n', '.whatif': '' }))
        await writeFile(join('shut', name), text)
      await copyFile('a.study.yaml', join('shut', 'a.study.yaml'))
      const { stdout, stderr, code } = await whatif(
        `${command} shut/a.study.yaml${command === 'inspect' ? '#p' : ''} --json`,
      )
      const { exit_code, data } = JSON.parse(stdout)
      expect(data.message).toMatch(
        /^shut\/\.whatif.*(?:something is in the way|a file is where a folder is needed); move it away/,
      )
      expect(stderr).toBe(`error: ${data.message}\n`)
      expect([exit_code, code]).toEqual([2, 2])
    },
  )

  it.each([
    'run none.study.yaml',
    'run none.study.yaml -- --json',
    'frobnicate --json',
    'auth --json',
    'serve --json --nope',
  ])('but none where --json is not given or not known: %s', async (line) => {
    const { stdout, code } = await whatif(line)
    expect({ stdout, code }).toEqual({ stdout: '', code: expect.toSatisfy((c) => c === 2 || c === 5) })
  })

  it('but help stays text', async () => {
    expect((await whatif('run --json --help')).stdout).toMatch(/^Usage: whatif run /)
  })
})
