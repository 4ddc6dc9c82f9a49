import * as fs from 'node:fs/promises'
import { writeAtomically } from '../../base/atomic-file.ts'
import { readBoundedText } from '../../base/bounded-file.ts'
import { WhatifError } from '../../base/whatif-error.ts'
import { SetupError } from '../../local/setup-error.ts'
import { MAX_PLAN_BYTES, parseSavedPlan, type SavedPlan, savedPlanText } from '../../runner/plan/saved-plan.ts'

/** The plan that `run --plan` names. */
export async function readSavedPlan(file: string): Promise<SavedPlan> {
  try {
    return parseSavedPlan(await readBoundedText(fs, file, MAX_PLAN_BYTES))
  } catch (error) {
    if (!(error instanceof WhatifError)) throw error
    throw new SetupError(2, `saved plan ${file}: ${error.message}`, 'To make one: whatif plan FILE --save PLAN')
  }
}

/** Replaces only an earlier saved plan, never another file. */
export async function writeSavedPlan(file: string, saved: SavedPlan): Promise<void> {
  const isFree = await fs.lstat(file).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
  if (!isFree) {
    await readSavedPlan(file).catch((error: SetupError) => {
      throw new SetupError(2, `${error.message}; it is not replaced`, 'Pass another name to --save.')
    })
  }
  try {
    await writeAtomically(fs, file, savedPlanText(saved))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'its folder does not exist; create it first' : `it cannot be written (${code})`
    throw new SetupError(2, `saved plan ${file}: ${why}`)
  }
}
