import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isInside } from '../../base/paths.ts'
import type { RunRecord } from '../../records/run-record.ts'
import { SetupError } from '../setup-error.ts'
import { readStudyFile, type StudyFile } from '../study-file.ts'

/** The study of a run, or why it is not looked at. */
export type RecordedStudy = { readonly file: StudyFile } | { readonly file: null; readonly why: string }

/**
 * Finds the study of a run: the one that is named, else the one that the record names, if the record still lies in its project. A
 * record may come from anywhere, so only a study inside that project is read, which no part of the path may hide.
 *
 * @param named of `--study`.
 * @param folder of the record; absolute.
 */
export async function findRecordedStudy(
  named: string | undefined,
  folder: string,
  record: RunRecord | null,
): Promise<RecordedStudy> {
  if (named !== undefined) return { file: await readStudyFile(named) }
  const nowhere = (why: string) => ({ file: null, why: `${why}; --study FILE names it` })
  const path = record?.used.study?.path ?? null
  if (record === null || path === null || record.folder === null) return nowhere('no record says where it is')
  const root = rootAbove(folder, record.folder)
  if (root === null) return nowhere('the manifest does not lie in its project')
  const isNamed = /\.ya?ml$/.test(path) && !path.split(/[\\/]/).some((part) => part.startsWith('.'))
  const place = resolve(root, path)
  if (!isNamed || !isInside(root, place)) return nowhere('the record names no study inside the project')
  try {
    // The folder of the study decides, wherever links lead.
    const real = await realpath(place)
    if (!isInside(await realpath(root), real) || !(await stat(real)).isFile()) return nowhere('it is not a file there')
    return { file: await readStudyFile(place) }
  } catch (error) {
    if (error instanceof SetupError) throw error
    return nowhere('it is not there')
  }
}

/** The root of the project in which a folder has this place; null: the folder lies elsewhere now. */
function rootAbove(folder: string, place: string): string | null {
  let root = folder
  for (const part of place
    .split('/')
    .filter((each) => each !== '')
    .reverse()) {
    if (basename(root) !== part || dirname(root) === root) return null
    root = dirname(root)
  }
  return join(root)
}
