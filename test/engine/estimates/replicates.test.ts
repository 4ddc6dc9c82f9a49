import { describe, expect, it } from 'vitest'
import { type EstimateOptions, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import type { Replicates } from '../../../src/engine/estimates/replicates.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { surveyDesign } from '../../../src/engine/weighting/survey-design.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { type RandomSurvey, type Respondent, randomSurvey } from './random-survey.ts'
import { type ReferenceScenario, referenceDifference } from './reference-estimate.ts'

const MEMBERS: ReferenceScenario = { shares: { member: { yes: 0.6 }, region: { west: 0.4 } } }

async function meanOf(survey: RandomSurvey, replicates: Replicates, more: Partial<EstimateOptions> = {}) {
  const own = survey.weights === null ? null : Float64Array.from(survey.weights)
  const design = surveyDesign({ strata: null, clusters: null, replicates }, own)
  const found = await estimateDifferences(await encodeTable({ ...survey.table, design }, { threads: 1 }), {
    scenario: scenario(MEMBERS.shares!),
    baseline: scenario({}),
    outcomes: [{ column: 'spend', base: 'all' }],
    maxLevels: 10,
    disclosure: 'exact',
    ...more,
  })
  return found
}

function only(outcomes: Awaited<ReturnType<typeof meanOf>>['outcomes']) {
  const [outcome] = outcomes
  if (outcome?.kind !== 'mean' || outcome.mean === null) throw new Error('no mean')
  return outcome.mean
}

const difference = (rows: readonly Respondent[], weights?: readonly number[]): number =>
  referenceDifference(rows, MEMBERS, {}, ({ spend }) => spend, { weights }).difference

/** Delete-one jackknife: each replicate leaves out a row. */
function deleteOne(n: number): Replicates {
  return {
    weights: Array.from({ length: n }, (_, r) =>
      Float64Array.from({ length: n }, (_, i) => (i === r ? 0 : n / (n - 1))),
    ),
    scale: (n - 1) / n,
    rscales: Array(n).fill(1),
  }
}

describe('the error by replicate weights', () => {
  it('of a delete-one jackknife equals the definition: estimates without each row in turn', async () => {
    const survey = randomSurvey(60, 12, false)
    const n = survey.rows.length
    const d = difference(survey.rows)
    const without = survey.rows.map((_, r) => difference(survey.rows.filter((_, i) => i !== r)))
    const error = Math.sqrt(((n - 1) / n) * without.reduce((sum, one) => sum + (one - d) ** 2, 0))
    const found = only((await meanOf(survey, deleteOne(n))).outcomes)
    expect(found.difference).toBeCloseTo(d, 9)
    expect(found.standardError / error).toBeCloseTo(1, 8)
    expect(found.degreesOfFreedom).toBeLessThanOrEqual(n - 1)
  })

  it('takes the scale of all replicates and of each one', async () => {
    const survey = randomSurvey(80, 13, true)
    const halves = [0, 1, 2].map((r) => survey.weights!.map((a, i) => (i % 3 === r ? 0.5 * a : 1.25 * a)))
    const replicates = { weights: halves.map((one) => Float64Array.from(one)), scale: 0.7, rscales: [1, 2, 0.5] }
    const d = difference(survey.rows, survey.weights!)
    const squares = halves.map((one) => (difference(survey.rows, one) - d) ** 2)
    const error = Math.sqrt(0.7 * (squares[0]! + 2 * squares[1]! + 0.5 * squares[2]!))
    const { standardError, degreesOfFreedom } = only((await meanOf(survey, replicates)).outcomes)
    expect(standardError / error).toBeCloseTo(1, 8)
    // Three replicates vary in two directions.
    expect(degreesOfFreedom).toBe(2)
  })

  it('is 0 where all replicates are the main weights', async () => {
    const survey = randomSurvey(80, 13, false)
    const same = { weights: [new Float64Array(80).fill(1), new Float64Array(80).fill(1)], scale: 1, rscales: [1, 1] }
    expect(only((await meanOf(survey, same)).outcomes).standardError).toBeLessThan(1e-9)
  })

  it('inside a segment is that of the segment’s rows', async () => {
    const survey = randomSurvey(60, 12, false)
    const n = survey.rows.length
    const { segments = [] } = await meanOf(survey, deleteOne(n), { by: 'region' })
    const west = segments.find(({ level }) => level === 'west')!
    const inside = (rows: readonly Respondent[]) =>
      referenceDifference(rows, MEMBERS, {}, ({ region, spend }) => (region === 'west' ? spend : null)).difference
    const d = inside(survey.rows)
    const squares = survey.rows.map((_, r) => (inside(survey.rows.filter((_, i) => i !== r)) - d) ** 2)
    const error = Math.sqrt(((n - 1) / n) * squares.reduce((sum, one) => sum + one, 0))
    expect(only(west.outcomes).standardError / error).toBeCloseTo(1, 8)
  })
})
