import { spawnSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanEnvironment, makeProject, type Project, shortTracker } from '../cli/project-folder.ts'
import { SHORT_LIVED } from '../service/served-process.ts'

const repository = resolve(import.meta.dirname, '../..')
const examples = join(repository, 'examples/library')
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const hasPython = spawnSync('python3', ['--version']).status === 0

/** One share and one comparison of the coffee study, whose rows are exact. */
const STUDY = `version: 1
name: first
datasets: { tracker: { file: tracker.csv } }
baseline: base
defaults: { rows: 500, seed: 1 }
scenarios:
  base: {}
  more-yes: { shares: { purchase.intent: { "Yes": 0.70 } } }
comparisons: [{ id: lift, scenarios: [more-yes], shares: [purchase.intent], means: [spend.last.month] }]
`
const TOLD = [
  /^base: 500 of 500 rows$/m,
  /^more-yes: 500 of 500 rows$/m,
  /^ {2}purchase\.intent = Yes: target 70\.00 ?%, achieved 70\.00 ?%$/m,
  /^lift, against base$/m,
  /^ {2}more-yes: purchase\.intent = Yes changes by \+\d+\.\d\d points$/m,
]

let project: Project
beforeAll(async () => {
  project = await makeProject()
  await project.write('tracker.csv', shortTracker(['region', 'purchase_intent', 'spend_last_month']))
  await project.write('first.study.yaml', STUDY)
  await project.write('broken.study.yaml', STUDY.replace('rows:', 'rowz:'))
  await project.write('package.json', '{ "type": "module" }\n')
  // As `npm install` leaves it, with the types that the package itself declares.
  await mkdir(project.path('node_modules/@types'), { recursive: true })
  await symlink(repository, project.path('node_modules/whatif'), 'junction')
  await symlink(join(repository, 'node_modules/@types/node'), project.path('node_modules/@types/node'), 'junction')
})
afterAll(() => project.remove())

function execute(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(command, args, { cwd: project.root, env: { ...cleanEnvironment(), ...env }, encoding: 'utf8' })
}

describe('the example in TypeScript', () => {
  it("compiles strictly against the package's own types, with the line that it names", async () => {
    await project.copy(join(examples, 'run-study.ts'), 'run-study.ts')
    const [, line] = /npx tsc (.*) run-study\.ts/.exec(await project.read('run-study.ts')) ?? []
    const compiled = execute(process.execPath, [tsc, ...(line ?? '').split(' '), 'run-study.ts'])
    expect(compiled.stdout).toBe('')
    expect(compiled.status).toBe(0)
  })

  it('runs a study and prints targets, results and comparisons', () => {
    const { status, stdout, stderr } = execute(process.execPath, [SHORT_LIVED, 'run-study.js', 'first.study.yaml'])
    expect(status, stderr).toBe(0)
    for (const line of TOLD) expect(stdout).toMatch(line)
    expect(stdout).toContain(`manifest: ${project.path('out/first/manifest.json')}`)
  })

  it('reports the faults of a study, and ends with its exit code', () => {
    const { status, stderr } = execute(process.execPath, ['run-study.js', 'broken.study.yaml'])
    expect(status).toBe(3)
    expect(stderr).toMatch(/S1102/)
    expect(stderr).toContain('rows')
  })
})

describe('the example in Python', () => {
  const env = { WHATIF_COMMAND: `"${process.execPath}" "${join(repository, 'bin/whatif.js')}"` }
  const example = (...args: readonly string[]) => execute('python3', [join(examples, 'run_study.py'), ...args], env)

  it.skipIf(!hasPython)('runs a study and prints targets, results and comparisons', () => {
    const { status, stdout, stderr } = example('first.study.yaml')
    expect(status, stderr).toBe(0)
    for (const line of TOLD) expect(stdout).toMatch(line)
  })

  it.skipIf(!hasPython)('reports the faults of a study, and ends with its exit code', () => {
    const { status, stdout, stderr } = example('broken.study.yaml')
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toMatch(/^error S1102: .*rowz/m)
    expect(stderr).toContain('exit code 3: the study file is invalid')
  })

  it.skipIf(!hasPython)('reports why a run was refused, and ends with its exit code', () => {
    const { status, stderr } = example('first.study.yaml', '--force', '--budget-rows', '10')
    expect(status, stderr).toBe(6)
    expect(stderr).toContain('exit code 6: over budget or quota')
  })
})
