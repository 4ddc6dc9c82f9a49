import { beforeAll, describe, expect, it } from 'vitest'
import { calibrationOf } from '../../../src/engine/estimates/calibration.ts'
import { type ComparedSides, comparedSides, differenceOf } from '../../../src/engine/estimates/difference-error.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { surveyDesign } from '../../../src/engine/weighting/survey-design.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, tableOf } from '../survey-table.ts'
import { referenceSpread } from './reference-estimate.ts'

/** 60 rows, of which 20 are in group a; half of them in the scenario. */
const GROUPS = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 'a' : 'b'))

describe('the error of a difference', () => {
  let sides: ComparedSides
  beforeAll(async () => {
    const seed = await encodeTable(tableOf([categorical('group', GROUPS)]), { threads: 1 })
    const side = async (shares: Record<string, Record<string, number>>) => {
      const weighted = await weighSeed(seed, scenario(shares), 'exact')
      return calibrationOf(weighted!)
    }
    sides = comparedSides(await side({ group: { a: 0.5 } }), await side({}), undefined)
  })
  const shareOf = (values: readonly number[], of = sides) =>
    differenceOf(of, { values: Float64Array.from(values), counts: null, isShare: true })!

  it('of one lever is that of post-stratification: the spread inside groups, and that of their natural shares', () => {
    const y = GROUPS.map((group, i) => Number(group === 'a' ? i % 4 < 3 : i % 5 === 0))
    const mean = (group: string) => {
      const own = y.filter((_, i) => GROUPS[i] === group)
      return own.reduce((sum, one) => sum + one, 0) / own.length
    }
    const [a, b, all] = [mean('a'), mean('b'), y.reduce((sum, one) => sum + one, 0) / 60]
    const found = shareOf(y)
    expect(found.difference).toBeCloseTo(0.5 * a + 0.5 * b - all, 12)
    let squares = 0
    for (const [i, group] of GROUPS.entries()) {
      const [w, m] = group === 'a' ? [0.5 / 20, a] : [0.5 / 40, b]
      squares += (w * (y[i]! - m) - (y[i]! - all) / 60) ** 2
    }
    expect(found.linearisedError).toBeCloseTo(Math.sqrt((60 / 59) * squares), 12)
    // Leverage and pseudo-answers add a little.
    expect(found.standardError).toBeGreaterThan(found.linearisedError)
    expect(found.standardError).toBeLessThan(1.1 * found.linearisedError)
  })

  it('of an answer that nobody gave is that of two pseudo-answers', () => {
    const none = shareOf(Array(60).fill(0))
    const k = referenceSpread([...sides.scenario.weights])
    const q = 1 / (k + 2)
    expect(none).toMatchObject({ scenario: 0, baseline: 0, difference: 0, linearisedError: 0 })
    // The baseline's weights are equal: they have none.
    expect(none.standardError).toBeCloseTo(Math.sqrt((sides.far * q * (1 - q)) / k), 12)
  })

  it('of a mean has no pseudo-answers: numbers that are all the same have no error', () => {
    const same = differenceOf(sides, { values: new Float64Array(60).fill(7), counts: null, isShare: false })
    expect(same).toMatchObject({ difference: 0, standardError: 0 })
  })

  it('has fewer pseudo-answers the nearer the sides are', () => {
    const near = comparedSides(sides.baseline, sides.baseline, undefined)
    expect(near.far).toBe(0)
    expect(shareOf(Array(60).fill(0), near).standardError).toBe(0)
    expect(sides.far).toBeGreaterThan(0)
    expect(sides.far).toBeLessThanOrEqual(1)
  })

  it('of the lever itself is that of its natural share, and 0 where both sides fix it', () => {
    const lever = GROUPS.map((group) => Number(group === 'a'))
    expect(shareOf(lever).linearisedError).toBeCloseTo(Math.sqrt((60 / 59) * (20 / 60) * (40 / 60) * (1 / 60)), 12)
    const both = comparedSides(sides.scenario, sides.scenario, undefined)
    expect(shareOf(lever, both)).toMatchObject({ standardError: 0, degreesOfFreedom: Number.POSITIVE_INFINITY })
  })

  it('of clustered rows is that between clusters, without pseudo-answers', () => {
    const clusters = GROUPS.map((_, i) => Math.floor(i / 6))
    const design = surveyDesign({ strata: null, clusters, replicates: null }, null)
    const clustered = comparedSides(sides.scenario, sides.baseline, design)
    const y = GROUPS.map((_, i) => Number(clusters[i]! % 2 === 0))
    const { influence, standardError, degreesOfFreedom } = shareOf(y, clustered)
    const totals = Array.from({ length: 10 }, (_, c) =>
      influence.reduce((sum, e, row) => sum + (clusters[row] === c ? e : 0), 0),
    )
    const mean = totals.reduce((sum, total) => sum + total, 0) / 10
    const variance = (10 / 9) * totals.reduce((sum, total) => sum + (total - mean) ** 2, 0)
    expect(standardError).toBeCloseTo(Math.sqrt(variance), 12)
    expect(degreesOfFreedom).toBe(9)
  })

  it('is unknown where no row counts', () => {
    expect(differenceOf(sides, { values: new Float64Array(60), counts: new Uint8Array(60), isShare: true })).toBeNull()
  })
})
