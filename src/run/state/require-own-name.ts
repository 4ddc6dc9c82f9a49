import { join } from 'node:path'
import type { FileSystem } from '../../manifest/atomic-file.ts'
import type { StudyState } from '../../plan/study-state.ts'
import { RunRefusal } from '../exit-code.ts'
import { portablePath } from '../files/project-paths.ts'

/** State is found by the study's name, so two files with one name would take each other's results for their own. */
export async function requireOwnName(
  fs: FileSystem,
  study: { readonly name: string; readonly file: string; readonly anchor: string },
  { studyPath }: Pick<StudyState, 'studyPath'>,
): Promise<void> {
  if (studyPath === null || studyPath === portablePath(study.anchor, study.file)) return
  // A file that was moved takes its state along.
  const isThere = await fs.lstat(join(study.anchor, studyPath)).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new RunRefusal(
    'usage',
    'name_taken',
    `the name "${study.name}" belongs to ${studyPath} here; give this study another name`,
  )
}
