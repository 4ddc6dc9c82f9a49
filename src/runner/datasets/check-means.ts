import { conditionsOf } from '../../study/conditions/condition.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { generates, type PlannedRun } from '../session/plan-run.ts'

/**
 * Means are an extension. A service that does not know the field may ignore it, and bill rows that do not have them; so the service's
 * own OpenAPI document is asked before anything that costs is sent.
 */
export async function checkMeans(run: PlannedRun): Promise<void> {
  const { study, planned, progress, service } = run
  const first = study.scenarios.find((scenario) => {
    const own = planned.get(scenario.id)
    return own && generates(own) && !progress.ends.has(scenario.id) && conditionsOf(scenario, 'mean').length > 0
  })
  if (first === undefined) return
  const client = await service.client()
  if (await client.takesMeans(service.call('means'))) return
  throw new RunRefusalError(
    'does_not_fit_data',
    'means_not_offered',
    `scenario "${first.id}" states \`means\`, and the service takes none: it does not know them, or it protects the seeds of its datasets; nothing was sent. Use \`ranges\` or \`shares\` of bands instead, or the service on this machine`,
  )
}
