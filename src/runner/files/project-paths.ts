import { dirname, join, relative, resolve } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { isInside, portablePath } from '../../base/paths.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { SourceRange } from '../../study/diagnostics/diagnostic.ts'
import { foldersApart } from '../../study/shards/shards.ts'
import type { Scenario } from '../../study/study.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunRequest } from '../interface/run-options.ts'

/** Where a run reads and writes. All paths are absolute. */
export interface RunPlaces {
  /** Holds `.whatif`: the project root, or the folder of `--out`. Everything that is written is in it. */
  readonly anchor: string
  readonly studyFolder: string
  /** `state.json`, `journal.ndjson`, `lock`. */
  readonly stateFolder: string
  /** Data of the project's embedded service: a run writes nothing there. */
  readonly serviceFolder: string
  /** For temporary data of large measurements; emptied when a run begins. */
  readonly tempFolder: string
  /** Artifacts, `manifest.json`, `runs/`. */
  readonly outputFolder: string
  /**
   * The output folder as the beginning of artifact paths: relative to the anchor, with `/` between and after its parts;
   * empty for the anchor itself.
   */
  readonly artifactPrefix: string
}

export interface PlaceOptions {
  readonly projectRoot: string
  readonly studyFile: string
  readonly studyName: string
  /** From the study, relative to its file. */
  readonly outputDir: string
  /** `--out`, absolute; null: the study's own. */
  readonly out: string | null
  /** `embedded`, or 8 hex digits. */
  readonly service: string
  /** Folders of a trial or a part (`foldersApart`), which never reads or changes the state of its study. */
  readonly apart?: readonly string[]
}

export function runPlaces(options: PlaceOptions): RunPlaces {
  const studyFolder = dirname(options.studyFile)
  const serviceFolder = join(options.projectRoot, '.whatif', 'embedded')
  if (options.out !== null) {
    const stateFolder = join(options.out, '.whatif', options.service)
    const tempFolder = join(stateFolder, 'tmp')
    return {
      anchor: options.out,
      studyFolder,
      stateFolder,
      serviceFolder,
      tempFolder,
      outputFolder: options.out,
      artifactPrefix: '',
    }
  }
  const ofStudy = join(options.projectRoot, '.whatif', 'studies', options.studyName, options.service)
  const stateFolder = join(ofStudy, ...(options.apart ?? []))
  const outputFolder = resolve(studyFolder, options.outputDir)
  const prefix = portablePath(options.projectRoot, outputFolder)
  return {
    anchor: options.projectRoot,
    studyFolder,
    stateFolder,
    serviceFolder,
    tempFolder: join(stateFolder, 'tmp'),
    outputFolder,
    artifactPrefix: prefix === '' ? '' : `${prefix}/`,
  }
}

export function placesOf(
  request: Pick<RunRequest, 'study' | 'projectRoot' | 'studyFile' | 'out' | 'service'>,
): RunPlaces {
  const { study, projectRoot, studyFile, out, service } = request
  const { name: studyName, outputDir } = study
  const apart = foldersApart(study)
  return runPlaces({ projectRoot, studyFile, studyName, outputDir, out, service: service.label, apart })
}

/** The folder of the output for artifacts of which results are made. */
export const RECEIVED = 'received'

/**
 * Path of a scenario's artifact: relative to the anchor, with `/`, the form that plan and state use. An artifact that is
 * not the result itself lies in `received/`.
 */
export function artifactPath(
  places: Pick<RunPlaces, 'artifactPrefix'>,
  { id, format, form }: Pick<Scenario, 'id' | 'format' | 'form'>,
): string {
  return `${places.artifactPrefix}${form === undefined ? '' : `${RECEIVED}/`}${id}.${format}`
}

/** Path of the result that is made of a scenario's artifact, as `artifactPath`; null when the artifact is the result. */
export function exportedPath(
  places: Pick<RunPlaces, 'artifactPrefix'>,
  { id, form }: Pick<Scenario, 'id' | 'form'>,
): string | null {
  return form === undefined ? null : `${places.artifactPrefix}${id}.${form.format}`
}

/** Paths of the documents that describe a run's results. */
export function resultPaths(places: RunPlaces, runId: string): { readonly manifest: string; readonly record: string } {
  return {
    manifest: join(places.outputFolder, 'manifest.json'),
    record: join(places.outputFolder, 'runs', `${runId}.json`),
  }
}

/** Path of the page for people, beside the manifest. */
export const pagePath = (places: RunPlaces): string => join(places.outputFolder, 'report.html')

/** Path of the record of what a run used and made, beside the manifest. */
export const recordPath = (places: RunPlaces): string => join(places.outputFolder, RECORD_NAME)

export const RECORD_NAME = 'run-record.json'

/**
 * The real target of a path: links are followed as far as it exists, the rest is appended. A study file may come from a
 * pull request, so the target decides, not the written path.
 */
export async function realPlace(fs: FileSystem, path: string): Promise<string> {
  const rest: string[] = []
  let at = resolve(path)
  for (;;) {
    try {
      return join((await fs.realpath(at)) as string, ...rest)
    } catch (error) {
      // A path below a file does not exist either. Writing there reports it.
      if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      // A broken link is not a free name: a file made there would be created elsewhere.
      if (await isLink(fs, at)) throw outsideProject(null, `${path} goes through a broken symbolic link`)
      const parent = dirname(at)
      if (parent === at) throw error
      rest.unshift(relative(parent, at))
      at = parent
    }
  }
}

async function isLink(fs: FileSystem, path: string): Promise<boolean> {
  try {
    return (await fs.lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Refuses a place outside `root` (study language, section 12.3). */
export async function requireInside(
  fs: FileSystem,
  root: string,
  path: string,
  refusal: () => RunRefusalError,
): Promise<void> {
  const [place, within] = await Promise.all([realPlace(fs, path), realPlace(fs, root)])
  if (!isInside(within, place)) throw refusal()
}

/** The refusal of a path that is not allowed, as a finding about the study file if the path was written there. */
export function outsideProject(range: SourceRange | null, summary: string, detail = ''): RunRefusalError {
  const at = range === null ? '' : `${range.filename}:${range.start.line}:${range.start.column}: `
  return new RunRefusalError('invalid_study', PATH_OUTSIDE_PROJECT, `${at}${summary}`, {
    diagnostics: [diagnose('S1302', { summary, range, detail })],
  })
}

export const PATH_OUTSIDE_PROJECT = 'path_outside_project'

/** Files of a state folder (`study-store.ts`, `run-lock.ts`). */
const STATE_FILES = ['state.json', 'journal.ndjson', 'lock']

/**
 * Refuses links and pipes. A state folder that was checked in as a link would have files read and removed elsewhere,
 * and so would a link in it. Reading a pipe never ends.
 */
export async function requireOwnState(fs: FileSystem, places: RunPlaces): Promise<void> {
  const refuse = () => outsideProject(null, 'the folder ".whatif" is a link out of the project')
  await requireInside(fs, places.anchor, places.stateFolder, refuse)
  if ((await realPlace(fs, places.stateFolder)) === (await realPlace(fs, places.serviceFolder)))
    throw new RunRefusalError(
      'usage',
      'place_taken',
      '--out names the folder of the project, where the embedded service keeps its data; name a subfolder, such as out/try',
    )
  for (const name of STATE_FILES) {
    const path = join(places.stateFolder, name)
    const stats = await fs.lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (stats === null || stats.isFile()) continue
    const shown = portablePath(places.anchor, path)
    throw new RunRefusalError('usage', 'state_unreadable', `${shown} is not a regular file; remove it and run again`)
  }
}

/**
 * Creates the folders of a run after checking that they are inside `root`. Nothing is created outside it, not even an
 * empty folder.
 */
export async function preparePlaces(
  fs: FileSystem,
  places: RunPlaces,
  options: {
    readonly root: string
    readonly allowOutside: boolean
    readonly outputRange: SourceRange | null
    /** False: nothing will be written there, so the folder is only checked. */
    readonly makeOutput: boolean
  },
): Promise<void> {
  const refuse = (what: string, range: SourceRange | null) => () =>
    outsideProject(range, `${what} is outside the project`)
  const { outputFolder, stateFolder } = places
  if (!options.allowOutside) {
    await requireInside(fs, options.root, outputFolder, refuse('the output folder', options.outputRange))
  }
  if (options.makeOutput) await makeFolder(fs, outputFolder)
  for (const name of ['runs', RECEIVED]) {
    await requireInside(fs, outputFolder, join(outputFolder, name), refuse(`the "${name}" folder of the output`, null))
  }
  await requireOwnState(fs, places)
  await makeFolder(fs, places.anchor)
  await makeFolder(fs, stateFolder, PRIVATE_FOLDER)
  await makePrivate(fs, { from: join(places.anchor, '.whatif'), to: stateFolder, files: STATE_FILES })
}

/**
 * On a read-only disk, Node's recursive mkdir fails with ENOENT. Folders that are created one by one fail with the real code.
 */
async function makeFolder(fs: FileSystem, path: string, mode = 0o777): Promise<void> {
  try {
    await fs.mkdir(path, { recursive: true, mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(fs, dirname(path), mode)
    await fs.mkdir(path, { mode })
  }
}

/*
 * The state is private to the user who runs the studies: it holds columns and levels of the data, and the keys under
 * which work was bought. Results are not private, and get the modes of the user's umask.
 */

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/**
 * Removes the rights of others from the folders between `from` and `to`, both included, and from `files` of the last
 * one. They may come from an earlier version, or from a cache. Files of another user stay as they are, and so does
 * everything on a disk without rights.
 */
export async function makePrivate(
  fs: FileSystem,
  { from, to, files }: { readonly from: string; readonly to: string; readonly files: readonly string[] },
): Promise<void> {
  const folders = [to]
  while (folders[0] !== from && dirname(folders[0]!) !== folders[0]) folders.unshift(dirname(folders[0]!))
  for (const folder of folders) await tighten(fs, folder, PRIVATE_FOLDER)
  for (const file of files) await tighten(fs, join(to, file), PRIVATE_FILE)
}

async function tighten(fs: FileSystem, path: string, mode: number): Promise<void> {
  try {
    const stats = await fs.lstat(path)
    // The rights of a link are those of its target, which may be anything.
    if (!stats.isSymbolicLink() && (Number(stats.mode) & 0o077) !== 0) await fs.chmod(path, mode)
  } catch {
    // Missing, owned by another user, or not supported by this disk: the run reports what it cannot read or write.
  }
}
