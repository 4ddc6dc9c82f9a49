import { describe, expect, it } from 'vitest'
import { planJson } from '../../../src/runner/plan/plan-json.ts'
import { renderPlan } from '../../../src/runner/plan/render-plan.ts'
import { MATRIX } from '../../study/study-texts.ts'
import { artifactSha, at, BASE, HOUR, NOW, past, planOf } from './plan-case.ts'

const render = (plan: ReturnType<typeof planOf>, width?: number) =>
  renderPlan(plan, width === undefined ? { now: NOW } : { now: NOW, width })

/** The study of the language's example in the situation of its example plan. */
function situation() {
  const then = MATRIX.replace('low: 0.20', 'low: 0.25').replace('mid:', 'm:')
  const before = past(then)
  const generations = new Map(before.state.generations)
  const expire = (id: string, change: object) => {
    const key = before.state.scenarios.get(id)!.key
    generations.set(key, { ...generations.get(key)!, ...change })
    before.files.delete(`out/demo/${id}.parquet`)
  }
  expire('switch--south--m', { status: 'gone', expiresAt: at(NOW - 3 * HOUR) })
  expire('switch--stress', { expiresAt: at(NOW + 4 * HOUR) })
  return { ...before, state: { ...before.state, generations } }
}

describe('a plan as text', () => {
  it('equals the documented example, in 80 columns', () => {
    const plan = planOf(`${MATRIX}budget: { rows_per_run: 20000 }\n`, { past: situation() })
    expect(render(plan)).toBe(`brand-switching · panel (seeds/panel-2026q3.csv, schema 4f2a90c1)
  dataset ds_EXAMPLE1 trained 2 h ago, expires in 22 h

  =  status-quo                0 rows   up to date
  ~  switch--north--low     2000 rows   changed: shares.purchase.intent.Yes 0.25
                                        → 0.2
  =  switch--north--mid        0 rows   up to date (renamed from
                                        switch--north--m)
  =  switch--north--high       0 rows   up to date
  ~  switch--south--low     2000 rows   changed: shares.purchase.intent.Yes 0.25
                                        → 0.2
  !  switch--south--mid     2000 rows   expired 3 h ago (epoch 0 → 1)
  >  switch--stress            0 rows   re-download (file missing, artifact
                                        alive 4 h)

  upload 0 · generate 3 · download 1 · reuse 3
  at most 6,000 rows billed  (budget 20,000)
`)
  })

  it.each([60, 80, 100, 200])('is at most %i columns wide, apart from longer words', (width) => {
    const long = 'a-very-long-name.that-goes-on_and-on'
    const text = BASE.replace('more-yes', long).replace(
      'young: {',
      `g:
    matrix:
      axes:
        - { name: a, set: [rows], values: { ${long}: 1 } }
        - { name: b, set: [seed], values: { ${long}: 1 } }
  young: {`,
    )
    for (const line of render(planOf(text), width).split('\n')) {
      const longest = Math.max(
        ...line
          .trim()
          .split(' ')
          .map((word) => word.length),
      )
      expect(line.length <= width || longest + 12 > width, line).toBe(true)
    }
    expect(render(planOf(text), width)).toContain(`g--${long}--${long}`)
  })

  it('names the scenarios to drop when it is over budget, and the files in the way', () => {
    const before = past(BASE)
    before.files.set('out/demo/base.parquet', 'edited')
    const text = `${BASE.replace('seed: 1', 'seed: 2')}budget: { rows_per_run: 150 }\n`
    expect(
      render(planOf(text, { past: before }), 200)
        .split('\n')
        .slice(-4),
    ).toEqual([
      '  upload 0 · generate 3 · download 0 · reuse 0      at most 300 rows billed  (budget 150)',
      '  over budget: 300 rows, at most 150 per run; leave out more-yes, young',
      '  out/demo/base.parquet was changed since it was written; move it away or pass --overwrite (base)',
      '',
    ])
  })

  it('says that results without their state are not adopted, and how they would be', () => {
    const before = past(BASE)
    const state = { ...before.state, generations: new Map(), scenarios: new Map() }
    expect(render(planOf(BASE, { past: { ...before, state } }))).toContain(`
  note: out/demo holds files of 3 scenarios that the state on this machine
  (.whatif) does not know: they are not adopted but requested again, which a
  remote service bills. To adopt them, copy .whatif from where they were made
  before you run
`)
  })

  it('contains no name that moves the cursor or forges a line', () => {
    const evil = '"\\e[2J\\n::error::x\\u202e"'
    const before = past(BASE.replace('answer: { Yes: 0.7 }', `${evil}: { Yes: 0.7 }`))
    const text = render(planOf(BASE.replace('answer: { Yes: 0.7 }', `${evil}: { Yes: 0.6 }`), { past: before }), 200)
    expect(text.includes('\u001b') || text.includes('\u202e')).toBe(false)
    expect(text.split('\n').some((line) => line.startsWith('::'))).toBe(false)
  })

  it.each(['embedded', 'https://service.example'])('names the service that a run would ask: %s', (service) => {
    expect(renderPlan(planOf(BASE), { now: NOW, service }).split('\n').at(-2)).toBe(`  service: ${service}`)
  })

  it('shows what is left to the model once the schema is known', () => {
    const schemas = new Map([['panel', [{ name: 'answer', levels: ['Yes', 'No', 'Unsure'] }]]])
    const plan = planOf(BASE, { input: { schemas } })
    expect(plan.scenarios[1]?.notes).toEqual(['answer: 0.30 over 2 unlisted levels'])
    const whole = planOf(BASE.replace('Yes: 0.7', 'Yes: 1'), { input: { schemas } })
    expect(whole.scenarios[1]?.notes).toEqual(['answer: 2 unlisted levels implied 0'])
    const all = planOf(BASE, { input: { schemas: new Map([['panel', [{ name: 'answer', levels: ['Yes'] }]]]) } })
    expect(all.scenarios[1]?.notes).toEqual(['answer: 0.30 left to missing values'])
  })

  it.each([
    { change: { status: 'prepared', artifact: null }, text: 'resume (sent before, answer not seen: same key)' },
    { change: { status: 'processing', artifact: null }, text: 'resume (running at the service)' },
    { change: { artifact: null }, text: 'resume (generated, not downloaded yet)' },
    {
      change: { status: 'failed', artifact: null, error: { code: 'x', detail: 'too few' } },
      text: 'failed before: too few (--retry-failed tries again)',
    },
    {
      change: { status: 'refused', artifact: null, error: { code: 'x', detail: 'no rows left' } },
      text: 'refused before: no rows left',
    },
  ] as const)('says $text', ({ change, text }) => {
    expect(render(planOf(BASE, { past: past(BASE, change) }), 200)).toContain(text)
  })

  it.each([
    { change: { status: 'gone' }, text: 'upload: expired' },
    { change: { expiresAt: at(NOW - HOUR) }, text: 'dataset probably expired: upload again' },
    { change: { status: 'training' }, text: 'upload to be resumed' },
    { change: { status: 'failed', error: { code: 'x', detail: 'too few rows' } }, text: 'failed: too few rows' },
  ] as const)('says about a dataset: $text', ({ change, text }) => {
    const before = past(BASE, {}, change)
    const none = { state: { ...before.state, generations: new Map(), scenarios: new Map() }, files: new Map() }
    expect(render(planOf(BASE, { past: none }), 200).split('\n')[0]).toContain(text)
  })
})

it('a plan as JSON has every scenario with its action and reason, and nothing confidential', () => {
  const plan = planOf(BASE, { past: situation0(), input: { service: '0a1b2c3d' } })
  const json = JSON.parse(JSON.stringify(planJson(plan)))
  expect(json).toMatchObject({ plan_version: 1, service: 'remote', totals: { reuse: 3, rows_bound: 0 } })
  expect(json.scenarios.base).toEqual({
    dataset: 'panel',
    selected: true,
    rows: 100,
    format: 'parquet',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    idempotency_key: expect.stringMatching(/^wi1\.gen\./),
    dataset_id: 'ds_EXAMPLE1',
    action: 'reuse',
    reason: { kind: 'up_to_date', renamed_from: null, from: null },
    rows_bound: 0,
    notes: [],
  })
  expect(JSON.stringify(json)).not.toContain('0a1b2c3d')
})

function situation0() {
  const before = past(BASE)
  const { key } = before.state.scenarios.get('base')!
  before.files.set('out/demo/base.parquet', artifactSha(key))
  return before
}
