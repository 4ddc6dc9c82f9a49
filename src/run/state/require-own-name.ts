import { basename, dirname, join } from 'node:path'
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
  const owner = join(study.anchor, studyPath)
  // A file that was moved takes its state along.
  const isThere = await fs.lstat(owner).then(
    () => true,
    () => false,
  )
  if (!isThere || (await isSamePlace(fs, owner, study.file))) return
  throw new RunRefusal(
    'usage',
    'name_taken',
    `the name "${study.name}" belongs to ${studyPath} here; give this study another name`,
  )
}

/** Folders may be reached through links; a link in the place of the file itself is a study of its own folder. */
async function isSamePlace(fs: FileSystem, one: string, other: string): Promise<boolean> {
  if (basename(one) !== basename(other)) return false
  const [folder, otherFolder] = await Promise.all([one, other].map((file) => fs.realpath(dirname(file))))
  return folder === otherFolder
}
