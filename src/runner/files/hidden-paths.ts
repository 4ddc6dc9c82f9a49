import { dirname, resolve } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { portablePath } from '../../base/paths.ts'
import { diagnose } from '../../study/diagnostics/diagnose.ts'
import type { SourceRange } from '../../study/diagnostics/diagnostic.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { RunOptions, RunRequest } from '../interface/run-options.ts'
import { realPlace } from './project-paths.ts'

/*
 * A study can arrive in a pull request like any other change, and the file that it names is uploaded. Hidden files of a
 * project are not data: credentials (.env, .npmrc, .ssh), the repository itself (.git, whose configuration can hold a
 * token) and our own state (.whatif).
 */

/** Common names of private keys and stored credentials; compared in lower case. */
const SECRET_NAMES = [
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?$/,
  /\.(?:pem|key|p8|p12|pfx|pk8|ppk|jks|jceks|keystore|kdbx)$/,
  /^(?:aws[_-]?)?credentials(?:\.(?:json|csv|ya?ml|ini|toml|txt))?$/,
  /^secrets?\.(?:json|ya?ml|toml|ini|txt)$/,
  /^(?:client[_-]secret|service[_-]account)(?:[_.-].*)?\.json$/,
  /\.tfstate(?:\.backup)?$/,
]

/** Why a path is refused, as the end of a sentence; null when it is not. */
function objection(path: string): string | null {
  const names = path.split('/').filter((name) => name !== '' && name !== '.' && name !== '..')
  const hidden = names.findIndex((name) => name.startsWith('.'))
  if (hidden !== -1) return hidden === names.length - 1 ? 'is hidden' : `lies in the hidden folder "${names[hidden]}"`
  const name = names.at(-1)?.toLowerCase() ?? ''
  return SECRET_NAMES.some((secret) => secret.test(name)) ? 'has the name of a private key or of credentials' : null
}

type OutputRequest = Pick<RunRequest, 'study' | 'studyFile' | 'projectRoot' | 'out'> & {
  readonly options: Pick<RunOptions, 'allowHidden'>
}

interface WrittenPath {
  /** As written in the study. */
  readonly text: string
  /** Absolute. */
  readonly path: string
  readonly range: SourceRange | null
}

/**
 * Refuses a seed file that is hidden, is in a hidden folder of the project, or has the name of a private key. Both the
 * written path and the target of its links are checked. The message does not reveal whether the file exists. The
 * folders above the project do not count.
 */
export async function refuseHiddenSeed(
  fs: FileSystem,
  root: string,
  { text, path, range }: WrittenPath,
): Promise<void> {
  await refuse(fs, root, path, (why, led) =>
    hiddenPath(
      range,
      led === null ? `the seed file "${text}" ${why}` : `the seed file "${text}" is a link to "${led}", which ${why}`,
      'a run uploads the files that a study names, and such files hold secrets; for a file that you trust, pass --allow-hidden',
    ),
  )
}

/** The same for a file of margins, whose text messages may quote. */
export async function refuseHiddenMargins(
  fs: FileSystem,
  root: string,
  { text, path, range }: WrittenPath,
): Promise<void> {
  await refuse(fs, root, path, (why, led) =>
    hiddenPath(
      range,
      led === null
        ? `the file of margins "${text}" ${why}`
        : `the file of margins "${text}" is a link to "${led}", which ${why}`,
      'such files hold secrets; put the margins into another file',
    ),
  )
}

/**
 * The same for the results folder: results could replace files of other programs there. `--out` does not come from the
 * study.
 */
export async function refuseHiddenOutput(
  fs: FileSystem,
  { study, studyFile, projectRoot, out, options }: OutputRequest,
): Promise<void> {
  if (out !== null || options.allowHidden) return
  const { outputDir, outputDirRange: range } = study
  // Only folders count: the names of results follow from the study's ids.
  await refuse(fs, projectRoot, resolve(dirname(studyFile), outputDir, 'manifest.json'), (why) =>
    hiddenPath(
      range,
      `the output folder "${outputDir}" ${why}`,
      'give the study another output.dir; to write results there anyway, pass --allow-hidden',
    ),
  )
}

async function refuse(
  fs: FileSystem,
  root: string,
  path: string,
  refusal: (why: string, led: string | null) => RunRefusalError,
): Promise<void> {
  const within = await realPlace(fs, root)
  const written = objection(portablePath(within, resolve(path)))
  if (written !== null) throw refusal(written, null)
  const led = portablePath(within, await realPlace(fs, path))
  const why = objection(led)
  if (why !== null) throw refusal(why, led)
}

export const PATH_HIDDEN = 'path_hidden'

function hiddenPath(range: SourceRange | null, summary: string, detail: string): RunRefusalError {
  const at = range === null ? '' : `${range.filename}:${range.start.line}:${range.start.column}: `
  return new RunRefusalError('invalid_study', PATH_HIDDEN, `${at}${summary}`, {
    diagnostics: [diagnose('S1308', { summary, range, detail })],
  })
}
