import { describe, expect, it } from 'vitest'
import type { RecordedModel } from '../../../src/records/state/requests.ts'
import type { PlanInput } from '../../../src/runner/plan/plan-input.ts'
import { renderPlan } from '../../../src/runner/plan/render-plan.ts'
import { at, BASE, HOUR, NOW, type Past, past, planOf } from './plan-case.ts'

const STUDY = `${BASE}baseline: base
comparisons:
  - { id: yes-sayers, scenarios: [more-yes], shares: [answer] }
  - { id: the-young, scenarios: [young], shares: [answer] }
`
/** One scenario asks for something else than it did. */
const CHANGED = STUDY.replace('Yes: 0.7', 'Yes: 0.8')

const MODEL: RecordedModel = { id: 'a'.repeat(64), engine: '3' }

/** A day after all was generated from this model: the dataset has expired. */
const dayAfter = (model: RecordedModel | null | undefined, text = STUDY): Past =>
  past(text, { model }, { model, expiresAt: at(NOW - 6 * HOUR) })

const findingsOf = (text: string, model: RecordedModel | null | undefined, input: Partial<PlanInput> = {}) =>
  planOf(text, { past: dayAfter(model), input }).models

const EMBEDDED = { engine: '3' }

describe('a plan that trains an expired dataset again', () => {
  it('reports that comparisons with kept results remain valid under the same engine version', () => {
    const found = findingsOf(CHANGED, MODEL, EMBEDDED)
    expect(found).toMatchObject([{ severity: 'note', code: 'N4401' }])
    expect(found[0]?.summary).toBe(
      'dataset panel has probably expired and is trained again: the same seed file and engine give the same model',
    )
    expect(found[0]?.detail).toBe('New results can be compared with the kept ones: comparison yes-sayers.')
  })

  it('names the comparisons that would mix models, the consequence and the remedy, if the engine version is another', () => {
    const found = findingsOf(CHANGED, { ...MODEL, engine: '2' }, EMBEDDED)
    expect(found).toMatchObject([{ severity: 'warning', code: 'W4402', range: { start: { line: 12 } } }])
    expect(found[0]?.detail.split('\n')).toEqual([
      'The kept results were made by version 2 of the engine, and this is version 3.',
      'The gate mixed_model would fail (exit 9): comparison yes-sayers.',
      '--force generates everything again (at most 300 rows billed); policy.mixed_model: warn in the study makes it a warning.',
    ])
  })

  it('names all comparisons when their common side is generated again', () => {
    const text = STUDY.replace('base: {}', 'base: { rows: 200 }')
    const [found] = findingsOf(text, { ...MODEL, engine: '2' }, EMBEDDED)
    expect(found?.detail).toContain('comparisons yes-sayers, the-young')
    expect(found?.detail).toContain('at most 400 rows billed')
  })

  it('reports only the cost if the study accepts mixed comparisons', () => {
    const [found] = findingsOf(`${CHANGED}policy: { mixed_model: warn }\n`, { ...MODEL, engine: '2' }, EMBEDDED)
    expect(found?.detail).toContain('The gate mixed_model would warn: comparison yes-sayers.')
    expect(found?.detail).toMatch(/--force generates everything again \(at most 300 rows billed\)\.$/)
  })

  it.each([
    ['the service does not name the models of results', null],
    ['an earlier version of whatif recorded the results', undefined],
  ])('warns when %s', (_, model) => {
    const found = findingsOf(CHANGED, model, EMBEDDED)
    expect(found).toMatchObject([{ severity: 'warning', code: 'W4402' }])
    expect(found[0]?.detail).toContain('it is unknown whether their models are the same')
  })

  it.each([
    ['whose engine version is known to the service only', MODEL, {}],
    ['that reports models and no engine version', { ...MODEL, engine: null }, EMBEDDED],
  ])('notes that it is unknown whether models will be mixed at a service %s', (_, model, input) => {
    expect(findingsOf(CHANGED, model, input)).toMatchObject([{ severity: 'note', code: 'N4403' }])
  })

  it('reports that the dataset is gone when the service has said so', () => {
    const before = past(STUDY, { model: MODEL }, { model: MODEL, status: 'gone' })
    const [found] = planOf(CHANGED, { past: before, input: EMBEDDED }).models
    expect(found?.summary).toMatch(/^dataset panel expired and is trained again: /)
  })

  it('names five comparisons and counts the rest', () => {
    const more = [1, 2, 3, 4, 5]
      .map((i) => `  - { id: again-${i}, scenarios: [more-yes], shares: [answer] }\n`)
      .join('')
    const [found] = findingsOf(`${CHANGED}${more}`, null, EMBEDDED)
    expect(found?.detail).toContain('yes-sayers, again-1, again-2, again-3, again-4 and 1 more.')
  })

  it('promises nothing when everything is generated again', () => {
    const plan = planOf(CHANGED, {
      past: dayAfter(null),
      options: { force: { select: [], exclude: [] } },
      input: EMBEDDED,
    })
    expect([plan.models, plan.totals.rowsBound]).toEqual([[], 300])
  })

  it.each([
    ['compares nothing', CHANGED.slice(0, CHANGED.indexOf('comparisons:'))],
    ['changes nothing', STUDY],
    ['changes no side of a comparison', `${STUDY.replace('scenarios:', 'scenarios:\n  other: { rows: 7 }')}`],
  ])('is silent when the study %s', (_, text) => {
    expect(findingsOf(text, null, EMBEDDED)).toEqual([])
  })

  it('reports nothing about a scenario that is left out and has no result', () => {
    const options = { selection: { select: ['young'], exclude: [] } }
    expect(planOf(CHANGED, { past: dayAfter(null), options, input: EMBEDDED }).models).toEqual([])
  })

  it('does not change the bound on billed rows', () => {
    expect(planOf(CHANGED, { past: dayAfter(null), input: EMBEDDED }).totals).toMatchObject({
      generate: 1,
      rowsBound: 100,
    })
  })

  it('shows the whole note at the end of its text, in 80 columns', () => {
    const text = renderPlan(planOf(CHANGED, { past: dayAfter({ ...MODEL, engine: '2' }), input: EMBEDDED }), {
      now: NOW,
    })
    expect(text).toContain(`
  warning W4402: dataset panel has probably expired and is trained again, and
  comparisons would mix two models
    The kept results were made by version 2 of the engine, and this is version
    3.
    The gate mixed_model would fail (exit 9): comparison yes-sayers.
`)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('shows no control character that a service put into its version', () => {
    const engine = '2\u001b[31m'
    const text = renderPlan(planOf(CHANGED, { past: dayAfter({ ...MODEL, engine }), input: EMBEDDED }), { now: NOW })
    expect(text).toContain('version 2\\x1b[31m')
  })
})

describe('a plan whose dataset is alive', () => {
  const alive = (model: RecordedModel | null, current: RecordedModel | null) => {
    const before = past(STUDY, { model, datasetId: 'ds_BEFORE' }, { model: current })
    return planOf(CHANGED, { past: before, input: EMBEDDED }).models
  }

  it('reports nothing about results of another training of the same model', () => {
    expect(alive(MODEL, { ...MODEL })).toEqual([])
  })

  it('warns of results of another model', () => {
    expect(alive(MODEL, { ...MODEL, id: 'b'.repeat(64) })).toMatchObject([
      { code: 'W4402', summary: 'comparisons mix two models of dataset panel' },
    ])
  })

  it('warns of results of another training if the service does not name models', () => {
    expect(alive(null, null)).toMatchObject([{ code: 'W4402' }])
  })

  it('warns of replicates of one scenario that would come from two models', () => {
    const text = STUDY.replace('base: {}', 'base: {}\n  often: { replicates: 2, rows: 50 }').replace(
      'scenarios: [more-yes]',
      'scenarios: [often]',
    )
    const before = past(text, { model: MODEL })
    const first = [...before.state.generations.values()].find(({ scenario }) => scenario === 'often--r1')!
    const other = { ...first, datasetId: 'ds_BEFORE', model: { ...MODEL, id: 'b'.repeat(64) } }
    const generations = new Map([...before.state.generations, [first.key, other]])
    const found = (state: Past['state']) => planOf(text, { past: { ...before, state }, input: EMBEDDED }).models
    expect(found(before.state)).toEqual([])
    const [finding] = found({ ...before.state, generations })
    expect(finding).toMatchObject({ code: 'W4402', summary: 'comparisons mix two models of dataset panel' })
    expect(finding?.detail).toContain('comparison yes-sayers.')
  })

  it('reports nothing about results of its own', () => {
    expect(planOf(CHANGED, { past: past(STUDY), input: EMBEDDED }).models).toEqual([])
  })
})
