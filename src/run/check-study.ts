import type { Diagnostic } from '../study/diagnostics/diagnostic.ts'
import { hasErrors } from '../study/diagnostics/diagnostic.ts'
import { lookAtStudyDisk, readyDatasets } from './carry-out.ts'
import { schemaFindings } from './datasets/check-schemas.ts'
import { knownData, lockedFindings } from './datasets/study-lock.ts'
import { EXIT_CODES, type ExitReason } from './interface/exit-code.ts'
import type { RunEnvironment, RunRequest } from './interface/run-options.ts'
import { unreadyDataset, withStudyData } from './with-study-data.ts'

export interface StudyCheck {
  readonly exitCode: number
  readonly reason: ExitReason
  readonly message: string | null
  /** The same with the address of the service, for a terminal. */
  readonly located: string | null
  /** What was found against the cleaned schemas; findings of the file itself are not repeated. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Holds a study against the cleaned schemas of its datasets, as a run does before it generates: seed files that were
 * never trained are uploaded and trained, which bills no rows. Nothing is generated, and no result is touched.
 */
export function checkStudy(request: RunRequest, env: RunEnvironment): Promise<StudyCheck> {
  return withStudyData(request, env, async (context) => {
    await lookAtStudyDisk(context)
    await readyDatasets(context)
    const unready = unreadyDataset(context)
    if (unready !== null) return unready
    const locked = context.options.locked ? lockedFindings(request.study, context.lockFile!, knownData(context)) : []
    const diagnostics = [...schemaFindings(context), ...locked]
    const reason = hasErrors(diagnostics) ? 'does_not_fit_data' : 'ok'
    return { exitCode: EXIT_CODES[reason], reason, message: null, located: null, diagnostics }
  })
}
