import type { Scenario } from '../../study/study.ts'
import type { Outcome } from '../interface/run-event.ts'
import type { RunContext } from '../session/run-context.ts'
import { type FinishedWork, traced } from './generation-record.ts'
import type { Fetch } from './in-parallel.ts'
import { finishDone } from './scenario-results.ts'
import { fetchArtifact } from './store-artifact.ts'

/** What is left of a scenario whose work is finished at the service: its artifact is fetched and kept, then it has ended. */
export function fetchFinished(context: RunContext, scenario: Scenario, work: FinishedWork, how: Outcome): Fetch {
  return async () => {
    const keep = await traced(context, work.key, () => fetchArtifact(context, scenario, work))
    return async () => {
      await keep()
      finishDone(context, scenario.id, work.key, how)
    }
  }
}
