import { describe, expect, it } from 'vitest'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { estimated } from './estimated-answer.ts'
import { STUDY } from './run-rig.ts'
import { type Interception, problem } from './service-double.ts'
import { double, rig, useRig } from './use-rig.ts'

const COMPARED = `${STUDY}baseline: base
comparisons:
  - id: lift
    scenarios: [more-yes]
    shares: [answer]
    quantiles: { age: [0.5, 0.9] }
    expect: [{ scenario: more-yes, column: age, quantile: 0.5, delta_min: 1, confidence: 0.9 }]
`

useRig(COMPARED)

const lift = async () => (await rig.manifest()).comparisons.lift!

/** A service that sees a difference of 2 years in each quantile. */
const withQuantiles = (request: EstimateRequest): object => ({
  ...estimated(request),
  outcomes: request.outcomes.map((outcome, i) =>
    outcome.statistic === 'quantiles'
      ? {
          column: outcome.column,
          statistic: 'quantiles',
          quantiles: outcome.quantiles!.map((quantile) => ({
            ...{ quantile, scenario: 42, baseline: 40, difference: 2, standard_error: 0.4 },
          })),
        }
      : (estimated(request) as { outcomes: object[] }).outcomes[i],
  ),
})

describe('a comparison of quantiles', () => {
  it('asks for them in a question of their own, counts them in the rows, and judges gates by them', async () => {
    const asked: EstimateRequest['outcomes'][] = []
    double.estimates = (request) => {
      asked.push(request.outcomes)
      return withQuantiles(request)
    }
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(asked).toEqual([
      [{ column: 'answer', statistic: 'shares' }],
      [{ column: 'age', statistic: 'quantiles', quantiles: [0.5, 0.9] }],
    ])
    expect(manifestFaults(await rig.manifest())).toEqual([])
    const { scenarios, outcomes, gates } = await lift()
    expect(outcomes?.[1]).toEqual({ column: 'age', kind: 'quantiles', quantiles: [0.5, 0.9] })
    const { shares, quantiles, no_quantiles } = scenarios['more-yes']!
    expect(shares.answer?.Yes).toMatchObject({ basis: 'seed', answer: { difference: 0.05 } })
    for (const share of ['0.5', '0.9']) {
      const found = quantiles!.age![share]!
      expect(found).toMatchObject({ answer: { difference: 2 }, standard_error: 0.4, basis: 'seed' })
      expect(found.delta).toBeCloseTo(found.scenario! - found.against!, 9)
    }
    expect(no_quantiles).toBeUndefined()
    expect(gates).toMatchObject([{ id: 'quantile:more-yes:0.5:age', passed: true, actual: 2 }])
    // Unchanged, it asks nothing.
    const before = double.log.length
    expect(await rig.run()).toMatchObject({ exitCode: 0 })
    expect(double.log.length).toBe(before)
  })

  it.each([
    ['protects its seeds, or does not know them', true, 'no_quantile_estimates'],
    ['ignores the statistic', false, 'estimates_unreadable'],
  ])(
    'at a service that %s keeps the other figures, and says why quantiles have no interval',
    async (_, refuses, why) => {
      double.estimates = (request) =>
        estimated({
          ...request,
          outcomes: request.outcomes.map(({ column, statistic }) => ({
            column,
            statistic: statistic === 'quantiles' ? 'mean' : statistic,
          })),
        })
      if (refuses)
        double.intercept = ({ path, body }) =>
          path.endsWith('/estimates') && String(body).includes('quantiles')
            ? (problem(400, 'svc_quantiles_not_offered', 'no') as Interception)
            : undefined
      expect(await rig.run()).toMatchObject({ exitCode: 9 })
      const { shares, quantiles, no_quantiles, no_estimates } = (await lift()).scenarios['more-yes']!
      expect({ no_quantiles, no_estimates }).toEqual({ no_quantiles: why, no_estimates: undefined })
      expect(shares.answer?.Yes?.interval).not.toBeNull()
      const { delta, interval, answer } = quantiles!.age!['0.5']!
      expect({ interval, answer, isCounted: delta !== null }).toEqual({
        interval: null,
        answer: undefined,
        isCounted: true,
      })
    },
  )
})
