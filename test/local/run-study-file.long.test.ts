import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunEvent, type RunStudyFileOptions, runStudyFile, type ServiceAccess } from '../../src/index.ts'
import { DEMO_STUDY, type DoubleProject, makeDoubleProject } from '../cli/double-project.ts'
import { cleanEnvironment, shortTracker, trackerFile } from '../cli/project-folder.ts'
import { SECRET_CANARY } from '../runner/service-double.ts'
import { SHORT_LIVED } from '../service/served-process.ts'

const entry = pathToFileURL(resolve(import.meta.dirname, '../../dist/index.js')).href

let rig: DoubleProject
let service: ServiceAccess
beforeEach(async () => {
  rig = await makeDoubleProject({ sharesProcess: true })
  service = { url: rig.double.url, clientId: 'cli_1', clientSecret: SECRET_CANARY }
})
afterEach(() => rig.remove())

const study = () => rig.project.path('demo.study.yaml')
const withoutBudget = () => rig.project.write('demo.study.yaml', DEMO_STUDY.replace(/^budget:.*$/m, ''))

describe('a study file run by a program, against a remote service', () => {
  it('returns the manifest that is on the disk, and reports its progress', async () => {
    const events: RunEvent['type'][] = []
    const result = await runStudyFile(study(), { service, onEvent: ({ type }) => events.push(type) })
    expect(result).toMatchObject({ exitCode: 0, reason: 'ok', message: null })
    expect(result.manifestPath).toBe(rig.project.path('out/demo/manifest.json'))
    expect(JSON.parse(await rig.project.read('out/demo/manifest.json'))).toEqual(
      JSON.parse(JSON.stringify(result.manifest)),
    )
    expect(events[0]).toBe('run.started')
    expect(events.at(-1)).toBe('run.finished')
  })

  it('gives the same results as the command for the same study', async () => {
    const { code, stdout } = await rig.project.whatif(['run', 'demo.study.yaml', '--json'], { env: rig.env })
    const { manifest } = JSON.parse(stdout).data
    const result = await runStudyFile(study(), { service })
    expect(result.exitCode).toBe(code)
    expect(result.manifest?.scenarios).toEqual(manifest.scenarios)
    expect(result.manifest?.run.actions).toEqual({ base: 'reused', 'more-yes': 'reused', young: 'reused' })
  })

  it('is refused without a budget or a confirmation', async () => {
    await withoutBudget()
    const refused = await runStudyFile(study(), { service })
    expect(refused).toMatchObject({ exitCode: 2, message: expect.stringMatching(/or pass budgetRows or confirm$/) })
    const declined = await runStudyFile(study(), { service, confirm: () => false })
    expect(declined).toMatchObject({ exitCode: 2, message: 'not confirmed; nothing was sent' })
    expect(rig.double.made('generations')).toBe(0)

    expect(await runStudyFile(study(), { service, budgetRows: 299 })).toMatchObject({ exitCode: 6 })
    expect(rig.double.made('generations')).toBe(0)
    let bound: number | null = null
    const confirm: RunStudyFileOptions['confirm'] = async (plan) => {
      bound = plan.totals.rowsBound
      return true
    }
    expect(await runStudyFile(study(), { service, confirm })).toMatchObject({ exitCode: 0 })
    expect(bound).toBe(300)
  })

  it('is a trial with fewer rows, kept apart from the study', async () => {
    const trial = await runStudyFile(study(), { service, rows: 20 })
    expect(trial).toMatchObject({ exitCode: 0, manifest: { run: { trial: 20 }, totals: { rows_generated: 60 } } })
    expect(trial.manifestPath).toBe(rig.project.path('out/demo/trial-20/manifest.json'))
    const whole = await runStudyFile(study(), { service })
    expect(whole.manifest?.totals.rows_generated).toBe(300)
    expect(whole.manifest?.run.trial).toBeUndefined()
  })

  it('ends with 130 when its signal is aborted, and the next run continues the work', async () => {
    const controller = new AbortController()
    const onEvent = ({ type }: RunEvent) => {
      if (type === 'scenario.submitted') controller.abort()
    }
    const aborted = await runStudyFile(study(), { service, signal: controller.signal, onEvent })
    expect(aborted).toMatchObject({ exitCode: 130, reason: 'interrupted', message: 'aborted by the caller' })
    expect(aborted.manifest?.status).toBe('interrupted')
    const made = rig.double.made('generations')
    expect(await runStudyFile(study(), { service })).toMatchObject({ exitCode: 0 })
    expect(rig.double.made('generations')).toBe(3)
    expect(made).toBeGreaterThan(0)
  })

  it('sends nothing when its signal was aborted before the start, and reports a time limit as such', async () => {
    const gone = await runStudyFile(study(), { service, signal: AbortSignal.abort() })
    expect(gone).toMatchObject({ exitCode: 130 })
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    expect(await runStudyFile(study(), { service, signal: late })).toMatchObject({ exitCode: 11 })
    expect(rig.double.log).toEqual([])
  })

  it.each<[string, (event: RunEvent) => void]>([
    [
      'throws',
      () => {
        throw new RangeError('mine')
      },
    ],
    [
      'rejects',
      async () => {
        throw new RangeError('mine')
      },
    ],
  ])('records an interruption and throws the error on when onEvent %s', async (_how, fail) => {
    const onEvent = (event: RunEvent) => (event.type === 'scenario.submitted' ? fail(event) : undefined)
    await expect(runStudyFile(study(), { service, onEvent })).rejects.toThrow(new RangeError('mine'))
    expect(JSON.parse(await rig.project.read('out/demo/manifest.json')).status).toBe('interrupted')
    expect(await runStudyFile(study(), { service })).toMatchObject({ exitCode: 0 })
  })

  it('returns the faults of a study with their places, and sends nothing', async () => {
    await rig.project.write('demo.study.yaml', DEMO_STUDY.replace('rows: 100', 'rowz: 100'))
    const result = await runStudyFile(study(), { service })
    expect(result).toMatchObject({ exitCode: 3, reason: 'invalid_study', manifest: null, manifestPath: null })
    expect(result.diagnostics[0]).toMatchObject({ code: 'S1102', suggestions: ['rows'], range: { start: { line: 5 } } })
    expect(rig.double.log).toEqual([])
  })

  it('ignores the variables of the environment that name another service', async () => {
    const before = process.env
    process.env = { ...before, WHATIF_BASE_URL: 'https://elsewhere.example.org', WHATIF_CONCURRENCY: 'many', CI: '1' }
    try {
      const result = await runStudyFile(study(), { service })
      expect(result).toMatchObject({ exitCode: 0, manifest: { run: { service: 'remote', ci: null } } })
    } finally {
      process.env = before
    }
  })

  it.each<[string, object, number, RegExp]>([
    ['a misspelt option', { budget_rows: 5 }, 2, /budget_rows/],
    ['rows that are no number', { budgetRows: '5' }, 2, /options\.budgetRows: .*expected number/],
    ['a trial without rows', { rows: 0 }, 2, /options\.rows/],
    ['a label that no key can hold', { scope: 'a b' }, 2, /options\.scope: expected 1 to 48 letters/],
    ['a service without credentials', { service: { url: 'https://s.example.org' } }, 2, /options\.service\.clientId/],
    [
      'an address without TLS',
      { service: { url: 'http://s.example.org', clientId: 'c', clientSecret: 'hush' } },
      5,
      /must be https/,
    ],
    [
      'a secret that is empty',
      { service: { url: 'https://s.example.org', clientId: 'c', clientSecret: '' } },
      2,
      /clientSecret/,
    ],
  ])('refuses %s before it starts', async (_what, options, exitCode, message) => {
    const refusal = runStudyFile(study(), options as RunStudyFileOptions)
    await expect(refusal).rejects.toMatchObject({
      name: 'SetupError',
      exitCode,
      message: expect.stringMatching(message),
    })
    await expect(refusal).rejects.not.toThrow(/hush/)
  })

  it('refuses a missing file and a file that is no study', async () => {
    const none = runStudyFile(rig.project.path('none.study.yaml'), { service })
    await expect(none).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/there is no such file$/) })
    await expect(runStudyFile(rig.project.path('seeds/panel.csv'), { service })).rejects.toMatchObject({ exitCode: 2 })
  })

  it('refuses a project whose state folder is in the way', async () => {
    await rig.project.write('.whatif', '')
    await expect(runStudyFile(study(), { service })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/\.whatif.*move it away/),
    })
  })
})

/** A program of its own that runs the study and prints the value of its last expression; nothing else may print. */
async function program(text: string) {
  const code = `import { runStudyFile } from ${JSON.stringify(entry)}\n${text}`
  const child = spawn(process.execPath, [SHORT_LIVED, '--input-type=module', '-e', code], {
    cwd: rig.project.root,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk
    })
  const exitCode = await new Promise<number | null>((done) => child.on('close', done))
  return { ...said, exitCode }
}

describe('a study file run by a program, without a service', () => {
  beforeEach(async () => {
    await rig.project.write('tracker.csv', shortTracker())
    await rig.project.copy(resolve(trackerFile, '../minimal.study.yaml'), 'demo.study.yaml')
  })

  it('starts the embedded service, prints nothing, and leaves nothing that keeps the process alive', async () => {
    const ended = await program(`
const { exitCode, manifest } = await runStudyFile('demo.study.yaml')
process.stdout.write(JSON.stringify([exitCode, manifest.totals.rows_generated, manifest.run.service]))
`)
    expect(ended).toEqual({ exitCode: 0, stdout: '[0,1000,"embedded"]', stderr: '' })
    expect(await rig.project.list('.whatif/embedded')).not.toContain('lock')
  })

  it('stops the embedded service when it is aborted at the start or at work, and when onEvent throws', async () => {
    const ended = await program(`
const endings = []
for (const moment of ['plan', 'dataset.training']) {
  const controller = new AbortController()
  const onEvent = ({ type }) => { if (type === moment) controller.abort() }
  endings.push((await runStudyFile('demo.study.yaml', { signal: controller.signal, onEvent })).exitCode)
}
const onEvent = ({ type }) => { if (type === 'dataset.training') throw new Error('mine') }
endings.push(await runStudyFile('demo.study.yaml', { onEvent }).catch((error) => error.message))
process.stdout.write(JSON.stringify(endings))
`)
    expect(ended).toEqual({ exitCode: 0, stdout: '[130,130,"mine"]', stderr: '' })
    expect(await rig.project.list('.whatif/embedded')).not.toContain('lock')
  })

  it('lets two studies of a project take turns', async () => {
    const text = await rig.project.read('demo.study.yaml')
    await rig.project.write('other.study.yaml', text.replace('name: coffee-minimal', 'name: other'))
    const ended = await program(`
const both = await Promise.all(['demo', 'other'].map((name) => runStudyFile(name + '.study.yaml')))
process.stdout.write(JSON.stringify(both.map(({ exitCode }) => exitCode)))
`)
    expect(ended).toEqual({ exitCode: 0, stdout: '[0,0]', stderr: '' })
  })

  it('ends with 10, or with its abort, while another process holds the data', async () => {
    await mkdir(rig.project.path('.whatif/embedded'), { recursive: true })
    const ended = await program(`
const { startService } = await import(${JSON.stringify(entry)})
const other = await startService({ dataDir: '.whatif/embedded', logLevel: 'silent' })
const held = await runStudyFile('demo.study.yaml', { lockTimeoutMs: 0 })
const signal = AbortSignal.timeout(1500)
const late = await runStudyFile('demo.study.yaml', { signal })
await other.close()
process.stdout.write(JSON.stringify([held.exitCode, held.message.includes('in use by process'), late.exitCode]))
`)
    expect(ended).toEqual({ exitCode: 0, stdout: '[10,true,11]', stderr: '' })
  })
})
