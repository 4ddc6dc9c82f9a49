import * as fs from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { StudyPlace } from '../../explore/keep/study-on-disk.ts'
import type { InspectedSource } from '../../runner/datasets/inspect-dataset.ts'
import type { Declarations } from '../../study/declarations.ts'
import { shownPath } from '../files/new-files.ts'
import { slugOfFile } from './file-slug.ts'
import type { Target } from './named-data.ts'

/**
 * The study that scenarios of the page are kept in: the one that was opened, or a new one in the working folder for a seed file of the
 * project. Null for a dataset that is known by its id, and for a file that a study may not read.
 */
export async function placeOfStudy(
  target: Target,
  source: InspectedSource,
  declared: Declarations | null,
  projectRoot: string,
): Promise<StudyPlace | null> {
  if (target.kind === 'id') return null
  if (target.kind === 'study') {
    const { path } = target.file
    const dataset = target.dataset ?? [...target.file.study!.datasets.keys()][0]!
    return { path, shown: shownPath(path), dataset, text: await fs.readFile(path, 'utf8'), fresh: null }
  }
  const seed = await fs.realpath(target.path)
  const way = relative(projectRoot, seed)
  if (way.startsWith(`..${sep}`) || isAbsolute(way)) return null
  const name = slugOfFile(target.path)
  const path = resolve(`${name}.study.yaml`)
  const displayName = source.kind === 'file' ? source.displayName : name
  return {
    path,
    shown: shownPath(path),
    dataset: name,
    text: null,
    fresh: {
      name,
      file: relative(dirname(path), seed).split(sep).join('/'),
      displayName: displayName === name ? null : displayName,
      reading: declared ?? {},
    },
  }
}
