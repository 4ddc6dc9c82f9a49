import { describe, expect, it } from 'vitest'
import { needsNoService, submitsWork } from '../../../src/runner/plan/plan.ts'
import { renderPlan } from '../../../src/runner/plan/render-plan.ts'
import { SELECTABLE_STATUSES } from '../../../src/runner/plan/select-scenarios.ts'
import { actionOf, at, BASE, HOUR, NOW, past, planOf, SEED_SHA } from './plan-case.ts'

const everything = { select: [], exclude: [] }

describe('a plan of a study that was never run', () => {
  it('uploads and generates everything, bounded by the requested rows', () => {
    const plan = planOf(BASE)
    expect(plan.totals).toEqual({
      upload: 1,
      generate: 3,
      download: 0,
      resume: 0,
      copy: 0,
      reuse: 0,
      failed: 0,
      rowsBound: 300,
    })
    expect(plan.scenarios.map((s) => s.action)).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'generate', reason: { kind: 'new' }, epoch: 0 })),
    )
    expect(plan.datasets[0]?.action).toMatchObject({ kind: 'upload', reason: 'new', epoch: 0 })
    expect([needsNoService(plan), submitsWork(plan)]).toEqual([false, true])
  })

  it('counts equal requests once', () => {
    const plan = planOf(`${BASE}  twin: { shares: { answer: { Yes: 7e-1 } } }\n`)
    expect(actionOf(plan, 'twin')).toEqual({ kind: 'copy', of: 'more-yes' })
    expect(plan.totals).toMatchObject({ generate: 3, copy: 1, rowsBound: 300 })
  })

  it('counts equal requests once, also of a dataset named by id whose schema was never seen', () => {
    const text = `${BASE}  twin: { shares: { answer: { Yes: 7e-1 } } }\n`.replace(
      'file: seeds/panel.csv',
      'dataset_id: ds_1',
    )
    const plan = planOf(text)
    expect(actionOf(plan, 'twin')).toEqual({ kind: 'copy', of: 'more-yes' })
    expect(plan.totals).toMatchObject({ generate: 3, copy: 1, rowsBound: 300 })
  })

  it('shows each replicate as a scenario, and counts its rows', () => {
    const plan = planOf(BASE.replace('base: {}', 'base: { replicates: 3 }'))
    expect(plan.scenarios.map(({ id }) => id)).toEqual(['base--r1', 'base--r2', 'base--r3', 'more-yes', 'young'])
    expect(plan.totals).toMatchObject({ generate: 5, copy: 0, rowsBound: 500 })
    expect(renderPlan(plan, { now: NOW })).toContain('base--r3')
  })

  it('does not merge scenarios with random seeds', () => {
    const plan = planOf(BASE.replace('seed: 1', 'seed: random').replace('more-yes: {', 'again: {}\n  more-yes: {'))
    expect(plan.totals).toMatchObject({ generate: 4, copy: 0, rowsBound: 400 })
    expect(actionOf(plan, 'again')).toEqual({ kind: 'generate', reason: { kind: 'random_seed' }, epoch: 0 })
  })

  it('has the keys of the documented examples once the dataset has an id', () => {
    const text = `version: 1
name: first-study
datasets: { panel: { file: seeds/panel.csv } }
scenarios:
  more-yes: { rows: 1000, seed: 1, shares: { purchase.intent: { Yes: 0.70 } } }
`
    const before = past(text)
    const state = { ...before.state, generations: new Map(), scenarios: new Map() }
    const plan = planOf(text, { past: { state, files: new Map() } })
    expect(plan.scenarios[0]).toMatchObject({
      fingerprint: 'f5ec1d712a0b5b3853b00066c2698d80f0074b0fefc8b35db97fc2c850675a43',
      key: 'wi1.gen.75021fc2890bdf8b0fc0db0b62499dd2.e0',
      datasetId: 'ds_EXAMPLE1',
    })
  })
})

describe('a plan of a study that was run', () => {
  it('is up to date by state and disk alone', () => {
    const plan = planOf(BASE, { past: past(BASE) })
    expect(plan.totals).toMatchObject({ upload: 0, generate: 0, reuse: 3, rowsBound: 0 })
    expect(plan.datasets[0]?.action).toEqual({ kind: 'none' })
    expect([needsNoService(plan), submitsWork(plan)]).toEqual([true, false])
  })

  it('is up to date after everything at the service has expired', () => {
    const plan = planOf(BASE, { past: past(BASE), input: { now: NOW + 1000 * HOUR } })
    expect(plan.totals.reuse).toBe(3)
  })

  it.each([
    {
      edit: 'a share',
      from: 'Yes: 0.7',
      to: 'Yes: 0.2',
      id: 'more-yes',
      field: 'shares.answer.Yes',
      before: '0.7',
      after: '0.2',
    },
    {
      edit: 'a bound',
      from: 'max: 30',
      to: 'max: 31',
      id: 'young',
      field: 'ranges.age.max',
      before: '30',
      after: '31',
    },
    { edit: 'the rows', from: 'rows: 100', to: 'rows: 99', id: 'base', field: 'rows', before: '100', after: '99' },
    { edit: 'the seed', from: 'seed: 1', to: 'seed: 2', id: 'base', field: 'seed', before: '1', after: '2' },
    {
      edit: 'the format',
      from: 'seed: 1',
      to: 'seed: 1, format: csv',
      id: 'base',
      field: 'format',
      before: 'parquet',
      after: 'csv',
    },
    {
      edit: 'a level',
      from: 'Yes: 0.7',
      to: 'No: 0.7',
      id: 'more-yes',
      field: 'shares.answer.Yes',
      before: '0.7',
      after: null,
    },
    {
      edit: 'cleaning',
      from: 'file: seeds/panel.csv',
      to: 'file: seeds/panel.csv, auto_clean: false',
      id: 'base',
      field: 'dataset panel: auto_clean',
      before: 'true',
      after: 'false',
    },
  ])('generates what $edit changed, and shows the change', ({ from, to, id, field, before, after }) => {
    const plan = planOf(BASE.replace(from, to), { past: past(BASE) })
    const action = actionOf(plan, id)
    expect(action).toMatchObject({ kind: 'generate', epoch: 0, reason: { kind: 'changed' } })
    const changes = action.kind === 'generate' && action.reason.kind === 'changed' ? action.reason.changes : []
    expect(changes[0]).toEqual({ field, before, after })
  })

  it('generates all scenarios from a new model when the seed file changed', () => {
    const plan = planOf(BASE, { past: past(BASE), seedSha: 'd'.repeat(64) })
    expect(plan.totals).toMatchObject({ upload: 1, generate: 3 })
    expect(plan.datasets[0]?.action).toMatchObject({ kind: 'upload', reason: 'changed' })
    expect(actionOf(plan, 'base')).toMatchObject({
      reason: {
        changes: [{ field: 'dataset panel: seed file', before: SEED_SHA.slice(0, 8), after: 'dddddddd' }],
      },
    })
  })

  it('names other declarations alone, which send another file of the same seed file', () => {
    const before = past(BASE.replace('file: seeds/panel.csv', 'file: seeds/panel.csv, drop: [id]'))
    const plan = planOf(BASE.replace('file: seeds/panel.csv', 'file: seeds/panel.csv, drop: [name]'), {
      past: before,
      seedSha: 'd'.repeat(64),
    })
    const action = actionOf(plan, 'base')
    const changes = action.kind === 'generate' && action.reason.kind === 'changed' ? action.reason.changes : []
    expect(changes.map(({ field }) => field)).toEqual(['dataset panel: declarations'])
  })

  it.each([
    { edit: 'a description', from: 'name: demo', to: 'name: demo\ndescription: other words' },
    { edit: 'tags', from: 'name: demo', to: 'name: demo\ntags: [a]' },
    { edit: 'the display name', from: 'file: seeds/panel.csv', to: 'file: seeds/panel.csv, display_name: P' },
    { edit: 'a gate', from: 'base: {}', to: 'base: { expect: { fill: { min: 0.5 } } }' },
    { edit: 'the spelling of a number', from: '0.7', to: '70e-2' },
  ])('is up to date after a change of $edit', ({ from, to }) => {
    expect(planOf(BASE.replace(from, to), { past: past(BASE) }).totals.reuse).toBe(3)
  })

  it('recognizes a renamed scenario by its identity', () => {
    const plan = planOf(BASE.replace('more-yes', 'mostly-yes'), { past: past(BASE) })
    expect(actionOf(plan, 'mostly-yes')).toEqual({
      kind: 'reuse',
      renamedFrom: 'more-yes',
      from: 'out/demo/more-yes.parquet',
    })
  })

  it('makes a copy, and no renaming, when the other scenario is still there', () => {
    const plan = planOf(`${BASE}  twin: { shares: { answer: { Yes: 0.7 } } }\n`, { past: past(BASE) })
    expect(actionOf(plan, 'twin')).toEqual({ kind: 'reuse', renamedFrom: null, from: 'out/demo/more-yes.parquet' })
  })
})

describe('a missing or changed result file', () => {
  const lost = (change = {}) => {
    const before = past(BASE, change)
    before.files.delete('out/demo/base.parquet')
    return before
  }

  it('is downloaded again while the service has it', () => {
    expect(actionOf(planOf(BASE, { past: lost() }), 'base')).toEqual({
      kind: 'download',
      because: 'missing',
      aliveUntil: at(NOW + 22 * HOUR),
    })
  })

  it('is downloaded again when it was changed; a file of other origin stays without --overwrite', () => {
    const before = past(BASE)
    before.files.set('out/demo/base.parquet', 'edited')
    const because = (overwrite: boolean) => planOf(BASE, { past: before, options: { overwrite } }).scenarios[0]?.action
    expect(because(true)).toMatchObject({ kind: 'download', because: 'different' })
    expect(because(false)).toMatchObject({ kind: 'download', because: 'edited' })
    expect(renderPlan(planOf(BASE, { past: before }), { now: NOW, width: 200 })).toContain(
      're-download (file was changed: move it away or pass --overwrite',
    )
    before.files.set('out/demo/base.parquet', before.files.get('out/demo/young.parquet')!)
    expect(because(false)).toMatchObject({ kind: 'download', because: 'different' })
  })

  it.each([
    { time: 'as reported', change: { expiresAt: at(NOW - HOUR) }, expiredAt: at(NOW - HOUR) },
    {
      time: '24 hours after completion',
      change: { expiresAt: null, completedAt: at(NOW - 25 * HOUR) },
      expiredAt: at(NOW - HOUR),
    },
  ])(
    'has probably expired by the clock ($time); its rows count, and the plan says that this is uncertain',
    ({ change, expiredAt }) => {
      const plan = planOf(BASE, { past: lost(change) })
      expect(actionOf(plan, 'base')).toEqual({ kind: 'regenerate', certain: false, expiredAt, fromEpoch: 0, epoch: 1 })
      expect(plan.totals).toMatchObject({ generate: 1, rowsBound: 100 })
    },
  )

  it('is downloaded if the service says that it has it, even if the clock says that it expired', () => {
    const before = lost({ expiresAt: at(NOW - HOUR) })
    const key = before.state.scenarios.get('base')!.key
    const plan = planOf(BASE, { past: before, input: { alive: new Set([key]) } })
    expect(actionOf(plan, 'base').kind).toBe('download')
  })

  it('is generated under a new epoch after the service said that it is gone', () => {
    const plan = planOf(BASE, { past: lost({ status: 'gone' }) })
    expect(actionOf(plan, 'base')).toMatchObject({ kind: 'regenerate', certain: true, fromEpoch: 0, epoch: 1 })
    expect(plan.scenarios[0]?.key).toMatch(/\.e1$/)
  })

  it('is generated from a new model, at epoch 0 of a new key, when the model is gone too', () => {
    const before = past(BASE, { status: 'gone' }, { status: 'gone' })
    before.files.clear()
    const plan = planOf(BASE, { past: before })
    expect(actionOf(plan, 'base')).toMatchObject({ kind: 'regenerate', fromEpoch: null, epoch: 0 })
    expect(plan.datasets[0]?.action).toMatchObject({ kind: 'upload', reason: 'expired', epoch: 1, certain: true })
  })
})

describe('work that did not end', () => {
  it.each([
    { status: 'prepared' as const, from: 'prepared', rowsBound: 100 },
    { status: 'processing' as const, from: 'processing', rowsBound: 0 },
    { status: 'ready' as const, from: 'done', rowsBound: 0 },
    { status: 'partial' as const, from: 'done', rowsBound: 0 },
  ])('that was $status is resumed under its own key', ({ status, from, rowsBound }) => {
    const before = past(BASE, { status, artifact: null })
    const plan = planOf(BASE, { past: before })
    expect(actionOf(plan, 'base')).toEqual({ kind: 'resume', from })
    expect(plan.scenarios[0]).toMatchObject({ key: before.state.scenarios.get('base')!.key, rowsBound })
  })

  it('that failed is repeated only on request, under a new epoch', () => {
    const before = past(BASE, { status: 'failed', artifact: null, error: { code: 'x', detail: 'why' } })
    expect(actionOf(planOf(BASE, { past: before }), 'base')).toEqual({
      kind: 'failed',
      error: { code: 'x', detail: 'why' },
    })
    const again = planOf(BASE, { past: before, options: { retryFailed: true } })
    expect(actionOf(again, 'base')).toEqual({ kind: 'generate', reason: { kind: 'retry' }, epoch: 1 })
  })

  it('that was refused is sent again under the same key', () => {
    const before = past(BASE, { status: 'refused', artifact: null, error: { code: 'x', detail: 'why' } })
    const plan = planOf(BASE, { past: before })
    expect(actionOf(plan, 'base')).toMatchObject({ kind: 'generate', reason: { kind: 'refused_before' }, epoch: 0 })
    expect(plan.scenarios[0]?.key).toBe(before.state.scenarios.get('base')!.key)
  })

  it('on a training is awaited, and a failed training is reported', () => {
    const none = { state: { ...past(BASE).state, generations: new Map(), scenarios: new Map() }, files: new Map() }
    const uploads = (status: 'training' | 'failed') =>
      new Map([...none.state.uploads].map(([k, u]) => [k, { ...u, status, error: { code: 'x', detail: 'why' } }]))
    const training = planOf(BASE, { past: { ...none, state: { ...none.state, uploads: uploads('training') } } })
    expect(training.datasets[0]?.action.kind).toBe('resume')
    expect(training.totals).toMatchObject({ upload: 0, generate: 3 })
    const failed = { past: { ...none, state: { ...none.state, uploads: uploads('failed') } } }
    expect(actionOf(planOf(BASE, failed), 'base')).toEqual({
      kind: 'failed',
      error: { code: 'x', detail: 'dataset panel: why' },
    })
    const retried = planOf(BASE, { ...failed, options: { retryFailed: true } })
    expect(retried.datasets[0]?.action).toMatchObject({ kind: 'upload', reason: 'retry', epoch: 1 })
  })
})

describe('the options --force and --scope', () => {
  it('repeat finished work and resume pending work', () => {
    const before = past(BASE)
    const generations = new Map(before.state.generations)
    const key = before.state.scenarios.get('young')!.key
    generations.set(key, { ...generations.get(key)!, status: 'processing', artifact: null })
    const plan = planOf(BASE, {
      past: { ...before, state: { ...before.state, generations } },
      options: { force: everything },
    })
    expect(actionOf(plan, 'base')).toEqual({ kind: 'generate', reason: { kind: 'forced' }, epoch: 1 })
    expect(actionOf(plan, 'young')).toEqual({ kind: 'resume', from: 'processing' })
  })

  it('skip what this forced run has already made', () => {
    const before = past(BASE)
    const forced = new Set([before.state.scenarios.get('base')!.key])
    const plan = planOf(BASE, {
      past: { ...before, state: { ...before.state, forced } },
      options: { force: everything },
    })
    expect(actionOf(plan, 'base').kind).toBe('reuse')
    expect(actionOf(plan, 'young').kind).toBe('generate')
  })

  it('accept a selection of scenarios to force', () => {
    const options = { force: { select: ['young'], exclude: [] } }
    const plan = planOf(BASE, { past: past(BASE), options })
    expect(plan.scenarios.map((s) => s.action.kind)).toEqual(['reuse', 'reuse', 'generate'])
  })

  it('skip scenarios that are not selected', () => {
    const options = { force: everything, selection: { select: ['young'], exclude: [] } }
    const plan = planOf(BASE, { past: past(BASE), options })
    expect(actionOf(plan, 'young')).toMatchObject({ reason: { kind: 'forced' } })
    expect(actionOf(plan, 'base')).toEqual({ kind: 'skip', upToDate: true })
  })

  it('upload a forced dataset and generate all of its scenarios again', () => {
    const plan = planOf(BASE, { past: past(BASE), options: { forceDatasets: new Set(['panel']) } })
    expect(plan.datasets[0]?.action).toMatchObject({ kind: 'upload', reason: 'forced', epoch: 1 })
    expect(actionOf(plan, 'base')).toEqual({ kind: 'generate', reason: { kind: 'dataset_forced' }, epoch: 0 })
  })

  it('plan separate work for another scope', () => {
    const plan = planOf(BASE, { past: past(BASE), options: { scope: 'friday' } })
    expect(plan.totals).toMatchObject({ upload: 1, generate: 3 })
    expect(plan.datasets[0]?.action).toMatchObject({ key: expect.stringMatching(/\.xfriday$/) })
  })
})

describe('the budget', () => {
  it('names the scenarios to drop, the last first', () => {
    const plan = planOf(`${BASE}budget: { rows_per_run: 150, rows_per_scenario: 99, new_datasets_per_run: 0 }\n`)
    expect(plan.budget.violations).toEqual([
      { kind: 'rows_per_run', limit: 150, bound: 300, drop: ['more-yes', 'young'] },
      ...['base', 'more-yes', 'young'].map((scenario) => ({
        kind: 'rows_per_scenario',
        limit: 99,
        scenario,
        rows: 100,
      })),
      { kind: 'new_datasets_per_run', limit: 0, uploads: ['panel'] },
    ])
  })

  it('counts only work that is not up to date, and applies the lower limit of file and flag', () => {
    const text = `${BASE}budget: { rows_per_run: 100 }\n`
    expect(planOf(text, { past: past(BASE) }).budget).toEqual({ rowsPerRun: 100, violations: [] })
    expect(planOf(BASE, { options: { budgetRows: 299 } }).budget.violations).toHaveLength(1)
  })
})

describe('a selection', () => {
  const text = BASE.replace('base: {}', 'base: { tags: [core] }').replace(
    'young: {',
    `grid:
    matrix:
      axes: [{ name: size, set: [rows], values: { s: 10, l: 20 } }]
  young: {`,
  )
  it.each([
    { select: ['base'], ids: ['base'] },
    { select: ['grid--*'], ids: ['grid--s', 'grid--l'] },
    { select: ['?ase', 'tag:core'], ids: ['base'] },
    { select: ['size=s', 'young'], ids: ['grid--s', 'young'] },
    { select: ['status:ready'], ids: ['more-yes'] },
    { select: ['status:interrupted'], ids: [] },
    { select: ['status:not_started'], ids: ['base', 'grid--s', 'grid--l', 'young'] },
    { select: ['nothing'], ids: [] },
    { select: ['tag:cor'], ids: [] },
  ])('by $select selects $ids', ({ select, ids }) => {
    const before = past(text)
    const key = before.state.scenarios.get('more-yes')!.key
    const generations = new Map([[key, before.state.generations.get(key)!]])
    const state = { ...before.state, generations, scenarios: new Map() }
    const options = { selection: { select, exclude: [] } }
    const plan = planOf(text, { past: { state, files: new Map() }, options })
    expect(plan.scenarios.filter((s) => s.selected).map((s) => s.id)).toEqual(ids)
  })

  it.each([
    { status: 'prepared' as const, words: ['unanswered', 'interrupted'] },
    { status: 'processing' as const, words: ['running', 'interrupted'] },
    { status: 'refused' as const, words: ['refused'] },
    { status: 'gone' as const, words: ['expired'] },
    { status: 'partial' as const, words: ['partial'] },
  ])('finds work that is $status under the words of status and manifest: $words', ({ status, words }) => {
    const before = past(BASE, { status, artifact: null })
    for (const word of SELECTABLE_STATUSES) {
      const options = { selection: { select: [`status:${word}`], exclude: [] } }
      const selected = planOf(BASE, { past: before, options }).scenarios.filter((s) => s.selected)
      expect(selected.length, word).toBe(words.includes(word) ? 3 : 0)
    }
  })

  it('leaves the other scenarios out, and says which of them have results', () => {
    const before = past(BASE)
    before.files.delete('out/demo/young.parquet')
    const options = { selection: { select: [], exclude: ['more-yes', 'young'] } }
    const plan = planOf(BASE, { past: before, options })
    expect(plan.scenarios.map((s) => s.action)).toEqual([
      { kind: 'reuse', renamedFrom: null, from: null },
      { kind: 'skip', upToDate: true },
      { kind: 'skip', upToDate: false },
    ])
  })
})

it('an edited result file is a conflict only when its replacement would be bought', () => {
  const before = past(BASE)
  before.files.set('out/demo/base.parquet', 'edited')
  expect(planOf(BASE, { past: before }).conflicts).toEqual([])
  const changed = BASE.replace('seed: 1', 'seed: 2')
  expect(planOf(changed, { past: before }).conflicts).toEqual([{ scenario: 'base', path: 'out/demo/base.parquet' }])
  expect(planOf(changed, { past: before, options: { overwrite: true } }).conflicts).toEqual([])
})

it('results that the state never wrote are named, unless their bytes are those of an artifact that it knows', () => {
  const before = past(BASE)
  const none = { ...before.state, generations: new Map(), scenarios: new Map() }
  const moved = { path: 'out/demo', scenarios: 3 }
  expect(planOf(BASE, { past: { ...before, state: none } }).unknownResults).toEqual(moved)
  expect(planOf(BASE, { past: { files: new Map(), state: none } }).unknownResults).toBeNull()
  expect(planOf(BASE, { past: before }).unknownResults).toBeNull()
  const changed = BASE.replace('seed: 1', 'seed: 2')
  expect(planOf(changed, { past: before }).unknownResults).toBeNull()
  const scenarios = new Map([...before.state.scenarios].filter(([id]) => id !== 'base'))
  const fewer = { ...before, state: { ...before.state, scenarios } }
  expect(planOf(changed, { past: fewer }).unknownResults).toBeNull()
  before.files.set('out/demo/base.parquet', 'of somebody else')
  expect(planOf(changed, { past: fewer }).unknownResults).toEqual({ path: 'out/demo', scenarios: 1 })
})

it('key order, comments and display names leave the digest unchanged; a gate and a share change it', () => {
  const digest = (text: string) => planOf(text).study.digest
  const base = digest(BASE)
  expect(digest(`# note\n${BASE.replace('file: seeds/panel.csv', 'display_name: P, file: seeds/panel.csv')}`)).toBe(
    base,
  )
  expect(digest(BASE.replace('0.7', '0.71'))).not.toBe(base)
  expect(digest(BASE.replace('base: {}', 'base: { expect: { fill: { min: 0.5 } } }'))).not.toBe(base)
})

it('10,000 scenarios are planned without a scan per scenario', () => {
  const values = Array.from({ length: 10_000 }, (_, i) => `s${i}: ${i}`).join(', ')
  const text = `${BASE}  many: { matrix: { axes: [{ name: n, set: [seed], values: { ${values} } }] } }\nlimits: { max_scenarios: 10000 }\n`
  const before = past(text)
  const plan = planOf(text, { past: before })
  expect(plan.totals).toMatchObject({ reuse: 10_003, generate: 0 })
  const renamed = planOf(text.replace('many:', 'lots:'), { past: before })
  expect(renamed.totals.reuse).toBe(10_003)
})
