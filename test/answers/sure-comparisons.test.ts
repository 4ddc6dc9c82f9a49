import { describe, expect, it } from 'vitest'
import type { ComparedSide } from '../../src/answers/comparisons/compared-sides.ts'
import { compareScenarios } from '../../src/answers/comparisons/comparisons.ts'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import type { RecordedEstimates } from '../../src/records/state/estimates.ts'
import type { Measurement } from '../../src/records/state/measurements.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { exampleManifest, exampleScenario } from './example-manifest.ts'

const gated = (...gates: string[]) => {
  const text = `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
defaults: { rows: 2000, seed: 1 }
scenarios: { base: {}, more: { shares: { intent: { Yes: 0.5 } } } }
baseline: base
comparisons:
  - id: lift
    scenarios: [more]
    shares: [intent]
    means: [age]
    expect: [${gates.map((gate) => `{ scenario: more, ${gate} }`).join(', ')}]
`
  const { study, diagnostics } = loadStudy(text, { filename: 'demo.study.yaml' })
  if (study === null) throw new Error(JSON.stringify(diagnostics))
  return study
}

const measured = (yes: number, mean: number): Measurement => ({
  rows: 2000,
  shares: [
    [
      'intent',
      {
        levels: [
          ['No', 2000 - yes],
          ['Yes', yes],
        ],
        missing: 0,
      },
    ],
  ],
  numbers: [['age', { n: 2000, missing: 0, min: 18, max: 90, mean, sd: 10, quantiles: [1, 2, 3, 4, 5] }]],
  outside: [],
  absent: [],
})

const side = (m: Measurement, change: Partial<ComparedSide> = {}): ComparedSide => ({
  measured: m,
  datasetId: 'ds_1',
  modelId: null,
  effectiveRows: null,
  selected: true,
  ...change,
})

const SEED: RecordedEstimates = {
  scenario: { effectiveRows: 800, support: 790 },
  against: { effectiveRows: 4900, support: 4900 },
  bases: [],
  shares: [
    [
      'intent',
      [['Yes', { scenario: 0.45, against: 0.4, difference: 0.05, standardError: 0.01, degreesOfFreedom: 700 }]],
    ],
  ],
  means: [['age', { scenario: 42.5, against: 40, difference: 2.5, standardError: 0.3, degreesOfFreedom: null }]],
}

const AGE = { name: 'age', type: 'numeric' as const, min: 18, max: 90 }
const schemaWith = (...more: string[]) => [{ name: 'intent', levels: ['No', 'Yes', ...more] }, AGE]
const NEVER = "column: intent, level: 'Never', delta_max: 0.1, confidence: 0.95"

const compared = (
  study: ReturnType<typeof gated>,
  estimates: Parameters<typeof compareScenarios>[2] = () => SEED,
  change: Partial<ComparedSide> = {},
) =>
  compareScenarios(
    study,
    new Map([
      ['base', side(measured(800, 40), change)],
      ['more', side(measured(920, 42), change)],
    ]),
    estimates,
  ).lift!

describe('a comparison', () => {
  it('answers what the seed says, beside the counts of the rows, and shows the rows behind both sides', () => {
    const more = compared(gated()).scenarios.more!
    expect(more.effective_rows).toEqual({ scenario: 800, against: 4900 })
    expect(more.no_estimates).toBeUndefined()
    // t(0.975, 700) = 1.963367
    expect(more.shares.intent?.Yes).toEqual({
      against: 0.4,
      scenario: 0.46,
      delta: 0.06,
      basis: 'seed',
      answer: { scenario: 0.45, against: 0.4, difference: 0.05, degrees_of_freedom: 700 },
      standard_error: 0.01,
      interval: [0.030366, 0.069634],
      support: 'ok',
      asked_for: true,
    })
    expect(more.means.age).toMatchObject({
      delta: 2,
      basis: 'seed',
      answer: { scenario: 42.5, against: 40, difference: 2.5 },
      beyond_chance: true,
    })
  })

  it('uses effective rows for a level without an estimate from the seed', () => {
    expect(compared(gated()).scenarios.more?.shares.intent?.No).toMatchObject({ basis: 'effective_rows', delta: -0.06 })
  })

  it('shows no interval of a column that too few seed rows have a value of', () => {
    const more = compared(gated(), () => ({ ...SEED, shares: [['intent', []]], means: [] })).scenarios.more!
    expect(more.shares.intent?.Yes).toMatchObject({ support: 'too_few_rows', interval: null })
    expect(more.means.age).toMatchObject({ support: 'too_few_rows', interval: null })
  })

  it('uses the evidence of both generations if there are no estimates, and shows why', () => {
    const more = compared(gated(), () => 'no_estimates_operation', { effectiveRows: 500 }).scenarios.more!
    expect(more).toMatchObject({
      no_estimates: 'no_estimates_operation',
      effective_rows: { scenario: 500, against: 500 },
      shares: { intent: { Yes: { basis: 'effective_rows' } } },
    })
  })

  it('uses only the seed rows with a value for a mean, estimated from the generated rows', () => {
    const fifth = (yes: number, mean: number): Measurement => {
      const all = measured(yes, mean)
      return { ...all, numbers: all.numbers.map(([name, summary]) => [name, { ...summary, n: 400, missing: 1600 }]) }
    }
    const { means } = compareScenarios(
      gated(),
      new Map([
        ['base', side(fifth(800, 40), { effectiveRows: 500 })],
        ['more', side(fifth(920, 42), { effectiveRows: 500 })],
      ]),
      () => 'no_estimates_operation',
    ).lift!.scenarios.more!
    // √(2 · 10²/(500/5) + 2 · 10²/400)
    expect(means.age).toMatchObject({ basis: 'effective_rows', support: 'ok' })
    expect(means.age?.standard_error).toBeCloseTo(Math.sqrt(2.5), 9)
  })

  it('asks for no estimates if the sides come from different models', () => {
    const lift = compareScenarios(
      gated(),
      new Map([
        ['base', side(measured(800, 40), { effectiveRows: 500 })],
        ['more', side(measured(920, 42), { effectiveRows: 500, datasetId: 'ds_2' })],
      ]),
      () => {
        throw new Error('asked')
      },
    ).lift!
    expect(lift.scenarios.more).toMatchObject({
      status: 'mixed_model',
      no_estimates: 'estimates_other_model',
      shares: { intent: { Yes: { basis: 'effective_rows' } } },
    })
  })
})

const YES = "column: intent, level: 'Yes'"

describe('a gate with confidence', () => {
  it.each([
    [`${YES}, delta_min: 0.0303, confidence: 0.95`, true],
    [`${YES}, delta_min: 0.0304, confidence: 0.95`, false],
    // The answer, and not the 0.06 of the rows.
    [`${YES}, delta_min: 0.05`, true],
    [`${YES}, delta_min: 0.0501`, false],
    [`${YES}, delta_max: 0.0697, confidence: 0.95`, true],
    [`${YES}, delta_max: 0.0696, confidence: 0.95`, false],
    [`${YES}, delta_min: 0.02, delta_max: 0.065, confidence: 0.95`, false],
    [`${YES}, delta_min: 0.0304, confidence: 0.9`, true],
    [`${YES}, delta_min: 0.0303, confidence: 0.99`, false],
    ['column: age, delta_min: 1.9, confidence: 0.95', true],
    ['column: age, delta_min: 2, confidence: 0.95', false],
  ])('%s passes: %s, and also when the manifest is read', (gate, passed) => {
    const lift = compared(gated(gate))
    expect(lift.gates[0]).toMatchObject({ evaluated: 1, passed })
    expect(lift.gates[0]?.interval === undefined).toBe(!gate.includes('confidence'))
    const rows = exampleScenario({ rows: { requested: 2000, reported: 2000, counted: 2000, fill: 1 } })
    const manifest = exampleManifest({ base: rows, more: rows }, { comparisons: { lift } })
    const [review] = evaluateGates(parseManifest(JSON.stringify(manifest)).manifest).gates
    expect([review?.gate, review?.unchecked]).toEqual([lift.gates[0], null])
  })

  it.each([
    ['too_few_rows', () => ({ ...SEED, scenario: { effectiveRows: null, support: null } }), {}],
    ['too_few_rows', () => ({ ...SEED, scenario: { effectiveRows: 60, support: 10 } }), {}],
    ['too_few_rows', () => 'estimates_failed' as const, { effectiveRows: 12 }],
    ['generation_only', () => 'no_estimates_operation' as const, {}],
  ])('fails and states the reason: %s', (reason, estimates, change) => {
    const study = gated(`${YES}, delta_min: -1, confidence: 0.5`, 'column: age, delta_min: -1000, confidence: 0.5')
    for (const gate of compared(study, estimates, change).gates) {
      expect(gate).toMatchObject({ evaluated: 1, passed: false, reason })
      expect(gate.interval).toBeUndefined()
    }
  })

  it('counts seed rows for a level that no generated row has', () => {
    const lift = compared(gated(NEVER), undefined, { schema: schemaWith('Never') })
    expect(lift.gates[0]).toMatchObject({ evaluated: 1, actual: 0, passed: true, interval: [0, 0] })
    expect(lift.not_compared).toBeUndefined()
  })

  it.each([
    ['do not have', schemaWith()],
    ['are not known to have', null],
  ])('finds nothing to evaluate and fails for a level that the data %s', (_, schema) => {
    const lift = compared(gated(NEVER), undefined, { schema })
    expect(lift.gates[0]).toMatchObject({ evaluated: 0, actual: null, passed: false })
    expect(lift.not_compared).toEqual([{ column: 'intent', level: 'Never', as: 'shares' }])
  })
})

describe('a comparison of data that have lost something', () => {
  it('names a column that is gone or has become of another kind, and compares the others', () => {
    const schema = [{ name: 'intent', type: 'categorical' as const, levels: ['No', 'Yes'] }]
    const gone = compared(gated(), undefined, { schema })
    expect(gone.not_compared).toEqual([{ column: 'age', as: 'means' }])
    expect(gone.scenarios.more?.shares.intent?.Yes?.answer?.difference).toBe(0.05)
    const words = { name: 'age', levels: ['old', 'young'] }
    expect(compared(gated(), undefined, { schema: [...schema, words] }).not_compared).toEqual(gone.not_compared)
  })

  it('gives no figure for a level that only the baseline’s data have', () => {
    const against = side(measured(800, 40), { schema: schemaWith() })
    const renamed = [{ name: 'intent', levels: ['No', 'Y'] }, AGE]
    const rows: Measurement = {
      ...measured(0, 42),
      shares: [
        [
          'intent',
          {
            levels: [
              ['No', 1100],
              ['Y', 900],
            ],
            missing: 0,
          },
        ],
      ],
    }
    const more = side(rows, { schema: renamed, datasetId: 'ds_2' })
    const study = gated(`${YES}, delta_max: 0.02`)
    const sides = new Map([
      ['base', against],
      ['more', more],
    ])
    const { lift } = compareScenarios(study, sides, () => SEED)
    expect(Object.keys(lift!.scenarios.more!.shares.intent!)).toEqual(['No'])
    expect(lift!.gates.at(-1)).toMatchObject({ evaluated: 0, actual: null, passed: false })
  })
})

it('a manifest of an earlier version, without intervals, is still read and reviewed', () => {
  const { effective_rows: _, ...more } = compared(gated(`${YES}, delta_min: 0.05`)).scenarios.more!
  const bare = ({ delta, against, scenario }: { delta: number; against: number; scenario: number }) => ({
    delta,
    against,
    scenario,
  })
  const shares = { intent: { Yes: bare(more.shares.intent!.Yes!), No: bare(more.shares.intent!.No!) } }
  const { against, scenario, delta } = more.means.age!
  const gate = {
    id: 'delta:more:intent:Yes',
    level: 'fail',
    evaluated: 1,
    passed: true,
    expected: { delta_min: 0.05 },
    actual: 0.06,
  } as const
  const lift = {
    against: 'base',
    scenarios: { more: { status: 'compared', shares, means: { age: { against, scenario, delta } } } },
    gates: [gate],
  } as const
  const manifest = exampleManifest({ base: exampleScenario(), more: exampleScenario() }, { comparisons: { lift } })
  const [review] = evaluateGates(parseManifest(JSON.stringify(manifest)).manifest).gates
  expect([review?.gate, review?.unchecked]).toEqual([gate, null])
  // One that asks for confidence all the same finds nothing to go by.
  const confident = { ...lift, gates: [{ ...gate, expected: { delta_min: 0.05, confidence: 0.95 } }] }
  const damaged = parseManifest(JSON.stringify({ ...manifest, comparisons: { lift: confident } })).manifest
  expect(evaluateGates(damaged).gates[0]).toMatchObject({ gate: { passed: false, reason: 'generation_only' } })
})
