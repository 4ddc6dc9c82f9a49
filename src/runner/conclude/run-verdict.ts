import { isBelowPolicy, type ManifestReview, wasSelected } from '../../answers/manifest/review-manifest.ts'
import { partialVerdict } from '../../answers/manifest/scenario-result.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { ScenarioStatus } from '../../records/manifest/scenarios.ts'
import { EXIT_CODES, type ExitReason, type Verdict, verdict } from '../interface/exit-code.ts'
import type { GateEvent } from '../interface/run-event.ts'
import type { RunSoFar } from '../session/plan-run.ts'

/**
 * Why a run was not fully successful: failed scenarios, partial results below policy, failed gates. Only selected
 * scenarios count. `forgiven`: causes that `--exit-zero-on` names, and failed gates of a trial; they are reported and do
 * not count.
 */
export function runCauses(
  run: RunSoFar,
  results: Pick<Manifest, 'scenarios' | 'comparisons' | 'backtests'>,
): { causes: Set<ExitReason>; forgiven: Set<ExitReason> } {
  const causes = new Set<ExitReason>()
  for (const end of run.progress.ends.values()) if (end.kind !== 'done') causes.add(end.cause)
  for (const scenario of run.study.scenarios) {
    if (run.progress.ends.get(scenario.id)?.kind !== 'done') continue
    const result = results.scenarios[scenario.id]
    if (result === undefined) continue
    // What a part has is accepted or not by `whatif merge`, which sees all parts.
    if (run.study.shard !== undefined) continue
    if (result.status === 'partial') {
      const rows = { requested: result.rows.requested, counted: result.rows.counted ?? 0 }
      if (partialVerdict(scenario.partial, rows) === 'fail') causes.add('partial_below_policy')
    }
    if (result.gates.some((gate) => gate.level === 'fail' && !gate.passed)) causes.add('gates_failed')
  }
  for (const owner of [...Object.values(results.comparisons), ...Object.values(results.backtests ?? {})]) {
    if (owner.gates.some((gate) => gate.level === 'fail' && !gate.passed)) causes.add('gates_failed')
  }
  const forgiven = new Set<ExitReason>()
  const { exitZeroOn } = run.options
  // The gates of a study are meant for its own numbers of rows.
  const isForgiven = exitZeroOn.has('gates') || run.study.trial !== undefined
  if (isForgiven && causes.delete('gates_failed')) forgiven.add('gates_failed')
  if (exitZeroOn.has('partial') && causes.delete('partial_below_policy')) forgiven.add('partial_below_policy')
  return { causes, forgiven }
}

/** An event for each gate that counts. */
export function gateEvents(manifest: Manifest): GateEvent[] {
  const selected = Object.entries(manifest.scenarios).filter(([id]) => wasSelected(manifest, id))
  return [
    ...selected.flatMap(([id, { gates }]) =>
      gates.map((gate) => ({ type: 'gate', of: 'scenario', id, gate }) as const),
    ),
    ...Object.entries(manifest.comparisons).flatMap(([id, { gates }]) =>
      gates.map((gate) => ({ type: 'gate', of: 'comparison', id, gate }) as const),
    ),
    ...Object.entries(manifest.backtests ?? {}).flatMap(([id, { gates }]) =>
      gates.map((gate) => ({ type: 'gate', of: 'backtest', id, gate }) as const),
    ),
  ]
}

/** Reasons that follow again from the figures. */
const FOUND_AGAIN: ReadonlySet<string> = new Set(['ok', 'gates_failed', 'partial_below_policy'])

/** What a scenario that ended so says of the run; null: nothing, or its error says it. */
const CAUSES: { readonly [S in ScenarioStatus]: ExitReason | null } = {
  ready: null,
  partial: null,
  failed: 'failed',
  refused: null,
  not_started: null,
  running: 'deadline_or_network',
  interrupted: 'deadline_or_network',
}

/**
 * The exit code of a run with these results. Other recorded reasons stay: a manifest with a failed scenario does not
 * pass because its gates could not be evaluated. A run that has not ended, or was interrupted, has to be resumed (11).
 */
export function manifestVerdict(
  manifest: Manifest,
  review: ManifestReview,
  exitZeroOn: ReadonlySet<'gates' | 'partial'>,
): Verdict {
  const causes = new Set<ExitReason>(recordedCauses(manifest))
  for (const [id, { status }] of Object.entries(manifest.scenarios)) {
    if (!wasSelected(manifest, id)) continue
    const cause = CAUSES[status]
    if (cause !== null) causes.add(cause)
  }
  const gatesCount = !exitZeroOn.has('gates') && manifest.run.trial === undefined
  if (gatesCount && review.gates.some((r) => r.counts && r.gate.level === 'fail' && !r.gate.passed))
    causes.add('gates_failed')
  if (!exitZeroOn.has('partial') && review.partial.some((p) => isBelowPolicy(p, manifest)))
    causes.add('partial_below_policy')
  return verdict(causes)
}

function recordedCauses(manifest: Manifest): ExitReason[] {
  if (manifest.outcome === null) return ['deadline_or_network']
  return reasonsOf(manifest).flatMap((reason): ExitReason[] => {
    if (FOUND_AGAIN.has(reason)) return []
    if (reason === 'interrupted' || reason === 'terminated') return ['deadline_or_network']
    // A newer runner may give other reasons.
    return [Object.hasOwn(EXIT_CODES, reason) ? (reason as ExitReason) : 'unexpected_error']
  })
}

function reasonsOf({ outcome }: Manifest): readonly string[] {
  return outcome === null ? [] : [outcome.reason, ...outcome.also]
}
