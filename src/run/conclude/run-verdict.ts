import type { Manifest } from '../../manifest/manifest.ts'
import { isJudged } from '../../manifest/review-manifest.ts'
import { judgePartial } from '../../manifest/scenario-result.ts'
import type { ExitReason } from '../interface/exit-code.ts'
import type { GateEvent } from '../interface/run-event.ts'
import type { RunContext } from '../session/run-context.ts'

/**
 * Why this run is not a plain success: how its scenarios ended, partial results below policy, gates that failed. Only
 * selected scenarios are judged. `forgiven`: causes that `--exit-zero-on` names; they are told but do not count.
 */
export function judgeRun(
  context: RunContext,
  results: Pick<Manifest, 'scenarios' | 'comparisons'>,
): { causes: Set<ExitReason>; forgiven: Set<ExitReason> } {
  const causes = new Set<ExitReason>()
  for (const end of context.ends.values()) if (end.kind !== 'done') causes.add(end.cause)
  for (const scenario of context.study.scenarios) {
    if (context.ends.get(scenario.id)?.kind !== 'done') continue
    const result = results.scenarios[scenario.id]
    if (result === undefined) continue
    if (result.status === 'partial') {
      const rows = { requested: result.rows.requested, counted: result.rows.counted ?? 0 }
      if (judgePartial(scenario.partial, rows) === 'fail') causes.add('partial_below_policy')
    }
    if (result.gates.some((gate) => gate.level === 'fail' && !gate.passed)) causes.add('gates_failed')
  }
  for (const comparison of Object.values(results.comparisons)) {
    if (comparison.gates.some((gate) => gate.level === 'fail' && !gate.passed)) causes.add('gates_failed')
  }
  const forgiven = new Set<ExitReason>()
  const { exitZeroOn } = context.options
  if (exitZeroOn.has('gates') && causes.delete('gates_failed')) forgiven.add('gates_failed')
  if (exitZeroOn.has('partial') && causes.delete('partial_below_policy')) forgiven.add('partial_below_policy')
  return { causes, forgiven }
}

/** What `judgeRun` looked at, for those who watch. */
export function gateEvents(manifest: Manifest): GateEvent[] {
  const judged = Object.entries(manifest.scenarios).filter(([id]) => isJudged(manifest, id))
  return [
    ...judged.flatMap(([id, { gates }]) => gates.map((gate) => ({ type: 'gate', of: 'scenario', id, gate }) as const)),
    ...Object.entries(manifest.comparisons).flatMap(([id, { gates }]) =>
      gates.map((gate) => ({ type: 'gate', of: 'comparison', id, gate }) as const),
    ),
  ]
}
