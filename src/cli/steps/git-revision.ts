import { execFile } from 'node:child_process'
import { basename, dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { sha256Hex } from '../../base/sha256.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { parseMargins } from '../../data/margins/parse-margins.ts'
import { SetupError } from '../../local/setup-error.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { Diagnostic } from '../../study/diagnostics/diagnostic.ts'
import type { MarginsFile } from '../../study/margins/margins-file.ts'
import type { Located } from '../../study/yaml/located-node.ts'

/** The language's bound on a study file, and a little: what is longer is refused by its reader. */
const MOST_BYTES = 2 ** 21

/** The text of a file at a revision, or what is missing. `file`: the revision exists, but not the file in it. */
export type FileAtRevision =
  | { readonly missing: null; readonly text: string }
  | { readonly missing: 'repository' | 'revision' | 'file'; readonly message: string; readonly hint: string | null }

/** The text of a file at a revision of its repository. @throws SetupError (2) if there is none. */
export async function readAtRevision(path: string, revision: string): Promise<string> {
  const found = await findAtRevision(path, revision)
  if (found.missing !== null) throw new SetupError(2, found.message, found.hint)
  return found.text
}

/** The files of margins that a study named at a revision, as they were there. */
export async function marginsAtRevision(
  named: readonly Located<string>[],
  studyPath: string,
  revision: string,
): Promise<ReadonlyMap<string, MarginsFile | Diagnostic>> {
  const files = new Map<string, MarginsFile | Diagnostic>()
  for (const { value, range } of named) {
    if (files.has(value)) continue
    const found = await findAtRevision(resolve(dirname(studyPath), value), revision)
    const summary = `the margins "${value}" cannot be read`
    files.set(
      value,
      found.missing === null
        ? { filename: `${value}@${revision}`, sha256: sha256Hex(found.text), ...parseMargins(found.text) }
        : diagnose('S1311', { summary, range, detail: found.message }),
    )
  }
  return files
}

/**
 * Looks for a file at a revision of its repository. Neither a shell nor the network is used: nothing in the repository or
 * the revision can start a program (`cat-file` runs no filters), and a partial clone does not fetch what it lacks.
 *
 * @throws SetupError (2) for what git would take for an option.
 */
export async function findAtRevision(path: string, revision: string): Promise<FileAtRevision> {
  if (revision.startsWith('-')) throw new SetupError(2, `${escapeText(revision)} is not a revision`)
  const folder = dirname(path)
  const name = escapeText(basename(path))
  const what = `revision ${escapeText(revision)}`
  let commit: string
  try {
    commit = (await git(folder, 'rev-parse', '--quiet', '--verify', `${revision}^{commit}`)).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { missing: 'repository', message: 'git is not installed', hint: null }
    const isRepository = await git(folder, 'rev-parse', '--git-dir').then(
      () => true,
      () => false,
    )
    return isRepository
      ? { missing: 'revision', message: `the repository of ${name} has no ${what}`, hint: null }
      : {
          missing: 'repository',
          message: `${name} is in no git repository that has a ${what}`,
          hint: 'To compare the study with what a run asked for, name the manifest of that run.',
        }
  }
  try {
    return { missing: null, text: await git(folder, 'cat-file', 'blob', `${commit}:./${basename(path)}`) }
  } catch {
    const message = `${what} has no file ${name} of at most ${MOST_BYTES} bytes there`
    return { missing: 'file', message, hint: null }
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' }
  const options = { env, timeout: 20_000, maxBuffer: MOST_BYTES, windowsHide: true }
  return (await promisify(execFile)('git', ['-C', folder, ...args], options)).stdout
}
