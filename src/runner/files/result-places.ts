import { basename, dirname, join, resolve } from 'node:path'
import { isTornManifest } from '../../answers/manifest/torn-manifest.ts'
import type { FileSystem } from '../../base/atomic-file.ts'
import { portablePath } from '../../base/paths.ts'
import type { Study } from '../../study/study.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import { pagePath, type RunPlaces, recordPath } from './project-paths.ts'

/** A study and the places of its results. */
interface StudyPlaces {
  readonly study: Study
  readonly places: RunPlaces
}

/** Far more than a manifest of 10,000 scenarios needs. */
const MOST_BYTES = 512 * 2 ** 20

/**
 * Refuses to replace a `manifest.json` that no run of this program wrote: browser extensions, web applications and
 * packagers use the same name, and the study names the folder. The manifest of another study may be replaced: its runs
 * keep their own copies in `runs/`. So may one of ours that is damaged.
 */
export async function requireOwnManifest(fs: FileSystem, places: RunPlaces): Promise<'sound' | 'damaged'> {
  const path = join(places.outputFolder, 'manifest.json')
  if (await isFreeOrOurs(fs, path)) return 'sound'
  if ((await isTorn(fs, path)) && (await hasRecord(fs, places.outputFolder))) return 'damaged'
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

async function isTorn(fs: FileSystem, path: string): Promise<boolean> {
  const stats = await fs.lstat(path)
  if (!stats.isFile() || Number(stats.size) > MOST_BYTES) return false
  return isTornManifest(await fs.readFile(path, 'utf8'))
}

/** Whether runs of this program have written to the folder: they keep copies of their manifests in `runs/`. */
async function hasRecord(fs: FileSystem, outputFolder: string): Promise<boolean> {
  const runs = join(outputFolder, 'runs')
  const names = await fs.readdir(runs).catch(() => [] as string[])
  for (const name of names
    .filter((each) => each.endsWith('.json'))
    .sort()
    .reverse()) {
    const stats = await fs.lstat(join(runs, name))
    if (stats.isFile() && Number(stats.size) <= MOST_BYTES && (await isFreeOrOurs(fs, join(runs, name)))) return true
  }
  return false
}

/**
 * The same for `report.html`: refuses to replace what is not such a page. An empty file holds nobody's work.
 *
 * @param mark how a page begins.
 */
export async function requireOwnPage(fs: FileSystem, places: RunPlaces, mark: string): Promise<void> {
  const path = pagePath(places)
  if (await isFreeOrPage(fs, path, Buffer.from(mark))) return
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because ${portablePath(places.anchor, path)} is not the report of a whatif run, and a run would replace it. Give the study another output.dir, move the file away, or pass --no-html or --overwrite`,
  )
}

/** The same for `run-record.json`. An empty file holds nobody's work. */
export async function requireOwnRecord(fs: FileSystem, places: RunPlaces): Promise<void> {
  const path = recordPath(places)
  if (await isFreeOrRecord(fs, path)) return
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because ${portablePath(places.anchor, path)} is not the record of a whatif run, and a run would replace it. Give the study another output.dir, move the file away, or pass --overwrite`,
  )
}

async function isFreeOrRecord(fs: FileSystem, path: string): Promise<boolean> {
  try {
    const stats = await fs.lstat(path)
    if (!stats.isFile() || Number(stats.size) > MOST_BYTES) return false
    if (Number(stats.size) === 0) return true
    const { record_version, generated } = JSON.parse(await fs.readFile(path, 'utf8')) as Record<string, unknown>
    return typeof record_version === 'number' && typeof generated === 'object'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

async function isFreeOrPage(fs: FileSystem, path: string, mark: Buffer): Promise<boolean> {
  try {
    const stats = await fs.lstat(path)
    if (!stats.isFile()) return false
    if (Number(stats.size) === 0) return true
    const file = await fs.open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0)
      return buffer.subarray(0, bytesRead).equals(mark)
    } finally {
      await file.close()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Accepts any version: the question is who wrote the file, not whether it can be read. */
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
 * Refuses work (`bought`: artifacts, relative to the anchor) that would be bought and then could not be stored, because
 * a folder, a link, a pipe or a seed file occupies the path of its artifact. Another regular file there is compared
 * when the artifact's hash is known: it may be that very artifact.
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
    // The run removes any file of this name, because the name belongs to it.
    const part = kinds.get(resolve(places.anchor, `${path}.part`)) ?? null
    return [
      ...(place === null || (overwrite && place !== FOLDER) ? [] : [`${path} is ${place}`]),
      ...(part === FOLDER ? [`${path}.part is ${part}`] : []),
    ]
  })
  if (inTheWay.length === 0) return
  const remedy = overwrite ? '' : ', or pass --overwrite to replace everything but folders'
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because results could not be put in their places: ${inTheWay.join('; ')}. Move that away${remedy}`,
  )
}

const FOLDER = 'a folder'

function kindOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): string {
  if (entry.isDirectory()) return FOLDER
  return entry.isSymbolicLink() ? 'a symbolic link' : 'not a regular file'
}

/** The names in the output folder that are seed files of the study. */
export interface SeedPlaces {
  /**
   * Whether `path` (absolute, in the output folder) is one of them: a result never replaces one, even with
   * `--overwrite`.
   */
  has(path: string): Promise<boolean>
}

/**
 * Finds where the seed files are now. Folders and files are identified by device and inode, so the spelling of a path,
 * its links and the case of its letters do not matter; a copy with the same bytes is another file. If the study names a
 * link, both the link and its target are seed files.
 */
export async function seedPlaces(fs: FileSystem, { study, places }: StudyPlaces): Promise<SeedPlaces> {
  const folder = await identity(fs, await realOrNull(fs, places.outputFolder))
  const seeds = new Set<string>()
  for (const dataset of study.datasets.values()) {
    if (dataset.kind !== 'file' || dataset.object !== undefined) continue
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

/**
 * Identifies the file at a name, without following links; null: nothing readable. On a disk without inodes, the path.
 */
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
