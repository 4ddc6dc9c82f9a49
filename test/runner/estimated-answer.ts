import type { EstimateRequest } from '../../src/contract/estimates.ts'

export const SIDE = { status: 'estimated', effective_rows: 100, low_support: false }

/** The answer of a service that sees a difference of 0.05 and of 2 years everywhere. */
export function estimated(request: EstimateRequest, change: object = {}): object {
  return {
    seed_rows: 4903,
    sampled_share: 1,
    scenario: SIDE,
    baseline: SIDE,
    outcomes: request.outcomes.map(({ column, statistic }) =>
      statistic === 'mean'
        ? {
            column,
            statistic,
            mean: { scenario: 42, baseline: 40, difference: 2, standard_error: 0.5, scenario_sd: 9, baseline_sd: 9 },
          }
        : {
            column,
            statistic,
            levels: ['Yes', 'No', 'North'].map((level) => ({
              level,
              scenario: 0.55,
              baseline: 0.5,
              difference: 0.05,
              standard_error: 0.02,
            })),
          },
    ),
    ...change,
  }
}

/** The same with segments, if they are asked for: the same differences in each of the levels. */
export function estimatedInside(request: EstimateRequest, levels: readonly string[]): object {
  const { by, ...whole } = request
  const answer = estimated(whole) as {
    readonly scenario: object
    readonly baseline: object
    readonly outcomes: object[]
  }
  if (by === undefined) return answer
  const { scenario, baseline, outcomes } = answer
  const segments = levels.map((level) => ({ level, status: 'estimated', scenario, baseline, outcomes }))
  return { ...answer, segments }
}
