import type { FileSystem } from '../../base/atomic-file.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunContext } from '../session/run-context.ts'
import { portablePath, resultPaths } from './project-paths.ts'

/** Far above what a manifest of 10,000 scenarios has. */
const MOST_BYTES = 512 * 2 ** 20

/**
 * Refuses to replace a `manifest.json` that no run of ours wrote: browser extensions, web applications and packagers have
 * files of that name too, and the folder is named by the study. That of another study of ours may go: its runs keep their
 * own copies in `runs/`.
 */
export async function requireOwnManifest({ env, places, options, runId }: RunContext): Promise<void> {
  if (options.overwrite) return
  const { manifest } = resultPaths(places, runId)
  if (await isFreeOrOurs(env.fs, manifest)) return
  throw new RunRefusalError(
    'usage',
    'place_taken',
    `nothing was sent, because ${portablePath(places.anchor, manifest)} is not the manifest of a whatif run, and a run would replace it. Give the study another output.dir, move the file away, or pass --overwrite`,
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
