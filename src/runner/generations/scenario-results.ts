import { dirname, relative, resolve, sep } from 'node:path'
import { coversColumns } from '../../answers/counts/covers.ts'
import { measuredColumns } from '../../answers/counts/measure.ts'
import { type ScenarioStanding, scenarioResult } from '../../answers/manifest/scenario-result.ts'
import { hasRows } from '../../answers/manifest/scenario-statuses.ts'
import type { ManifestScenario, ScenarioStatus } from '../../records/manifest/scenarios.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import type { Scenario } from '../../study/study.ts'
import { artifactPath } from '../files/project-paths.ts'
import type { ResultSource } from '../interface/run-event.ts'
import type { ScenarioPlan } from '../plan/plan.ts'
import type { RunSoFar } from '../session/plan-run.ts'
import { rulesOfDataset } from '../session/rules-of-dataset.ts'
import { exportedFile } from './export-results.ts'

/** The status of a scenario, in the manifest's terms. */
export function standingOf(run: RunSoFar, id: string): ScenarioStanding {
  const plan = run.planned?.get(id) ?? null
  const end = run.progress.ends.get(id)
  const key = end?.key ?? run.progress.running.get(id) ?? (end === undefined && isThere(plan) ? plan.key : null)
  const record = key === null ? null : (run.store.state.generations.get(key) ?? null)
  const status = statusOf(run, id, plan, record)
  const scenario = run.scenarios.get(id)!
  const path = artifactPath(run.places, scenario)
  const isDone = hasRows(status)
  return {
    status,
    fingerprint: record?.fingerprint ?? plan?.fingerprint ?? null,
    body: record?.body ?? plan?.body ?? null,
    record,
    artifactPath: isDone ? relativeToManifest(run, path) : null,
    ...(isDone && scenario.form !== undefined && record?.artifact && exportedOf(run, scenario, record.artifact.sha256)),
    error: end === undefined || end.kind === 'done' ? null : { code: end.fault.code, detail: end.fault.detail },
  }
}

function exportedOf(run: RunSoFar, scenario: Scenario, artifact: string): Pick<ScenarioStanding, 'exported'> {
  const file = exportedFile(run, scenario, artifact)
  return { exported: file && { ...file, path: relativeToManifest(run, file.path) } }
}

/** Up to date in its place, by the plan: the file was hashed when the run began. */
function isThere(plan: ScenarioPlan | null): plan is ScenarioPlan {
  return plan !== null && ((plan.action.kind === 'skip' && plan.action.upToDate) || isReusedInPlace(plan))
}

function isReusedInPlace({ action }: ScenarioPlan): boolean {
  return action.kind === 'reuse' && action.from === null
}

/**
 * Ends the scenarios of an interrupted run whose results on disk are up to date. Leaves out those whose comparisons now
 * need columns that were never counted.
 */
export function keepWhatIsThere(run: RunSoFar): void {
  for (const { id } of run.study.scenarios) {
    const plan = run.planned?.get(id) ?? null
    if (plan === null || !isReusedInPlace(plan) || plan.key === null || run.progress.ends.has(id)) continue
    const measured = run.store.state.generations.get(plan.key)?.artifact?.measured
    const scenario = run.scenarios.get(id)!
    const rules = rulesOfDataset(run, scenario.dataset)
    const columns = measuredColumns(scenario, run.study.comparisons, null, rules)
    if (measured === undefined || !coversColumns(measured, columns)) continue
    if (isExported(run, id, plan.key)) finishDone(run, id, plan.key, 'reused')
  }
}

/** Whether the result file exists, or the artifact itself is the result. */
function isExported(run: RunSoFar, id: string, key: string): boolean {
  const scenario = run.scenarios.get(id)!
  const artifact = run.store.state.generations.get(key)?.artifact
  return scenario.form === undefined || (artifact != null && exportedFile(run, scenario, artifact.sha256) !== null)
}

function statusOf(
  run: RunSoFar,
  id: string,
  plan: ScenarioPlan | null,
  record: GenerationRecord | null,
): ScenarioStatus {
  const end = run.progress.ends.get(id)
  if (end !== undefined && end.kind !== 'done') return end.status
  if (end !== undefined || isThere(plan)) return record?.status === 'partial' ? 'partial' : 'ready'
  return run.progress.running.has(id) ? 'running' : 'not_started'
}

function relativeToManifest(run: RunSoFar, path: string): string {
  const manifest = resolve(run.places.outputFolder, 'manifest.json')
  return relative(dirname(manifest), resolve(run.places.anchor, path)).split(sep).join('/')
}

/** The manifest's entry for a scenario with this status. */
export function resultOf(run: RunSoFar, id: string, standing: ScenarioStanding): ManifestScenario {
  const before = run.progress.results.get(id)
  if (before !== undefined && isSame(before.standing, standing)) return before.result
  const result = scenarioResult(run.scenarios.get(id)!, standing)
  run.progress.results.set(id, { standing, result })
  return result
}

/** Records are replaced, never altered. */
function isSame(a: ScenarioStanding, b: ScenarioStanding): boolean {
  const isSameError = a.error?.code === b.error?.code && a.error?.detail === b.error?.detail
  return (
    a.record === b.record &&
    a.status === b.status &&
    a.fingerprint === b.fingerprint &&
    a.body === b.body &&
    a.artifactPath === b.artifactPath &&
    a.exported?.path === b.exported?.path &&
    a.exported?.sha256 === b.exported?.sha256 &&
    isSameError
  )
}

/** Ends a scenario whose artifact is in its place, and emits its result. */
export function finishDone(run: RunSoFar, id: string, key: string, how: ResultSource): void {
  if (run.progress.ends.has(id)) return
  run.progress.strikes = 0
  run.progress.finish(id, { kind: 'done', how, key })
  const result = resultOf(run, id, standingOf(run, id))
  run.emit({ type: result.status === 'partial' ? 'scenario.partial' : 'scenario.ready', scenario: id, how, result })
}
