import type { Diagnostic } from '../../spec/diagnostics/diagnostic.ts'
import type { FileDataset } from '../../spec/study.ts'
import { EXIT_CODES, type ExitReason, exitReason, RunRefusal } from '../exit-code.ts'
import { asDiskFault, DiskFault } from '../files/disk-fault.ts'
import { beginRun, openRun } from '../open-run.ts'
import type { RunContext } from '../run-context.ts'
import type { RunEvent } from '../run-event.ts'
import type { RunEnvironment, RunRequest } from '../run-options.ts'
import { currentUpload, knownFacts } from './current-upload.ts'

/** How work on a study's data ended before it had a result of its own. */
export interface EndedEarly {
  readonly exitCode: number
  readonly reason: ExitReason
  readonly message: string
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
  try {
    const { context, store, lock } = await openRun(basis, false)
    try {
      return await work(context)
    } finally {
      await context.closeClient().catch(() => {})
      await store.close().catch(() => {})
      await lock.release().catch(() => {})
    }
  } catch (error) {
    const fault = asDiskFault(error, basis.places.anchor)
    const reason = fault instanceof DiskFault ? 'usage' : exitReason(basis.signal.aborted ? basis.signal.reason : error)
    if (reason === 'unexpected_error') throw error
    const diagnostics = error instanceof RunRefusal ? error.diagnostics : []
    return { exitCode: EXIT_CODES[reason], reason, message: (fault as Error).message, diagnostics }
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
    return { exitCode: EXIT_CODES[end.cause], reason: end.cause, message: place + end.fault.detail, diagnostics: [] }
  }
  for (const name of new Set(context.study.scenarios.map((s) => s.dataset))) {
    const dataset = context.study.datasets.get(name)
    if (dataset?.kind !== 'file' || knownFacts(context, name) !== null) continue
    // A failed job is final: nothing was sent this time.
    const why = currentUpload(context, dataset)?.error?.detail ?? 'it could not be trained'
    const message = `${placeOf(dataset)}${why} (failed in an earlier run; --retry-failed tries again)`
    return { exitCode: EXIT_CODES.failed, reason: 'failed', message, diagnostics: [] }
  }
  return null
}

/** The seed file, where it is written in the study. */
function placeOf(dataset: FileDataset): string {
  const { filename, start } = dataset.fileRange
  return `${filename}:${start.line}:${start.column}: the seed file "${dataset.file}" of dataset "${dataset.id}": `
}
