import { Command, CommanderError } from 'commander'
import { packageVersion } from '../local/package-version.ts'
import { SetupError } from '../local/setup-error.ts'
import { EXIT_MEANINGS } from '../run/exit-meanings.ts'
import { hideSecretsOf } from './access/hide-secrets.ts'
import { endOnUncaught, unexpected } from './failure.ts'
import { addOperatorCommands } from './operator-commands.ts'
import { checkReporter, judgeReporter } from './options/option-values.ts'
import { addSharedOptions, refuseEmptyValues } from './options/shared-options.ts'
import {
  addBaseOption,
  addCheckOptions,
  addDeadlineOption,
  addResumeOptions,
  addRunOptions,
  addSelectionOptions,
  addStateOptions,
  addStatusOptions,
  addStudyOptions,
} from './options/study-options.ts'
import { documentsMade } from './output/json-document.ts'
import { guardStream } from './output/output-guard.ts'
import { addProjectCommands } from './project-commands.ts'
import { addServeOptions } from './serve-options.ts'
import { addStorageCommands } from './storage-commands.ts'

const AFTER_HELP = `
Without WHATIF_BASE_URL and credentials the service runs inside the command.

Exit codes (whatif explain CODE says more):
${exitCodeLines().join('\n')}`

/** The command of a process of its own: what nobody catches in it is told, and ends the process. */
export async function start(argv: readonly string[]): Promise<void> {
  endOnUncaught(argv, () => program(process.env))
  await main(argv)
}

/** Runs one command line; sets the exit code and never ends the process, so that output is always written out. */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that went away (`whatif plan | head`) is no fault of ours and nothing to tell about.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    guardStream(stream)
  }
  const whatif = program(process.env)
  const before = documentsMade()
  try {
    await whatif.parseAsync(withEventsOnStderr(withoutHelpOnNothing(whatif, argv)))
  } catch (thrown) {
    const { asDiskError } = await import('./disk-error.ts')
    const { exitCode, error } = tell(asDiskError(thrown), argv)
    process.exitCode = exitCode
    if (exitCode === 0 || !argv.includes('--json') || documentsMade() > before) return
    const { faultDocument } = await import('./failure.ts')
    process.stdout.write(faultDocument(whatif, argv, { exitCode, error }) ?? '')
  }
}

/** `--events` takes a file only behind `=`: in `whatif run --events x.study.yaml` the study is no log. */
function withEventsOnStderr(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((arg, i) => (arg === '--events' && (end < 0 || i < end) ? '--events=-' : arg))
}

/** `whatif help NAME` of a command that does not exist is told as `whatif NAME` is: commander shows the whole help instead. */
function withoutHelpOnNothing(whatif: Command, argv: readonly string[]): readonly string[] {
  const [node, script, help, name, ...rest] = argv
  const isNothing = help === 'help' && name !== undefined && !/^-|^help$/.test(name)
  if (!isNothing || whatif.commands.some((command) => command.name() === name)) return argv
  return [node!, script!, name, ...rest]
}

/** Tells an error that ended a command; the parser has told its own. */
function tell(thrown: unknown, argv: readonly string[]): { readonly exitCode: number; readonly error: Error } {
  if (thrown instanceof CommanderError) return { exitCode: thrown.exitCode === 0 ? 0 : 2, error: thrown }
  const { error, text } =
    thrown instanceof SetupError
      ? { error: thrown, text: `error: ${thrown.located}\n${thrown.hint === null ? '' : `${thrown.hint}\n`}` }
      : unexpected(thrown, argv)
  process.stderr.write(text)
  return { exitCode: error.exitCode, error }
}

/** Commands load when they are called: a start costs what it uses. */
export function program(env: NodeJS.ProcessEnv): Command {
  const whatif = new Command('whatif')
    .description('Declarative what-if studies on synthetic data: run versioned study files, or serve the service.')
    .version(packageVersion(), '-V, --version')
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('(whatif --help shows the commands, whatif <command> --help their options)')
    .exitOverride()
    .enablePositionalOptions()
    .hook('preAction', (_whatif, action) => refuseEmptyValues(action))
    .hook('preAction', (_whatif, action) => hideSecretsOf(action, env))
  const finish = (code: number) => {
    process.exitCode = code
  }

  addRunOptions(addStudyOptions(whatif.command('run')), env)
    .summary('plan and run a study')
    .description('Plan and run a study. An unchanged study makes no request; an interrupted one is resumed.')
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => finish(await (await import('./commands/run.ts')).run(file, flags, env)))

  addResumeOptions(whatif.command('resume'), env)
    .summary('collect what an interrupted run submitted, and submit nothing')
    .description(
      'Collect what earlier runs of a study submitted: running generations are waited for, results are fetched and measured. ' +
        'Nothing new is submitted, so nothing can be billed; the next run does the rest.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => finish(await (await import('./commands/run.ts')).resume(file, flags, env)))

  addStudyOptions(whatif.command('plan'))
    .summary('show what a run would do and why, and the most rows it can be billed')
    .description(
      'Show what a run would do and why, and the most rows it can be billed. Nothing that creates work is sent.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--save <file>', 'keep the plan for: whatif run --plan')
    .option('--estimates', 'show the differences to expect and their intervals; asks the service about its seed data')
    .option('--detailed-exitcode', 'exit 20 when work is pending')
    .option('--reporter <how>', 'auto, plain, or github for annotations (auto: in GitHub Actions)', checkReporter)
    .action(async (file, flags) => finish(await (await import('./commands/plan.ts')).plan(file, flags, env)))

  addStatusOptions(whatif.command('status'))
    .summary('show how far a study is; raises an alarm from cron')
    .description(
      'Show the last run of a study, its datasets, each scenario with rows, age and expiry, and what is pending. This is read ' +
        'from disk; a remote service is asked about jobs that may be running. With --max-age or --expiring, exit 12 is the alarm.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .action(async (file, flags) => finish(await (await import('./commands/status.ts')).status(file, flags, env)))

  addSelectionOptions(whatif.command('list'))
    .summary('list the scenarios of a study file')
    .description(
      'List the scenarios that a study file expands to: ids, groups, axes, rows and tags. Only the file is read.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
    .action(async (file, flags) => finish(await (await import('./commands/list.ts')).list(file, flags, env)))

  addStateOptions(whatif.command('unlock'))
    .summary('remove the lock that an ended run left behind')
    .description(
      'Remove the lock of a study when the run that held it is gone. Runs notice this by themselves after two minutes. A run ' +
        'that is alive keeps its lock (exit 10).',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--force', 'take the lock from a living run: it stops at its next request')
    .action(async (file, flags) => finish(await (await import('./commands/unlock.ts')).unlock(file, flags, env)))

  addBaseOption(addCheckOptions(whatif.command('validate')))
    .summary('check study files, and their conditions against the cleaned data')
    .description(
      'Check study files, and their conditions against the cleaned schema of their datasets. A seed file that was never ' +
        'trained is uploaded and trained for that; nothing is generated or billed. --offline sends nothing and checks them ' +
        'against the lock file, if there is one.',
    )
    .argument('<files...>', 'study files')
    .option('--offline', 'check against the lock file alone; needs no service and no credentials')
    .option('--locked', 'refuse data that the lock file does not describe (exit 4)')
    .option('--strict', 'treat warnings as errors')
    .option('--fix', 'correct names that differ only in case, spaces, "_", "." or "-"')
    .action(async (files, flags) => finish(await (await import('./commands/validate.ts')).validate(files, flags, env)))

  addProjectCommands(whatif, env, finish)

  whatif
    .command('explain')
    .summary('explain a code, and say what to do about it')
    .description(
      'Explain what a code or a word means and what to do: the code of a diagnostic (S2103), an exit code (7), a gate ' +
        '(mixed_model), a word of a summary or a plan (not started), or an error code of the service (svc_not_found). ' +
        'Without one, all are listed. Needs no network.',
    )
    .argument('[code...]', 'a code or word, as it was printed')
    .option('--json', 'one JSON document on stdout')
    .action(async (words: readonly string[], flags) => {
      const { explain } = await import('./commands/explain.ts')
      finish(explain(words.length === 0 ? undefined : words.join(' '), flags, env))
    })

  addCheckOptions(whatif.command('lock'))
    .summary("record a study's data, columns and levels beside it")
    .description(
      'Write the lock file beside a study: the digests of its seed files, and the columns and levels that cleaning left. ' +
        'Commit it. A seed file that was never trained is uploaded and trained for that; nothing is generated or billed.',
    )
    .argument('<file>', 'study file (*.study.yaml)')
    .option('--check', 'write nothing; exit 4 when the lock file would change')
    .option('--hash-levels', 'write digests in place of level names')
    .action(async (file, flags) => finish(await (await import('./commands/lock.ts')).lock(file, flags, env)))

  whatif
    .command('schema')
    .summary('print the JSON Schema of study files, for editors')
    .description(
      'Print the JSON Schema of study files. With --study it has the columns and levels of the lock file beside the study, ' +
        'so that an editor completes real names and marks misspelt ones.',
    )
    .option('--study <file>', 'a study with a lock file')
    .option('--out <file>', 'write it to this file')
    .option('--json', 'one JSON document on stdout, with the schema in it')
    .action(async (flags) => finish(await (await import('./commands/schema.ts')).schema(flags)))

  addDeadlineOption(whatif.command('inspect'))
    .summary('show what cleaning and training made of a seed file')
    .description(
      'Show the cleaned columns of a dataset with their levels and ranges, what cleaning renamed, dropped and split and why, ' +
        'and how good the trained model is. A seed file that was never trained is uploaded and trained for that; nothing is ' +
        'generated or billed.',
    )
    .argument('<what>', 'seed file, id of a trained dataset, or STUDY_FILE#DATASET')
    .option('--service <url>', 'address of the service (WHATIF_BASE_URL); without one, it runs embedded')
    .option('--auth-url <url>', 'address of its identity provider (WHATIF_AUTH_URL)')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
    .action(async (what, flags) => finish(await (await import('./commands/inspect.ts')).inspect(what, flags, env)))

  whatif
    .command('diff')
    .summary('show what differs between two manifests, or a study and an earlier version of it')
    .description(
      'Show what differs between two manifests (requests, shares, other results, gates), or between a study as it is now and ' +
        'as it was in a git revision or in a run. A study is compared field by field, after expansion. Needs no network; the ' +
        'exit code is 0 whether there are differences or not.',
    )
    .argument('<before>', 'manifest.json of a run, or a study file (*.study.yaml)')
    .argument('[after]', 'another manifest; for a study, the git revision (HEAD) or manifest to compare it with')
    .option('--json', 'one JSON document on stdout')
    .action(async (before, after, flags) =>
      finish(await (await import('./commands/diff.ts')).diff(before, after, flags, env)),
    )

  whatif
    .command('report')
    .summary("write a run's manifest as Markdown, CSV or JUnit XML")
    .description(
      'Write what a manifest says for people (Markdown), for spreadsheets and scripts (CSV, one row per figure) or for CI ' +
        'systems (JUnit XML). Without a file, Markdown is printed on stdout. Only the manifest is read.',
    )
    .argument('<manifest>', 'manifest.json of a run')
    .option('--md <file>', 'write Markdown to this file')
    .option('--csv <file>', 'write CSV to this file')
    .option('--junit <file>', 'write JUnit XML to this file')
    .option('--overwrite', 'replace files that are not reports of this kind')
    .option('--json', 'one JSON document on stdout')
    .action(async (manifest, flags) => finish(await (await import('./commands/report.ts')).report(manifest, flags)))

  whatif
    .command('gate')
    .summary("judge a run's manifest again, offline")
    .description(
      'Evaluate the gates and partial policies of a manifest again, from the figures in it, and exit as a run with these ' +
        'results would: 0, 9 for a failed gate, 8 for fewer rows than the policy accepts, or else as the run ended. ' +
        'Needs no network and no artifacts.',
    )
    .argument('<manifest>', 'manifest.json of a run')
    .option('--exit-zero-on <what>', 'exit 0 despite: gates, partial, or both with a comma')
    .option(
      '--reporter <how>',
      'auto, plain, or github for annotations (auto: in GitHub Actions); junit=FILE in addition',
      judgeReporter,
    )
    .option('--json', 'one JSON document on stdout')
    .action(async (manifest, flags) => finish(await (await import('./commands/gate.ts')).gate(manifest, flags, env)))

  addServeOptions(whatif.command('serve'))
    .summary('run the service')
    .description('Run the Synthetic Scenario Data Service.')
    .action(async (flags) => finish(await (await import('./commands/serve.ts')).serve(flags, env)))

  whatif
    .command('migrate-database')
    .summary('bring the database of a service to the shape of this version')
    .description(
      'Bring the PostgreSQL database in DATABASE_URL to the shape that this version of the service needs. Run it before ' +
        'processes of a new version start. A database that a newer version made is refused.',
    )
    .option('--check', 'change nothing; exit 20 when something is to be done')
    .option('--json', 'one JSON document on stdout')
    .action(async (flags) => finish(await (await import('./commands/migrate-database.ts')).migrateDatabase(flags, env)))

  addStorageCommands(whatif.command('storage'), env, finish)

  const auth = whatif.command('auth').summary('get access to a service, and rotate the secret')
  auth.description(
    'Get access to a service. Credentials are stored in your configuration folder, readable by you alone.',
  )
  const service = ['--service <url>', 'the service (WHATIF_BASE_URL)'] as const
  const json = ['--json', 'one JSON document on stdout'] as const
  auth
    .command('signup')
    .description('Ask for access.')
    .requiredOption('--company <name>', 'your company')
    .requiredOption('--email <address>', 'contact e-mail')
    .option(...service)
    .option(...json)
    .action(async (flags) => finish(await (await import('./commands/auth.ts')).authSignup(flags, env)))
  auth
    .command('status')
    .description('Show whether the request for access is approved.')
    .option(...service)
    .option(...json)
    .action(async (flags) => finish(await (await import('./commands/auth.ts')).authStatus(flags, env)))
  auth
    .command('claim')
    .description('Claim the credentials of an approved request, or of the token in WHATIF_CLAIM_TOKEN, and store them.')
    .option(...service)
    .option(...json)
    .action(async (flags) => finish(await (await import('./commands/auth.ts')).authClaim(flags, env)))
  auth
    .command('rotate')
    .description('Replace the stored secret with a new one, at most three times in 24 hours.')
    .option(...service)
    .option(...json)
    .action(async (flags) => finish(await (await import('./commands/auth.ts')).authRotate(flags, env)))

  const operator = addOperatorCommands(whatif.command('operator'), env, finish)
  addSharedOptions(whatif)

  for (const command of [...whatif.commands, ...auth.commands, ...operator.commands])
    command.exitOverride().showHelpAfterError('(--help shows the options)')
  return whatif
}

/** The exit codes for `whatif --help`: one line each. 130 and 143 mean the same. */
export function exitCodeLines(): string[] {
  return Object.entries(EXIT_MEANINGS)
    .filter(([code]) => code !== '143')
    .map(([code, { title }]) => `  ${code === '130' ? '130, 143' : code.padStart(3).padEnd(8)}  ${title}`)
}
