import type { Diagnostic } from '../spec/diagnostic.ts'
import { hasErrors } from '../spec/diagnostic.ts'
import { readStudyDisk, readyDatasets } from './carry-out.ts'
import { EXIT_CODES, type ExitReason, exitReason, RunRefusal } from './exit-code.ts'
import { schemaFindings } from './live-check.ts'
import { knownData, lockedFindings } from './locked-run.ts'
import { beginRun, openRun } from './open-run.ts'
import type { RunEvent } from './run-event.ts'
import type { RunEnvironment, RunRequest } from './run-options.ts'

export interface StudyCheck {
  readonly exitCode: number
  readonly reason: ExitReason
  readonly message: string | null
  /** What was found against the cleaned schemas; findings of the file itself are not repeated. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Holds a study against the cleaned schemas of its datasets, as a run does before it generates: seed files that were
 * never trained are uploaded and trained, which bills no rows. Nothing is generated, and no result is touched.
 */
export async function checkStudy(request: RunRequest, env: RunEnvironment): Promise<StudyCheck> {
  const onEvent = (event: RunEvent) => {
    if (!event.type.startsWith('scenario.')) env.onEvent(event)
  }
  const basis = beginRun(request, { ...env, onEvent })
  try {
    const { context, store, lock } = await openRun(basis, false)
    try {
      await readStudyDisk(context)
      await readyDatasets(context)
      // A dataset that cannot be made is told by the scenarios that need it; here its cause is told once.
      for (const end of context.ends.values())
        if (end.kind !== 'done')
          return { exitCode: EXIT_CODES[end.cause], reason: end.cause, message: end.fault.detail, diagnostics: [] }
      const locked = context.options.locked ? lockedFindings(request.study, context.lockFile!, knownData(context)) : []
      const diagnostics = [...schemaFindings(context), ...locked]
      const reason = hasErrors(diagnostics) ? 'does_not_fit_data' : 'ok'
      return { exitCode: EXIT_CODES[reason], reason, message: null, diagnostics }
    } finally {
      await context.closeClient().catch(() => {})
      await store.close().catch(() => {})
      await lock.release().catch(() => {})
    }
  } catch (error) {
    const reason = exitReason(basis.signal.aborted ? basis.signal.reason : error)
    if (reason === 'unexpected_error') throw error
    const diagnostics = error instanceof RunRefusal ? error.diagnostics : []
    return { exitCode: EXIT_CODES[reason], reason, message: (error as Error).message, diagnostics }
  } finally {
    basis.dispose()
  }
}
