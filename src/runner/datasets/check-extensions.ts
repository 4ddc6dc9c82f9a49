import type { ConditionExtension } from '../../contract/conditions.ts'
import { extensionsOf } from '../../study/conditions/kinds.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { generates, type PlannedRun } from '../session/plan-run.ts'

/** What is not offered, and what a study can state in its place. */
const NOT_OFFERED: Readonly<Record<ConditionExtension, { readonly states: string; readonly instead: string }>> = {
  means: { states: '`means`', instead: '`ranges` or `shares` of bands' },
  cells: { states: '`cells`', instead: '`shares` of the columns' },
  bounds: { states: 'bounds of shares (`min`, `max`)', instead: 'the shares themselves' },
}

/**
 * Means, cells and bounds of shares are extensions. A service that does not know such a field may ignore it, and bill rows that do not have
 * what it states; so the service's own OpenAPI document is asked before anything that costs is sent.
 */
export async function checkExtensions(run: PlannedRun): Promise<void> {
  const { study, planned, progress, service } = run
  const used = study.scenarios.flatMap((scenario) => {
    const own = planned.get(scenario.id)
    const isSent = own && generates(own) && !progress.ends.has(scenario.id)
    return isSent ? extensionsOf(scenario.conditions).map((extension) => ({ id: scenario.id, extension })) : []
  })
  if (used.length === 0) return
  const client = await service.client()
  const offered = await client.offeredConditions(service.call('conditions'))
  const first = used.find(({ extension }) => !offered.has(extension))
  if (first === undefined) return
  const { states, instead } = NOT_OFFERED[first.extension]
  throw new RunRefusalError(
    'does_not_fit_data',
    `${first.extension}_not_offered`,
    `scenario "${first.id}" states ${states}, and the service takes none: it does not know them, or it protects the seeds of its datasets; nothing was sent. Use ${instead} instead, or the service on this machine`,
  )
}
