import { type ManifestWriter, manifestText, writeRunRecord } from '../../answers/manifest/manifest-writer.ts'
import { scenarioResult } from '../../answers/manifest/scenario-result.ts'
import { timestamp } from '../../base/clock.ts'
import { dataRecord } from '../../base/data-record.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import { manifestDigest } from '../../study/hashing/fingerprint.ts'
import { PATH_HIDDEN } from '../files/hidden-paths.ts'
import { PATH_OUTSIDE_PROJECT, resultPaths } from '../files/project-paths.ts'
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
import { faultOf, locatedMessage, type StopCauses, stopCauses } from '../interface/fault-text.ts'
import type { RunResult } from '../interface/run-options.ts'
import type { StartedRun } from '../session/open-run.ts'
import type { RunSoFar } from '../session/plan-run.ts'
import { missingPartsMessage, standingOfParts } from '../shards/missing-parts.ts'
import { writePart } from '../shards/write-part.ts'
import { publishResults, publishRun } from './publish-results.ts'
import { allDiagnostics, runManifest, totalsOf } from './run-manifest.ts'
import { runCauses } from './run-verdict.ts'
import { writePage } from './write-page.ts'
import { writeRecord } from './write-record.ts'

export interface Conclusion {
  readonly manifest: Manifest
  readonly result: RunResult
  /** The manifest of the last run stays. */
  readonly isRefused: boolean
  /** Interrupted before anything was generated or fetched: the manifest of the last run, if any, holds more. */
  readonly isIdle: boolean
  /** Another run has taken over and owns the manifest and the state. */
  readonly isLost: boolean
}

/** The conclusion of a run; `failure` is the error that ended it. */
export function concludeRun(run: RunSoFar, failure: { readonly error: unknown } | null): Conclusion {
  // After an abort any error can appear; the reason of the signal is the cause.
  const aborted = run.signal.aborted
  const error = diskErrorOf(aborted ? run.service.abortReason : failure?.error, run.places.anchor)
  const isLost = run.lock.lost.aborted && error === run.lock.lost.reason
  const broke = aborted || failure !== null
  const isRefused = broke && !isLost && !aborted && !run.sent.began
  const cause = broke ? reasonFor(error, { sent: run.sent.began || run.sent.uploads > 0 }) : null
  if (broke && !isRefused) keepWhatIsThere(run)
  if (cause !== null) endTheRest(run, error, cause)
  const finishedAt = timestamp(run.env.clock)
  const status = isRefused ? 'refused' : broke || hasPending(run) ? 'interrupted' : 'complete'
  const built = runManifest(run, { status, outcome: null, finishedAt })
  const { causes, forgiven } = runCauses(run, built)
  if (cause !== null) causes.add(cause)
  const found = verdict(causes)
  const outcome = { exit_code: found.exitCode, reason: found.reason, also: [...found.also, ...forgiven] }
  const manifest: Manifest = { ...built, outcome }
  const paths = resultPaths(run.places, run.runId)
  const ends = [...run.progress.ends.values()]
  return {
    manifest,
    isRefused,
    isIdle: status === 'interrupted' && !isLost && !hasResults(run),
    isLost,
    result: {
      ...found,
      also: outcome.also,
      ...messagesOf(
        broke
          ? endCauses(run, error)
          : (missingPartsMessage(run.study, standingOfParts(run), ends) ?? stopCauses(ends)),
      ),
      // Not in the manifest: which rows are bought again differs between runs with the same results.
      diagnostics: [...allDiagnostics(run), ...(run.plan?.density ?? []), ...findingsOf(error)],
      plan: run.plan ?? null,
      manifest,
      manifestPath: isRefused || isLost ? paths.record : paths.manifest,
      keepsLast: false,
      reportPath: null,
      digest: isRefused || isLost ? null : manifestDigest(manifest),
      error: broke && found.reason === 'unexpected_error' && !(error instanceof DiskError) ? error : null,
    },
  }
}

/** Before anything is sent, a disk error is like any other unusable path. */
function reasonFor(error: unknown, { sent }: { readonly sent: boolean }): ExitReason {
  return error instanceof DiskError && !sent ? 'usage' : exitReason(error)
}

/** Writes the manifest and the run's record. If that fails, the failure is the result; the artifacts stay. */
export async function writeConclusion(
  run: RunSoFar,
  conclusion: Conclusion,
  writer: ManifestWriter,
): Promise<RunResult> {
  const { manifest, result, isRefused, isIdle, isLost } = conclusion
  const { env, places, runId, store } = run
  const text = manifestText(manifest)
  try {
    let keepsLast = false
    // The manifest belongs to the last run that had results, or to the run that took over the lock.
    if (isLost) await writer.stop()
    else if (isRefused) await writer.withdraw()
    else {
      keepsLast = isIdle && (await writer.handBack())
      if (!keepsLast) await writer.finish(text)
    }
    await writeRunRecord(env.fs, places.outputFolder, runId, text)
    if (!isLost) await publishRun(run, text)
    if (store.state.forced.size > 0 && manifest.status === 'complete') await store.record({ kind: 'settled' })
    // The journal holds everything, and the next run can read it as well.
    if (!isLost) await store.checkpoint().catch(() => {})
    // Refused, or its lock is lost.
    if (result.digest === null) return result
    if (!keepsLast) return await withCompanions(run, result, { manifest, text, digest: result.digest })
    return { ...result, manifestPath: resultPaths(places, runId).record, keepsLast, digest: null }
  } catch (error) {
    return unwritten(run, conclusion, error)
  }
}

/**
 * Writes the page and the record beside the manifest. The results stand whatever happens to them: a failure is a further cause of how
 * the run ended.
 */
async function withCompanions(
  run: RunSoFar,
  result: RunResult,
  written: { readonly manifest: Manifest; readonly text: string; readonly digest: string },
): Promise<RunResult> {
  let ended = result
  try {
    ended = { ...ended, reportPath: await writePage(run, written) }
  } catch (cause) {
    ended = withFailure(run, ended, cause)
  }
  try {
    await writeRecord(run, written, ended.reportPath)
    await writePart(run)
    await publishResults(run, ended.reportPath)
    return ended
  } catch (cause) {
    return withFailure(run, ended, cause)
  }
}

function withFailure(run: RunSoFar, result: RunResult, cause: unknown): RunResult {
  const error = diskErrorOf(cause, run.places.anchor)
  const found = verdict([result.reason, ...result.also, exitReason(error)])
  const message = messageOf(error)
  return {
    ...result,
    ...found,
    ...(result.message === null && messagesOf({ message, located: message, details: [] })),
    error: found.reason === 'unexpected_error' && !(error instanceof DiskError) ? error : result.error,
  }
}

function unwritten(run: RunSoFar, { result, isRefused, isLost }: Conclusion, cause: unknown): RunResult {
  // The refusal is more informative than the failure to record it.
  if (isRefused || isLost) return { ...result, manifestPath: null }
  const error = diskErrorOf(cause, run.places.anchor)
  const found = verdict([result.reason, ...result.also, exitReason(error)])
  const message = messageOf(error)
  return {
    ...result,
    ...found,
    ...messagesOf({ message, located: message, details: [] }),
    manifestPath: null,
    digest: null,
    error: found.reason === 'unexpected_error' && !(error instanceof DiskError) ? error : null,
  }
}

/**
 * Work may be running at the service, or could not start because the service did not answer: `resume` continues from
 * here.
 */
function hasPending(run: RunSoFar): boolean {
  return [...run.progress.ends.values()].some(
    (end) =>
      end.kind === 'stopped' &&
      (end.status === 'interrupted' || end.cause === 'deadline_or_network' || end.cause === 'parts_missing'),
  )
}

/** This run requested, fetched or continued something. */
function hasResults(run: RunSoFar): boolean {
  return (
    run.sent.began ||
    run.request.parts !== undefined ||
    [...run.progress.ends.values()].some((end) =>
      end.kind === 'done' ? end.how !== 'reused' : end.kind === 'stopped' && end.status === 'interrupted',
    )
  )
}

/** Ends the scenarios that are still open when the run ends. */
function endTheRest(run: RunSoFar, error: unknown, cause: ExitReason): void {
  const fault = faultOf(error)
  for (const { id } of run.study.scenarios) {
    if (run.progress.ends.has(id) || run.planned?.get(id)?.selected === false) continue
    const key = run.progress.running.get(id) ?? null
    const status = key === null ? 'not_started' : 'interrupted'
    run.progress.finish(id, { kind: 'stopped', status, fault, cause, key })
  }
}

/**
 * The result of a run that was refused before it could open its state: another run holds the lock, or a path is not
 * allowed. Only the run's own record is written, and only where writing is allowed.
 */
export async function concludeUnopened(run: StartedRun, cause: unknown): Promise<RunResult> {
  const { request, env, places, runId } = run
  const error = diskErrorOf(cause, places.anchor)
  const isHeld = error instanceof RunRefusalError && error.code === 'lock_held'
  const found: Verdict =
    isHeld && request.options.ifLocked === 'skip'
      ? { exitCode: 0, reason: 'lock_held', also: [] }
      : verdict([reasonFor(error, { sent: false })])
  const manifest = refusedManifest(run, found)
  // A folder that may not be written to gets no record either.
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
    ...messagesOf({ message: messageOf(error), located: locatedMessage(error), details: [] }),
    diagnostics: [...request.diagnostics, ...findingsOf(error)],
    plan: null,
    manifest,
    manifestPath: isWritten ? resultPaths(places, runId).record : null,
    keepsLast: false,
    reportPath: null,
    digest: null,
    error: found.reason === 'unexpected_error' ? error : null,
  }
}

function refusedManifest(run: StartedRun, found: Verdict): Manifest {
  const { request, env, study, runId, startedAt } = run
  const standing = { fingerprint: null, body: null, record: null, artifactPath: null, error: null }
  const scenarios = study.scenarios.map(
    (s) => [s.id, scenarioResult(s, { ...standing, status: 'not_started' })] as const,
  )
  return {
    manifest_version: 1,
    study: { name: study.name, version: 1, digest: null, baseline: study.baseline },
    status: 'refused',
    outcome: { exit_code: found.exitCode, reason: found.reason, also: found.also },
    totals: totalsOf(scenarios.map(([, result]) => result)),
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

/** The causes that ended the run. A deadline also names the unknown statuses that the run was waiting for. */
function endCauses(run: RunSoFar, error: unknown): StopCauses {
  const waited = isDeadline(error) ? run.service.statuses.describe() : null
  const withMore = (text: string) => (waited === null ? text : `${text.replace(/\.$/, '')}; ${waited}`)
  return {
    message: withMore(messageOf(error)),
    located: withMore(locatedMessage(error)),
    details: [faultOf(error).detail],
  }
}

const messagesOf = (causes: StopCauses | null) => ({
  message: causes?.message ?? null,
  located: causes?.located ?? null,
  explained: causes?.details ?? [],
})

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
