import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { writeNewFile } from './new-files.ts'

/** A study and its lock file have the same bytes on every machine, whatever git is set to. */
const LINES = ['*.study.yaml text eol=lf', '*.study.lock.json text eol=lf'] as const

/** Files that git takes for text. In all others it finds bytes of 0 and leaves them alone. */
const TEXT = /\.(?:csv|tsv|tab|txt)$/i

/**
 * Writes `.gitattributes` at the root of a repository that has none. A file that is there is somebody's decision: then the lines
 * that it lacks are returned. Nothing happens outside a repository.
 *
 * @param seedFile absolute path of a seed file in the repository: its digest is in the lock file, so git leaves it as it is
 */
export async function keepLineEnds(
  root: string,
  seedFile: string | null,
): Promise<{ readonly written: string | null; readonly toAdd: readonly string[] }> {
  if (!existsSync(join(root, '.git'))) return { written: null, toAdd: [] }
  const path = join(root, '.gitattributes')
  const lines = [...LINES, ...(seedFile !== null && TEXT.test(seedFile) ? [seedLine(root, seedFile)] : [])]
  const text = await fs.readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    // It is there, whatever it is.
    return ''
  })
  if (text === null) {
    await writeNewFile(path, lines.map((line) => `${line}\n`).join(''))
    return { written: path, toAdd: [] }
  }
  const there = text.split('\n').map((line) => line.trim().split(/\s+/))
  // A pattern that names such files, or all of them with LF or as they are, decides.
  const isDecided = (line: string) => {
    const patterns = [patternOf(line), ...(line.endsWith(' -text') ? [`*${extname(seedFile ?? '')}`] : [])]
    return there.some(
      ([named = '', ...values]) =>
        patterns.includes(named) || (named === '*' && (values.includes('eol=lf') || values.includes('-text'))),
    )
  }
  return { written: null, toAdd: lines.filter((line) => !isDecided(line)) }
}

/** Anchored at the root, because a bare name means files of all folders. */
function seedLine(root: string, seedFile: string): string {
  // `?` is one character, whichever: git has no other sign for a blank, and quotes are not read by every version.
  const name = relative(root, seedFile)
    .split(sep)
    .join('/')
    .replace(/[\s"\\*?[\]]/g, '?')
  return `/${name} -text`
}

const patternOf = (line: string): string => line.split(' ')[0]!
