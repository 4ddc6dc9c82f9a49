/** Which files a program on the other end may name: data and studies inside the project, by their plain paths. */

import * as fs from 'node:fs/promises'
import { extname, isAbsolute, join, posix, relative, sep } from 'node:path'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'
import { refuseHiddenSeed } from '../../runner/files/hidden-paths.ts'

const EXPECTED = 'Expected the path of a file inside the project, such as data/panel.csv. list_files names them.'

/** A file of the project, as the project names it. */
export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly bytes: number
}

/**
 * The path of a file of the project, relative to it, after it has been looked at: it is a regular file, nothing on the way to it is
 * hidden or a link, and so it does not lead out of the project.
 *
 * @param root Without links.
 * @throws SetupError for any other path.
 */
export async function fileOfProject(root: string, named: string): Promise<string> {
  const refuse = (why: string): SetupError => new SetupError(2, `${escapeText(named)}: ${why}`, EXPECTED)
  if (named === '' || named.includes('\0')) throw refuse('it is not the path of a file')
  if (isAbsolute(named) || /^(?:[A-Za-z]:|[\\/])/.test(named)) throw refuse('the path is absolute')
  const parts = named.split(/[\\/]/)
  if (parts.includes('..')) throw refuse('the path leads upwards')
  const path = posix.normalize(parts.join('/'))
  if (path.split('/').some(isHidden)) throw refuse('the file is hidden, or in a hidden folder')
  const place = join(root, path)
  const real = await fs.realpath(place).catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 'there is no such file' : 'it cannot be read')
  })
  if (real !== place) throw refuse('a link leads to it')
  const stats = await fs.lstat(place)
  // Also what has the name of a private key or of credentials.
  await refuseHiddenSeed(fs, root, { text: escapeText(named), path: place, range: null })
  if (!stats.isFile()) throw refuse(stats.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  return path.split('/').join(sep)
}

const isHidden = (part: string): boolean => part.startsWith('.')

/** What people keep tables and studies in. */
const KINDS: ReadonlySet<string> = new Set(
  '.csv .tsv .txt .tab .parquet .xlsx .xls .xlsb .sav .zsav .json .ndjson .jsonl .yaml .yml'.split(' '),
)

const MOST_FILES = 200
const DEEPEST = 5
/** Entries that are looked at: a project may hold a photo archive. */
const MOST_ENTRIES = 20_000

const isSecret = async (root: string, place: string): Promise<boolean> =>
  await refuseHiddenSeed(fs, root, { text: '', path: place, range: null }).then(
    () => false,
    () => true,
  )

/** Files of data and studies. `left`: whether there may be more. */
export async function filesOfProject(root: string): Promise<{ files: ProjectFile[]; left: boolean }> {
  const files: ProjectFile[] = []
  let seen = 0
  let left = false
  const folders = [{ folder: root, depth: 0 }]
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    const entries = await fs.readdir(at.folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (isHidden(entry.name) || entry.name === 'node_modules') continue
      if (seen++ === MOST_ENTRIES || files.length === MOST_FILES) return { files, left: true }
      const place = join(at.folder, entry.name)
      if (entry.isDirectory()) {
        if (at.depth === DEEPEST) left = true
        else folders.push({ folder: place, depth: at.depth + 1 })
      } else if (entry.isFile() && KINDS.has(extname(entry.name).toLowerCase()) && !(await isSecret(root, place)))
        files.push({ path: relative(root, place).split(sep).join('/'), bytes: (await fs.stat(place)).size })
    }
  }
  return { files, left }
}
