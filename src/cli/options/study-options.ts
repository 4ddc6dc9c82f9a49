import { type Command, Option } from 'commander'
import {
  checkReporter,
  collect,
  datasetId,
  duration,
  forcedSelection,
  positiveInteger,
  type ReporterChoice,
  runReporter,
  scopeLabel,
  wholeNumber,
} from './option-values.ts'

/** Options of the commands that look at or run a study, as commander hands them over. */
export interface StudyFlags {
  readonly service?: string
  readonly authUrl?: string
  readonly allowPrivateAddresses?: boolean
  readonly out?: string
  readonly scope?: string
  readonly select?: readonly string[]
  readonly exclude?: readonly string[]
  readonly force?: true | string
  readonly forceDataset?: readonly string[]
  readonly retryFailed?: boolean
  readonly budgetRows?: number
  /** A git revision. */
  readonly base?: string
  readonly dataset?: ReadonlyMap<string, string>
  readonly allowOutside?: boolean
  readonly allowHidden?: boolean
  readonly overwrite?: boolean
  readonly locked?: boolean
  readonly reporter?: ReporterChoice
  readonly json?: boolean
  readonly color?: boolean
}

export interface RunFlags extends StudyFlags, DeadlineFlag {
  readonly concurrency: number
  readonly onFailure?: 'continue' | 'stop'
  readonly allowEmpty?: boolean
  readonly exitZeroOn?: string
  /** Milliseconds. */
  readonly lockTimeout?: number
  readonly ifLocked: 'fail' | 'wait' | 'skip'
  /** File, or `-` for stderr. */
  readonly events?: string
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly yes?: boolean
  readonly plan?: string
}

/** Of the commands that wait for a service. */
export interface DeadlineFlag {
  /** Milliseconds. */
  readonly deadline: number
}

/** Of the commands that may train but never generate. */
export type CheckFlags = Pick<
  StudyFlags,
  'service' | 'authUrl' | 'dataset' | 'retryFailed' | 'allowOutside' | 'allowHidden' | 'reporter' | 'json' | 'color'
> &
  DeadlineFlag

export interface LockFlags extends CheckFlags {
  readonly check?: boolean
  readonly hashLevels?: boolean
}

export interface ValidateFlags extends CheckFlags, Pick<StudyFlags, 'locked' | 'base'> {
  readonly offline?: boolean
  readonly strict?: boolean
  readonly fix?: boolean
}

/** Of the commands that read what runs left behind. */
export type StateFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'out' | 'json' | 'color'>

export interface StatusFlags extends StateFlags, Pick<StudyFlags, 'select' | 'exclude' | 'scope' | 'allowOutside'> {
  /** Milliseconds, both. */
  readonly expiring?: number
  readonly maxAge?: number
  readonly offline?: boolean
}

/** Where the data and the service are, for commands that may train but never generate. */
export function addCheckOptions(command: Command): Command {
  return addDeadlineOption(command)
    .option('--dataset <name=id>', 'use this trained dataset (repeatable)', datasetId)
    .option('--retry-failed', 'train again what failed in an earlier run')
    .option('--allow-outside', 'let seed files lie outside the project')
    .option('--allow-hidden', 'let seed files be hidden, such as .env, or named like a private key')
    .option('--reporter <how>', 'auto, plain, or github for annotations (auto: in GitHub Actions)', checkReporter)
    .option('--service <url>', 'address of the service (WHATIF_BASE_URL); without one, it runs embedded')
    .option('--auth-url <url>', 'address of its identity provider (WHATIF_AUTH_URL)')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
}

/** Which scenarios. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option('--select <what>', 'only these scenarios: glob, tag:X, axis=value, status:X (repeatable)', collect)
    .option('--exclude <what>', 'not these scenarios (repeatable)', collect)
}

/** Where a study's state is, for commands that do not run it. */
export function addStateOptions(command: Command): Command {
  return command
    .option('--out <dir>', 'the folder that the run was given with --out')
    .option('--service <url>', 'address of the service of the run (WHATIF_BASE_URL); without one, the embedded service')
    .option('--auth-url <url>', 'address of its identity provider (WHATIF_AUTH_URL)')
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
}

/** What `whatif status` looks at and watches for. */
export function addStatusOptions(command: Command): Command {
  return addStateOptions(
    addSelectionOptions(command)
      .option('--expiring <time>', 'exit 12 when a dataset or a result expires within this time', duration)
      .option('--max-age <time>', 'exit 12 when the last complete run is older than this', duration)
      .option('--offline', 'do not ask a remote service about running jobs')
      .option('--scope <label>', 'only work under this label', scopeLabel)
      .option('--allow-outside', 'let results lie outside the project'),
  )
}

/** What is run, from where, and where the results go. */
export function addStudyOptions(command: Command): Command {
  return addPlaceOptions(addWorkOptions(addSelectionOptions(command)))
}

/** What `whatif resume` takes: all that says where and how, and nothing that makes new work. */
export function addResumeOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addExecutionOptions(addPlaceOptions(addSelectionOptions(command)), env)
}

/** What a study is compared with, where it is checked before it is run. */
export function addBaseOption(command: Command): Command {
  return command.option(
    '--base <revision>',
    'warn when the budget is higher than in this git revision (in CI: the target branch of the pull request)',
  )
}

/** What makes new work, and how much of it is allowed. */
function addWorkOptions(command: Command): Command {
  return addBaseOption(command)
    .option('--force [what]', 'generate again what is up to date, all or a selection', forcedSelection)
    .option('--force-dataset <name>', 'upload and train this dataset again (repeatable)', collect)
    .option('--retry-failed', 'try again what failed in an earlier run')
    .option(
      '--budget-rows <n>',
      "refuse to be billed for more rows; of this and the file's number the lower holds",
      wholeNumber,
    )
}

function addPlaceOptions(command: Command): Command {
  return command
    .option('--scope <label>', 'keep this work apart under a label, such as a date', scopeLabel)
    .option('--dataset <name=id>', 'use this trained dataset (repeatable)', datasetId)
    .option('--locked', 'refuse data that the lock file does not describe (exit 4)')
    .option('--out <dir>', 'write results and state here instead')
    .option('--overwrite', 'replace result files that were changed since they were written')
    .option('--allow-outside', 'let seed files and results lie outside the project')
    .option('--allow-hidden', 'let seed files and results be hidden, and seed files be named like a private key')
    .option('--service <url>', 'address of the service (WHATIF_BASE_URL); without one, it runs embedded')
    .option('--auth-url <url>', 'address of its identity provider (WHATIF_AUTH_URL)')
    .option(
      '--allow-private-addresses',
      'fetch results from private addresses though the service is not at one (WHATIF_ALLOW_PRIVATE_ADDRESSES)',
    )
    .option('--json', 'one JSON document on stdout')
    .option('--no-color', 'no colours (NO_COLOR)')
}

/** How a run goes, and what lets it begin. */
export function addRunOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addExecutionOptions(command, env)
    .addOption(
      new Option('--on-failure <how>', "after a failure, whatever the study's policy says").choices([
        'continue',
        'stop',
      ]),
    )
    .option('--plan <file>', 'run this saved plan; exit 2 if anything has changed since whatif plan saved it')
    .option('-y, --yes', 'do not ask before a billed run')
}

/** For commands that wait for a service. */
export function addDeadlineOption(command: Command): Command {
  return command.addOption(
    new Option('--deadline <time>', 'stop waiting after this time').default(30 * 60_000, '30m').argParser(duration),
  )
}

function addExecutionOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addDeadlineOption(command)
    .addOption(
      new Option('--concurrency <n>', 'how many generations run at a time (WHATIF_CONCURRENCY)')
        .default(4)
        .argParser(positiveInteger),
    )
    .option('--allow-empty', 'do not fail when the selection matches nothing')
    .option('--exit-zero-on <what>', 'exit 0 despite: gates, partial, or both with a comma')
    .option('--lock-timeout <time>', 'wait at most this long for another run of the study', duration)
    .addOption(
      new Option('--if-locked <how>', 'what to do when another run holds the lock; wait lasts as long as --deadline')
        .choices(['fail', 'wait', 'skip'])
        .default('fail'),
    )
    .option(
      '--reporter <how>',
      'progress: auto, tty, plain, or github for annotations as well (auto: in GitHub Actions); junit=FILE in addition',
      runReporter,
    )
    .option(
      '--events [=file]',
      'append events as lines of JSON to a file, or write them to stderr in place of progress',
    )
    .option('-q, --quiet', 'show only failures and the summary')
    .option('-v, --verbose', 'show notes and retries as well')
    .hook('preAction', (_self, action) => {
      const text = env.WHATIF_CONCURRENCY
      if (!text || action.getOptionValueSource('concurrency') !== 'default') return
      try {
        action.setOptionValueWithSource('concurrency', positiveInteger(text), 'env')
      } catch (error) {
        // Outside of its own parsing commander does not tell what a parser of values threw.
        action.error(`error: WHATIF_CONCURRENCY '${text}' is invalid. ${(error as Error).message}`)
      }
    })
}
