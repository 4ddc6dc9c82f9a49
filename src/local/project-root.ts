import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Nearest ancestor of the study file that holds `.git` or `package.json`; else the study's own folder. */
export function projectRootOf(studyFile: string): string {
  const start = realpathSync(dirname(resolve(studyFile)))
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) || existsSync(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) return start
  }
}

/** Nearest ancestor of the study file that holds `.git`; without any, the project root. */
export function repositoryRootOf(studyFile: string): string {
  for (let folder = realpathSync(dirname(resolve(studyFile))); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return projectRootOf(studyFile)
  }
}

/**
 * Makes `.whatif` under the project root, ignored by git from within. It holds the embedded service's data and
 * credentials and the runner's state, none of which belongs in a repository or may be read by other users of the
 * machine.
 */
export function makeStateFolder(projectRoot: string): string {
  const folder = join(projectRoot, '.whatif')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  tighten(folder)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  return folder
}

/**
 * Tightens the rights of an existing folder, made by an earlier version or by hand. A folder of another user stays as
 * it is.
 */
function tighten(folder: string): void {
  try {
    const stats = lstatSync(folder)
    if (stats.isDirectory() && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  } catch {
    // A disk without rights, or a folder of another user: reading or writing there reports the fault.
  }
}
