import { basename, dirname, join, resolve } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { portablePath } from '../../base/paths.ts'
import type { Study } from '../../study/study.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunPlaces } from './project-paths.ts'

/** A study, and where its results go. */
interface StudyPlaces {
  readonly study: Study
  readonly places: RunPlaces
}

/** Far above what a manifest of 10,000 scenarios has. */
const MOST_BYTES = 512 * 2 ** 20

/**
 * Refuses to replace a `manifest.json` that no run of ours wrote: browser extensions, web applications and packagers have
 * files of that name too, and the folder is named by the study. That of another study of ours may go: its runs keep their
 * own copies in `runs/`.
 */
export async function requireOwnManifest(fs: FileSystem, places: RunPlaces): Promise<void> {
  const path = join(places.outputFolder, 'manifest.json')
  if (await isFreeOrOurs(fs, path)) return
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because ${portablePath(places.anchor, path)} is not the manifest of a whatif run, and a run would replace it. Give the study another output.dir, move the file away, or pass --overwrite`,
  )
}

async function isFreeOrOurs(fs: FileSystem, path: string): Promise<boolean> {
  try {
    const stats = await fs.lstat(path)
    if (!stats.isFile() || Number(stats.size) > MOST_BYTES) return false
    return isManifest(JSON.parse(await fs.readFile(path, 'utf8')))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Of whatever version: what is asked is whose it is, not whether it can be read. */
function isManifest(value: unknown): boolean {
  const { manifest_version, study, totals, run } = (value ?? {}) as Record<string, Record<string, unknown> | undefined>
  return (
    typeof manifest_version === 'number' &&
    typeof study?.name === 'string' &&
    typeof totals?.scenarios === 'number' &&
    typeof run?.tool === 'string'
  )
}

/**
 * Refuses work (`bought`: artifacts, relative to the anchor) that would be bought and then could not be stored, because a folder, a link or a pipe stands in the place
 * of its artifact, or a seed file. Another regular file there is compared when the artifact's hash is known: it may be that
 * very artifact.
 */
export async function requireFreePlaces(
  fs: FileSystem,
  { study, places }: StudyPlaces,
  bought: readonly { readonly id: string; readonly path: string }[],
  { overwrite }: { readonly overwrite: boolean },
): Promise<void> {
  if (bought.length === 0) return
  const folder = places.outputFolder
  const entries = await fs.readdir(folder, { withFileTypes: true })
  const seeds = await seedPlaces(fs, { study, places })
  for (const { id, path } of bought) {
    if (!(await seeds.has(resolve(places.anchor, path)))) continue
    const said = `nothing was sent, because ${path} is a seed file of this study, and the result of ${id} would replace it`
    throw new RunRefusalError(
      'usage',
      'place_taken',
      `${said}. Give the scenario another name, or the study another output.dir`,
    )
  }
  const kinds = new Map(entries.map((e) => [resolve(folder, e.name), e.isFile() ? null : kindOf(e)]))
  const inTheWay = bought.flatMap(({ path }) => {
    const place = kinds.get(resolve(places.anchor, path)) ?? null
    // The run removes any file of this name: the name is its own.
    const part = kinds.get(resolve(places.anchor, `${path}.part`)) ?? null
    return [
      ...(place === null || (overwrite && place !== FOLDER) ? [] : [`${path} is ${place}`]),
      ...(part === FOLDER ? [`${path}.part is ${part}`] : []),
    ]
  })
  if (inTheWay.length === 0) return
  const remedy = overwrite ? '' : ', or pass --overwrite to replace what is no folder'
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because results could not be put in their places: ${inTheWay.join('; ')}. Move that away${remedy}`,
  )
}

const FOLDER = 'a folder'

function kindOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): string {
  if (entry.isDirectory()) return FOLDER
  return entry.isSymbolicLink() ? 'a symbolic link' : 'no regular file'
}

/** The names in the output folder that are seed files of the study. */
export interface SeedPlaces {
  /** Whether `path` (absolute, in the output folder) is one of them: a result never takes its place, whatever `--overwrite` says. */
  has(path: string): Promise<boolean>
}

/**
 * Finds where the seed files are now. Folders and files are known by device and inode, so that it does not matter how a path
 * is spelled, which links it goes through and whether the disk distinguishes upper and lower case; a copy with the same bytes is
 * another file. Where the study names a link, the link is a seed file as well as what it leads to.
 */
export async function seedPlaces(fs: FileSystem, { study, places }: StudyPlaces): Promise<SeedPlaces> {
  const folder = await identity(fs, await realOrNull(fs, places.outputFolder))
  const seeds = new Set<string>()
  for (const dataset of study.datasets.values()) {
    if (dataset.kind !== 'file') continue
    const written = resolve(places.studyFolder, dataset.file)
    for (const path of [written, await realOrNull(fs, written)]) {
      if (path === null || (await identity(fs, await realOrNull(fs, dirname(path)))) !== folder) continue
      const seed = await identity(fs, join(places.outputFolder, basename(path)))
      if (seed !== null) seeds.add(seed)
    }
  }
  return {
    has: async (path) => {
      const found = seeds.size === 0 ? null : await identity(fs, path)
      return found !== null && seeds.has(found)
    },
  }
}

/** Identifies what is at a name, without following links; null: nothing readable. On a disk without inodes, the path. */
async function identity(fs: FileSystem, path: string | null): Promise<string | null> {
  try {
    if (path === null) return null
    const { dev, ino } = await fs.lstat(path, { bigint: true })
    return ino === 0n ? path : `${dev}:${ino}`
  } catch {
    return null
  }
}

async function realOrNull(fs: FileSystem, path: string): Promise<string | null> {
  return await fs.realpath(path).then(String, () => null)
}
