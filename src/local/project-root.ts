import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DiskError } from '../runner/interface/disk-error.ts'

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
 *
 * @throws DiskError where the project may not be written to.
 */
export function makeStateFolder(projectRoot: string): string {
  const folder = join(projectRoot, '.whatif')
  if (!existsSync(folder))
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw NOT_WRITABLE.includes(code) ? readOnly(code, error) : error
    }
  tighten(folder)
  const ignore = join(folder, '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  return folder
}

const NOT_WRITABLE: readonly string[] = ['EACCES', 'EPERM', 'EROFS']

function readOnly(code: string, cause: unknown): DiskError {
  const words =
    'whatif keeps its state there and may not write; copy the project to a folder that you may write to, or use a remote service with --out'
  return new DiskError(code, '.whatif', cause, words)
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
