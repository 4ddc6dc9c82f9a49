import { describe, expect, it } from 'vitest'
import { designCounts, surveyDesign } from '../../../src/engine/weighting/survey-design.ts'

const none = { strata: null, clusters: null, replicates: null }

describe('a survey design', () => {
  it('numbers strata from 0 in the sequence of their first rows', () => {
    const { strata } = surveyDesign({ ...none, strata: [7, 3, 7, 9, 3] }, null)
    expect([...strata!]).toEqual([0, 1, 0, 2, 1])
  })

  it('takes equal codes of clusters in different strata as different clusters', () => {
    const { clusters } = surveyDesign({ ...none, strata: [1, 1, 2, 2, 1], clusters: [1, 2, 1, 2, 1] }, null)
    expect([...clusters!]).toEqual([0, 1, 2, 3, 0])
  })

  it('takes equal codes of clusters as one cluster where there are no strata', () => {
    const { strata, clusters } = surveyDesign({ ...none, clusters: [4, 4, 2, 2, 4] }, null)
    expect(strata).toBeNull()
    expect([...clusters!]).toEqual([0, 0, 1, 1, 0])
  })

  it('divides replicate weights by the mean of the case weights, as these are', () => {
    const replicates = { weights: [Float64Array.of(0, 20), Float64Array.of(4, 0)], scale: 0.5, rscales: [1, 2] }
    const found = surveyDesign({ ...none, replicates }, Float64Array.of(1, 3)).replicates!
    expect(found.weights.map((weights) => [...weights])).toEqual([
      [0, 10],
      [2, 0],
    ])
    expect(found).toMatchObject({ scale: 0.5, rscales: [1, 2] })
  })

  it('divides them also where all case weights are equal, which are no weights', () => {
    const replicates = { weights: [Float64Array.of(0, 500)], scale: 1, rscales: [1] }
    expect([...surveyDesign({ ...none, replicates }, Float64Array.of(250, 250)).replicates!.weights[0]!]).toEqual([
      0, 2,
    ])
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the replicate weight %d', (weight) => {
    const replicates = { weights: [Float64Array.of(1, weight)], scale: 1, rscales: [1] }
    expect(() => surveyDesign({ ...none, replicates }, null)).toThrow(`row 1 has the replicate weight ${weight}`)
  })
})

describe('the counts of a survey design', () => {
  it.each([
    ['strata and clusters', [0, 0, 0, 1, 1, 2], [1, 2, 1, 1, 1, 5], { strata: 3, clusters: 4, lonelyStrata: 2 }],
    ['strata alone, whose rows are clusters', [0, 0, 0, 1, 1, 2], null, { strata: 3, clusters: 6, lonelyStrata: 1 }],
    ['clusters alone', null, [1, 2, 1, 3, 3, 3], { strata: 1, clusters: 3, lonelyStrata: 0 }],
    ['one cluster', null, [1, 1, 1, 1, 1, 1], { strata: 1, clusters: 1, lonelyStrata: 1 }],
    ['neither', null, null, { strata: 1, clusters: 6, lonelyStrata: 0 }],
  ])('say for %s how many strata have one cluster', (_name, strata, clusters, counts) => {
    expect(designCounts(surveyDesign({ strata, clusters, replicates: null }, null), 6)).toEqual({
      ...counts,
      replicates: 0,
    })
  })
})
