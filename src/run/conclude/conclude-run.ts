import { timestamp } from '../../base/clock.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { Manifest } from '../../manifest/manifest.ts'
import { manifestText } from '../../manifest/manifest-text.ts'
import { writeRunRecord } from '../../manifest/manifest-writer.ts'
import { scenarioResult } from '../../manifest/scenario-result.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { manifestDigest } from '../../study/hashing/fingerprint.ts'
import type { Study } from '../../study/study.ts'
import { PATH_HIDDEN } from '../files/hidden-paths.ts'
import { PATH_OUTSIDE_PROJECT, type RunPlaces, resultPaths } from '../files/project-paths.ts'
import { keepWhatIsThere } from '../generations/scenario-results.ts'
import { DiskError, diskErrorOf } from '../interface/disk-error.ts'
import {
  type ExitReason,
  exitReason,
  isDeadline,
  RunRefusalError,
  type Verdict,
  verdict,
} from '../interface/exit-code.ts'
import { faultOf, locatedMessage } from '../interface/fault-text.ts'
import type { RunEnvironment, RunRequest, RunResult } from '../interface/run-options.ts'
import { type StopCauses, stopCauses } from '../interface/stop-causes.ts'
import type { RunContext } from '../session/run-context.ts'
import { allDiagnostics, buildRunManifest } from './run-manifest.ts'
import { judgeRun } from './run-verdict.ts'

export interface Conclusion {
  readonly manifest: Manifest
  readonly result: RunResult
  /** The manifest of the last run stays. */
  readonly isRefused: boolean
  /** Interrupted before anything was generated or fetched: the manifest of the last run says more, if there is one. */
  readonly isIdle: boolean
  /** Another run has taken over: the manifest and the state are its own. */
  readonly isLost: boolean
}

/** What a run comes to; `failure` is what broke it off. */
export function concludeRun(
  context: RunContext,
  failure: { readonly error: unknown } | null,
  startedAt: string,
): Conclusion {
  // An abort shows as whatever was going on at the time; the reason of the signal is the cause.
  const aborted = context.signal.aborted
  const error = diskErrorOf(aborted ? context.abortReason : failure?.error, context.places.anchor)
  const isLost = error === context.lock.lost.reason && context.lock.lost.aborted
  const broke = aborted || failure !== null
  const isRefused = broke && !isLost && !aborted && !context.began
  const cause = broke ? reasonFor(error, { sent: context.began || context.uploads > 0 }) : null
  if (broke && !isRefused) keepWhatIsThere(context)
  if (cause !== null) endTheRest(context, error, cause)
  const finishedAt = timestamp(context.env.clock)
  const status = isRefused ? 'refused' : broke || hasPending(context) ? 'interrupted' : 'complete'
  const built = buildRunManifest(context, { status, outcome: null, startedAt, finishedAt })
  const judged = judgeRun(context, built)
  if (cause !== null) judged.causes.add(cause)
  const found = verdict(judged.causes)
  const outcome = { exit_code: found.exitCode, reason: found.reason, also: [...found.also, ...judged.forgiven] }
  const manifest: Manifest = { ...built, outcome }
  const paths = resultPaths(context.places, context.runId)
  return {
    manifest,
    isRefused,
    isIdle: status === 'interrupted' && !isLost && !hasResults(context),
    isLost,
    result: {
      ...found,
      also: outcome.also,
      ...toldOf(broke ? endCauses(context, error) : stopCauses(context.ends.values())),
      // Not in the manifest: which rows are bought anew differs between runs with the same results.
      diagnostics: [...allDiagnostics(context), ...(context.plan?.density ?? []), ...findingsOf(error)],
      plan: context.plan,
      manifest,
      manifestPath: isRefused || isLost ? paths.record : paths.manifest,
      keepsLast: false,
      digest: isRefused || isLost ? null : manifestDigest(manifest),
      error: broke && found.reason === 'unexpected_error' && !(error instanceof DiskError) ? error : null,
    },
  }
}

/** The disk is for the user to mend; as long as nothing was sent, that is like any other place that cannot be used. */
function reasonFor(error: unknown, { sent }: { readonly sent: boolean }): ExitReason {
  return error instanceof DiskError && !sent ? 'usage' : exitReason(error)
}

/** What a run comes to that leaves the manifest of the last run: its own record has all there is to tell. */
export function concludeIdle(context: RunContext, conclusion: Conclusion): Conclusion {
  const { record } = resultPaths(context.places, context.runId)
  return { ...conclusion, result: { ...conclusion.result, manifestPath: record, keepsLast: true, digest: null } }
}

/** What a run comes to whose results could not be written down. */
export function concludeUnwritten(context: RunContext, conclusion: Conclusion, cause: unknown): Conclusion {
  // Why there was nothing to write down says more than that it could not be.
  if (conclusion.isRefused || conclusion.isLost)
    return { ...conclusion, result: { ...conclusion.result, manifestPath: null } }
  const error = diskErrorOf(cause, context.places.anchor)
  const { reason, also } = conclusion.result
  const found = verdict([reason, ...also, exitReason(error)])
  const isUnexpected = found.reason === 'unexpected_error' && !(error instanceof DiskError)
  return {
    ...conclusion,
    result: {
      ...conclusion.result,
      ...found,
      ...toldOf({ message: messageOf(error), located: messageOf(error), details: [] }),
      manifestPath: null,
      digest: null,
      error: isUnexpected ? error : null,
    },
  }
}

/** Work may be going on at the service, or could not be started for want of an answer: `resume` goes on from here. */
function hasPending(context: RunContext): boolean {
  return [...context.ends.values()].some(
    (end) => end.kind === 'stopped' && (end.status === 'interrupted' || end.cause === 'deadline_or_network'),
  )
}

/** Something was asked for, fetched, or is being made: all else was so before the run. */
function hasResults(context: RunContext): boolean {
  return (
    context.began ||
    [...context.ends.values()].some((end) =>
      end.kind === 'done' ? end.how !== 'reused' : end.kind === 'stopped' && end.status === 'interrupted',
    )
  )
}

/** Scenarios that the end of the run found without one of their own. */
function endTheRest(context: RunContext, error: unknown, cause: ExitReason): void {
  const fault = faultOf(error)
  for (const { id } of context.study.scenarios) {
    if (context.ends.has(id) || context.planned(id)?.selected === false) continue
    const key = context.running.get(id) ?? null
    const status = key === null ? 'not_started' : 'interrupted'
    context.finish(id, { kind: 'stopped', status, fault, cause, key })
  }
}

export interface RunBasis {
  readonly request: RunRequest
  readonly env: RunEnvironment
  readonly study: Study
  readonly places: RunPlaces
  readonly runId: string
  readonly startedAt: string
}

/**
 * The result of a run that was refused before it could open its state: another run holds the lock, or a path is not
 * allowed. Only the run's own record is written, and only where writing is allowed.
 */
export async function concludeWithoutState(basis: RunBasis, cause: unknown): Promise<RunResult> {
  const { request, env, places, runId } = basis
  const error = diskErrorOf(cause, places.anchor)
  const isHeld = error instanceof RunRefusalError && error.code === 'lock_held'
  const found: Verdict =
    isHeld && request.options.ifLocked === 'skip'
      ? { exitCode: 0, reason: 'lock_held', also: [] }
      : verdict([reasonFor(error, { sent: false })])
  const manifest = refusedManifest(basis, found)
  // Not even a record is left in a folder that may not be written to.
  const isPathFault = error instanceof RunRefusalError && [PATH_OUTSIDE_PROJECT, PATH_HIDDEN].includes(error.code)
  const isWritten =
    !isPathFault &&
    (await writeRunRecord(env.fs, places.outputFolder, runId, manifestText(manifest)).then(
      () => true,
      () => false,
    ))
  env.onEvent({ type: 'run.finished', exitCode: found.exitCode, reason: found.reason, digest: null, totals: null })
  return {
    ...found,
    ...toldOf({ message: messageOf(error), located: locatedMessage(error), details: [] }),
    diagnostics: [...request.diagnostics, ...findingsOf(error)],
    plan: null,
    manifest,
    manifestPath: isWritten ? resultPaths(places, runId).record : null,
    keepsLast: false,
    digest: null,
    error: found.reason === 'unexpected_error' ? error : null,
  }
}

function refusedManifest(basis: RunBasis, found: Verdict): Manifest {
  const { request, env, study, runId, startedAt } = basis
  const standing = { fingerprint: null, body: null, record: null, artifactPath: null, error: null }
  const scenarios = study.scenarios.map(
    (s) => [s.id, scenarioResult(s, { ...standing, status: 'not_started' })] as const,
  )
  const zero = { ready: 0, partial: 0, failed: 0, refused: 0, running: 0, interrupted: 0, rows_generated: 0 }
  return {
    manifest_version: 1,
    study: { name: study.name, version: 1, digest: null, baseline: study.baseline },
    status: 'refused',
    outcome: { exit_code: found.exitCode, reason: found.reason, also: found.also },
    totals: {
      ...zero,
      scenarios: scenarios.length,
      not_started: scenarios.length,
      rows_requested: study.scenarios.reduce((sum, s) => sum + s.rows, 0),
    },
    datasets: {},
    scenarios: dataRecord(scenarios),
    comparisons: {},
    diagnostics: [],
    trace: { datasets: {}, scenarios: {} },
    run: {
      id: runId,
      actions: {},
      rows_billable: 0,
      rows_collected: 0,
      started_at: startedAt,
      finished_at: timestamp(env.clock),
      ...request.provenance,
      scope: request.options.scope,
      service: request.service.kind,
    },
  }
}

function findingsOf(error: unknown): readonly Diagnostic[] {
  return error instanceof RunRefusalError ? error.diagnostics : []
}

/** What broke the run off; of a deadline also what the run was waiting for to the last, where nobody can guess it. */
function endCauses(context: RunContext, error: unknown): StopCauses {
  const waited = isDeadline(error) ? context.statuses.describe() : null
  const withMore = (text: string) => (waited === null ? text : `${text.replace(/\.$/, '')}; ${waited}`)
  return {
    message: withMore(messageOf(error)),
    located: withMore(locatedMessage(error)),
    details: [faultOf(error).detail],
  }
}

const toldOf = (causes: StopCauses | null) => ({
  message: causes?.message ?? null,
  located: causes?.located ?? null,
  explained: causes?.details ?? [],
})

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
