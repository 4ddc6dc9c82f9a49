import * as fs from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { writeAtomically, writeOnce } from '../../base/atomic-file.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { SetupError } from '../../local/setup-error.ts'

/** Refuses if anything exists where a file is to be written, even a dangling link. */
export async function refuseIfThere(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const isFree = await fs.lstat(path).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (!isFree) throw isThere(path)
  }
}

/** Writes a new file, whole or not at all. Never replaces a file. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  try {
    await fs.mkdir(dirname(path), { recursive: true })
    await writeOnce(fs, path, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw isThere(path)
    throw new SetupError(2, `${shownPath(path)} cannot be written (${code})`)
  }
}

/** A folder that git should ignore: its line in `.gitignore`, and its path from the project root, with `/`. */
export interface IgnoredFolder {
  readonly name: string
  readonly place: string
}

/**
 * Adds folders to the `.gitignore` of the project root; false if there is nothing to add. Existing lines stay. A line that
 * names a folder decides about it, even with `!` in front.
 */
export async function ignoreFromGit(projectRoot: string, folders: readonly IgnoredFolder[]): Promise<boolean> {
  const path = join(projectRoot, '.gitignore')
  const before = await fs.readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new SetupError(2, `${shownPath(path)} cannot be read (${error.code})`)
  })
  const lines = folders.filter((folder) => !isDecided(before ?? '', folder)).map(({ name }) => `${name}/`)
  if (before === null) {
    await writeNewFile(path, lines.map((line) => `${line}\n`).join(''))
    return true
  }
  // The target of a link may belong to something else.
  if (lines.length === 0 || (await fs.lstat(path)).isSymbolicLink()) return false
  const end = before.includes('\r\n') ? '\r\n' : '\n'
  const gap = before === '' || before.endsWith('\n') ? '' : end
  const { mode } = await fs.stat(path)
  const text = `${before}${gap}${lines.map((line) => `${line}${end}`).join('')}`
  await writeAtomically(fs, path, text, { mode: mode & 0o777, concurrent: true })
  return true
}

/** A name counts in every folder; with a leading slash, from the project root. */
function isDecided(text: string, { name, place }: IgnoredFolder): boolean {
  return text.split('\n').some((line) => {
    const pattern = line
      .trim()
      .replace(/^!/, '')
      .replace(/(?:\/\*{0,2})?$/, '')
    return [name, `**/${name}`, place, `/${place}`].includes(pattern)
  })
}

function isThere(path: string): SetupError {
  return new SetupError(2, `${shownPath(path)} exists already; nothing was written`, 'Move the file away, or edit it.')
}

/** As somebody in the working folder would type it. */
export function shownPath(path: string): string {
  return escapeText(relative(process.cwd(), path).split(sep).join('/'))
}
