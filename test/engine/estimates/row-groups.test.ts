import { describe, expect, it } from 'vitest'
import { type EstimateOptions, estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { rowKeysOf } from '../row-keys-of.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { randomSurvey } from './random-survey.ts'

const OUTCOMES: EstimateOptions['outcomes'] = [
  { column: 'intent', base: 'all' },
  { column: 'intent', base: 'valid' },
  { column: 'district', base: 'all' },
  { column: 'member', base: 'valid' },
  { column: 'age', base: 'all' },
  { column: 'spend', base: 'all' },
]

const SCENARIOS = {
  'one column': [scenario({ member: { yes: 0.7 } }), scenario({})],
  'two columns, one of them on both sides': [
    scenario({ region: { north: 0.5, south: 0.2 }, card: { gold: 0.6 } }),
    scenario({ region: { north: 0.2 } }),
  ],
  'a range': [scenario({ member: { yes: 0.5 } }, { age: { min: 20, max: 45 } }), scenario({})],
  'the same on both sides': [scenario({ member: { yes: 0.7 } }), scenario({ member: { yes: 0.7 } })],
} as const

/** Looked at together with another scenario, the influence of each row is needed, and nothing is grouped. */
async function rowByRow(seed: Awaited<ReturnType<typeof encodeTable>>, options: EstimateOptions) {
  const estimates = await estimateDifferences(seed, { ...options, together: [scenario({ card: { gold: 0.5 } })] })
  return told(estimates)
}

/** Sums in another sequence differ in their last digits. */
const told = (estimates: unknown) =>
  JSON.parse(
    JSON.stringify(estimates, (key, value) =>
      key === 'simultaneousQuantile' ? undefined : typeof value === 'number' ? Number(value.toPrecision(10)) : value,
    ),
  )

describe('figures of rows that stand for others', () => {
  it.each(Object.entries(SCENARIOS))('are those of all rows: %s', async (_name, [one, other]) => {
    for (const draw of [1, 2, 3]) {
      const seed = await encodeTable(randomSurvey(900, draw, false).table, { threads: 1 })
      for (const disclosure of ['exact', rowKeysOf(seed)] as const) {
        const options = { scenario: one, baseline: other, outcomes: OUTCOMES, maxLevels: 50, disclosure }
        const grouped = told(await estimateDifferences(seed, options))
        expect(grouped).toEqual(await rowByRow(seed, options))
      }
    }
  })

  it('are not made of rows with case weights, which differ', async () => {
    const seed = await encodeTable(randomSurvey(900, 4, true).table, { threads: 1 })
    const [one, other] = SCENARIOS['one column']
    const options: EstimateOptions = {
      ...{ scenario: one, baseline: other, outcomes: OUTCOMES, maxLevels: 50, disclosure: 'exact' },
    }
    expect(told(await estimateDifferences(seed, options))).toEqual(await rowByRow(seed, options))
  })
})
