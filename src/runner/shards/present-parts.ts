import { join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { partOfFolder } from '../../study/shards/shards.ts'
import { PART_NAME } from './write-part.ts'

/** Parts of a study whose runs have ended, in its output folder. Whether they are of this version of the study is for a merge to say. */
export interface PresentParts {
  readonly of: number
  /** From 1, in sequence. */
  readonly indexes: readonly number[]
}

/** The parts in the output folder of a study, by the number of parts. */
export async function presentParts(fs: FileSystem, outputFolder: string): Promise<readonly PresentParts[]> {
  const entries = await fs.readdir(outputFolder, { withFileTypes: true }).catch(() => [])
  const found = new Map<number, number[]>()
  for (const entry of entries) {
    const part = entry.isDirectory() ? partOfFolder(entry.name) : null
    if (part !== null && (await isFile(fs, join(outputFolder, entry.name, PART_NAME))))
      found.set(part.of, [...(found.get(part.of) ?? []), part.index])
  }
  return [...found].map(([of, indexes]) => ({ of, indexes: indexes.sort((a, b) => a - b) })).sort((a, b) => a.of - b.of)
}

const isFile = async (fs: FileSystem, path: string): Promise<boolean> =>
  await fs.lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
