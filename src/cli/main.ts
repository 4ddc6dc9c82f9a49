import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError, Help } from 'commander'
import { packageVersion } from '../base/package-version.ts'
import { SetupError } from '../local/setup-error.ts'
import { EXIT_MEANINGS } from '../runner/interface/exit-meanings.ts'
import { hideSecretsOf } from './access/hide-secrets.ts'
import { addSharedOptions, refuseEmptyValues } from './options/shared-options.ts'
import { errorText } from './output/error-text.ts'
import { endOnUncaught, faultDocument, unexpected } from './output/failure.ts'
import { documentsMade } from './output/json-document.ts'
import { guardStream } from './output/output-guard.ts'
import { isPlainLocale } from './output/plain-marks.ts'

/** A command: its name, its line in `whatif --help`, and the file that declares it and carries it out. */
type CommandEntry = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ declare(command: Command, env: NodeJS.ProcessEnv): void }>,
]

/** All commands, in the order of the help. The file of a command is loaded when the command is called. */
const COMMANDS: readonly CommandEntry[] = [
  ['run', 'plan and run a study', () => import('./commands/run.ts')],
  ['resume', 'collect what an interrupted run submitted', () => import('./commands/resume.ts')],
  ['merge', 'make one result of the parts of a study', () => import('./commands/merge.ts')],
  ['plan', 'show what a run would do, why, and how much it can bill', () => import('./commands/plan.ts')],
  ['sensitivity', 'show which levers move a figure', () => import('./commands/sensitivity.ts')],
  ['solve', 'find the share that moves a figure by so much', () => import('./commands/solve.ts')],
  ['backtest', 'show how well reweighting predicts groups that were asked', () => import('./commands/backtest.ts')],
  ['explore', 'open a page with levers and answers', () => import('./commands/explore.ts')],
  ['status', 'show how far a study is; can raise an alarm from cron', () => import('./commands/status.ts')],
  ['list', 'list the scenarios of a study', () => import('./commands/list.ts')],
  ['unlock', 'remove the lock of a run that has ended', () => import('./commands/unlock.ts')],
  ['validate', 'check study files, also against the cleaned data', () => import('./commands/validate.ts')],
  ['init', 'write a first study for your seed file', () => import('./commands/init.ts')],
  ['fmt', 'rewrite study files in canonical form', () => import('./commands/fmt.ts')],
  ['migrate', 'bring study files to the newest version of the language', () => import('./commands/migrate.ts')],
  ['datasets', 'list the trained datasets of the project and the service', () => import('./commands/datasets.ts')],
  ['doctor', 'check that machine, folder and service are ready for a run', () => import('./commands/doctor.ts')],
  ['explain', 'explain a code, and what to do about it', () => import('./commands/explain.ts')],
  ['lock', "record a study's data, columns and levels beside it", () => import('./commands/lock.ts')],
  ['schema', 'print the JSON Schema of study files, for editors', () => import('./commands/schema.ts')],
  ['inspect', 'show what cleaning and training made of a seed file', () => import('./commands/inspect.ts')],
  ['diff', 'show how two manifests, or two versions of a study, differ', () => import('./commands/diff.ts')],
  ['head', 'show the first generated rows', () => import('./commands/head.ts')],
  ['report', "write a run's manifest as a page, Markdown, CSV or JUnit XML", () => import('./commands/report.ts')],
  ['mcp', 'let an assistant ask about the data of a project', () => import('./commands/mcp.ts')],
  ['gate', 'evaluate the gates of a manifest again, offline', () => import('./commands/gate.ts')],
  ['verify', 'check the files of a run against its record', () => import('./commands/verify.ts')],
  ['serve', 'run the service', () => import('./commands/serve.ts')],
  [
    'migrate-database',
    'update the database of a service to this version',
    () => import('./commands/migrate-database.ts'),
  ],
  ['storage', 'back up and restore what a service keeps', () => import('./commands/storage.ts')],
  ['auth', 'get access to a service, and rotate the secret', () => import('./commands/auth.ts')],
  ['operator', 'decide on signups, and set the limits of tenants', () => import('./commands/operator.ts')],
]

const AFTER_HELP = `
Without WHATIF_BASE_URL and credentials, the command runs the service itself.

Exit codes (whatif explain CODE says more):
${exitCodeLines().join('\n')}`

/** One line per exit code. 130 and 143 mean the same. */
function exitCodeLines(): string[] {
  return Object.entries(EXIT_MEANINGS)
    .filter(([code]) => code !== '143')
    .map(([code, { title }]) => `  ${code === '130' ? '130, 143' : code.padStart(3).padEnd(8)}  ${title}`)
}

/** Runs the command line of a process of its own. An uncaught error is printed and ends the process. */
export async function start(argv: readonly string[]): Promise<void> {
  // The embedded database is WebAssembly. Optimizing it takes a quarter of a short run's processor time, and pays only in a long life.
  if (!argv.includes('serve')) setFlagsFromString('--liftoff-only')
  let whatif: Command | null = null
  endOnUncaught(argv, () => whatif)
  await main(argv, (made) => {
    whatif = made
  })
}

/** Runs one command line. Sets the exit code and never ends the process, so that all output is written. */
export async function main(argv: readonly string[], onProgram: (whatif: Command) => void = () => {}): Promise<void> {
  // A reader that went away (`whatif plan | head`) is not a fault of this program, and no reader is left for a message.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    // A document of --json is data, and so is what goes to a file or another program.
    guardStream(stream, stream.isTTY === true && !argv.includes('--json') && isPlainLocale(process.env))
  }
  const whatif = await program(process.env, argv.slice(2))
  onProgram(whatif)
  const before = documentsMade()
  try {
    await whatif.parseAsync(withEventsOnStderr(withoutHelpOnNothing(whatif, argv)))
  } catch (thrown) {
    const { asDiskError } = await import('./disk-error.ts')
    const { exitCode, error } = reportFailure(asDiskError(thrown), argv)
    process.exitCode = exitCode
    if (exitCode === 0 || !argv.includes('--json') || documentsMade() > before) return
    process.stdout.write(faultDocument(whatif, argv, { exitCode, error }) ?? '')
  }
}

/** `--events` takes a file only behind `=`: in `whatif run --events x.study.yaml` the study is not the log. */
function withEventsOnStderr(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((arg, i) => (arg === '--events' && (end < 0 || i < end) ? '--events=-' : arg))
}

/** `whatif help NAME` of an unknown command is answered like `whatif NAME`: commander would show the whole help. */
function withoutHelpOnNothing(whatif: Command, argv: readonly string[]): readonly string[] {
  const [node, script, help, name, ...rest] = argv
  const isNothing = help === 'help' && name !== undefined && !/^-|^help$/.test(name)
  if (!isNothing || whatif.commands.some((command) => command.name() === name)) return argv
  return [node!, script!, name, ...rest]
}

/** Prints the error that ended a command. The parser has printed its own errors already. */
function reportFailure(thrown: unknown, argv: readonly string[]): { readonly exitCode: number; readonly error: Error } {
  if (thrown instanceof CommanderError) return { exitCode: thrown.exitCode === 0 ? 0 : 2, error: thrown }
  const { error, text } =
    thrown instanceof SetupError
      ? {
          error: thrown,
          text: `${errorText(thrown.located, process.stderr)}${thrown.hint === null ? '' : `${thrown.hint}\n`}`,
        }
      : unexpected(thrown, argv)
  process.stderr.write(text)
  return { exitCode: error.exitCode, error }
}

/** The parser. Of all commands only the one that the words call is loaded; without words, every command is. */
export async function program(env: NodeJS.ProcessEnv, words: readonly string[] | null = null): Promise<Command> {
  const whatif: Command = new Command('whatif')
    .description('Run what-if studies on synthetic data from versioned study files, or run the service.')
    .version(packageVersion(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', AFTER_HELP)
    .configureHelp({
      subcommandTerm: (command) => (command.parent === whatif ? command.name() : new Help().subcommandTerm(command)),
    })
    .showHelpAfterError('(whatif --help shows the commands, whatif <command> --help their options)')
    .exitOverride()
    .enablePositionalOptions()
    .hook('preAction', (_whatif, action) => refuseEmptyValues(action))
    .hook('preAction', (_whatif, action) => hideSecretsOf(action, env))
  const called = words?.find((word) => COMMANDS.some(([name]) => name === word))
  for (const [name, summary, load] of COMMANDS) {
    const command = whatif.command(name).summary(summary)
    if (words !== null && name !== called) continue
    const { declare } = await load()
    declare(command, env)
    addSharedOptions(command)
    for (const one of [command, ...command.commands])
      one.exitOverride().showHelpAfterError('(--help shows the options)')
  }
  return whatif
}
