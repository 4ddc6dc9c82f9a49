import { resolve } from 'node:path'
import type { Command } from 'commander'
import { wrapped } from '../../base/text/fit-text.ts'
import { projectRootOf } from '../../local/project-root.ts'
import { realEnvironment } from '../../local/run-environment.ts'
import type { Connection } from '../../local/service-connection.ts'
import { SetupError } from '../../local/setup-error.ts'
import { resolveConnection } from '../access/connection.ts'
import {
  type Check,
  checkDisk,
  checkFolder,
  checkNetworkVariables,
  checkNode,
  fail,
  ok,
} from '../doctor/machine-checks.ts'
import { addOutputOptions, addServiceOptions, type StudyFlags } from '../options/study-options.ts'
import { printResult } from '../output/json-document.ts'
import { describeTerminal } from '../output/terminal.ts'
import { silentReporter } from '../progress/reporter.ts'
import { lockTimeoutOf } from '../steps/run-request.ts'

export type DoctorFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'>

/** Declares `whatif doctor`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addServiceOptions(command))
    .description(
      'Check what a run needs: Node.js, the folder, the disk, network settings, credentials, and the service with its clock, ' +
        'contract and token. Each line says ok, warn or fail, and what to do. Secrets are not shown and nothing is changed.',
    )
    .action(async (flags) => {
      process.exitCode = await doctor(flags, env)
    })
}

/** `whatif doctor`: checks whether this machine, folder and service are ready for a run, and says what to do if not. */
export async function doctor(flags: DoctorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const projectRoot = projectRootOf(resolve('any'))
  const checks: readonly Check[] = [
    checkNode(process.versions.node),
    await checkFolder(projectRoot),
    await checkDisk(projectRoot),
    ...checkNetworkVariables(env),
    ...(await checkService(flags, env, projectRoot)),
  ]
  // As in a run: of several causes the first in the table of exit codes wins.
  const exitCode = [2, 5, 11, 7].find((code) => checks.some((check) => check.exitCode === code)) ?? 0
  const data = { checks: checks.map(({ name, status, message, advice }) => ({ name, status, message, advice })) }
  return printResult(flags, { command: 'doctor', exitCode, data }, () =>
    checks.map((check) => lines(check, terminal.width)).join(''),
  )
}

async function checkService(
  flags: DoctorFlags,
  env: NodeJS.ProcessEnv,
  projectRoot: string,
): Promise<readonly Check[]> {
  let connection: Connection
  try {
    connection = await resolveConnection(flags, env)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    return [fail('credentials', 5, error.message, error.hint)]
  }
  // Loaded only now, because loading the client takes longer than all checks before it.
  const { checkEmbeddedService, checkRemoteService } = await import('../doctor/service-checks.ts')
  if (connection.kind === 'remote')
    return [
      ok('credentials', `the client's id and secret come from ${sourceOfCredentials(env)}`),
      ...(await checkRemoteService(connection)),
    ]
  const { signal } = new AbortController()
  const lockTimeoutMs = lockTimeoutOf({ lockTimeout: 0 }, false)
  const environment = realEnvironment({ connection, projectRoot, lockTimeoutMs, signal, ...silentReporter })
  return [await checkEmbeddedService(projectRoot, environment.client)]
}

/** Files that others can read were refused earlier. */
function sourceOfCredentials(env: NodeJS.ProcessEnv): string {
  if (env.WHATIF_CLIENT_ID && env.WHATIF_CLIENT_SECRET) return 'the environment'
  if (env.WHATIF_CREDENTIALS_FILE) return 'the file named by WHATIF_CREDENTIALS_FILE, which only you can read'
  return 'the credentials that whatif auth stored, which only you can read'
}

function lines({ status, name, message, advice }: Check, width: number): string {
  const first = wrapped(`${status.padEnd(4)}  ${name.padEnd(11)} `, message, width)
  return advice === null ? first : `${first}${wrapped(' '.repeat(18), advice, width)}`
}
