import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { escapeText } from '../base/text/escape-text.ts'
import { SetupError } from '../local/setup-error.ts'

/** The language's bound on a study file, and a little: what is longer is refused by its reader. */
const MOST_BYTES = 2 ** 21

/** A revision, or the file in it, that is not there. */
export class NotAtRevision extends SetupError {
  /** `file`: the revision is there, and has no such file. */
  readonly missing: 'repository' | 'revision' | 'file'

  constructor(missing: NotAtRevision['missing'], message: string, hint?: string) {
    super(2, message, hint)
    this.missing = missing
  }
}

/**
 * A file as a revision of its repository has it. No shell and no network: nothing that the repository or the revision
 * says can start a program (`cat-file` runs no filters), and a partial clone does not fetch what it lacks.
 */
export async function readAtRevision(path: string, revision: string): Promise<string> {
  if (revision.startsWith('-')) throw new SetupError(2, `${escapeText(revision)} is no revision`)
  const folder = dirname(path)
  const what = `revision ${escapeText(revision)}`
  const commit = await git(folder, 'rev-parse', '--quiet', '--verify', `${revision}^{commit}`).catch(
    async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new NotAtRevision('repository', 'git is not installed')
      await git(folder, 'rev-parse', '--git-dir').catch(() => {
        throw new NotAtRevision(
          'repository',
          `${escapeText(basename(path))} is in no git repository that has a ${what}`,
          'Name the manifest of a run to compare the study with what that run asked.',
        )
      })
      throw new NotAtRevision('revision', `${what}: the repository of ${escapeText(basename(path))} has none such`)
    },
  )
  return git(folder, 'cat-file', 'blob', `${commit.trim()}:./${basename(path)}`).catch(() => {
    throw new NotAtRevision(
      'file',
      `${what} has no file ${escapeText(basename(path))} of at most ${MOST_BYTES} bytes there`,
    )
  })
}

async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' }
  const options = { env, timeout: 20_000, maxBuffer: MOST_BYTES, windowsHide: true }
  return (await promisify(execFile)('git', ['-C', folder, ...args], options)).stdout
}
