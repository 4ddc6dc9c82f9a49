import type { EstimateRequest } from '../../contract/estimates.ts'
import { canonicalBody } from '../../study/hashing/canonical-body.ts'
import type { Scenario } from '../../study/study.ts'

/**
 * The conditions of a scenario as they would be sent; its seed is not part of them.
 *
 * @param planned The body as the plan would send it; null while a seed is not drawn.
 */
export function plannedConditions(scenario: Scenario, planned: string | null): EstimateRequest['scenario'] {
  const body = planned ?? canonicalBody({ ...scenario, seed: 0 })
  return (JSON.parse(body) as { conditions?: EstimateRequest['scenario'] }).conditions ?? {}
}
