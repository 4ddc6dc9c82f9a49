import type { Diagnostic } from '../study/diagnostics/diagnostic.ts'
import type { FileDataset } from '../study/study.ts'
import { currentUpload, knownFacts } from './datasets/current-upload.ts'
import { DiskError, diskErrorOf } from './interface/disk-error.ts'
import { EXIT_CODES, type ExitReason, exitReason, RunRefusalError } from './interface/exit-code.ts'
import { locatedMessage } from './interface/fault-text.ts'
import type { RunEvent } from './interface/run-event.ts'
import type { RunEnvironment, RunRequest } from './interface/run-options.ts'
import { beginRun, openRun } from './session/open-run.ts'
import type { RunContext } from './session/run-context.ts'

/** How work on a study's data ended before it had a result of its own. */
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
 * Opens a study's state under its lock, as a run does, for work that generates nothing; events of scenarios are left out.
 *
 * @throws what no exit code but "unexpected error" tells.
 */
export async function withStudyData<T>(
  request: RunRequest,
  env: RunEnvironment,
  work: (context: RunContext) => Promise<T>,
): Promise<T | EndedEarly> {
  const onEvent = (event: RunEvent) => {
    if (!event.type.startsWith('scenario.')) env.onEvent(event)
  }
  const basis = beginRun(request, { ...env, onEvent })
  let abortReason = (): unknown => basis.signal.reason
  try {
    const { context, store, lock } = await openRun(basis, false)
    abortReason = () => context.abortReason
    try {
      return await work(context)
    } finally {
      await context.closeClient().catch(() => {})
      await store.close().catch(() => {})
      await lock.release().catch(() => {})
    }
  } catch (error) {
    const found = diskErrorOf(error, basis.places.anchor)
    const fault = basis.signal.aborted && !(found instanceof DiskError) ? abortReason() : found
    const reason = fault instanceof DiskError ? 'usage' : exitReason(fault)
    if (reason === 'unexpected_error') throw error
    const diagnostics = error instanceof RunRefusalError ? error.diagnostics : []
    return {
      exitCode: EXIT_CODES[reason],
      reason,
      message: (fault as Error).message,
      located: locatedMessage(fault),
      diagnostics,
    }
  } finally {
    basis.dispose()
  }
}

/** Why a dataset could not be made ready; null when all were. Each scenario that needs it tells it; here it is told once. */
export function unreadyDataset(context: RunContext): EndedEarly | null {
  for (const [id, end] of context.ends) {
    if (end.kind === 'done') continue
    const dataset = context.study.datasets.get(context.scenario(id).dataset)
    const place = end.cause === 'failed' && dataset?.kind === 'file' ? placeOf(dataset) : ''
    const { detail } = end.fault
    const isWorld = end.cause === 'deadline_or_network'
    const message = isWorld ? end.fault.message : place + detail
    const located = isWorld ? (end.fault.located ?? message) : message
    return { exitCode: EXIT_CODES[end.cause], reason: end.cause, message, located, diagnostics: [] }
  }
  for (const name of new Set(context.study.scenarios.map((s) => s.dataset))) {
    const dataset = context.study.datasets.get(name)
    if (dataset?.kind !== 'file' || knownFacts(context, name) !== null) continue
    // A failed job is final: nothing was sent this time.
    const why = currentUpload(context, dataset)?.error?.detail ?? 'it could not be trained'
    const message = `${placeOf(dataset)}${why} (failed in an earlier run; --retry-failed tries again)`
    return { exitCode: EXIT_CODES.failed, reason: 'failed', message, located: message, diagnostics: [] }
  }
  return null
}

/** The seed file, where it is written in the study. */
function placeOf(dataset: FileDataset): string {
  const { filename, start } = dataset.fileRange
  return `${filename}:${start.line}:${start.column}: the seed file "${dataset.file}" of dataset "${dataset.id}": `
}
