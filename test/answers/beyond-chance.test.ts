import { describe, expect, it } from 'vitest'
import { twoSidedP } from '../../src/answers/arithmetic/student-t.ts'
import type { ComparedSide } from '../../src/answers/comparisons/compared-sides.ts'
import { compareScenarios } from '../../src/answers/comparisons/comparisons.ts'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import type { ComparisonResult } from '../../src/records/manifest/comparisons.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../src/records/state/estimates.ts'
import type { Measurement } from '../../src/records/state/measurements.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'
import { exampleManifest } from './example-manifest.ts'

/** A study of `member` (yes, no) as the lever, with the outcomes intent (Yes, No), brand (a, b, c) and spend. */
function study(comparisons: string, declarations = '') {
  const { study: found, diagnostics } = loadStudy(
    `version: 1
name: demo
datasets: { panel: { file: panel.csv${declarations} } }
defaults: { rows: 2000, seed: 1 }
scenarios:
  base: {}
  some: { shares: { member: { 'yes': 0.5 } } }
  most: { shares: { member: { 'yes': 0.7 } } }
  young: { ranges: { age: { max: 30 } } }
baseline: base
comparisons:
${comparisons}`,
    { filename: 'demo.study.yaml' },
  )
  if (found === null) throw new Error(JSON.stringify(diagnostics))
  return found
}

const levels = (...counts: readonly (readonly [string, number])[]) => ({ levels: counts, missing: 0 })

const MEASURED: Measurement = {
  rows: 2000,
  shares: [
    ['member', levels(['no', 1000], ['yes', 1000])],
    [
      'intent',
      {
        levels: [
          ['No', 900],
          ['Yes', 900],
        ],
        missing: 200,
      },
    ],
    ['brand', levels(['a', 800], ['b', 700], ['c', 500])],
  ],
  numbers: [['spend', { n: 2000, missing: 0, min: 0, max: 90, mean: 20, sd: 10, quantiles: [1, 2, 3, 4, 5] }]],
  outside: [],
  absent: [],
}

const side: ComparedSide = { measured: MEASURED, datasetId: 'ds_1', modelId: null, effectiveRows: null, selected: true }
const sides = new Map(['base', 'some', 'most', 'young'].map((name) => [name, side]))

/** An estimate whose two-sided p-value is known: z standard errors from 0, without a limit of degrees of freedom. */
const apart = (z: number): RecordedEstimate => ({
  scenario: 0.4 + z / 100,
  against: 0.4,
  difference: z / 100,
  standardError: 0.01,
  degreesOfFreedom: null,
})

interface Found {
  readonly intent?: number
  readonly brand?: readonly [number, number, number]
  readonly spend?: number
  readonly member?: number
}

const estimates = ({ intent = 0, brand = [0, 0, 0], spend = 0, member = 9 }: Found): RecordedEstimates => ({
  scenario: { effectiveRows: 800, support: 700 },
  against: { effectiveRows: 1900, support: 1900 },
  bases: [['intent', { scenario: { rows: 1800, effectiveRows: 650 }, against: { rows: 1800, effectiveRows: 1700 } }]],
  shares: [
    [
      'intent',
      [
        ['No', apart(-intent)],
        ['Yes', apart(intent)],
      ],
    ],
    [
      'brand',
      [
        ['a', apart(brand[0])],
        ['b', apart(brand[1])],
        ['c', apart(brand[2])],
      ],
    ],
    [
      'member',
      [
        ['no', apart(-member)],
        ['yes', apart(member)],
      ],
    ],
  ],
  means: [['spend', apart(spend)]],
})

const ALL = '[some, most, young], shares: [intent, brand], means: [spend]'
const compare = (text: string, found: Readonly<Record<string, Found>>, declarations?: string) =>
  compareScenarios(study(text, declarations), sides, (_, scenario) => estimates(found[scenario] ?? {}))

const verdict = (result: ComparisonResult | undefined, column: string, level: string) =>
  result?.shares[column]?.[level]?.beyond_chance

describe('a difference is beyond chance', () => {
  it('by Benjamini and Hochberg over all questions of the study, and not by its own interval', () => {
    const one = compare(`  - { id: lift, scenarios: [young], shares: [intent, brand], means: [spend] }\n`, {
      young: { intent: 2.2 },
    }).lift!
    // Alone it would be: p = 0.028. Among 5 questions the smallest p-value must be 0.01 at most.
    const pair = one.scenarios.young!.shares.intent!.Yes!
    expect(pair.interval![0]).toBeGreaterThan(0)
    expect(pair.beyond_chance).toBe(false)
    expect(one.questions).toEqual({ asked: 5, beyond_chance: 0 })
  })

  it('where a larger one of the same study makes room for it', () => {
    const found = compare(`  - { id: lift, scenarios: [young], shares: [intent, brand], means: [spend] }\n`, {
      young: { intent: 2.2, brand: [4, -4, 3] },
    }).lift!
    // p of 0.028 is the 4th smallest of 5: it may be 0.04.
    expect(twoSidedP(2.2, null)).toBeLessThan(0.04)
    expect(verdict(found.scenarios.young, 'intent', 'Yes')).toBe(true)
    expect(found.scenarios.young!.means.spend!.beyond_chance).toBe(false)
    expect(found.questions).toEqual({ asked: 5, beyond_chance: 4 })
  })

  it('with the degrees of freedom of its answer', () => {
    expect(twoSidedP(2.228139, 10)).toBeCloseTo(0.05, 6)
    expect(twoSidedP(1.959964, null)).toBeCloseTo(0.05, 6)
    expect(twoSidedP(0, 3)).toBe(1)
  })

  it('only where something is known about chance', () => {
    const text = `  - { id: lift, scenarios: [young], shares: [intent] }\n`
    const found = compareScenarios(study(text), sides, () => 'estimates_failed').lift!
    expect(found.scenarios.young!.shares.intent!.Yes).not.toHaveProperty('beyond_chance')
    expect(found.questions).toEqual({ asked: 0, beyond_chance: 0 })
  })
})

describe('a question is counted once', () => {
  it('for both levels of a column of two, and for all shares of one lever of two levels', () => {
    const { lift } = compare(`  - { id: lift, scenarios: ${ALL} }\n`, {})
    // intent, brand a, b, c, spend: once for some and most, once for young.
    expect(lift!.questions!.asked).toBe(10)
  })

  it('where two comparisons hold the same scenario', () => {
    const text = `  - { id: lift, scenarios: [young], shares: [intent] }\n  - { id: again, scenarios: [young], shares: [intent] }\n`
    // Of two questions with p = 0.04 neither would be beyond chance if the smallest had to be 0.025; one question is.
    const { lift, again } = compare(text, { young: { intent: 2.05 } })
    expect(verdict(lift!.scenarios.young, 'intent', 'Yes')).toBe(true)
    expect(verdict(again!.scenarios.young, 'intent', 'Yes')).toBe(true)
    expect([lift!.questions!.asked, again!.questions!.asked]).toEqual([1, 1])
  })

  it('and never for a column that a side sets', () => {
    const { lift } = compare(`  - { id: lift, scenarios: [some], shares: [member, intent] }\n`, {})
    expect(lift!.scenarios.some!.shares.member!.yes).toMatchObject({ asked_for: true })
    expect(lift!.scenarios.some!.shares.member!.yes).not.toHaveProperty('beyond_chance')
    expect(lift!.questions).toEqual({ asked: 1, beyond_chance: 0 })
  })
})

describe('gates with adjust: holm', () => {
  const gates = (...adjust: readonly string[]) =>
    `  - id: lift
    scenarios: [young]
    shares: [intent, brand]
    expect:
      - { scenario: young, column: intent, level: 'Yes', delta_min: 0, confidence: 0.95${adjust[0]} }
      - { scenario: young, column: brand, level: a, delta_min: 0, confidence: 0.95${adjust[1]} }
      - { scenario: young, column: brand, level: b, delta_min: 0, confidence: 0.95${adjust[2]} }
`
  const HOLM = ', adjust: holm'
  const passed = (text: string, intent: number, a: number, b: number) =>
    compare(text, { young: { intent, brand: [a, b, 0] } }).lift!.gates.map((gate) => gate.passed)

  it('are judged together, the surest first', () => {
    const alone = gates('', '', '')
    const together = gates(HOLM, HOLM, HOLM)
    // 2.3 standard errors: p = 0.021, of which the smallest of three may be 0.0167.
    expect(passed(alone, 2.3, 1, 1)).toEqual([true, false, false])
    expect(passed(together, 2.3, 1, 1)).toEqual([false, false, false])
    // After one of p < 0.0167 the next may be 0.025, and the last 0.05.
    expect(passed(together, 2.3, 3, 2.1)).toEqual([true, true, true])
    // A failed gate stops those that are less sure.
    expect(passed(together, 2.2, 3, 2.1)).toEqual([false, true, false])
  })

  it('leave others alone', () => {
    expect(passed(gates(HOLM, '', HOLM), 2.3, 2.0, 1)).toEqual([true, true, false])
  })

  it('are reviewed from the manifest with the same verdicts and intervals', () => {
    const comparisons = compare(gates(HOLM, HOLM, HOLM), { young: { intent: 2.2, brand: [3, 2.1, 0] } })
    const review = evaluateGates({ ...exampleManifest(), comparisons })
    const own = review.gates.filter(({ of, id }) => of === 'comparison' && id === 'lift')
    expect(own.map(({ gate }) => gate)).toEqual(comparisons.lift!.gates)
    expect(own.map(({ recordedPassed }) => recordedPassed)).toEqual([false, true, false])
  })

  it('need a confidence', () => {
    const text = `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
defaults: { rows: 2000, seed: 1 }
scenarios: { base: {}, young: { ranges: { age: { max: 30 } } } }
baseline: base
comparisons:
  - { id: lift, scenarios: [young], means: [spend], expect: [{ scenario: young, column: spend, delta_min: 1, adjust: holm }] }
`
    const { diagnostics } = loadStudy(text, { filename: 'demo.study.yaml' })
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([])
  })
})

describe('the base of a share', () => {
  const text = (base: string) => `  - { id: lift, scenarios: [young], shares: [intent]${base} }\n`
  const shareOf = (base: string, declarations?: string) =>
    compare(text(base), {}, declarations).lift!.scenarios.young!.shares.intent!.Yes!.scenario

  it('is all rows, or with base: valid those with an answer', () => {
    expect(shareOf('')).toBe(0.45)
    expect(shareOf(', base: valid')).toBe(0.5)
  })

  it.each([
    { missing: '{ intent: ["99"] }', share: 0.5 },
    { missing: '{ "*": ["99"] }', share: 0.5 },
    { missing: '{ brand: ["99"] }', share: 0.45 },
  ])('is by default those with an answer where codes for no answer are declared: $missing', ({ missing, share }) => {
    expect(shareOf('', `, missing: ${missing}`)).toBe(share)
    expect(shareOf(', base: all', `, missing: ${missing}`)).toBe(0.45)
  })

  it('stands in the record with its n and its effective n', () => {
    expect(compare(text(''), {}).lift!.scenarios.young!.bases).toEqual({
      intent: { scenario: { rows: 1800, effective_rows: 650 }, against: { rows: 1800, effective_rows: 1700 } },
    })
  })
})
