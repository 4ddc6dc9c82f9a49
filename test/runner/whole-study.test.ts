import { readdir, readFile, stat } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measure } from '../../src/answers/counts/measure.ts'
import { compareManifests } from '../../src/answers/manifest/compare-manifests.ts'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import { manifestVerdict } from '../../src/runner/conclude/run-verdict.ts'
import { RunRefusalError } from '../../src/runner/interface/exit-code.ts'
import type { RunEnvironment } from '../../src/runner/interface/run-options.ts'
import { renderPlan } from '../../src/runner/plan/render-plan.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { measureCsv } from './measure-csv.ts'
import { STUDY } from './run-rig.ts'
import { problem, SECRET_CANARY, TOKEN_CANARY } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig()

async function everyFile(folder: string): Promise<[path: string, text: string][]> {
  const names = await readdir(folder, { recursive: true })
  const files = names.map((name) => join(folder, name))
  const kept = await Promise.all(files.map(async (path) => ((await stat(path)).isFile() ? [path] : [])))
  return Promise.all(kept.flat().map(async (path) => [path, await readFile(path, 'utf8')]))
}

const FULL = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
defaults: { rows: 100, seed: 1, format: csv, partial: accept }
scenarios:
  base: {}
  mix:
    matrix:
      axes:
        - { name: answer, set: [shares, answer, 'Yes'], values: { low: 0.2, high: 0.8 } }
        - name: where
          values:
            north: { shares: { region: { North: 1 } } }
            open: {}
  young: { ranges: { age: { min: 20, max: 30 } }, rows: 50 }
baseline: base
comparisons:
  - id: lift
    scenarios: ['mix--*']
    shares: [answer]
    means: [age]
    expect: [{ scenario: mix--high--open, column: answer, level: 'Yes', delta_min: 0.2 }]
    warn: [{ scenario: mix--low--open, column: age, delta_max: -100 }]
`

describe('a study with everything in it', () => {
  it('is measured by the real reader and compared with its baseline', async () => {
    await rig.write('demo.study.yaml', FULL)
    const result = await rig.run({ env: { measure } })
    expect(result).toMatchObject({ exitCode: 0, reason: 'ok', error: null })
    const manifest = await rig.manifest()
    expect(manifestFaults(manifest)).toEqual([])
    expect(manifest.totals).toMatchObject({ scenarios: 6, ready: 6, rows_requested: 550, rows_generated: 550 })
    expect(manifest.scenarios['mix--high--north']).toMatchObject({
      group: 'mix',
      axes: { answer: 'high', where: 'north' },
      shares: {
        answer: { levels: { Yes: { target: 0.8, achieved: 0.8, count: 80 } }, unstated: { No: 0.2 } },
        region: { levels: { North: { target: 1, achieved: 1, count: 100 } }, unstated: {} },
      },
    })
    const { lift } = manifest.comparisons
    expect(lift?.scenarios['mix--high--open']).toMatchObject({
      status: 'compared',
      shares: { answer: { Yes: { against: 0.5, scenario: 0.8, delta: 0.3 } } },
      means: { age: { against: { n: 100 }, scenario: { n: 100 }, delta: 0 } },
    })
    expect(lift?.gates).toEqual([
      {
        id: 'delta:mix--high--open:answer:Yes',
        level: 'fail',
        evaluated: 1,
        passed: true,
        expected: { delta_min: 0.2 },
        actual: 0.3,
      },
      {
        id: 'delta:mix--low--open:age',
        level: 'warn',
        evaluated: 1,
        passed: false,
        expected: { delta_max: -100 },
        actual: 0,
      },
    ])
    // The manifest alone gives the same verdicts and figures.
    const review = evaluateGates(manifest)
    expect(review.gates.map((r) => [r.gate, r.unchecked])).toEqual((lift?.gates ?? []).map((gate) => [gate, null]))
    expect(manifestVerdict(manifest, review, new Set())).toMatchObject({ exitCode: 0, reason: 'ok' })
    // Added comparisons are counted in the files that are there.
    const asked = double.log.length
    await rig.write('demo.study.yaml', FULL.replace('shares: [answer]\n', 'shares: [answer, region]\n'))
    expect(await rig.run({ env: { measure } })).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
    expect((await rig.manifest()).comparisons.lift?.scenarios['mix--low--open']?.shares.region?.East).toMatchObject({
      against: 0.25,
    })
  })

  it('treats columns of very large numbers and levels of half a surrogate pair like all others', async () => {
    await rig.write('demo.study.yaml', FULL)
    const schema = [
      { name: 'region', levels: ['North', 'South', 'East', 'West', '\ud83d'] },
      { name: 'answer', levels: ['Yes', 'No'] },
      { name: 'age', type: 'numeric', min: -25025000000000000000, max: 1e300 },
    ]
    double.intercept = (r) => (r.path.endsWith('/schema') ? { status: 200, json: { schema } } : undefined)
    const huge: RunEnvironment['measure'] = async (request, signal) => {
      const measured = await measureCsv(request, signal)
      const numbers = measured.numbers.map(([column, n]) => [column, { ...n, mean: 25025000000000000000 }] as const)
      return { ...measured, numbers }
    }
    const { exitCode, digest } = await rig.run({ env: { measure: huge } })
    expect(exitCode).toBe(0)
    const read = parseManifest(await rig.read('out/demo/manifest.json'))
    expect(read.digest).toBe(digest)
    expect(read.manifest.comparisons.lift?.scenarios['mix--low--open']?.means.age?.scenario?.mean).toBe(2.5025e19)
    const asked = double.log.length
    expect(await rig.run({ env: { measure: huge } })).toMatchObject({ exitCode: 0, digest })
    expect(double.log.length).toBe(asked)
    expect(compareManifests(read.manifest, read.manifest).differences).toEqual([])
  })

  it('is compared with a baseline that is not selected, by columns that were not counted before', async () => {
    await rig.write('demo.study.yaml', FULL)
    await rig.run()
    const text = FULL.replace('shares: [answer]\n', 'shares: [answer, region]\n').replace(
      'expect: [',
      'expect: [{ scenario: mix--high--north, column: region, level: North, delta_min: 0.5 }, ',
    )
    await rig.write('demo.study.yaml', text)
    const options = { selection: { select: ['mix--*'], exclude: [] } }
    expect(await rig.run({ options })).toMatchObject({ exitCode: 0 })
    const { lift } = (await rig.manifest()).comparisons
    expect(lift?.gates[0]).toMatchObject({ id: 'delta:mix--high--north:region:North', evaluated: 1, actual: 0.75 })
    expect(lift?.scenarios['mix--high--north']?.shares.region?.North).toMatchObject({
      against: 0.25,
      scenario: 1,
      delta: 0.75,
    })
  })

  it('marks comparisons between two trainings, and fails them unless the policy is to warn', async () => {
    await rig.write('demo.study.yaml', FULL)
    await rig.run()
    double.forget('datasets')
    double.forget('generations')
    rig.clock.advance(48 * 3600_000)
    const changed = FULL.replace('low: 0.2', 'low: 0.3')
    await rig.write('demo.study.yaml', changed)
    expect(await rig.run()).toMatchObject({ exitCode: 9, reason: 'gates_failed' })
    const { lift } = (await rig.manifest()).comparisons
    expect(lift?.scenarios['mix--low--open']?.status).toBe('mixed_model')
    expect(lift?.scenarios['mix--high--open']?.status).toBe('compared')
    expect(lift?.gates[0]).toMatchObject({ id: 'mixed_model', level: 'fail', passed: false, actual: 2, evaluated: 4 })
    await rig.write('demo.study.yaml', `${changed}policy: { mixed_model: warn }\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
  })

  it('leaves no secret, token, signed link, address, absolute path, host or user in anything it writes or reports', async () => {
    await rig.write('demo.study.yaml', FULL)
    let posts = 0
    double.intercept = (r) =>
      r.method === 'POST' && r.path.endsWith('/generations') && ++posts === 3
        ? problem(400, 'svc_invalid_field', `echo ${SECRET_CANARY} ${TOKEN_CANARY}`)
        : r.path.includes('/artifacts/') && ++posts === 5
          ? problem(410, 'svc_artifact_url_expired', 'gone')
          : undefined
    await rig.run({ env: { measure } })
    const canaries = [SECRET_CANARY, TOKEN_CANARY, 'canary-signature', 'Bearer', double.url, '127.0.0.1', rig.root]
    const personal = [hostname(), userInfo().username].filter((word) => word.length > 4)
    for (const [path, text] of await everyFile(rig.root)) {
      if (path.endsWith('.study.yaml') || path.endsWith('panel.csv')) continue
      const found = [...canaries, ...personal].filter((word) => text.includes(word))
      expect(found, path).toEqual([])
    }
    const events = JSON.stringify(rig.events)
    expect([SECRET_CANARY, TOKEN_CANARY, 'canary-signature', 'Bearer'].filter((word) => events.includes(word))).toEqual(
      [],
    )
  })
})

describe('the live check', () => {
  it.each([
    { name: 'a misspelt column', from: 'answer: { Yes: 0.7 }', to: 'anser: { Yes: 0.7 }', code: 'S2102' },
    { name: 'an unknown level', from: 'answer: { Yes: 0.7 }', to: 'answer: { Yess: 0.7 }', code: 'S2103' },
    { name: 'a range outside the data', from: 'min: 20, max: 30', to: 'min: 200, max: 300', code: 'S2107' },
    { name: 'a range on text', from: 'age: { min: 20', to: 'region: { min: 20', code: 'S2105' },
  ])('refuses $name before anything is generated', async ({ from, to, code }) => {
    await rig.write('demo.study.yaml', STUDY.replace(from, to))
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    expect(result.diagnostics.map((d) => d.code)).toContain(code)
    expect(double.made('generations')).toBe(0)
    expect(double.made('datasets')).toBe(1)
  })

  it('also refuses a condition of a scenario that is not selected', async () => {
    await rig.write('demo.study.yaml', STUDY.replace('Yes: 0.7', 'Yess: 0.7'))
    const options = { selection: { select: ['base'], exclude: [] } }
    expect(await rig.run({ options })).toMatchObject({ exitCode: 4 })
  })
})

describe('an existing dataset', () => {
  const existing = (id: string) => STUDY.replace('file: seeds/panel.csv', `dataset_id: ${id}`)

  it('is only read, and not even read if nothing changed', async () => {
    await rig.run()
    const [id] = [...double.datasets.keys()]
    await rig.write(
      'demo.study.yaml',
      existing(id!).replace('name: demo', 'name: live').replaceAll('seed: 1', 'seed: 2'),
    )
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
    expect(double.made('generations')).toBe(6)
    const asked = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(asked)
  })

  it('with a changed schema has its scenarios generated again, under new keys', async () => {
    await rig.run()
    const [id] = [...double.datasets.keys()]
    const study = existing(id!).replace('name: demo', 'name: live').replaceAll('seed: 1', 'seed: 2')
    await rig.write('demo.study.yaml', study)
    const { manifest: before } = await rig.run()
    const asked = double.log.length
    double.revise = (json, { path }) =>
      path.endsWith('/schema')
        ? { ...json, schema: (json.schema as object[]).filter((column) => (column as { name: string }).name !== 'id') }
        : json
    expect(await rig.run()).toMatchObject({ exitCode: 0, manifest: { scenarios: before.scenarios } })
    expect(double.log.length, 'an unchanged study makes no request').toBe(asked)

    await rig.write('demo.study.yaml', `${study}  later: { seed: 9 }\n`)
    const { manifest: after, exitCode } = await rig.run()
    expect(exitCode).toBe(0)
    const { base, later } = after.trace.scenarios
    expect([base?.epoch, later?.epoch]).toEqual([1, 0])
    for (const scenario of ['base', 'more-yes', 'young']) {
      expect(after.run.actions[scenario]).toBe('generated')
      expect(after.scenarios[scenario]?.fingerprint).not.toBe(before.scenarios[scenario]?.fingerprint)
      const [old, now] = [before, after].map(({ trace }) => trace.scenarios[scenario]?.idempotency_key)
      expect(now).toBe(old?.replace(/\.e0$/, '.e1'))
    }
    expect(double.made('generations')).toBe(10)
    const settled = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0, manifest: { run: { rows_billable: 0 } } })
    expect(double.log.length).toBe(settled)
  })

  it('that no longer exists is exit 4 with advice', async () => {
    await rig.write('demo.study.yaml', existing('ds_dead'))
    const result = await rig.run()
    expect(result).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    expect(result.message).toContain('pass a current one with --dataset panel=<dataset_id>')
    const again = await rig.run({ options: { retryFailed: true } })
    expect(again).toMatchObject({ exitCode: 4, reason: 'does_not_fit_data' })
    const { code, detail } = again.manifest.scenarios.base?.error ?? {}
    expect(code).toBe('dataset_gone')
    expect(detail).toContain('pass a current one with --dataset panel=<dataset_id>')
    const { plan } = await planFromDisk(await rig.request(), rig.environment())
    expect(renderPlan(plan, { now: rig.clock.now(), width: 300 })).not.toContain('--retry-failed')
  })

  it('that expired keeps the results made from it', async () => {
    await rig.run()
    const [id] = [...double.datasets.keys()]
    const study = existing(id!).replace('name: demo', 'name: live')
    await rig.write('demo.study.yaml', study)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    double.forget('datasets')
    await rig.write('demo.study.yaml', `${study}  later: { seed: 9 }\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 4 })
    await rig.write('demo.study.yaml', study)
    expect(await rig.run()).toMatchObject({ exitCode: 0, manifest: { totals: { ready: 3 } } })
  })

  it('cannot be uploaded again: --force-dataset is refused, and nothing is sent', async () => {
    await rig.write('demo.study.yaml', existing('ds_1'))
    const result = await rig.run({ options: { forceDatasets: new Set(['panel']) } })
    expect(result).toMatchObject({ exitCode: 2, message: expect.stringContaining('no file to upload again') })
    expect(double.log).toEqual([])
  })

  it('named by --dataset replaces the seed file', async () => {
    await rig.run()
    const [id] = [...double.datasets.keys()]
    const options = { datasetIds: new Map([['panel', id!]]) }
    await rig.write('seeds/panel.csv', 'not,needed\n')
    expect(await rig.run({ options })).toMatchObject({ exitCode: 0 })
    expect(double.made('datasets')).toBe(1)
  })

  it('with the same model as a seed file is asked only once for the same rows', async () => {
    await rig.run()
    const [id] = [...double.datasets.keys()]
    const options = { datasetIds: new Map([['panel', id!]]) }
    expect(await rig.run({ options })).toMatchObject({ exitCode: 0, manifest: { run: { rows_billable: 0 } } })
    expect(await rig.run()).toMatchObject({ exitCode: 0, manifest: { run: { rows_billable: 0 } } })
    expect(double.made('generations')).toBe(3)
  })
})

describe('before anything is sent', () => {
  it.each([
    { name: 'a budget of the file', study: `${STUDY}budget: { rows_per_run: 250 }\n`, options: {}, exitCode: 6 },
    { name: 'a budget per scenario', study: `${STUDY}budget: { rows_per_scenario: 99 }\n`, options: {}, exitCode: 6 },
    { name: 'no new dataset', study: `${STUDY}budget: { new_datasets_per_run: 0 }\n`, options: {}, exitCode: 6 },
    { name: 'a lower budget by flag', study: STUDY, options: { budgetRows: 250 }, exitCode: 6 },
    {
      name: 'a budget in the file that is lower than the flag',
      study: `${STUDY}budget: { rows_per_run: 250 }\n`,
      options: { budgetRows: 300 },
      exitCode: 6,
    },
    { name: 'an empty selection', study: STUDY, options: { selection: { select: ['bse'], exclude: [] } }, exitCode: 2 },
    { name: 'an unknown dataset', study: STUDY, options: { forceDatasets: new Set(['panl']) }, exitCode: 2 },
  ])('$name refuses the run: only its own record is written', async ({ study, options, exitCode }) => {
    await rig.write('demo.study.yaml', study)
    const result = await rig.run({ options })
    expect(result.exitCode).toBe(exitCode)
    expect(double.log).toEqual([])
    expect(rig.events.filter((e) => e.type === 'manifest.written')).toEqual([])
    expect(await rig.list('out/demo')).toEqual(['runs'])
    const [record] = await rig.list('out/demo/runs')
    const refused = JSON.parse(await rig.read(`out/demo/runs/${record}`))
    expect(refused).toMatchObject({ status: 'refused', outcome: { exit_code: exitCode } })
    expect(manifestFaults(refused)).toEqual([])
  })

  it('a run counts a duplicate once against the budget', async () => {
    await rig.write('demo.study.yaml', `${STUDY}  twin: {}\nbudget: { rows_per_run: 300 }\n`)
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
  })

  it('a run asks for confirmation once, and not when nothing would be sent', async () => {
    let asked = 0
    const confirm = async () => {
      asked++
      return { go: asked > 1, message: 'not today' } as const
    }
    const refused = await rig.run({ env: { confirm: confirm as never } })
    expect(refused).toMatchObject({ exitCode: 2, message: 'not today' })
    expect(double.made('datasets')).toBe(0)
    expect(await rig.run({ env: { confirm: confirm as never } })).toMatchObject({ exitCode: 0 })
    expect(await rig.run({ env: { confirm: confirm as never } })).toMatchObject({ exitCode: 0 })
    expect(asked).toBe(2)
  })
})

describe('selections', () => {
  it('run the named scenarios, keep existing results, and leave the rest not started', async () => {
    expect(await rig.run({ options: { selection: { select: ['base'], exclude: [] } } })).toMatchObject({ exitCode: 0 })
    expect((await rig.manifest()).totals).toMatchObject({ ready: 1, not_started: 2 })
    const options = { selection: { select: ['more-*'], exclude: [] } }
    expect(await rig.run({ options })).toMatchObject({ exitCode: 0 })
    const manifest = await rig.manifest()
    expect(manifest.totals).toMatchObject({ ready: 2, not_started: 1 })
    expect(manifest.run.actions).toEqual({ base: 'not_selected', 'more-yes': 'generated', young: 'not_selected' })
    expect(double.made('generations')).toBe(2)
  })

  it('may be empty when that is allowed', async () => {
    const options = { selection: { select: ['none-*'], exclude: [] }, allowEmpty: true }
    expect(await rig.run({ options })).toMatchObject({ exitCode: 0 })
    expect(double.log).toEqual([])
  })

  it('that are misspelt get a suggestion', async () => {
    const options = { selection: { select: ['more-yess'], exclude: [] } }
    const { message } = await rig.run({ options })
    expect(message).toBe('nothing is selected: no scenario matches "more-yess" (did you mean "more-yes"?)')
  })

  it.each([
    { select: [], exclude: ['yung'], message: 'no scenario matches "yung" (did you mean "young"?)' },
    { select: ['base', 'yung'], exclude: [], message: 'no scenario matches "yung" (did you mean "young"?)' },
    { select: ['base'], exclude: ['tag:slow'], message: 'no scenario matches "tag:slow"' },
    {
      select: [],
      exclude: ['status:faild'],
      message: 'no scenario matches "status:faild" (did you mean "status:failed"?)',
    },
  ])(
    '$select without $exclude are refused before anything is bought, because one part names nothing',
    async (selection) => {
      const result = await rig.run({ options: { selection } })
      expect(result).toMatchObject({ exitCode: 2, reason: 'usage', message: selection.message })
      expect(double.log).toEqual([])
      expect(await rig.run({ options: { selection, allowEmpty: true } })).toMatchObject({ exitCode: 0 })
    },
  )

  it('by the name of a group are answered with the names of its scenarios', async () => {
    await rig.write('demo.study.yaml', FULL)
    const { message } = await rig.run({ options: { selection: { select: ['mix'], exclude: [] } } })
    expect(message).toBe('nothing is selected: no scenario matches "mix" (did you mean "mix--*"?)')
  })

  it('may exclude statuses that no scenario has now', async () => {
    const selection = { select: [], exclude: ['status:ready', 'status:interrupted'] }
    expect(await rig.run({ options: { selection } })).toMatchObject({ exitCode: 0 })
    expect(double.made('generations')).toBe(3)
  })

  it('by status use the status before the run', async () => {
    double.feasible = (body) => (body.conditions?.numeric === undefined ? body.row_count : 0)
    expect(await rig.run()).toMatchObject({ exitCode: 7 })
    double.feasible = (body) => body.row_count
    // The dataset expires between its check and the request: a second round, in which nothing is "failed" any more.
    let isLost = false
    double.intercept = (r) => {
      if (r.method === 'POST' && r.path.endsWith('/generations') && !isLost) {
        isLost = true
        double.forget('datasets')
      }
      return undefined
    }
    const selection = { select: ['status:failed'], exclude: [] }
    expect(await rig.run({ options: { selection, retryFailed: true } })).toMatchObject({ exitCode: 0 })
    const { totals, run } = await rig.manifest()
    expect(totals).toMatchObject({ ready: 3 })
    expect(run.actions).toMatchObject({ base: 'not_selected', young: 'generated' })
  })
})

describe('planning from disk', () => {
  it('writes nothing, asks nothing, and finds everything up to date after a run', async () => {
    const before = await planFromDisk(await rig.request(), rig.environment())
    expect(before.plan.totals).toMatchObject({ upload: 1, generate: 3, rowsBound: 300 })
    expect(await rig.list('.whatif')).toEqual([])
    await rig.run()
    const { plan } = await planFromDisk(await rig.request(), rig.environment())
    expect(plan.totals).toMatchObject({ upload: 0, generate: 0, reuse: 3, rowsBound: 0 })
  })

  it('rejects flags that name nothing', async () => {
    const request = await rig.request({ options: { datasetIds: new Map([['panl', 'ds_1']]) } })
    await expect(planFromDisk(request, rig.environment())).rejects.toThrow(RunRefusalError)
  })
})
