import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { countText } from '../../base/text/amount-text.ts'
import { isLoopback } from '../../client/address-rules.ts'
import { SetupError } from '../../local/setup-error.ts'
import { type GivenSettings, readSettings } from '../../service/settings/read-settings.ts'
import { ALL_SETTINGS, readTraceSettings } from '../../service/settings/settings-table.ts'
import { UnusableError } from '../../service/settings/unusable-error.ts'
import { standardCredentials } from '../access/aws-credentials.ts'

/** Flags of the table of settings, as they were written, and `--json`. */
export type ServeFlags = Readonly<Record<string, unknown>>

/** Declares `whatif serve`. Its options are the settings that have a flag; they are checked together with the variables. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  for (const { flag, meaning, fallback, otherwise } of ALL_SETTINGS) {
    if (flag === null) continue
    const ifAbsent = fallback ?? otherwise
    command.addOption(
      new Option(flag, ifAbsent === undefined ? meaning : `${meaning} (default: ${forPeople(ifAbsent)})`),
    )
  }
  command
    .description('Run the Synthetic Scenario Data Service.')
    .option('--json', 'print the addresses as JSON on stdout when the service is ready')
    .addHelpText('after', variablesHelp)
    .action(async (flags) => {
      process.exitCode = await serve(flags, env)
    })
}

function variablesHelp(): string {
  const lines = ALL_SETTINGS.filter(({ flag }) => flag === null).map(
    ({ variable, isSecret, meaning }) => `  ${variable}${isSecret ? ', or _FILE' : ''}\n${indented(meaning)}`,
  )
  return `
Every option has a variable of the same name, for example WHATIF_SERVE_PUBLIC_URL
for --public-url; the option wins. These can be set by variables only:
${lines.join('\n')}`
}

/** Lines of at most 78 columns, 6 of them blank. */
function indented(text: string): string {
  return text.replaceAll(/(.{1,72})(?: |$)/g, '      $1\n').trimEnd()
}

/**
 * Runs the service until a signal: the first SIGINT or SIGTERM stops accepting and hands unfinished jobs back to the
 * queue; a second one ends at once.
 */
export async function serve(flags: ServeFlags, env: NodeJS.ProcessEnv): Promise<number> {
  // This covers files of libraries, whose modes we do not set. Training processes inherit it.
  process.umask(0o077)
  const { startService } = await import('../../service/start-service.ts')
  const given = await start(async () => settingsOf(flags, env))
  const service = await start(() => startService(given))
  // Set up before the address is printed: a reader of the address may stop the service at once.
  const stopping = firstSignal()
  if (flags.json) process.stdout.write(`${JSON.stringify({ base_url: service.baseUrl, auth_url: service.authUrl })}\n`)
  else {
    process.stderr.write(`whatif service at ${service.baseUrl} (identity provider ${service.authUrl})\n`)
    if (service.listenUrl !== service.baseUrl) process.stderr.write(`It listens at ${service.listenUrl}\n`)
    if (service.operatorToken === undefined)
      process.stderr.write('The operator routes are off. To approve signups, set WHATIF_OPERATOR_TOKEN.\n')
  }

  if (areClaimsOpen(given, service))
    process.stderr.write(
      'Warning: anybody who knows the e-mail address of an approved contact can claim the credentials first. Use --claims operator (WHATIF_SERVE_CLAIMS=operator).\n',
    )

  const signal = await stopping
  // Ctrl-C comes from a person who waits; SIGTERM from a supervisor that restarts processes one by one.
  if (signal === 'SIGTERM') await service.drain()
  process.stderr.write(`${signal}: stopping; unfinished jobs go back to the queue\n`)
  await service.close()
  return 0
}

/** Whether strangers may reach the service and read claim tokens of others by the status of signups. */
function areClaimsOpen(
  { claims = 'status', identityProvider = null, role = 'all' }: GivenSettings,
  { baseUrl, operatorToken }: { readonly baseUrl: string; readonly operatorToken?: string },
): boolean {
  // Without an operator nothing is approved; with another identity provider nothing is claimed.
  const areTokensShown = claims === 'status' && operatorToken !== undefined && identityProvider === null
  return areTokensShown && role !== 'worker' && !isLoopback(new URL(baseUrl))
}

/** The settings of a service, from flags and environment. @throws UnusableError */
export function settingsOf(flags: ServeFlags, env: NodeJS.ProcessEnv): GivenSettings {
  const settings = readSettings({ flags, env, readFile: (path) => readFileSync(path, 'utf8') })
  const storage = settings.objectStorage ?? null
  const objectStorage =
    storage === null || storage.accessKeyId !== undefined
      ? storage
      : { ...storage, credentials: standardCredentials(env) }
  return {
    ...settings,
    objectStorage,
    traces: readTraceSettings(env),
    dataDir: resolve(settings.dataDir),
    // Several tenants may wait for each other here.
    givesWay: true,
  }
}

/** The first SIGINT or SIGTERM; the second one ends the process. */
function firstSignal(): Promise<'SIGINT' | 'SIGTERM'> {
  return new Promise((settle) => {
    let isStopping = false
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.on(name, () => {
        if (isStopping) process.exit(name === 'SIGINT' ? 130 : 143)
        isStopping = true
        settle(name)
      })
  })
}

/** Runs work on the service's database or settings; its errors become those of the command. */
export async function start<T>(starting: () => Promise<T>): Promise<T> {
  try {
    return await starting()
  } catch (error) {
    throw startFault(error) ?? error
  }
}

/** A flag is a mistake on the command line, a folder in use passes by itself; the rest is configuration. */
const EXIT_OF_UNUSABLE = {
  flag_invalid: 2,
  setting_invalid: 5,
  database_unusable: 5,
  object_storage_unusable: 5,
  data_folder_in_use: 10,
} as const satisfies Record<UnusableError['code'], number>

/** Errors that the user who starts a service can correct; null for everything else. */
function startFault(error: unknown): SetupError | null {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof UnusableError) return new SetupError(EXIT_OF_UNUSABLE[error.code], message)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new SetupError(
      2,
      'the data folder cannot be used, because a file has its name',
      'Name a folder with --data.',
    )
  if (code === 'ENOSPC') return new SetupError(5, message)
  if (code === 'database_unavailable') return new SetupError(11, message)
  if (code === 'EADDRINUSE')
    return new SetupError(5, 'the port is in use', 'Choose another with --port, or any free one with --port 0.')
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new SetupError(5, `the service cannot be started there (${message})`)
  return null
}

/** Long numbers have separators. */
const forPeople = (value: string): string => (/^\d{5,}$/.test(value) ? countText(Number(value)) : value)
