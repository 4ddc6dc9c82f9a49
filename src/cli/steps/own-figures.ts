import * as fs from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ExactFigures } from '../../data/declare/exact-figures.ts'
import { declarationsOf } from '../../runner/files/seed-files.ts'
import type { Declarations } from '../../study/declarations.ts'
import type { Target } from './named-data.ts'

/** A larger file takes long to be read once more. */
const MOST_BYTES = 50e6

/**
 * Exact figures of a seed file by the names of its columns, as its declarations leave them: whoever reads them holds all of its rows
 * anyway. Undefined where no file is here, or where they take too long.
 *
 * @param declared what the command declares about a file without a study.
 * @param seedPath where the file was read, which may be the copy of an object in a bucket; null for a dataset of the service.
 */
export async function ownFigures(
  target: Target,
  declared: Declarations | null,
  seedPath: string | null,
): Promise<ReadonlyMap<string, ExactFigures> | undefined> {
  const own = target.kind === 'file' ? { path: target.path, declared } : seedOf(target, seedPath)
  // A trained dataset may be asked about where its file is not.
  const size =
    own === null
      ? null
      : await fs.stat(own.path).then(
          (stats) => stats.size,
          () => null,
        )
  if (own === null || size === null || size > MOST_BYTES) return undefined
  const { exactFigures } = await import('../../data/declare/exact-figures.ts')
  if (target.kind === 'file' || own.declared === null) return await exactFigures(own.path, own.declared ?? {})
  const { declaredSeed } = await import('../../data/declare/declared-seed.ts')
  const { file } = await declaredSeed(own.path, own.declared, {})
  try {
    return file === null ? undefined : await exactFigures(file.path)
  } finally {
    await file?.remove()
  }
}

/** The file of a dataset of a study; null for a dataset of the service. */
function seedOf(target: Exclude<Target, { kind: 'file' }>, seedPath: string | null) {
  if (target.kind === 'id' || target.file.study === null) return null
  const { datasets } = target.file.study
  const dataset = datasets.get(target.dataset ?? [...datasets.keys()][0] ?? '')
  if (dataset === undefined || dataset.kind === 'existing') return null
  const path = dataset.object === undefined ? resolve(dirname(target.file.path), dataset.file) : seedPath
  return path === null ? null : { path, declared: declarationsOf(dataset) }
}
