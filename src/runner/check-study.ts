import type { FeasibleRows } from '../records/plan-estimates.ts'
import type { DatasetFacts } from '../records/state/datasets.ts'
import { type Diagnostic, hasErrors } from '../study/diagnostics/diagnostic.ts'
import type { FileDataset } from '../study/study.ts'
import { checkDatasets } from './datasets/check-datasets.ts'
import { schemaFindings } from './datasets/check-schemas.ts'
import { makeDatasets } from './datasets/make-datasets.ts'
import { enforceStudyLock, knownData, lockedFindings } from './datasets/study-lock.ts'
import { otherTypes } from './datasets/types-as-used.ts'
import { foreseeRows } from './estimates/foresee-rows.ts'
import { DiskError, diskErrorOf } from './interface/disk-error.ts'
import { EXIT_CODES, type ExitReason, exitReason, RunRefusalError } from './interface/exit-code.ts'
import { locatedMessage } from './interface/fault-text.ts'
import type { RunEvent } from './interface/run-event.ts'
import type { RunEnvironment, RunRequest } from './interface/run-options.ts'
import { currentUpload, knownFacts } from './session/dataset-records.ts'
import { type OpenRun, openRun, startRun } from './session/open-run.ts'
import { type PlannedRun, planRun, type ReadRun, readStudyFiles, startService, takeSteps } from './session/plan-run.ts'
import { claimName, hasOwnName } from './state/study-name.ts'

export interface StudyCheck {
  readonly exitCode: number
  readonly reason: ExitReason
  readonly message: string | null
  /** The same with the address of the service, for a terminal. */
  readonly located: string | null
  /** Findings against the cleaned schemas; findings of the file itself are not repeated. */
  readonly diagnostics: readonly Diagnostic[]
  /** By scenario: the rows that it can have; absent unless it was asked, and where the service does not say it. */
  readonly feasibleRows?: Readonly<Record<string, FeasibleRows>>
}

/**
 * Checks a study against the cleaned schemas of its datasets, as a run does before it generates. Seed files that were
 * never trained are uploaded and trained, which bills no rows. Nothing is generated, and no result is changed.
 *
 * @param asksRows Whether the service is asked how many rows the scenarios can have, too.
 */
export function checkStudy(
  request: RunRequest,
  env: RunEnvironment,
  { asksRows = false }: { readonly asksRows?: boolean | undefined } = {},
): Promise<StudyCheck> {
  return withStudyData(request, env, async (opened) => {
    const { store, places } = opened
    const read = await readStudyFiles(opened)
    enforceStudyLock(read)
    // The name may belong to another study and stays with it: a check makes no results.
    if (await hasOwnName(env.fs, request, places.anchor, store.state)) await claimName(store, request, places.anchor)
    const run = await readyDatasets(read)
    const unready = unreadyDataset(run)
    if (unready !== null) return unready
    const locked = run.options.locked ? lockedFindings(request.study, run.lockFile, knownData(run)) : []
    const diagnostics = [...schemaFindings(run), ...locked]
    const reason = hasErrors(diagnostics) ? 'does_not_fit_data' : 'ok'
    const feasibleRows = asksRows && reason === 'ok' ? { feasibleRows: await rowsOf(run) } : {}
    return { exitCode: EXIT_CODES[reason], reason, message: null, located: null, diagnostics, ...feasibleRows }
  })
}

function rowsOf(run: PlannedRun): Promise<Record<string, FeasibleRows>> {
  const facts = new Map<string, DatasetFacts>()
  for (const name of run.study.datasets.keys()) {
    const known = knownFacts(run, name)
    if (known !== null) facts.set(name, known)
  }
  const asking = { open: () => run.service.client(), call: run.service.call('feasible rows'), facts }
  return foreseeRows(run.study, planRun(run).plan, asking)
}

/** How work on a study's data ended before it had a result. */
export interface EndedEarly {
  readonly exitCode: number
  readonly reason: ExitReason
  /** Names no host. */
  readonly message: string
  /** The same with the address of the service, for a terminal. */
  readonly located: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Opens a study's state under its lock, as a run does, for work that generates nothing; events of scenarios are left
 * out.
 *
 * @throws unexpected errors.
 */
export async function withStudyData<T>(
  request: RunRequest,
  env: RunEnvironment,
  work: (run: OpenRun) => Promise<T>,
): Promise<T | EndedEarly> {
  const onEvent = (event: RunEvent) => {
    if (!event.type.startsWith('scenario.')) env.onEvent(event)
  }
  const started = startRun(request, { ...env, onEvent })
  let abortReason = (): unknown => started.signal.reason
  try {
    const run = await openRun(started, { makeOutput: false })
    abortReason = () => run.service.abortReason
    return await work(run).finally(run.close)
  } catch (error) {
    const found = diskErrorOf(error, started.places.anchor)
    const fault = started.signal.aborted && !(found instanceof DiskError) ? abortReason() : found
    const reason = fault instanceof DiskError ? 'usage' : exitReason(fault)
    if (reason === 'unexpected_error') throw error
    return {
      exitCode: EXIT_CODES[reason],
      reason,
      message: (fault as Error).message,
      located: locatedMessage(fault),
      diagnostics: error instanceof RunRefusalError ? error.diagnostics : [],
    }
  } finally {
    started.dispose()
  }
}

/** Trains every dataset of the study and fetches its schema, without generating anything. */
export async function readyDatasets(read: ReadRun): Promise<PlannedRun> {
  const run = planRun(read)
  // The schema of a seed file's bytes never changes; a dataset named by id may have expired since.
  const isKnown = (name: string) => {
    const source = run.study.datasets.get(name)
    return source?.kind === 'file' && knownFacts(run, name) !== null && otherTypes(run, source) === null
  }
  if (run.study.scenarios.every(({ dataset }) => isKnown(dataset))) return run
  return takeSteps(run, [[startService], [checkDatasets], [makeDatasets]])
}

/** Why a dataset could not be made ready; null when all were. Each scenario that needs it has the same fault. */
export function unreadyDataset(run: PlannedRun): EndedEarly | null {
  for (const [id, end] of run.progress.ends) {
    if (end.kind === 'done') continue
    const dataset = run.study.datasets.get(run.scenarios.get(id)!.dataset)
    const place = end.cause === 'failed' && dataset?.kind === 'file' ? placeOf(dataset) : ''
    const { detail } = end.fault
    const isWorld = end.cause === 'deadline_or_network'
    const message = isWorld ? end.fault.message : place + detail
    const located = isWorld ? (end.fault.located ?? message) : message
    return { exitCode: EXIT_CODES[end.cause], reason: end.cause, message, located, diagnostics: [] }
  }
  for (const name of new Set(run.study.scenarios.map((s) => s.dataset))) {
    const dataset = run.study.datasets.get(name)
    if (dataset?.kind !== 'file' || knownFacts(run, name) !== null) continue
    // A failed job is final, so this run sent nothing.
    const why = currentUpload(run, dataset)?.error?.detail ?? 'it could not be trained'
    const message = `${placeOf(dataset)}${why} (failed in an earlier run; --retry-failed tries again)`
    return { exitCode: EXIT_CODES.failed, reason: 'failed', message, located: message, diagnostics: [] }
  }
  return null
}

/** The seed file's place in the study. */
function placeOf(dataset: FileDataset): string {
  const { filename, start } = dataset.fileRange
  return `${filename}:${start.line}:${start.column}: the seed file "${dataset.file}" of dataset "${dataset.id}": `
}
