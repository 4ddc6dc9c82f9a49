import { resolve } from 'node:path'
import pLimit from 'p-limit'
import { isInside } from '../../base/paths.ts'
import { hashFile } from '../../base/sha256.ts'
import type { Study } from '../../study/study.ts'
import type { RunEnvironment } from '../interface/run-options.ts'
import type { StudyState } from '../plan/study-state.ts'
import { artifactPath, exportedPath, type RunPlaces } from './project-paths.ts'

/** Files hashed at once: each hash is bound by one core. */
const AT_ONCE = 4

/**
 * SHA-256 of the artifacts on disk: at the paths of the study's scenarios, and at paths where the state recorded them
 * under another name or in another folder. By path relative to the anchor.
 */
export async function scanArtifacts(
  study: Study,
  state: StudyState,
  places: RunPlaces,
  env: Pick<RunEnvironment, 'fs'>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const paths = new Set(study.scenarios.map((scenario) => artifactPath(places, scenario)))
  for (const scenario of study.scenarios) {
    const exported = exportedPath(places, scenario)
    if (exported !== null) paths.add(exported)
  }
  for (const { path, exported } of state.scenarios.values()) {
    paths.add(path)
    if (exported !== undefined) paths.add(exported.path)
  }
  const limit = pLimit(AT_ONCE)
  const files = new Map<string, string>()
  const there = await listedPaths(paths, places, env.fs, signal)
  await Promise.all(
    there.map((path) =>
      limit(async () => {
        signal.throwIfAborted()
        const sha256 = await hashIfRegular(resolve(places.anchor, path), places, env, signal)
        if (sha256 !== null) files.set(path, sha256)
      }),
    ),
  )
  return files
}

/**
 * The `paths` (relative to the anchor, with `/`) at which a folder's listing has a regular file. Each folder is read
 * once, so that a study without results costs one call and not one per scenario.
 */
async function listedPaths(
  paths: Iterable<string>,
  places: Pick<RunPlaces, 'anchor' | 'outputFolder'>,
  fs: RunEnvironment['fs'],
  signal: AbortSignal,
): Promise<string[]> {
  const byFolder = new Map<string, string[]>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const known = byFolder.get(folder)
    if (known === undefined) byFolder.set(folder, [path])
    else known.push(path)
  }
  const there: string[][] = []
  for (const [folder, inFolder] of byFolder) {
    signal.throwIfAborted()
    const place = resolve(places.anchor, folder)
    if (!isOwnPlace(place, places)) continue
    const names = await regularFiles(fs, place)
    there.push(inFolder.filter((path) => names.has(path.slice(folder.length))))
  }
  return there.flat()
}

/** Names of the regular files in a folder; none when there is no such folder. Links are not followed. */
async function regularFiles(fs: RunEnvironment['fs'], folder: string): Promise<Set<string>> {
  try {
    const entries = await fs.readdir(folder, { withFileTypes: true })
    return new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name))
  } catch (error) {
    if (isAbsent(error)) return new Set()
    throw error
  }
}

/** Null when there is no regular file: links are not followed, so a planted one is not read. */
export async function hashIfRegular(
  path: string,
  places: Pick<RunPlaces, 'anchor' | 'outputFolder'>,
  env: Pick<RunEnvironment, 'fs'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!isOwnPlace(path, places)) return null
  try {
    if (!(await env.fs.lstat(path)).isFile()) return null
    return (await hashFile(path, { signal })).sha256
  } catch (error) {
    signal.throwIfAborted()
    if (isAbsent(error)) return null
    throw error
  }
}

/** The state is a file too, and could have been edited to name any place. */
function isOwnPlace(path: string, places: Pick<RunPlaces, 'anchor' | 'outputFolder'>): boolean {
  return isInside(places.anchor, path) || isInside(places.outputFolder, path)
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}
