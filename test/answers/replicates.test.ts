import { describe, expect, it } from 'vitest'
import type { ComparedSide } from '../../src/answers/comparisons/compared-sides.ts'
import { pooledMeasurement } from '../../src/answers/comparisons/compared-sides.ts'
import { compareScenarios } from '../../src/answers/comparisons/comparisons.ts'
import { compareManifests } from '../../src/answers/manifest/compare-manifests.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { Measurement, NumberSummary } from '../../src/records/state/measurements.ts'
import { loadStudy } from '../../src/study/load/load-study.ts'

const STUDY = `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
defaults: { rows: 100, seed: 1 }
scenarios: { base: {}, more: { replicates: 3 } }
baseline: base
comparisons:
  - id: lift
    scenarios: [more]
    shares: [answer]
    means: [age]
    by: region
    expect: [{ scenario: more, column: answer, level: "Yes", delta_min: 0.05 }]
`

const summary = (n: number, mean: number, sd: number | null, change: Partial<NumberSummary> = {}): NumberSummary => ({
  n,
  missing: 0,
  min: mean - 1,
  max: mean + 1,
  mean,
  sd,
  quantiles: [1, 2, 3, 4, 5],
  ...change,
})

/** An artifact with so many rows of which so many say Yes; all of one region. */
function counted(rows: number, yes: number, age: NumberSummary, region = 'North'): Measurement {
  const counts = {
    rows,
    shares: [
      ['answer', { levels: [...(yes < rows ? [['No', rows - yes] as const] : []), ['Yes', yes] as const], missing: 0 }],
    ] as const,
    numbers: [['age', age]] as const,
  }
  return { ...counts, outside: [], absent: [], segments: [['region', [[region, counts]]]] }
}

const side = (measured: Measurement | null, change: Partial<ComparedSide> = {}): ComparedSide => ({
  measured,
  datasetId: 'ds_1',
  modelId: null,
  effectiveRows: null,
  selected: true,
  ...change,
})

const BASE = side(counted(100, 40, summary(100, 50, 10)))
const MORE = [
  side(counted(100, 50, summary(100, 52, 10), 'North')),
  side(counted(200, 120, summary(200, 55, 8), 'South')),
  side(counted(100, 46, summary(100, 49, 12), 'North')),
] as const

function compared(more: readonly (ComparedSide | undefined)[], text = STUDY, base: readonly ComparedSide[] = [BASE]) {
  const { study, diagnostics } = loadStudy(text, { filename: 'demo.study.yaml' })
  if (study === null) throw new Error(JSON.stringify(diagnostics))
  const sides = new Map<string, ComparedSide>()
  const put = (name: string, all: readonly (ComparedSide | undefined)[]) => {
    for (const [i, one] of all.entries())
      if (one !== undefined) sides.set(all.length === 1 ? name : `${name}--r${i + 1}`, one)
  }
  put('base', base)
  put('more', more)
  const { lift } = compareScenarios(study, sides, () => 'estimates_failed')
  return { lift: lift!, more: lift!.scenarios.more! }
}

describe('replicates of a scenario are compared as one scenario', () => {
  it('with the shares of all rows: 216 of 400', () => {
    const { more } = compared(MORE)
    expect(more.status).toBe('compared')
    expect(more.shares.answer!.Yes).toMatchObject({ against: 0.4, scenario: 0.54, delta: 0.14 })
    expect(more.replicates?.ids).toEqual(['more--r1', 'more--r2', 'more--r3'])
  })

  it('with mean and standard deviation of all rows, and no quantiles', () => {
    // (100 * 52 + 200 * 55 + 100 * 49) / 400 = 52.75
    // 99 * 100 + 199 * 64 + 99 * 144 + 100 * 0.75 ^ 2 + 200 * 2.25 ^ 2 + 100 * 3.75 ^ 2 = 39367, divided by 399: 9.93 ^ 2
    const { age } = compared(MORE).more.means
    expect(age!.scenario).toEqual({
      n: 400,
      mean: 52.75,
      sd: 9.93298345921,
      ...{ q05: null, q25: null, q50: null, q75: null, q95: null },
    })
    expect(age).toMatchObject({ delta: 2.75, against: { mean: 50, q50: 3 } })
  })

  it('with the standard deviation of the difference between them', () => {
    // Shares 0.5, 0.6 and 0.46; means 52, 55 and 49.
    expect(compared(MORE).more.replicates!.spread).toEqual({
      shares: {
        answer: { No: Number(Math.sqrt(0.0104 / 2).toFixed(6)), Yes: Number(Math.sqrt(0.0104 / 2).toFixed(6)) },
      },
      means: { age: 3 },
    })
  })

  it('with an interval that counts all rows, but not more people', () => {
    const standardError = (sides: readonly ComparedSide[], text = STUDY) =>
      compared(sides, text).more.shares.answer!.Yes!.standard_error!
    const same = (rows: number) => side(counted(rows, rows / 2, summary(rows, 50, 10)))
    const alone = STUDY.replace(', replicates: 3', '').replace('replicates: 3', '')
    expect(standardError([same(100), same(100), same(100)])).toBe(standardError([same(300)], alone))
    expect(standardError([same(100), same(100), same(100)])).toBeLessThan(standardError([same(100)], alone))
    const evidence = (rows: number | null) => side(MORE[0].measured, { effectiveRows: rows })
    const known = { ...BASE, effectiveRows: 80 }
    expect(compared([evidence(60), evidence(70), evidence(60)], STUDY, [known]).more.effective_rows).toEqual({
      scenario: 60,
      against: 80,
    })
    expect(compared([evidence(60), evidence(null), evidence(60)], STUDY, [known]).more.effective_rows).toBeUndefined()
  })

  it('inside a segment, with the replicates that have rows of it', () => {
    const { segments } = compared(MORE).more
    expect(segments).toMatchObject([
      { level: 'North', rows: { scenario: 200, against: 100 }, shares: { answer: { Yes: { scenario: 0.48 } } } },
      { level: 'South', rows: { scenario: 200, against: 0 }, shares: {} },
    ])
  })

  it('with the replicates that have a result, which are listed', () => {
    const { lift, more } = compared([MORE[0], side(null), undefined])
    expect(more.status).toBe('compared')
    expect(more.shares.answer!.Yes).toMatchObject({ scenario: 0.5, delta: 0.1 })
    expect(more.means.age!.scenario).toMatchObject({ n: 100, q50: 3 })
    expect(more.replicates).toEqual({
      ids: ['more--r1'],
      spread: { shares: { answer: { No: null, Yes: null } }, means: { age: null } },
    })
    expect(lift.gates).toMatchObject([{ id: 'delta:more:answer:Yes', passed: true, actual: 0.1 }])
  })

  it('and as missing if none has a result', () => {
    const { lift, more } = compared([side(null), side(null), undefined])
    expect(more).toMatchObject({ status: 'missing', replicates: { ids: [] } })
    expect(lift.gates).toMatchObject([{ id: 'delta:more:answer:Yes', passed: false, actual: null }])
    const unselected = side(null, { selected: false })
    expect(compared([unselected, unselected, unselected]).lift.gates).toEqual([])
  })

  it('and as mixed if two replicates come from different models', () => {
    const other = side(MORE[1].measured, { datasetId: 'ds_2' })
    const { lift, more } = compared([MORE[0], other, MORE[2]])
    expect(more).toMatchObject({ status: 'mixed_model', no_estimates: 'estimates_other_model' })
    expect(lift.gates[0]).toMatchObject({ id: 'mixed_model', passed: false })
    const same = (datasetId: string, i: 0 | 1 | 2) => side(MORE[i].measured, { datasetId, modelId: 'm' })
    const base = [side(BASE.measured, { modelId: 'm' })]
    expect(compared([same('ds_1', 0), same('ds_2', 1), same('ds_3', 2)], STUDY, base).more.status).toBe('compared')
  })

  it('also when they are the baseline', () => {
    const text = STUDY.replace('base: {}', 'base: { replicates: 2 }')
    const { lift, more } = compared(MORE, text, [BASE, side(counted(300, 180, summary(300, 50, 10)))])
    expect(lift.against_replicates).toEqual(['base--r1', 'base--r2'])
    expect(more.shares.answer!.Yes).toMatchObject({ against: 0.55, scenario: 0.54, delta: -0.01 })
    expect(compared(MORE).lift).not.toHaveProperty('against_replicates')
  })
})

describe('a pooled measurement', () => {
  const bins = (edges: readonly number[], counts: readonly number[]) => ({ edges, counts, below: 1, above: 2 })

  it('adds bins with equal edges, and drops other bins', () => {
    const part = (edges: readonly number[], counts: readonly number[]) =>
      counted(10, 5, summary(10, 1, 1, { bins: bins(edges, counts) }))
    const pooled = (...parts: Measurement[]) => pooledMeasurement(parts).numbers[0]![1].bins
    expect(pooled(part([0, 1, 2], [3, 4]), part([0, 1, 2], [1, 6]))).toEqual({
      edges: [0, 1, 2],
      counts: [4, 10],
      below: 2,
      above: 4,
    })
    expect(pooled(part([0, 1, 2], [3, 4]), part([0, 1, 3], [1, 6]))).toBeUndefined()
    expect(pooled(part([0, 1, 2], [3, 4]), counted(10, 5, summary(10, 1, 1)))).toBeUndefined()
  })

  it('counts levels that only one replicate has', () => {
    const pooled = pooledMeasurement([counted(10, 10, summary(10, 1, 1)), counted(10, 4, summary(10, 1, 1))])
    expect(pooled.shares).toEqual([
      [
        'answer',
        {
          levels: [
            ['No', 6],
            ['Yes', 14],
          ],
          missing: 0,
        },
      ],
    ])
  })

  it('leaves out a column that one replicate lacks', () => {
    const { shares: _, ...rest } = counted(10, 4, summary(10, 1, 1))
    const pooled = pooledMeasurement([counted(10, 4, summary(10, 1, 1)), { ...rest, shares: [] }])
    expect(pooled).toMatchObject({ rows: 20, shares: [] })
  })

  it('combines single values with empty replicates', () => {
    const empty = summary(0, 0, null, { min: null, max: null, mean: null, quantiles: null, missing: 10 })
    const numbers = (...parts: NumberSummary[]) =>
      pooledMeasurement(parts.map((part) => counted(10, 4, part))).numbers[0]![1]
    expect(numbers(summary(1, 2, null), summary(1, 4, null))).toMatchObject({
      ...{ n: 2, mean: 3, min: 1, max: 5, quantiles: [] },
      sd: Math.SQRT2,
    })
    expect(numbers(empty, summary(1, 4, null))).toMatchObject({ n: 1, missing: 10, mean: 4, sd: null })
    expect(numbers(empty, empty)).toMatchObject({ n: 0, missing: 20, mean: null, quantiles: null })
  })
})

describe('two manifests', () => {
  it('are compared by the new name of a renamed scenario with replicates', () => {
    const manifest = (name: string): Manifest => {
      const { study } = loadStudy(STUDY.replaceAll('more', name), { filename: 'demo.study.yaml' })
      const sides = new Map([['base', BASE] as const, ...MORE.map((one, i) => [`${name}--r${i + 1}`, one] as const)])
      return {
        study: { baseline: 'base' },
        datasets: {},
        scenarios: Object.fromEntries(
          study!.scenarios.map(({ id, replicate }) => {
            const fingerprint = `of ${replicate?.number ?? 'base'}`
            return [id, { fingerprint, shares: {}, gates: [], rows: {}, ...(replicate && { replicate }) }]
          }),
        ),
        comparisons: compareScenarios(study!, sides, () => 'estimates_failed'),
        diagnostics: [],
      } as unknown as Manifest
    }
    const { renamed, differences } = compareManifests(manifest('more'), manifest('plus'))
    expect([...renamed.keys()]).toEqual(['more--r1', 'more--r2', 'more--r3'])
    expect(differences).toEqual([])
  })
})
