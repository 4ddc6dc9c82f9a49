import { basename, dirname, join, resolve } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import type { RunContext } from '../session/run-context.ts'

/** The names in the output folder that are seed files of the study. */
export interface SeedPlaces {
  /** Whether `path` (absolute, in the output folder) is one of them: a result never takes its place, whatever `--overwrite` says. */
  has(path: string): Promise<boolean>
}

/**
 * Looks where the seed files are now. Folders and files are known by device and inode, so that it does not matter how a path
 * is spelled, which links it goes through and whether the disk tells upper from lower case; a copy with the same bytes is
 * another file. Where the study names a link, the link is a seed file as well as what it leads to.
 */
export async function seedPlaces(
  context: Pick<RunContext, 'study' | 'places'> & { readonly env: Pick<RunContext['env'], 'fs'> },
): Promise<SeedPlaces> {
  const { study, places, env } = context
  const folder = await identity(env.fs, await realOrNull(env.fs, places.outputFolder))
  const seeds = new Set<string>()
  for (const dataset of study.datasets.values()) {
    if (dataset.kind !== 'file') continue
    const written = resolve(places.studyFolder, dataset.file)
    for (const path of [written, await realOrNull(env.fs, written)]) {
      if (path === null || (await identity(env.fs, await realOrNull(env.fs, dirname(path)))) !== folder) continue
      const seed = await identity(env.fs, join(places.outputFolder, basename(path)))
      if (seed !== null) seeds.add(seed)
    }
  }
  return {
    has: async (path) => {
      const found = seeds.size === 0 ? null : await identity(env.fs, path)
      return found !== null && seeds.has(found)
    },
  }
}

/** What is at a name, a link itself included; null: nothing that may be looked at. Of a disk without inodes the path has to do. */
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
