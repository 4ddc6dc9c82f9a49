import { expect, it } from 'vitest'
import type { ServiceClient } from '../../src/client/service-client.ts'
import type { EstimateRequest } from '../../src/contract/estimates.ts'
import { MAX_ESTIMATE_OUTCOMES } from '../../src/contract/limits.ts'
import { askDifferences } from '../../src/runner/estimates/ask-differences.ts'

/** A service that tells a share of 0.5 of whatever column it is asked about. */
function service() {
  const asked: EstimateRequest[] = []
  const side = { status: 'estimated', effective_rows: 100, support: 100, low_support: false }
  const level = { level: 'Yes', scenario: 0.5, baseline: 0.5, difference: 0, standard_error: 0.01 }
  const estimateDifferences = async ({ request }: { request: EstimateRequest }) => {
    asked.push(request)
    const outcomes = request.outcomes.map(({ column }) => ({ column, statistic: 'shares', levels: [level] }))
    const answer = { scenario: side, baseline: side, outcomes }
    return { value: { ...answer, ...(request.further && { further: request.further.map(() => answer) }) } }
  }
  return { asked, client: { estimateDifferences } as unknown as ServiceClient }
}

const ask = async (outcomeCount: number) => {
  const { asked, client } = service()
  const outcomes = Array.from({ length: outcomeCount }, (_, i) => ({ column: `c${i}`, statistic: 'shares' as const }))
  const differences = ['a', 'b', 'c'].map((level) => ({
    scenario: { categorical: { by: { [level]: 1 } } },
    baseline: {},
  }))
  const found = await askDifferences(differences, { client, datasetId: 'ds_1', outcomes, call: {} })
  return { asked, columns: Array.isArray(found) ? found.map((one) => one?.shares.length) : found }
}

it('several differences take one request', async () => {
  const { asked, columns } = await ask(MAX_ESTIMATE_OUTCOMES)
  expect(asked.map(({ further }) => further?.length)).toEqual([2])
  expect(columns).toEqual([MAX_ESTIMATE_OUTCOMES, MAX_ESTIMATE_OUTCOMES, MAX_ESTIMATE_OUTCOMES])
})

it('no outcome is lost where there are more than a request may name', async () => {
  const { columns } = await ask(MAX_ESTIMATE_OUTCOMES + 10)
  expect(columns).toEqual([60, 60, 60])
})
