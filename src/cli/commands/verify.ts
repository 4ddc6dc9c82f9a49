import type { Command } from 'commander'
import { SetupError } from '../../local/setup-error.ts'
import { checkSignature, readSigningKey, readTrusted, signRecord } from '../../local/verification/record-signature.ts'
import { readRun, verified } from '../../local/verification/verify-run.ts'
import { RECORD_NAME } from '../../runner/files/project-paths.ts'
import { EXIT_CODES } from '../../runner/interface/exit-code.ts'
import { seedObjectsOf } from '../access/seed-buckets.ts'
import { shownPath } from '../files/new-files.ts'
import { JSON_HELP } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { verificationText } from '../output/verification-text.ts'
import { createLineReporter } from '../progress/line-reporter.ts'
import { interruptible } from '../steps/interruption.ts'

export interface VerifyFlags {
  readonly study?: string
  readonly again?: boolean
  readonly trusted?: string
  readonly sign?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** Declares `whatif verify`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  command
    .description(
      'Check the files of a run against its record and its manifest: results, figures counted again in the rows, gates, study, ' +
        'lock file and seed files, where they are there. Needs no service and no state. The exit code is 0 if nothing differs, else 4.',
    )
    .argument('<manifest>', 'manifest.json of a run, or its folder')
    .option('--study <file>', 'the study file, where the record does not lead to it')
    .option('--again', 'repeat the run with the embedded service in a temporary folder, and compare rows and answers')
    .option('--trusted <keys>', 'public SSH keys: the record must be signed by one of them')
    .option('--sign <key>', 'sign the record with a private SSH key (Ed25519), if nothing differs')
    .option('--json', JSON_HELP)
    .action(async (manifest, flags) => {
      process.exitCode = await verify(manifest, flags, env)
    })
}

/** `whatif verify`: what holds of the files of a run, and what does not. Writes nothing but the signature of `--sign`. */
export async function verify(path: string, flags: VerifyFlags, env: NodeJS.ProcessEnv): Promise<number> {
  if (flags.sign !== undefined && flags.trusted !== undefined)
    throw new SetupError(2, '--sign is for who made the run and --trusted for who checks it; give one of them')
  const terminal = describeTerminal(flags, env)
  const trusted = flags.trusted === undefined ? null : await readTrusted(flags.trusted)
  const key = flags.sign === undefined ? null : await readSigningKey(flags.sign)
  const run = await readRun(path)
  const { text, read } = run
  if (key !== null && text === null)
    throw new SetupError(2, `--sign: there is no ${RECORD_NAME} to sign`, 'A run of this version writes one.')
  const { signal, release } = interruptible()
  const { study, again } = flags
  if (again) terminal.stderr.write('repeating the run with the embedded service in a temporary folder\n')
  const progress = again ? createLineReporter({ stderr: terminal.stderr, quiet: false, verbose: false }) : null
  try {
    const signature = key === null ? await checkSignature(read.folder, text, trusted) : []
    const found = await verified(run, signature, {
      ...{ study, again, signal, onEvent: progress?.onEvent },
      objectsOf: (projectRoot) => seedObjectsOf(env, projectRoot),
    })
    if (key !== null && text !== null && found.holds)
      terminal.stderr.write(`${shownPath(await signRecord(read.folder, text, key))}: written\n`)
    const exitCode = found.holds ? EXIT_CODES.ok : EXIT_CODES.does_not_fit_data
    printResult(flags, { command: 'verify', exitCode, data: found }, () =>
      verificationText(found.checks, terminal.width),
    )
    if (key !== null && !found.holds) terminal.stderr.write('nothing was signed, because not everything holds\n')
    return exitCode
  } finally {
    await progress?.close()
    release()
  }
}
