import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statusText } from '../../src/cli/output/status-text.ts'
import { askLiveJobs, liveJobIds } from '../../src/runner/live-jobs.ts'
import { endingBefore, readStudyStatus, type StatusRequest } from '../../src/runner/study-status.ts'
import { shardStudy } from '../../src/study/shards/shards.ts'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('how a study stands', () => {
  useRig()

  async function status(change: Partial<StatusRequest> = {}) {
    const { study, studyFile, projectRoot, out, service, options } = await rig.request()
    const { allowOutside, selection, scope } = options
    const request = { study, studyFile, projectRoot, out, service, allowOutside, selection, scope, ...change }
    return readStudyStatus(request, rig.environment())
  }

  const text = async () =>
    statusText(await status(), new Map(), { now: rig.clock.now(), width: 80, file: 'demo.study.yaml' })

  it('is "not started" before the first run, and leaves no files', async () => {
    expect(await text()).toBe(`demo: no run so far
  dataset panel: not started

scenario  status           rows  age  expires
base      not started  0 of 100
more-yes  not started  0 of 100
young     not started  0 of 100
`)
    expect(await rig.list('.')).toEqual(['demo.study.yaml', 'seeds'])
    expect(double.log).toEqual([])
  })

  it('says of results that were copied without their state why none is ready', async () => {
    await rig.run()
    await rm(join(rig.root, '.whatif'), { recursive: true })
    expect(await text()).toMatch(
      /^demo: last run complete .*\n(?:.*\n)+base +not started +0 of 100\n(?:.*\n)+\nnote: the state on this machine \(\.whatif\) does not know the results of that run;\n/,
    )
    await rig.run()
    expect(await text()).not.toContain('note:')
  })

  it('says why a request failed, and lists the scenario as failed', async () => {
    const error = { code: 'svc_unreadable_file', message: 'it has no rows' }
    double.intercept = ({ path }) =>
      path.startsWith('/v1/jobs/')
        ? { status: 200, json: { job_id: path.slice(9), status: 'failed', error } }
        : undefined
    await rig.run()
    expect(await text()).toMatch(
      /\n {2}dataset panel: failed, ds_000001: it has no rows\n\n.*\nbase {6}failed \(svc_unreadable_file\) {2}0 of 100\n/,
    )
    const selection = { select: ['status:failed'], exclude: [] }
    expect((await status({ selection })).scenarios.map(({ id }) => id)).toEqual(['base', 'more-yes', 'young'])
    double.intercept = () => undefined
    expect(await rig.run({ options: { selection, retryFailed: true } })).toMatchObject({ exitCode: 0 })
    expect((await status()).scenarios.map((s) => s.status)).toEqual(['ready', 'ready', 'ready'])
  })

  it('reports the same result for equal requests, of which one was sent', async () => {
    await rig.write('demo.study.yaml', `${STUDY}  twin: { shares: { answer: { Yes: 7e-1 } } }\n`)
    const error = { code: 'svc_infeasible_scenario', message: 'no row is so' }
    double.intercept = ({ path, body }) =>
      path.endsWith('/generations') && body.includes('0.7')
        ? {
            status: 400,
            json: { type: 'about:blank', title: 'Bad Request', status: 400, detail: error.message, code: error.code },
          }
        : undefined
    expect(await rig.run()).toMatchObject({ exitCode: 7 })
    const states = async () => (await status()).scenarios.map((s) => [s.id, s.status, s.error?.code ?? null])
    const refused = (id: string) => [id, 'refused', error.code]
    expect(await states()).toEqual([
      ['base', 'ready', null],
      refused('more-yes'),
      ['young', 'ready', null],
      refused('twin'),
    ])
    const selection = { select: ['status:refused'], exclude: [] }
    expect((await status({ selection })).scenarios.map((s) => s.id)).toEqual(['more-yes', 'twin'])
    double.intercept = () => undefined
    await rig.run({ options: { selection } })
    expect(await states()).toEqual(['base', 'more-yes', 'young', 'twin'].map((id) => [id, 'ready', null]))
  })

  it('does not report another file of the same name', async () => {
    await rig.run()
    await rig.write('other.study.yaml', STUDY)
    await expect(status({ studyFile: join(rig.root, 'other.study.yaml') })).rejects.toThrow(
      'the name "demo" belongs to demo.study.yaml',
    )
  })

  it('reports a file at the path of the results', async () => {
    await rig.run()
    await rm(join(rig.root, 'out'), { recursive: true })
    await rig.write('out', '')
    expect((await status()).scenarios.map((s) => s.file)).toEqual(['missing', 'missing', 'missing'])
  })

  it('reports rows, age and expiry after a run', async () => {
    await rig.run()
    rig.clock.advance(2 * HOUR)
    expect(await text()).toMatch(
      /^demo: last run complete 2 h ago \(exit 0\)\n {2}dataset panel: ready, ds_000001\n\nscenario {2}status {2}rows {2}age {2}expires\nbase {6}ready {4}100 {2}2 h {2}in 2[12] h\n/,
    )
    const found = await status()
    expect(found.last).toEqual(found.lastComplete)
    expect(found.pending).toEqual({ trainings: 0, generations: 0, unanswered: 0, downloads: 0 })
    expect(found.scenarios[0]).toMatchObject({
      status: 'ready',
      file: 'there',
      isChanged: false,
      requested: 100,
      rows: 100,
    })
  })

  it('fits 80 columns with the longest ids and all remarks, and cuts no id', async () => {
    const [short, long] = ['a'.repeat(36), 'x'.repeat(40)]
    await rig.write(
      'demo.study.yaml',
      STUDY.replace('base', short).replace('young', long).replace('rows: 100', 'rows: 9999'),
    )
    await rig.run()
    await rm(join(rig.root, `out/demo/${long}.csv`))
    await rig.write(
      'demo.study.yaml',
      STUDY.replace('base', short).replace('young', long).replace('rows: 100', 'rows: 99999'),
    )
    const lines = (await text()).split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    const at = lines.indexOf(long)
    expect(lines[at + 1]).toMatch(/^ {38}ready \(ch\w+… {2}9,999 of 99,999 {2}now {2}in 2[34] h$/)
    expect(lines.some((line) => line.startsWith(`${short}  ready`))).toBe(true)
  })

  it('reports results that expire within a time, until they have expired', async () => {
    await rig.run()
    const found = await status()
    const at = Date.parse(found.scenarios[0]!.expiresAt!)
    const ids = (now: number, until: number) => endingBefore(found, now, until).map(({ id }) => id)
    expect(ids(at - 3 * HOUR, at - 2 * HOUR)).toEqual([])
    expect(ids(at - HOUR, at)).toContain('base')
    expect(ids(at, at + HOUR)).not.toContain('base')
  })

  it('reports a changed scenario, a lost file and a file of another size', async () => {
    await rig.run()
    await rm(join(rig.root, 'out/demo/base.csv'))
    await rig.write('out/demo/young.csv', 'other')
    await rig.write('demo.study.yaml', STUDY.replace('0.7', '0.6'))
    const { scenarios } = await status()
    expect(scenarios.map(({ id, file, isChanged }) => [id, file, isChanged])).toEqual([
      ['base', 'missing', false],
      ['more-yes', 'there', true],
      ['young', 'changed', false],
    ])
    expect(await text()).toMatch(/^base {6}ready \(file missing\)/m)
  })

  it('reports work that continues at the service, by the record alone or by asking for its job', async () => {
    await rig.run({ options: { selection: { select: ['base'], exclude: [] } } })
    double.pollsPerJob = 10_000
    expect(await rig.run({ options: { deadlineMs: 20 * MINUTE } })).toMatchObject({ exitCode: 11 })
    const asked = double.log.length
    const found = await status()
    expect(double.log.length).toBe(asked)
    expect(found.pending).toMatchObject({ generations: 2, downloads: 0 })
    expect(found.last).toMatchObject({ status: 'interrupted', exitCode: 11 })
    expect(found.lastComplete).toBeNull()
    expect(await text()).toMatch(
      /^pending: 2 generations at the service\n {2}to collect: whatif resume demo\.study\.yaml\n$/m,
    )
    const client = await rig.environment().client()
    const ids = liveJobIds(found)
    expect(ids).toHaveLength(2)
    const jobs = await askLiveJobs(client, [...ids, 'job_none'], {})
    await client.close()
    expect([...jobs.values()]).toEqual([
      { status: 'running', progress: 0.5, stage: 'training' },
      { status: 'running', progress: 0.5, stage: 'training' },
    ])
    const shown = statusText(found, jobs, { now: rig.clock.now(), width: 80, file: 'x' })
    expect(shown).toMatch(/^young {5}running \[running, training, 50 %\]/m)
  })

  it('counts a run as complete for the selected scenarios', async () => {
    const selection = { select: ['base'], exclude: [] }
    await rig.run({ options: { selection } })
    expect((await status()).lastComplete).toBeNull()
    expect((await status({ selection })).lastComplete).toMatchObject({ status: 'complete', exitCode: 0 })
  })

  it('reports the work of one scope on request', async () => {
    await rig.run({ options: { scope: 'monday' } })
    const states = async (scope: string) => (await status({ scope })).scenarios.map((s) => s.status)
    expect(await states('monday')).toEqual(['ready', 'ready', 'ready'])
    expect(await states('tuesday')).toEqual(['not_started', 'not_started', 'not_started'])
    const selection = { select: ['status:not_started'], exclude: [] }
    expect((await status({ scope: 'tuesday', selection })).scenarios).toHaveLength(3)
    await expect(status({ selection })).rejects.toThrow('nothing is selected')
    rig.clock.advance(MINUTE)
    await rig.run({ options: { scope: 'wednesday', selection: { select: ['base'], exclude: [] } } })
    const complete = async (scope: string | null) => (await status({ scope })).lastComplete?.id ?? null
    const [wednesday, monday] = (await rig.list('out/demo/runs')).sort().reverse()
    expect((await status({ scope: 'wednesday' })).last?.id).toBe(wednesday?.replace('.json', ''))
    expect([await complete('monday'), await complete(null)]).toEqual(Array(2).fill(monday?.replace('.json', '')))
    expect([await complete('tuesday'), await complete('wednesday')]).toEqual([null, null])
  })

  it('reports the active run, and a lock that was left behind', async () => {
    await rig.run()
    const at = new Date(rig.clock.now()).toISOString()
    const holder = { pid: 1, host: 'here', run_id: 'r', started_at: at, heartbeat_at: at }
    await rig.write('.whatif/studies/demo/embedded/lock', JSON.stringify(holder))
    expect((await status()).lock).toMatchObject({ holder: { pid: 1, runId: 'r' }, stale: null })
    expect(await text()).toContain('  running now: process 1 on here, since just now\n')
    rig.clock.advance(3 * MINUTE)
    expect((await status()).lock).toMatchObject({ stale: 'heartbeat_old' })
  })

  it('names the parts that have ended, and those that are missing', async () => {
    const { study } = await rig.request()
    await rig.run({ request: { study: shardStudy(study, { index: 2, of: 4 }) } })
    // A part that was killed, and folders that are none.
    for (const other of ['shard-3-of-4', 'shard-5-of-4', 'shard-0-of-4', 'shard-1-of-4.old', 'runs'])
      await rig.write(`out/demo/${other}/manifest.json`, '{}')
    expect((await status()).parts).toEqual([{ of: 4, indexes: [2] }])
    expect(await text()).toContain(`
parts: 1 of 4 in the output folder; missing: 1, 3, 4
  to make one result of them: whatif merge demo.study.yaml
`)
    await rig.run({ request: { study: shardStudy(study, { index: 1, of: 1 }) } })
    expect(await text()).toContain(`
parts: 1 of 1 in the output folder
  to make one result of them: whatif merge demo.study.yaml --shards 1
`)
  })

  it('is refused for an output folder outside the project, and for an empty selection', async () => {
    await expect(status({ selection: { select: ['bas'], exclude: [] } })).rejects.toThrow(
      'nothing is selected: no scenario matches "bas" (did you mean "base"?)',
    )
    const { study } = await rig.request()
    await expect(status({ study: { ...study, outputDir: '../elsewhere' } })).rejects.toThrow(
      'the output folder is outside the project',
    )
  })
})
