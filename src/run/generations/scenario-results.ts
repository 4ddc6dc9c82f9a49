import { dirname, relative, resolve, sep } from 'node:path'
import type { ManifestScenario, ScenarioStatus } from '../../manifest/manifest.ts'
import { coversColumns, measuredColumns } from '../../manifest/measure-artifact.ts'
import { type ScenarioStanding, scenarioResult } from '../../manifest/scenario-result.ts'
import type { ScenarioPlan } from '../../plan/plan.ts'
import type { GenerationRecord } from '../../plan/study-state.ts'
import { artifactPath } from '../files/project-paths.ts'
import type { RunContext } from '../session/run-context.ts'

/** Where a scenario stands now, in the manifest's terms. */
export function standingOf(context: RunContext, id: string): ScenarioStanding {
  const plan = context.planned(id)
  const end = context.ends.get(id)
  const key = end?.key ?? context.running.get(id) ?? (end === undefined && isThere(plan) ? plan.key : null)
  const record = key === null ? null : (context.state.generations.get(key) ?? null)
  const status = statusOf(context, id, plan, record)
  const path = artifactPath(context.places, context.scenario(id))
  const isDone = status === 'ready' || status === 'partial'
  return {
    status,
    fingerprint: record?.fingerprint ?? plan?.fingerprint ?? null,
    body: record?.body ?? plan?.body ?? null,
    record,
    artifactPath: isDone ? relativeToManifest(context, path) : null,
    error: end === undefined || end.kind === 'done' ? null : { code: end.fault.code, detail: end.fault.detail },
  }
}

/** Up to date in its place, by the plan: the file was hashed when the run began. */
function isThere(plan: ScenarioPlan | null): plan is ScenarioPlan {
  return plan !== null && ((plan.action.kind === 'skip' && plan.action.upToDate) || isReusedInPlace(plan))
}

function isReusedInPlace({ action }: ScenarioPlan): boolean {
  return action.kind === 'reuse' && action.from === null
}

/**
 * Ends the scenarios of a run that was broken off whose results are up to date where they are. Not those of which a
 * comparison now needs what was never counted.
 */
export function keepWhatIsThere(context: RunContext): void {
  for (const { id } of context.study.scenarios) {
    const plan = context.planned(id)
    if (plan === null || !isReusedInPlace(plan) || plan.key === null || context.ends.has(id)) continue
    const measured = context.state.generations.get(plan.key)?.artifact?.measured
    const columns = measuredColumns(context.scenario(id), context.study.comparisons)
    if (measured !== undefined && coversColumns(measured, columns)) finishDone(context, id, plan.key, 'reused')
  }
}

function statusOf(
  context: RunContext,
  id: string,
  plan: ScenarioPlan | null,
  record: GenerationRecord | null,
): ScenarioStatus {
  const end = context.ends.get(id)
  if (end !== undefined && end.kind !== 'done') return end.status
  if (end !== undefined || isThere(plan)) return record?.status === 'partial' ? 'partial' : 'ready'
  return context.running.has(id) ? 'running' : 'not_started'
}

function relativeToManifest(context: RunContext, path: string): string {
  const manifest = resolve(context.places.outputFolder, 'manifest.json')
  return relative(dirname(manifest), resolve(context.places.anchor, path)).split(sep).join('/')
}

/** What the manifest says of a scenario that stands so. */
export function resultOf(context: RunContext, id: string, standing: ScenarioStanding): ManifestScenario {
  const before = context.results.get(id)
  if (before !== undefined && isSame(before.standing, standing)) return before.result
  const result = scenarioResult(context.scenario(id), standing)
  context.results.set(id, { standing, result })
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
    isSameError
  )
}

/** Ends a scenario whose artifact is in its place, and tells what it holds. */
export function finishDone(
  context: RunContext,
  id: string,
  key: string,
  how: 'generated' | 'resumed' | 'downloaded' | 'copied' | 'reused',
): void {
  if (context.ends.has(id)) return
  context.strikes = 0
  context.finish(id, { kind: 'done', how, key })
  const result = resultOf(context, id, standingOf(context, id))
  context.emit({ type: result.status === 'partial' ? 'scenario.partial' : 'scenario.ready', scenario: id, how, result })
}
