import { resolve } from 'node:path'
import pLimit from 'p-limit'
import type { StudyState } from '../plan/study-state.ts'
import type { Study } from '../spec/study.ts'
import { artifactPath, isInside, type RunPlaces } from './project-paths.ts'
import type { RunEnvironment } from './run-options.ts'

/** Files hashed at once: hashing is bound by one core each. */
const AT_ONCE = 4

/**
 * SHA-256 of the artifacts that are on disk: at the places of the study's scenarios, and where the state says that they
 * were stored under another name or in another folder. By path relative to the anchor.
 */
export async function scanArtifacts(
  study: Study,
  state: StudyState,
  places: RunPlaces,
  env: Pick<RunEnvironment, 'fs' | 'hashFile'>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const paths = new Set(study.scenarios.map((scenario) => artifactPath(places, scenario)))
  for (const { path } of state.scenarios.values()) paths.add(path)
  const limit = pLimit(AT_ONCE)
  const files = new Map<string, string>()
  await Promise.all(
    [...paths].map((path) =>
      limit(async () => {
        signal.throwIfAborted()
        const sha256 = await hashIfRegular(resolve(places.anchor, path), places, env, signal)
        if (sha256 !== null) files.set(path, sha256)
      }),
    ),
  )
  return files
}

/** Null when there is no regular file of one's own: links are not followed, so a planted one is not read. */
export async function hashIfRegular(
  path: string,
  places: Pick<RunPlaces, 'anchor' | 'outputFolder'>,
  env: Pick<RunEnvironment, 'fs' | 'hashFile'>,
  signal: AbortSignal,
): Promise<string | null> {
  // The state is a file too, and could have been made to name any place.
  if (!isInside(places.anchor, path) && !isInside(places.outputFolder, path)) return null
  try {
    if (!(await env.fs.lstat(path)).isFile()) return null
    return (await env.hashFile(path, { signal })).sha256
  } catch (error) {
    signal.throwIfAborted()
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}
