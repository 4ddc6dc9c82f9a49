import type { StudyFile } from '../../local/study-file.ts'
import { checkStudy, type StudyCheck } from '../../run/check-study.ts'
import type { Study } from '../../study/study.ts'
import type { ValidateFlags } from '../options/study-options.ts'
import type { Terminal } from '../output/terminal.ts'
import { withoutGenerating } from './without-generating.ts'

/** The live part of `whatif validate`; a module of its own, so that `--offline` does not pay for loading it. */
export function checkLive(
  file: StudyFile & { readonly study: Study },
  flags: ValidateFlags,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<StudyCheck> {
  return withoutGenerating({ file, flags, env, terminal }, checkStudy)
}
