import { plural } from '../../base/text/amount-text.ts'
import type { ScenarioPlan, UnknownResults } from './plan.ts'
import type { PlanInput } from './plan-input.ts'

/**
 * Files of scenarios that are to be generated although a file lies in their place: the state on this machine never wrote there,
 * and knows no artifact with these bytes. So somebody else made them, and copied them without `.whatif`.
 *
 * @returns null if there is none
 */
export function unknownResults(
  scenarios: readonly ScenarioPlan[],
  { state, files }: PlanInput,
  artifacts: ReadonlySet<string>,
): UnknownResults | null {
  const written = new Set([...state.scenarios.values()].map(({ path }) => path))
  const there = scenarios.filter(({ action, path }) => {
    const sha256 = files.get(path)
    return action.kind === 'generate' && sha256 !== undefined && !artifacts.has(sha256) && !written.has(path)
  })
  const [first] = there
  if (first === undefined) return null
  return { path: first.path.slice(0, first.path.lastIndexOf('/')) || '.', scenarios: there.length }
}

/** What becomes of the files, and what to do; said by a plan and, before anything is requested, by a run. */
export function unknownResultsText({ path, scenarios }: UnknownResults): string {
  return `${path} holds files of ${plural(scenarios, 'scenario')} that the state on this machine (.whatif) does not know: they are not adopted but requested again, which a remote service bills. To adopt them, copy .whatif from where they were made before you run`
}
