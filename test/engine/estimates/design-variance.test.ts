import { describe, expect, it } from 'vitest'
import { clusteredVariance, designDegrees } from '../../../src/engine/estimates/design-variance.ts'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { surveyDesign } from '../../../src/engine/weighting/survey-design.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { randomSurvey } from './random-survey.ts'
import { referenceDifference } from './reference-estimate.ts'

const designOf = (strata: readonly number[] | null, clusters: readonly number[] | null) =>
  surveyDesign({ strata, clusters, replicates: null }, null)

describe('the variance of a total over strata and clusters', () => {
  const e = Float64Array.of(1, 2, -1, 3, 1)

  it('is that of the clusters’ totals around the mean of their stratum, times clusters / (clusters - 1)', () => {
    // Totals 3 and -1 around 1: 2 · (4 + 4). Totals 3 and 1 around 2: 2 · (1 + 1).
    expect(clusteredVariance(e, designOf([1, 1, 1, 2, 2], [1, 1, 2, 1, 2]))).toBeCloseTo(16 + 4, 12)
  })

  it('is that of rows where only strata are declared, and of one stratum where only clusters are', () => {
    // 1, 2, -1 around 2/3: 1.5 · 14/3. 3 and 1 around 2: 2 · 2.
    expect(clusteredVariance(e, designOf([1, 1, 1, 2, 2], null))).toBeCloseTo(1.5 * (14 / 3) + 4, 12)
    // Totals 3, -1, 4 around 2: 1.5 · (1 + 9 + 4).
    expect(clusteredVariance(e, designOf(null, [1, 1, 2, 3, 3]))).toBeCloseTo(21, 12)
  })

  it('counts the one cluster of a lonely stratum around 0, the mean of all influences', () => {
    expect(clusteredVariance(e, designOf([1, 1, 1, 2, 2], [1, 1, 2, 1, 1]))).toBe(16 + 4 ** 2)
  })

  it('counts clusters whose rows have no influence', () => {
    // Totals 2 and 0 around 1: 2 · (1 + 1).
    expect(clusteredVariance(Float64Array.of(1, 1, 0), designOf(null, [1, 1, 2]))).toBeCloseTo(4, 12)
  })

  it.each([
    ['clusters minus strata', [1, 1, 1, 2, 2], [1, 1, 2, 1, 2], 2],
    ['clusters minus 1', null, [1, 1, 2, 3, 3], 2],
    ['rows minus strata', [1, 1, 1, 2, 2], null, 3],
    ['at least 1', [1, 1, 1, 2, 2], [1, 1, 1, 1, 1], 1],
  ] as const)('has as many degrees of freedom as %s', (_name, strata, clusters, degrees) => {
    expect(designDegrees(designOf(strata, clusters))).toBe(degrees)
  })
})

it('estimates of a survey with strata and clusters have the variance between the clusters’ influences', async () => {
  const { rows, table } = randomSurvey(300, 8, false)
  const strata = rows.map((_, i) => i % 3)
  const clusters = rows.map(({ age }) => age % 10)
  const seed = await encodeTable({ ...table, design: designOf(strata, clusters) }, { threads: 1 })
  const { outcomes } = await estimateDifferences(seed, {
    scenario: scenario({ member: { yes: 0.7 } }),
    baseline: scenario({}),
    outcomes: [{ column: 'spend', base: 'all' }],
    maxLevels: 10,
    disclosure: 'exact',
  })
  const { difference, influence } = referenceDifference(
    rows,
    { shares: { member: { yes: 0.7 } } },
    {},
    ({ spend }) => spend,
  )
  let variance = 0
  for (const stratum of [0, 1, 2]) {
    const totals = Array.from({ length: 10 }, (_, cluster) =>
      influence.reduce((sum, e, i) => sum + (strata[i] === stratum && clusters[i] === cluster ? e : 0), 0),
    )
    const mean = totals.reduce((sum, total) => sum + total, 0) / 10
    variance += (10 / 9) * totals.reduce((sum, total) => sum + (total - mean) ** 2, 0)
  }
  const [spend] = outcomes
  if (spend?.kind !== 'mean' || spend.mean === null) throw new Error('no mean')
  expect(spend.mean.difference).toBeCloseTo(difference, 9)
  expect(spend.mean.standardError / Math.sqrt(variance)).toBeCloseTo(1, 8)
  expect(spend.mean.degreesOfFreedom).toBeCloseTo(27, 12)
})
