import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { writeNewFile } from './new-files.ts'

/** A study and its lock file have the same bytes on every machine, whatever git is set to. */
const LINES = ['*.study.yaml text eol=lf', '*.study.lock.json text eol=lf'] as const

/**
 * Writes `.gitattributes` at the root of a repository that has none. A file that is there is somebody's decision: then the lines
 * that it lacks are returned. Nothing happens outside a repository.
 */
export async function keepLineEnds(
  root: string,
): Promise<{ readonly written: string | null; readonly toAdd: readonly string[] }> {
  if (!existsSync(join(root, '.git'))) return { written: null, toAdd: [] }
  const path = join(root, '.gitattributes')
  const text = await fs.readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    // It is there, whatever it is.
    return ''
  })
  if (text === null) {
    await writeNewFile(path, LINES.map((line) => `${line}\n`).join(''))
    return { written: path, toAdd: [] }
  }
  const there = text.split('\n').map((line) => line.trim().split(/\s+/))
  // A pattern that names such files, or all of them with LF, decides.
  const isDecided = (pattern: string) =>
    there.some(([named, ...values]) => named === pattern || (named === '*' && values.includes('eol=lf')))
  return { written: null, toAdd: LINES.filter((line) => !isDecided(line.split(' ')[0]!)) }
}
