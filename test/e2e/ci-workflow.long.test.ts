import { spawnSync } from 'node:child_process'
import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ciWorkflow } from '../../src/cli/steps/ci-workflow.ts'
import { makeProject, type Project } from '../cli/project-folder.ts'
import { runnerCommands } from '../cli/runner-commands.ts'
import { type RemoteService, startRemoteService } from './remote-service.ts'
import { type GitHub, type JobResult, makeGitHub, type StepResult, type Trigger } from './workflow-runner.ts'

const STUDY_PATH = 'studies/brand study.study.yaml'
const PANEL = `id,answer,region,age\n${Array.from(
  { length: 300 },
  (_, i) => `${i},${['Yes', 'No'][i % 2]},${['North', 'South', 'East'][i % 3]},${20 + (i % 40)}`,
).join('\n')}\n`

const study = (more = '', budget = 1000) => `version: 1
name: brand
datasets:
  panel: { file: panel.csv }
defaults: { rows: 200, seed: 1, format: csv, expect: { fill: { min: 0.95 } } }
budget: { rows_per_run: ${budget} }
baseline: as-is
scenarios:
  as-is: {}
  more-yes:
    shares: { answer: { "Yes": 0.7 } }
${more}`

/** More of an answer moves its share by 0.2, not by 0.5. */
const TOO_HOPEFUL = `comparisons:
  - id: lift
    scenarios: [more-yes]
    shares: [answer]
    expect: [{ scenario: more-yes, column: answer, level: "Yes", delta_min: 0.5 }]
`

/**
 * A secret that is not the one of the state. The last block of what it decrypts ends, by chance, with bytes that a
 * padding could have, or does not.
 */
function secretThat(seemsToOpen: boolean, state: Buffer): string {
  const opens = (secret: string): boolean => {
    const key = pbkdf2Sync(secret, state.subarray(8, 16), 10_000, 48, 'sha256')
    const cipher = createDecipheriv('aes-256-cbc', key.subarray(0, 32), key.subarray(32))
    try {
      return Buffer.concat([cipher.update(state.subarray(16)), cipher.final()]).length > 0
    } catch {
      return false
    }
  }
  for (let i = 0; ; i++) if (opens(`replaced-${i}`) === seemsToOpen) return `replaced-${i}`
}

const hasBash = spawnSync('bash', ['-c', 'git --version']).status === 0

describe.skipIf(!hasBash)('examples/ci/github-workflow.yml, step by step (needs bash and git)', () => {
  let project: Project
  let service: RemoteService
  let github: GitHub
  let workflow: string
  let trusted: Pick<Trigger, 'vars' | 'secrets'>

  beforeAll(async () => {
    project = await makeProject()
    service = await startRemoteService(project)
    const { WHATIF_CLIENT_SECRET, ...vars } = service.credentials
    trusted = { vars: { ...vars, WHATIF_BUDGET_ROWS: '1000' }, secrets: { WHATIF_CLIENT_SECRET } }
    github = await makeGitHub()
    workflow = await ciWorkflow('github', STUDY_PATH)
    await github.write('package.json', '{ "devDependencies": { "whatif": "*" } }\n')
    await github.write('.gitignore', 'node_modules/\n')
    await github.write('studies/panel.csv', PANEL)
    await github.write(STUDY_PATH, study())
    await project.write(STUDY_PATH, study())
    await project.write('studies/panel.csv', PANEL)
    const locked = await project.whatif(['lock', STUDY_PATH], { env: service.credentials })
    expect(locked).toMatchObject({ code: 0 })
    await github.write(
      STUDY_PATH.replace('.yaml', '.lock.json'),
      await project.read(STUDY_PATH.replace('.yaml', '.lock.json')),
    )
  })
  afterAll(async () => {
    await github?.remove()
    await service?.stop()
    await project?.remove()
  })

  const fork: Pick<Trigger, 'vars' | 'secrets'> = { vars: {}, secrets: {} }
  const generations = () =>
    service.proxy.seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/generations'))
  const stepOf = (job: JobResult | undefined, name: string): StepResult => {
    const step = job?.steps[name]
    if (step === undefined) throw new Error(`the step ${name} did not run: ${JSON.stringify(job)}`)
    return step
  }
  const newestFirst = async () => [...(await github.cached())].sort((a, b) => (a.path < b.path ? 1 : -1))
  const commandsOf = ({ commands }: StepResult, level: string) => commands.filter(({ name }) => name === level)

  it('validates the pull request of a fork without secrets and network, and runs no study', async () => {
    const before = service.proxy.seen.length
    const { validate, run } = await github.run(workflow, { event: 'pull_request', runId: '100', ...fork })
    expect(validate?.conclusion).toBe('success')
    expect(stepOf(validate, 'Validate').log).toContain(
      `${STUDY_PATH}: valid, 2 scenarios (checked against brand study.study.lock.json)\n`,
    )
    expect(run?.conclusion).toBe('skipped')
    const step = stepOf(validate, 'Validate')
    expect(step.commands).toEqual([])
    expect(step.summary).toBe(`### whatif validate: done (exit code 0)

**Files**

| File | Result | Errors | Warnings |
| --- | --- | ---: | ---: |
| \`${STUDY_PATH}\` | passed | 0 | 0 |

`)
    expect(service.proxy.seen.length).toBe(before)
  })

  it('runs on main: masks the secret first, generates, sums up, evaluates, and uploads the manifest', async () => {
    const { validate, run } = await github.run(workflow, { event: 'push', runId: '101', ...trusted })
    expect({ validate: validate?.conclusion, run: run?.conclusion, log: run?.steps.Run?.log }).toMatchObject({
      validate: 'success',
      run: 'success',
    })
    const secret = service.credentials.WHATIF_CLIENT_SECRET
    const { log, commands, summary } = stepOf(run, 'Run')
    expect(log.split('\n')[0]).toBe(`::add-mask::${secret}`)
    expect(commands).toEqual([{ name: 'add-mask', properties: {}, data: secret }])
    expect(log.replace(`::add-mask::${secret}\n`, '')).not.toContain(secret)
    expect(log).toMatch(/^more-yes: ready, 200 rows \(generated\)$/m)
    expect(summary).toMatch(/^### whatif run `brand`: done \(exit code 0\)\n/)
    expect(summary).toContain('| `more-yes` | ready | 200 | 200 | 0 points | 1 passed | `generated` |\n')
    expect(summary).not.toContain(secret)

    const gate = stepOf(run, 'Gate')
    expect(gate).toMatchObject({ exitCode: 0, commands: [] })
    expect(gate.summary).toContain('| `more-yes` | `fill` | fail | `min 95 %` | 100 % | – | – | passed |\n')
    expect(await github.artifacts()).toEqual(['whatif-out', 'whatif-out/junit.xml', 'whatif-out/manifest.json'])
    expect(JSON.parse(await github.artifact('whatif-out/manifest.json'))).toMatchObject({
      status: 'complete',
      run: { rows_billable: 400, service: 'remote', ci: 'github-actions' },
    })
    expect(await github.artifact('whatif-out/junit.xml')).toContain('failures="0" errors="0"')
    expect(generations()).toHaveLength(2)
  })

  it('stores nothing that pull requests can read, except data that only the secret opens', async () => {
    const cached = await github.cached()
    expect(cached).toHaveLength(1)
    expect(cached[0]!.bytes.subarray(0, 8).toString()).toBe('Salted__')
    // Data that would be in there otherwise: names of levels, ids of the service.
    expect(cached[0]!.bytes.toString('latin1')).not.toMatch(/North|purchase|wi1\./)
  })

  it('asks the service for nothing in the next run, which has the results and the state of this one', async () => {
    const before = service.proxy.seen.length
    const { run } = await github.run(workflow, { event: 'push', runId: '102', ...trusted })
    expect(run?.conclusion).toBe('success')
    expect(stepOf(run, 'Run').summary).toContain(
      '| `more-yes` | ready | 200 | 200 | 0 points | 1 passed | `reused` |\n',
    )
    expect(service.proxy.seen.length).toBe(before)
  })

  it.each([
    ['and openssl says so', false],
    ['and openssl takes what it reads for a text', true],
  ])(
    'continues without the state if it cannot be opened, after the secret was replaced, %s',
    async (_, seemsToOpen) => {
      const secret = secretThat(seemsToOpen, (await newestFirst())[0]!.bytes)
      const other = { ...trusted, secrets: { WHATIF_CLIENT_SECRET: secret } }
      const { run } = await github.run(workflow, { event: 'push', runId: '1029', ...other })
      expect(stepOf(run, 'Unpack results and state')).toMatchObject({
        exitCode: 0,
        log: expect.stringContaining('this run begins without it'),
      })
      expect(stepOf(run, 'Run').exitCode).toBe(5)
      const [newest, before] = await newestFirst()
      expect(newest?.bytes, 'and what there is stays').toEqual(before?.bytes)
    },
  )

  it('generates again by schedule, and once for a job that is run again', async () => {
    const trigger: Trigger = { event: 'schedule', runId: '103', ...trusted }
    const before = generations().length
    expect((await github.run(workflow, trigger)).run?.conclusion).toBe('success')
    expect(generations().length).toBe(before + 2)
    expect((await github.run(workflow, trigger)).run?.conclusion).toBe('success')
    expect(generations().length).toBe(before + 2)
  })

  it('warns in a pull request that raises the budget, and buys no more on main than the settings allow', async () => {
    await github.write(STUDY_PATH, study('  third: { rows: 5000 }\n', 50_000))
    const { validate } = await github.run(workflow, { event: 'pull_request', runId: '1031', ...fork })
    expect(validate?.conclusion).toBe('success')
    expect(stepOf(validate, 'Validate').commands).toMatchObject([
      {
        name: 'warning',
        properties: { file: STUDY_PATH, title: 'W4501' },
        data: expect.stringContaining('against the branch main: rows_per_run 1,000 → 50,000'),
      },
    ])
    const before = generations().length
    const { run } = await github.run(workflow, { event: 'push', runId: '1032', ...trusted })
    expect(stepOf(run, 'Run').exitCode).toBe(6)
    expect(generations().length).toBe(before)
    await github.write(STUDY_PATH, study())
  })

  it('buys nothing at a remote service without a budget in the settings', async () => {
    const { WHATIF_BUDGET_ROWS: _, ...vars } = trusted.vars
    const before = generations().length
    const { run } = await github.run(workflow, { event: 'schedule', runId: '1033', ...trusted, vars })
    expect(stepOf(run, 'Run').exitCode).toBe(6)
    expect(generations().length).toBe(before)
  })

  it('fails a pull request that names an unknown level, at its place', async () => {
    await github.write(STUDY_PATH, study().replace('"Yes": 0.7', '"Yse": 0.7'))
    const { validate } = await github.run(workflow, { event: 'pull_request', runId: '104', ...fork })
    expect(validate?.conclusion).toBe('failure')
    const step = stepOf(validate, 'Validate')
    expect(step.exitCode).toBe(4)
    expect(step.commands).toEqual([
      {
        name: 'error',
        properties: { file: STUDY_PATH, line: '11', col: '25', title: 'S2103' },
        data: expect.stringMatching(/^unknown level "Yse" in column "answer"\ndid you mean "Yes"\?\nretained levels: /),
      },
    ])
    expect(step.summary).toMatch(/^### whatif validate: study does not fit the data \(exit code 4\)\n/)
    expect(step.summary).toContain(`| error | \`S2103\` | \`${STUDY_PATH}:11\` |`)
  })

  it('fails on main for data that are not those of the lock file, before anything is sent', async () => {
    await github.write(STUDY_PATH, study())
    await github.write('studies/panel.csv', PANEL.replaceAll('South', 'West'))
    const before = service.proxy.seen.length
    const { validate, run } = await github.run(workflow, { event: 'push', runId: '105', ...trusted })
    expect([validate?.conclusion, run?.conclusion]).toEqual(['failure', 'skipped'])
    expect(commandsOf(stepOf(validate, 'Validate'), 'error').length).toBeGreaterThan(0)
    expect(service.proxy.seen.length).toBe(before)
    await github.write('studies/panel.csv', PANEL)
  })

  it('fails the gate, not the run, if the verdict is negative, and keeps the manifest', async () => {
    await github.write(STUDY_PATH, study(TOO_HOPEFUL))
    const { run } = await github.run(workflow, { event: 'push', runId: '106', ...trusted })
    expect(run?.conclusion).toBe('failure')
    const step = stepOf(run, 'Run')
    expect(step.exitCode).toBe(0)
    expect(commandsOf(step, 'error')).toEqual([])
    expect(commandsOf(step, 'warning')).toMatchObject([
      { properties: { file: STUDY_PATH, title: 'gate delta:more-yes:answer:Yes' } },
    ])
    const gate = stepOf(run, 'Gate')
    expect(gate.exitCode).toBe(9)
    expect(gate.commands).toMatchObject([
      { name: 'error', properties: { file: STUDY_PATH, title: 'gate delta:more-yes:answer:Yes' } },
    ])
    // Both steps name the line of the gate itself, and begin with it.
    const lines = study(TOO_HOPEFUL).split('\n')
    const line = lines.findIndex((text) => text.includes('delta_min')) + 1
    for (const { commands } of [step, gate]) expect(commands.at(-1)?.properties.line).toBe(String(line))
    expect(step.summary.indexOf('gate delta:more-yes')).toBeLessThan(step.summary.indexOf('What `lift`'))
    expect(gate.summary).toContain('**failed**')
    expect(JSON.parse(await github.artifact('whatif-out/manifest.json')).comparisons.lift.gates).toMatchObject([
      { passed: false },
    ])
    expect(await github.artifact('whatif-out/junit.xml')).toContain('<failure ')
  })

  it('has a counterpart for GitLab, whose jobs validate without secrets, run, and evaluate', async () => {
    await github.write(STUDY_PATH, study())
    const { variables, default: common, ...jobs } = parse(await ciWorkflow('gitlab', STUDY_PATH))
    const job = (name: string, env: NodeJS.ProcessEnv) =>
      github.script([...common.before_script, ...jobs[name].script], { ...variables, GITLAB_CI: 'true', ...env })
    const validated = await job('whatif-validate', { CI_PIPELINE_SOURCE: 'merge_request_event' })
    expect(validated).toMatchObject({ exitCode: 0 })
    const secrets = { ...service.credentials, CI_PIPELINE_SOURCE: 'schedule', CI_PIPELINE_ID: '7' }
    expect(await job('whatif-run', secrets), 'no budget in the settings').toMatchObject({ exitCode: 6 })
    const ran = await job('whatif-run', { ...secrets, WHATIF_BUDGET_ROWS: '5000' })
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(runnerCommands(ran.log), 'these are for GitHub').toEqual([])
    expect(ran.log).not.toContain(service.credentials.WHATIF_CLIENT_SECRET)
    expect(ran.log).toMatch(/^2 gates, 0 failed; exit code 0$/m)
    const manifest = JSON.parse(await ran.read(jobs['whatif-run'].artifacts.paths[0].replace('$OUT', variables.OUT)))
    expect(manifest).toMatchObject({ run: { scope: '7', ci: 'gitlab-ci' } })
    expect(await ran.read(jobs['whatif-run'].artifacts.reports.junit.replace('$OUT', variables.OUT))).toContain(
      '<testsuites ',
    )
  })
})

describe('a workflow for a project', () => {
  it.each(['github', 'gitlab'] as const)('of %s names its study, whatever the project is called', async (system) => {
    for (const path of ['a.study.yaml', 'b "c": #d/é.study.yaml']) {
      const { env, variables } = parse(await ciWorkflow(system, path))
      expect((env ?? variables).STUDY).toBe(path)
    }
  })
})
