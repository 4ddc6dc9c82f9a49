import { type Command, Option } from 'commander'
import type { Shard } from '../../study/study.ts'
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
  scopes,
  shard,
  shardCount,
  wholeNumber,
} from './option-values.ts'

/** Options of the commands that inspect or run a study, as commander passes them. */
export interface StudyFlags {
  readonly service?: string
  readonly authUrl?: string
  readonly allowPrivateAddresses?: boolean
  readonly out?: string
  readonly scope?: string
  /** Trusted scopes of the shared state. */
  readonly reads?: readonly string[]
  readonly select?: readonly string[]
  readonly exclude?: readonly string[]
  readonly force?: true | string
  readonly forceDataset?: readonly string[]
  readonly retryFailed?: boolean
  readonly budgetRows?: number
  /** The most rows of a scenario in a trial. */
  readonly rows?: number
  /** One part of the study. */
  readonly shard?: Shard
  /** How many parts. */
  readonly shards?: number
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
  readonly html?: boolean
  /** File, or `-` for stderr. */
  readonly events?: string
  readonly quiet?: boolean
  readonly verbose?: boolean
  readonly yes?: boolean
  readonly plan?: string
  /** Which results are brought from the shared state to this disk. */
  readonly download?: readonly string[]
}

/** Options of the commands that wait for a service. */
export interface DeadlineFlag {
  /** Milliseconds. */
  readonly deadline: number
}

/** Options of the commands that may train but never generate. */
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
  readonly estimates?: boolean
}

/** Options of the commands that read the state and results of earlier runs. */
export type StateFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'out' | 'json' | 'color'>

export interface StatusFlags extends StateFlags, Pick<StudyFlags, 'select' | 'exclude' | 'scope' | 'allowOutside'> {
  /** Milliseconds, both. */
  readonly expiring?: number
  readonly maxAge?: number
  readonly offline?: boolean
}

export const JSON_HELP = 'print one JSON document on stdout'
export const REPORTER_HELP = 'auto, plain, or github for annotations (auto: in GitHub Actions)'
export const EXIT_ZERO_HELP = 'exit 0 despite: gates, partial, or both with a comma'
const DATASET_HELP = 'use this trained dataset (repeatable)'

/** Which service is asked. */
export function addServiceOptions(command: Command): Command {
  return command
    .option('--service <url>', 'address of the service (WHATIF_BASE_URL); without one, the embedded service')
    .option('--auth-url <url>', 'address of its identity provider (WHATIF_AUTH_URL)')
}

/** Options for the output. */
export function addOutputOptions(command: Command): Command {
  return command.option('--json', JSON_HELP).option('--no-color', 'print without colours (NO_COLOR)')
}

/** Where the data and the service are, for commands that may train but never generate. */
export function addCheckOptions(command: Command): Command {
  addDeadlineOption(command)
    .option('--dataset <name=id>', DATASET_HELP, datasetId)
    .option('--retry-failed', 'train again what failed in an earlier run')
    .option('--allow-outside', 'allow seed files outside the project')
    .option('--allow-hidden', 'allow seed files that are hidden, such as .env, or named like a private key')
    .option('--reporter <how>', REPORTER_HELP, checkReporter)
  return addOutputOptions(addServiceOptions(command))
}

/** Of times in options; 26 without a unit is a short time for a watchdog. */
const TIME_HELP = 'such as 90s, 30m or 26h; without a unit, seconds'

/** Which scenarios. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option('--select <what>', 'only these scenarios: glob, tag:X, axis=value, status:X (repeatable)', collect)
    .option('--exclude <what>', 'all but these scenarios (repeatable)', collect)
}

/** Where a study's state is, for commands that do not run it. */
export function addStateOptions(command: Command): Command {
  return addOutputOptions(
    addServiceOptions(command.option('--out <dir>', 'the folder that the run was given with --out')),
  )
}

/** Which trained dataset is asked about, for commands that send nothing but questions. */
export function addQuestionOptions(command: Command): Command {
  return addStateOptions(command)
    .option('--dataset <name=id>', DATASET_HELP, datasetId)
    .option('--scope <label>', 'only work under this label', scopeLabel)
    .option('--reads <scope>', 'with WHATIF_STATE: also what is known under this label (repeatable)', scopes)
    .option('--allow-outside', 'allow seed files outside the project')
    .option('--allow-hidden', 'allow seed files that are hidden, such as .env, or named like a private key')
}

/** What `whatif status` shows and watches for. */
export function addStatusOptions(command: Command): Command {
  return addStateOptions(
    addSelectionOptions(command)
      .option(
        '--expiring <time>',
        `exit 12 when a dataset or a result expires within this time: ${TIME_HELP}`,
        duration,
      )
      .option('--max-age <time>', `exit 12 when the last complete run is older than this: ${TIME_HELP}`, duration)
      .option('--offline', 'do not ask a remote service about running jobs')
      .option('--scope <label>', 'only work under this label', scopeLabel)
      .option('--reads <scope>', 'with WHATIF_STATE: also what is known under this label (repeatable)', scopes)
      .option('--allow-outside', 'allow results outside the project'),
  )
}

/** Options for the scenarios of a run, its service and the places of its results. */
export function addStudyOptions(command: Command): Command {
  return addPlaceOptions(addWorkOptions(addSelectionOptions(command)))
}

/** The options of `whatif resume`: those of a run, without those that make new work. */
export function addResumeOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addExecutionOptions(addPlaceOptions(addSelectionOptions(command)), env)
}

/** The options of `whatif merge`: those of a run, without those that make new work. */
export function addMergeOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addResumeOptions(command, env)
    .option('--shards <n>', 'merge the parts of so many, where there are others as well', shardCount)
    .option('--rows <n>', 'merge the parts of a quick look with so many rows', positiveInteger)
}

/** With which revision a study is compared before it is run. */
export function addBaseOption(command: Command): Command {
  return command.option(
    '--base <revision>',
    'warn when the budget is higher than in this git revision (in CI: the target branch of the pull request)',
  )
}

/** Options that request new work, and limits on it. */
function addWorkOptions(command: Command): Command {
  return addBaseOption(command)
    .option('--force [what]', 'generate again what is up to date: everything, or a selection', forcedSelection)
    .option('--force-dataset <name>', 'upload and train this dataset again (repeatable)', collect)
    .option('--retry-failed', 'try again what failed in an earlier run')
    .option(
      '--rows <n>',
      'a quick look: at most so many rows per scenario, with results and state apart in trial-N; gates do not count',
      positiveInteger,
    )
    .option(
      '--shard <i/n>',
      'only this part of the study, such as 3/20, with results and state apart; whatif merge makes one result of all parts',
      shard,
    )
    .option(
      '--budget-rows <n>',
      'refuse to be billed for more rows than this; if the study sets a lower number, that one counts',
      wholeNumber,
    )
}

function addPlaceOptions(command: Command): Command {
  command
    .option('--scope <label>', 'keep this work apart under a label, such as a date', scopeLabel)
    .option(
      '--reads <scope>',
      'with WHATIF_STATE: take results of this scope as well, such as main (repeatable)',
      scopes,
    )
    .option('--dataset <name=id>', DATASET_HELP, datasetId)
    .option('--locked', 'refuse data that the lock file does not describe (exit 4)')
    .option('--out <dir>', 'write results and state to this folder instead')
    .option('--overwrite', 'replace result files that were changed since they were written')
    .option('--allow-outside', 'allow seed files and results outside the project')
    .option('--allow-hidden', 'allow hidden seed files and results, and seed files named like a private key')
  addServiceOptions(command).option(
    '--allow-private-addresses',
    'fetch results from private addresses even if the service has a public one (WHATIF_ALLOW_PRIVATE_ADDRESSES)',
  )
  return addOutputOptions(command)
}

/** Options for the course of a run, and for its confirmation. */
export function addRunOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addExecutionOptions(command, env)
    .addOption(
      new Option('--on-failure <how>', 'what to do after a failure, whatever the study says').choices([
        'continue',
        'stop',
      ]),
    )
    .option('--plan <file>', 'run this saved plan; exit 2 if anything has changed since it was saved')
    .option('-y, --yes', 'do not ask before a billed run')
}

/** An option of commands that wait for a service. */
export function addDeadlineOption(command: Command): Command {
  return command.addOption(
    new Option('--deadline <time>', `stop waiting after this time: ${TIME_HELP}`)
      .default(30 * 60_000, '30m')
      .argParser(duration),
  )
}

function addExecutionOptions(command: Command, env: NodeJS.ProcessEnv): Command {
  return addDeadlineOption(command)
    .addOption(
      new Option('--concurrency <n>', 'how many generations run at the same time (WHATIF_CONCURRENCY)')
        .default(4)
        .argParser(positiveInteger),
    )
    .option(
      '--download <what>',
      'with WHATIF_STATE: bring these results to this disk: glob, tag:X, axis=value (repeatable)',
      collect,
    )
    .option('--allow-empty', 'do not fail when the selection matches nothing')
    .option('--exit-zero-on <what>', EXIT_ZERO_HELP)
    .option('--no-html', 'write no report.html beside the manifest')
    .option('--lock-timeout <time>', `how long to wait for another run of the study: ${TIME_HELP}`, duration)
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
      'append events to a file as lines of JSON; without a file, write them to stderr instead of progress',
    )
    .option('-q, --quiet', 'show only failures and the summary')
    .option('-v, --verbose', 'also show notes and retries')
    .hook('preAction', (_self, action) => {
      const text = env.WHATIF_CONCURRENCY
      if (!text || action.getOptionValueSource('concurrency') !== 'default') return
      try {
        action.setOptionValueWithSource('concurrency', positiveInteger(text), 'env')
      } catch (error) {
        // Commander catches what a parser of values throws only while it parses options itself.
        action.error(`error: WHATIF_CONCURRENCY '${text}' is invalid. ${(error as Error).message}`)
      }
    })
}
