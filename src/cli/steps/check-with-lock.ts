import * as fs from 'node:fs/promises'
import { hashFile } from '../../client/hash-file.ts'
import type { StudyFile } from '../../local/study-file.ts'
import { checkOffline } from '../../run/check-offline.ts'
import { EXIT_CODES, RunRefusal } from '../../run/exit-code.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { Study } from '../../study/study.ts'
import type { ValidateFlags } from '../options/study-options.ts'

/** The offline part of `whatif validate`: against the lock file, where there is one. */
export async function checkWithLock(
  file: StudyFile & { readonly study: Study },
  flags: ValidateFlags,
): Promise<{ exitCode: number; message: string | null; diagnostics: readonly Diagnostic[]; lockFile: string | null }> {
  const { study, path: studyFile, projectRoot } = file
  const { locked = false, allowOutside = false, allowHidden = false, dataset: datasetIds = new Map() } = flags
  try {
    const { diagnostics, lockFile, reason } = await checkOffline(
      { study, studyFile, projectRoot, allowOutside, allowHidden, locked, datasetIds },
      { fs, hashFile, signal: new AbortController().signal },
    )
    const name = lockFile.lock === null ? null : lockFile.name
    return { exitCode: EXIT_CODES[reason], message: null, diagnostics, lockFile: name }
  } catch (error) {
    if (!(error instanceof RunRefusal)) throw error
    const { message, diagnostics, reason } = error
    return { exitCode: EXIT_CODES[reason], message, diagnostics, lockFile: null }
  }
}
