import { join } from 'node:path'
import { differenceGateId } from '../../answers/gates/gate-kinds.ts'
import {
  evaluateGates,
  type GateOwner,
  isBelowPolicy,
  type ManifestReview,
  wasSelected,
} from '../../answers/manifest/review-manifest.ts'
import { isBadStatus } from '../../answers/manifest/scenario-statuses.ts'
import { expectedText, foundText } from '../../answers/words/gate-text.ts'
import { countText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import type { GateResult } from '../../records/manifest/gates.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { RunResult } from '../../runner/interface/run-options.ts'
import type { Plan } from '../../runner/plan/plan.ts'
import { violationText } from '../../runner/plan/render-plan.ts'
import { unknownResultsText } from '../../runner/plan/unknown-results.ts'
import type { Diagnostic, SourceRange } from '../../study/diagnostics/diagnostic.ts'
import { GATE_KINDS, gateFor } from '../../study/gates/gate.ts'
import type { Comparison, Scenario, Study } from '../../study/study.ts'
import { evidenceWarning } from '../output/event-text.ts'

/** What a command found, for places other than the log. */
export interface Finding {
  readonly level: 'error' | 'warning'
  /** A code (`S2103`) or a few words. */
  readonly title: string
  /** Lines of text, escaped. */
  readonly message: string
  /** Null when it is about no file. */
  readonly place: FindingPlace | null
  /** A gate that did not pass: what a reader looks for first, also where it is forgiven. */
  readonly isGate?: true
}

export interface FindingPlace {
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line?: number
  readonly column?: number
}

/** Errors and warnings; notes are for those who read the log. Diagnostics name files from the project root. */
export function findingsOf(diagnostics: readonly Diagnostic[], projectRoot: string): Finding[] {
  return diagnostics.flatMap(({ severity, code, summary, detail, range, suggestions }) => {
    if (severity === 'note') return []
    const names = suggestions.map((name) => `"${escapeText(name)}"`)
    const lines = [
      escapeText(summary),
      ...(names.length > 0 ? [`did you mean ${names.join(' or ')}?`] : []),
      ...(detail === '' ? [] : detail.split('\n').map(escapeText)),
    ]
    const place = range && placeOf(range, projectRoot)
    return [{ level: severity, title: code, message: lines.join('\n'), place }]
  })
}

export const placeOf = ({ filename, start }: SourceRange, projectRoot: string): FindingPlace => ({
  file: join(projectRoot, filename),
  line: start.line,
  column: start.column,
})

/** How a command ended, as a finding, unless it only repeats a diagnostic. */
export function endFinding(
  end: { readonly message: string | null; readonly exitCode: number; readonly diagnostics: readonly Diagnostic[] },
  file: string,
): Finding[] {
  const { message, exitCode, diagnostics } = end
  if (message === null || exitCode === 0 || isShown(message, diagnostics)) return []
  return [{ level: 'error', title: `exit code ${exitCode}`, message: escapeText(message), place: { file } }]
}

/** Whether a message only repeats a diagnostic. */
export const isShown = (message: string, diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity, summary }) => severity === 'error' && message.includes(summary))

/** Why a run would refuse a plan: it is over the budget, or files are in the way of its results. */
export function planFindings(plan: Plan, studyFile: string): Finding[] {
  const refusal = (title: string, message: string): Finding => ({
    level: 'error',
    title,
    message,
    place: { file: studyFile },
  })
  return [
    ...plan.budget.violations.map((violation) => refusal('exit code 6', violationText(violation))),
    ...plan.conflicts.map(({ path, scenario }) =>
      refusal(
        'file in the way',
        escapeText(`${path} was changed since it was written; move it away or pass --overwrite (${scenario})`),
      ),
    ),
    ...(plan.unknownResults === null
      ? []
      : [
          {
            level: 'warning' as const,
            title: 'unknown results',
            message: escapeText(unknownResultsText(plan.unknownResults)),
            place: { file: studyFile },
          },
        ]),
  ]
}

type Forgiven = ReadonlySet<'gates' | 'partial'>

/** Place of a scenario, comparison or backtest in the study, or of one of its gates; null where the study is not known. */
type PlaceOf = (of: GateOwner, id: string, gate?: GateResult) => FindingPlace | null

/** What a run found: its diagnostics, why it was refused or ended early, and how its results differ from the request. */
export function runFindings(
  result: RunResult,
  {
    study,
    projectRoot,
    forgiven,
  }: { readonly study: Study; readonly projectRoot: string; readonly forgiven: Forgiven },
): Finding[] {
  const { manifest } = result
  const places = placesIn(study, projectRoot)
  const found = [
    ...findingsOf(result.diagnostics, projectRoot),
    ...endFinding(result, join(projectRoot, study.filename)),
  ]
  if (manifest.status === 'refused') return found
  return [...found, ...manifestFindings(manifest, evaluateGates(manifest), { places, forgiven })]
}

/** How the results in a manifest differ from the request. `forgiven` causes, and gates of a trial, are warnings. */
export function manifestFindings(
  manifest: Manifest,
  review: ManifestReview,
  { places, forgiven }: { readonly places: PlaceOf; readonly forgiven: Forgiven },
): Finding[] {
  const gatesCount = !forgiven.has('gates') && manifest.run.trial === undefined
  const found: Finding[] = []
  for (const [id, scenario] of Object.entries(manifest.scenarios)) {
    if (!wasSelected(manifest, id)) continue
    const place = places('scenario', id)
    const { status, error } = scenario
    if (error && isBadStatus(status))
      found.push({
        level: 'error',
        title: `scenario ${id} ${status}`,
        message: escapeText(`${error.detail} [${error.code}]`),
        place,
      })
    const thin = evidenceWarning(scenario)
    if (thin !== null) found.push({ level: 'warning', title: `scenario ${id}`, message: escapeText(thin), place })
  }
  for (const partial of review.partial) {
    if (partial.verdict === 'accept') continue
    const isFailure = isBelowPolicy(partial, manifest) && !forgiven.has('partial')
    found.push({
      level: isFailure ? 'error' : 'warning',
      title: `scenario ${partial.scenario} partial`,
      message: `${countText(partial.counted)} of ${plural(partial.requested, 'row')}`,
      place: places('scenario', partial.scenario),
    })
  }
  for (const { of, id, gate, counts } of review.gates) {
    if (gate.passed || !counts) continue
    found.push({
      level: gate.level === 'fail' && gatesCount ? 'error' : 'warning',
      title: `gate ${gate.id}`,
      message: `${of} ${escapeText(id)}: expected ${escapeText(expectedText(gate))}, found ${foundText(gate)}`,
      place: places(of, id, gate),
      isGate: true,
    })
  }
  return found.map((finding) => ({ ...finding, title: escapeText(finding.title) }))
}

/** The places in a study, which reads its file as named from `projectRoot`. */
export function placesIn(study: Study, projectRoot: string): PlaceOf {
  const scenarios = new Map(study.scenarios.map((scenario) => [scenario.id, scenario]))
  const comparisons = new Map(study.comparisons.map((comparison) => [comparison.id, comparison]))
  const backtests = new Map(study.backtests.map((backtest) => [backtest.id, backtest]))
  const rangeOf: (...args: Parameters<PlaceOf>) => SourceRange | undefined = (of, id, gate) => {
    if (of === 'comparison') {
      const comparison = comparisons.get(id)
      return (gate && comparisonGatePlace(comparison, gate)) ?? comparison?.range
    }
    if (of === 'backtest') {
      const backtest = backtests.get(id)
      const gates = (gate?.level === 'warn' ? backtest?.warn : backtest?.expect) ?? []
      return gates.find(({ kind }) => kind === gate?.id)?.place ?? backtest?.range
    }
    const scenario = scenarios.get(id)
    return (gate && scenarioGatePlace(scenario, gate)) ?? scenario?.origin.scenario
  }
  return (...args) => {
    const range = rangeOf(...args)
    return range === undefined ? null : placeOf(range, projectRoot)
  }
}

/** A column without a tolerance of its own has that of all columns. */
function scenarioGatePlace(scenario: Scenario | undefined, { id, level }: GateResult): SourceRange | undefined {
  const gates = (level === 'warn' ? scenario?.warn : scenario?.expect) ?? []
  const kind = GATE_KINDS.find((known) => id === known || id.startsWith(`${known}:`))
  return kind && gateFor(gates, kind, id.slice(kind.length + 1))?.place
}

/** Two gates may be of one difference: then the one with the same bounds. */
function comparisonGatePlace(comparison: Comparison | undefined, found: GateResult): SourceRange | undefined {
  const gates = (found.level === 'warn' ? comparison?.warn : comparison?.expect) ?? []
  const named = gates.filter((gate) => found.id === differenceGateId(gate))
  const { expected } = found
  const same = named.find(
    ({ deltaMin, deltaMax }) =>
      (deltaMin ?? undefined) === expected.delta_min && (deltaMax ?? undefined) === expected.delta_max,
  )
  return (same ?? named[0])?.range
}
