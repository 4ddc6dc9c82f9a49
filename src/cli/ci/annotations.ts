import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Finding } from './findings.ts'

/**
 * Workflow commands of GitHub Actions: lines that its runner reads from the log of a step and obeys. Data are escaped as
 * the runner takes the escapes back (actions/runner, `ActionCommand.cs`).
 */

export type AnnotationLevel = 'error' | 'warning' | 'notice'

/** Where an annotation is shown. `file` is relative to the root of the repository, with `/`; line and column from 1. */
export interface AnnotationPlace {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

export function annotationCommand(
  level: AnnotationLevel,
  title: string,
  message: string,
  place: AnnotationPlace | null,
): string {
  const properties = [
    ...(place === null ? [] : [`file=${property(place.file)}`]),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    ...(place?.column === undefined ? [] : [`col=${place.column}`]),
    `title=${property(title)}`,
  ]
  return `::${level} ${properties.join(',')}::${data(message)}`
}

/** Commands after which the runner shows `***` for a secret. It hides whole lines, so each line is one of its own. */
export function maskCommands(secret: string): string[] {
  return secret
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `::add-mask::${data(line)}`)
}

/** `%` first, because the other escapes begin with it. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** GitHub shows ten errors, ten warnings and ten notices of a step. A notice says how many are left out. */
const MOST_ANNOTATIONS = 10

/** Errors first, and of one level gates first: they are what a reader looks for. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const rank = ({ level, isGate }: Finding): number => (level === 'error' ? 0 : 2) + (isGate ? 0 : 1)
  return [...findings].sort((a, b) => rank(a) - rank(b))
}

/** Findings as annotations, errors first. */
export function annotationCommands(findings: readonly Finding[], env: NodeJS.ProcessEnv): string[] {
  const ordered = inOrder(findings)
  const lines = ordered.slice(0, MOST_ANNOTATIONS).map(({ level, title, message, place }) => {
    const there = place && { ...place, file: pathInRepository(place.file, env) }
    return annotationCommand(level, title, message, there)
  })
  const left = ordered.length - lines.length
  return left === 0 ? lines : [...lines, annotationCommand('notice', 'whatif', `and ${left} more: see the log`, null)]
}

/** A file's path from the root of its repository, with `/`. */
export function pathInRepository(file: string, env: NodeJS.ProcessEnv): string {
  return relative(repositoryRootOf(dirname(file), env), file).replaceAll('\\', '/')
}

/**
 * Where the paths of annotations begin: the nearest folder with `.git` (a file in worktrees and submodules); for a copy
 * without one, what GitHub calls the workspace, if the file lies in it.
 */
function repositoryRootOf(start: string, env: NodeJS.ProcessEnv): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) break
  }
  const workspace = env.GITHUB_WORKSPACE ? withoutLinks(env.GITHUB_WORKSPACE) : null
  return workspace !== null && isInside(start, workspace) ? workspace : start
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

function withoutLinks(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
