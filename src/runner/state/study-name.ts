import { basename, dirname, join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { portablePath } from '../../base/paths.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { Study } from '../../study/study.ts'
import { requireOwnState, runPlaces } from '../files/project-paths.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { StudyState } from '../plan/study-state.ts'
import { readState, type StudyStore } from './study-store.ts'

/** A study file and its place. Paths are absolute. */
interface NamedStudy {
  readonly study: Pick<Study, 'name' | 'nameRange'>
  readonly studyFile: string
  readonly projectRoot: string
}

/** The fields of a state that identify its study. */
type Named = Pick<StudyState, 'studyPath' | 'generations' | 'scenarios'>

/** State is found by the study's name, so two files with one name would use each other's results. */
export async function requireOwnName(fs: FileSystem, named: NamedStudy, anchor: string, state: Named): Promise<void> {
  const owner = await ownerOf(fs, named.studyFile, anchor, state)
  if (owner === null) return
  const { range, summary, advice } = clash(named, owner)
  const detail = `state and results are stored under the name; ${advice}`
  throw new RunRefusalError(
    'usage',
    'name_taken',
    `${range.filename}:${range.start.line}:${range.start.column}: ${summary}; ${detail}`,
    { diagnostics: [diagnose('S3005', { summary, range, detail })] },
  )
}

/** Claims the name. Called once the study's files passed their checks, so that a refused study claims none. */
export async function claimName(store: StudyStore, named: NamedStudy, anchor: string): Promise<void> {
  const path = portablePath(anchor, named.studyFile)
  if (store.state.studyPath !== path) await store.record({ kind: 'study', path })
}

/** Whether the state of its name belongs to this study, or to nobody. */
export async function hasOwnName(fs: FileSystem, named: NamedStudy, anchor: string, state: Named): Promise<boolean> {
  return (await ownerOf(fs, named.studyFile, anchor, state)) === null
}

/** For checks, which need no state: the warning that a run would refuse the study, because `owner` has its name. */
export function nameWarning(named: NamedStudy, owner: string): Diagnostic {
  const { range, summary, advice } = clash(named, owner)
  const detail = `this file was checked anyway, but cannot be run; ${advice}`
  return diagnose('W3103', { summary, range, detail })
}

/** The study file, absolute, that owns the name with any service; null when it is this one, or there is none. */
export async function findNameOwner(
  fs: FileSystem,
  { study, studyFile, projectRoot }: NamedStudy,
): Promise<string | null> {
  const services = await fs.readdir(join(projectRoot, '.whatif', 'studies', study.name)).catch(() => [])
  for (const service of services.sort()) {
    const at = { projectRoot, studyFile, studyName: study.name, outputDir: '.', out: null, service }
    const { anchor, ...places } = runPlaces(at)
    try {
      await requireOwnState(fs, { anchor, ...places })
      const owner = await ownerOf(fs, studyFile, anchor, await readState(fs, places.stateFolder))
      if (owner !== null) return owner
    } catch {
      // A state that cannot be read names no owner; a run reports its fault.
    }
  }
  return null
}

async function ownerOf(
  fs: FileSystem,
  studyFile: string,
  anchor: string,
  { studyPath, generations, scenarios }: Named,
): Promise<string | null> {
  if (studyPath === null || studyPath === portablePath(anchor, studyFile)) return null
  // A study that was only checked or refused has no results to mix up.
  if (generations.size + scenarios.size === 0) return null
  const owner = join(anchor, studyPath)
  // A file that was moved keeps its state.
  const isThere = await fs.lstat(owner).then(
    () => true,
    () => false,
  )
  return !isThere || (await isSamePlace(fs, owner, studyFile)) ? null : owner
}

function clash({ study, projectRoot }: NamedStudy, owner: string) {
  return {
    range: study.nameRange,
    summary: `the name "${study.name}" belongs to ${portablePath(projectRoot, owner)}`,
    advice: 'give one of the two studies another `name:`',
  }
}

/** Folders may be reached through links; a link at the path of the file itself is a study of its own folder. */
async function isSamePlace(fs: FileSystem, one: string, other: string): Promise<boolean> {
  if (basename(one) !== basename(other)) return false
  const [folder, otherFolder] = await Promise.all([one, other].map((file) => fs.realpath(dirname(file))))
  return folder === otherFolder
}
