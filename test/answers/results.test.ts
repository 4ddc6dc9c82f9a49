import { describe, expect, it } from 'vitest'
import { roundRatio, roundStatistic } from '../../src/answers/arithmetic/figures.ts'
import type { ComparedSide } from '../../src/answers/comparisons/compared-sides.ts'
import { compareScenarios } from '../../src/answers/comparisons/comparisons.ts'
import { conditionResults, sentOr } from '../../src/answers/counts/condition-results.ts'
import { evaluateScenarioGates } from '../../src/answers/gates/gates.ts'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { partialVerdict, type ScenarioStanding, scenarioResult } from '../../src/answers/manifest/scenario-result.ts'
import type { GenerationRecord } from '../../src/records/state/generations.ts'
import type { Measurement } from '../../src/records/state/measurements.ts'
import { canonicalBody } from '../../src/study/hashing/canonical-body.ts'
import { study } from '../runner/plan/plan-case.ts'

const measured = (change: Partial<Measurement> = {}): Measurement => ({
  rows: 1620,
  shares: [
    [
      'purchase.intent',
      {
        levels: [
          ['No', 845],
          ['Unsure', 212],
          ['Yes', 563],
        ],
        missing: 0,
      },
    ],
    ['region', { levels: [['South', 1620]], missing: 0 }],
  ],
  numbers: [['age', { n: 1620, missing: 0, min: 18, max: 65, mean: 40, sd: 10, quantiles: [20, 30, 40, 50, 60] }]],
  outside: [['age', 0]],
  absent: [],
  ...change,
})

const scenario = (fields: string) =>
  study(`version: 1
name: demo
datasets: { panel: { file: panel.csv } }
scenarios:
  s: { rows: 2000, seed: 1, ${fields} }
`).scenarios[0]!

describe('the artifact in a manifest', () => {
  const received = { path: 'received/s.parquet', format: 'parquet', bytes: 10, sha256: 'a'.repeat(64) }
  const made = { path: 's.sav', bytes: 20, sha256: 'b'.repeat(64), notes: [] }
  const record = {
    artifact: { sha256: received.sha256, bytes: 10, measured: measured() },
  } as unknown as GenerationRecord
  const artifact = (exported: ScenarioStanding['exported'], fields = 'format: sav') =>
    scenarioResult(scenario(fields), {
      status: 'ready',
      fingerprint: null,
      body: null,
      record,
      artifactPath: received.path,
      error: null,
      ...(exported !== undefined && { exported }),
    }).artifact

  it('is what the service sent if the study asks for no other form', () => {
    expect(artifact(undefined, 'format: parquet')).toEqual(received)
  })

  it('is the file made of it, with a list of what the file cannot hold', () => {
    expect(artifact(made)).toEqual({ path: 's.sav', format: 'sav', bytes: 20, sha256: made.sha256, received })
    expect(artifact({ ...made, notes: ['cut'] })).toMatchObject({ notes: ['cut'] })
  })

  it('is missing until that file exists', () => {
    expect(artifact(null)).toBeNull()
  })
})

describe('numbers in a manifest', () => {
  it.each([
    [0.3475308641, 0.347531],
    [-0.0024691358, -0.002469],
    [0.0000005, 0.000001],
    [-0.0000005, -0.000001],
    [-0.0000001, 0],
    [1, 1],
  ])('%f is written as %f', (ratio, written) => {
    expect(Object.is(roundRatio(ratio), written)).toBe(true)
  })

  it('of statistics have 12 digits, large or small', () => {
    expect([1e-9 / 3, 1e9 / 3, 0, -0, -1 / 3].map(roundStatistic)).toEqual([
      3.33333333333e-10, 333333333.333, 0, 0, -0.333333333333,
    ])
  })
})

describe('shares and ranges', () => {
  it('equal those of the documented example', () => {
    const s = scenario('shares: { purchase.intent: { Yes: 0.35 } }, ranges: { age: { min: 18, max: 65 } }')
    expect(conditionResults(s, measured()).shares).toEqual({
      'purchase.intent': {
        levels: { Yes: { target: 0.35, achieved: 0.347531, delta: -0.002469, count: 563 } },
        unstated: { No: 0.521605, Unsure: 0.130864 },
      },
    })
    expect(conditionResults(s, measured()).ranges).toEqual({
      age: { target: { max: 65, min: 18 }, achieved: { max: 65, min: 18 }, outside: 0, outside_count: 0 },
    })
  })

  it('have the ends that were sent, and dates as dates if the study writes dates', () => {
    const s = scenario('ranges: { age: { min: 60 }, seen: { min: 2026-10-05, max: 2026-10-06 } }')
    const [from, to] = [Date.UTC(2026, 9, 5), Date.UTC(2026, 9, 7) - 1]
    const body = canonicalBody({
      ...s,
      conditions: s.conditions.map((condition) =>
        condition.kind === 'range' && condition.column === 'age' ? { ...condition, max: 91 } : condition,
      ),
    })
    const number = { n: 1, missing: 0, mean: null, sd: null, quantiles: null }
    const { ranges: found } = conditionResults(
      { ...s, conditions: sentOr(s, body) },
      measured({ numbers: [['seen', { ...number, min: from, max: from + 86_400_000 }]], outside: [] }),
    )
    expect(found.age).toMatchObject({ target: { min: 60, max: 91 }, achieved: null })
    expect(found.seen).toMatchObject({
      target: { min: from, max: to },
      dates: {
        target: { min: '2026-10-05', max: '2026-10-06' },
        achieved: { min: '2026-10-05', max: '2026-10-06' },
      },
    })
  })

  it('count all rows, and name missing values if there are any', () => {
    const s = scenario('shares: { a: { x: 0.5, never: 0.1 } }')
    const counts = measured({ rows: 10, shares: [['a', { levels: [['x', 4]], missing: 6 }]] })
    expect(conditionResults(s, counts).shares).toEqual({
      a: {
        levels: {
          x: { target: 0.5, achieved: 0.4, delta: -0.1, count: 4 },
          never: { target: 0.1, achieved: 0, delta: -0.1, count: 0 },
        },
        unstated: {},
        missing: 0.6,
      },
    })
  })

  it('work for levels named like properties of objects', () => {
    const s = scenario('shares: { constructor: { __proto__: 0.5, toString: 0.5 } }')
    const counts = measured({
      rows: 2,
      shares: [
        [
          'constructor',
          {
            levels: [
              ['__proto__', 1],
              ['toString', 1],
            ],
            missing: 0,
          },
        ],
      ],
    })
    expect(
      JSON.parse(manifestText(conditionResults(s, counts).shares), (k, v) =>
        k === '__proto__' ? `own ${v.count}` : v,
      ),
    ).toEqual({
      constructor: { levels: { ...JSON.parse('{"__proto__":"own 1"}'), toString: expect.anything() }, unstated: {} },
    })
  })
})

it('one row of a million outside a range is visible, though its ratio rounds to 0', () => {
  const s = scenario('ranges: { age: { min: 18, max: 65 } }')
  const { ranges: found } = conditionResults(s, measured({ rows: 10_000_000, outside: [['age', 1]] }))
  expect(found.age).toMatchObject({ outside: 0, outside_count: 1 })
})

describe('gates', () => {
  const all =
    'expect: { fill: { min: 0.95 }, shares: { tolerance: 0.01, columns: { region: 0 } }, ranges: { outside_max: 0 } }'
  const stated =
    'shares: { purchase.intent: { Yes: 0.35, No: 0.5 }, region: { South: 1 } }, ranges: { age: { min: 18, max: 65 } }'

  it('have their number of checks, the expected and the actual values', () => {
    expect(evaluateScenarioGates(scenario(`${stated}, ${all}`), measured())).toEqual([
      { id: 'fill', level: 'fail', evaluated: 1, passed: false, expected: { min: 0.95 }, actual: 0.81 },
      {
        id: 'shares:purchase.intent',
        level: 'fail',
        evaluated: 2,
        passed: false,
        expected: { tolerance: 0.01 },
        actual: 0.021605,
        chance: 0.024845,
      },
      {
        id: 'shares:region',
        level: 'fail',
        evaluated: 1,
        passed: true,
        expected: { tolerance: 0 },
        actual: 0,
        chance: 0,
      },
      { id: 'ranges', level: 'fail', evaluated: 1, passed: true, expected: { outside_max: 0 }, actual: 0 },
    ])
  })

  it('that could check nothing have failed', () => {
    const none = measured({ shares: [], numbers: [], outside: [], absent: ['region', 'purchase.intent', 'age'] })
    const gates = evaluateScenarioGates(scenario(`${stated}, ${all}`), none)
    expect(gates.slice(1).map((g) => [g.evaluated, g.passed, g.actual])).toEqual(Array(3).fill([0, false, null]))
    const empty = evaluateScenarioGates(scenario(`${stated}, ${all}`), measured({ rows: 0 }))
    expect(empty.every((g) => !g.passed)).toBe(true)
  })

  it('that hold exactly at their bound have passed', () => {
    const s = scenario('shares: { a: { x: 0.35 } }, expect: { shares: { tolerance: 0.03 } }')
    const counts = measured({ rows: 100, shares: [['a', { levels: [['x', 32]], missing: 0 }]] })
    expect(evaluateScenarioGates(s, counts)[0]).toMatchObject({ passed: true, actual: 0.03 })
  })
})

describe('the partial policy', () => {
  const rows = { requested: 1000, counted: 900 }
  it.each([
    { policy: { kind: 'fail' } as const, found: 'fail' },
    { policy: { kind: 'warn' } as const, found: 'warn' },
    { policy: { kind: 'accept' } as const, found: 'accept' },
    { policy: { kind: 'accept_from', acceptFrom: 0.9, otherwise: 'fail' } as const, found: 'accept' },
    { policy: { kind: 'accept_from', acceptFrom: 0.91, otherwise: 'fail' } as const, found: 'fail' },
    { policy: { kind: 'accept_from', acceptFrom: 0.91, otherwise: 'warn' } as const, found: 'warn' },
  ])('of $policy gives for 900 of 1000 rows: $found', ({ policy, found }) => {
    expect(partialVerdict(policy, rows)).toBe(found)
  })
})

describe('comparisons', () => {
  const text = `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
defaults: { rows: 2000, seed: 1 }
scenarios: { base: {}, more: { shares: { purchase.intent: { Yes: 0.5 } } } }
baseline: base
comparisons:
  - id: lift
    scenarios: [more]
    shares: [purchase.intent]
    means: [age]
    expect:
      - { scenario: more, column: purchase.intent, level: 'Yes', delta_min: 0.1, delta_max: 0.2 }
      - { scenario: more, column: age, delta_min: 5 }
`
  const side = (
    m: Measurement | null,
    datasetId = 'ds_1',
    selected = true,
    modelId: string | null = null,
  ): ComparedSide => ({ measured: m, datasetId, modelId, selected, effectiveRows: null })
  const unasked = () => 'estimates_not_asked' as const
  const more = measured({
    rows: 100,
    shares: [
      [
        'purchase.intent',
        {
          levels: [
            ['Yes', 50],
            ['No', 50],
          ],
          missing: 0,
        },
      ],
    ],
    numbers: [['age', { n: 100, missing: 0, min: 1, max: 9, mean: 44, sd: 9, quantiles: [1, 2, 3, 4, 5] }]],
  })

  it('have both sides, the difference, and gates on it', () => {
    const { lift } = compareScenarios(
      study(text),
      new Map([
        ['base', side(measured())],
        ['more', side(more)],
      ]),
      unasked,
    )
    expect(lift?.scenarios.more?.shares['purchase.intent']).toMatchObject({
      No: { against: 0.521605, scenario: 0.5, delta: -0.021605 },
      Unsure: { against: 0.130864, scenario: 0, delta: -0.130864 },
      Yes: { against: 0.347531, scenario: 0.5, delta: 0.152469 },
    })
    expect(lift?.scenarios.more?.means.age).toMatchObject({
      against: { n: 1620, mean: 40, sd: 10, q50: 40 },
      scenario: { n: 100, mean: 44, sd: 9, q50: 3 },
      delta: 4,
    })
    expect(lift?.gates.map((g) => [g.id, g.evaluated, g.passed, g.actual])).toEqual([
      ['delta:more:purchase.intent:Yes', 1, true, 0.152469],
      ['delta:more:age', 1, false, 4],
    ])
  })

  it('have failed gates if one side failed, and no gates if one side was not selected', () => {
    const failed = compareScenarios(
      study(text),
      new Map([
        ['base', side(measured())],
        ['more', side(null)],
      ]),
      unasked,
    )
    expect(failed.lift?.scenarios.more?.status).toBe('missing')
    expect(failed.lift?.gates.map((g) => [g.evaluated, g.passed])).toEqual([
      [0, false],
      [0, false],
    ])
    const left = compareScenarios(
      study(text),
      new Map([
        ['base', side(measured())],
        ['more', side(null, 'ds_1', false)],
      ]),
      unasked,
    )
    expect(left.lift?.gates).toEqual([])
  })

  it('between two trainings are marked, and the policy decides on them', () => {
    const sides = new Map([
      ['base', side(measured())],
      ['more', side(more, 'ds_2')],
    ])
    const { lift } = compareScenarios(study(text), sides, unasked)
    expect([lift?.scenarios.more?.status, lift?.gates[0]]).toMatchObject([
      'mixed_model',
      { id: 'mixed_model', level: 'fail', evaluated: 1, passed: false, actual: 1 },
    ])
    const { lift: warned } = compareScenarios(study(`${text}policy: { mixed_model: warn }\n`), sides, unasked)
    expect(warned?.gates[0]?.level).toBe('warn')
  })

  it.each([
    { of: 'two trainings of one model', models: ['a', 'a'], status: 'compared' },
    { of: 'two trainings of different models', models: ['a', 'b'], status: 'mixed_model' },
    { of: 'a training with an unknown model', models: [null, 'b'], status: 'mixed_model' },
    { of: 'two trainings with unknown models', models: [null, null], status: 'mixed_model' },
  ])('of $of have the status $status', ({ models: [one, other], status }) => {
    const sides = new Map([
      ['base', side(measured(), 'ds_1', true, one)],
      ['more', side(more, 'ds_2', true, other)],
    ])
    const { lift } = compareScenarios(study(text), sides, unasked)
    expect(lift?.scenarios.more?.status).toBe(status)
    expect(lift?.gates.some(({ id }) => id === 'mixed_model')).toBe(status === 'mixed_model')
  })
})

it('the keys of a manifest are sorted by code units, even if they look like numbers', () => {
  expect(manifestText({ b: [], a: { 10: 1, 9: 2, Z: [{ y: null }], ä: 0.5 }, c: {} })).toBe(`{
  "a": {
    "10": 1,
    "9": 2,
    "Z": [
      {
        "y": null
      }
    ],
    "ä": 0.5
  },
  "b": [],
  "c": {}
}
`)
})
