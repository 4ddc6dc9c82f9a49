import type { GateKind } from '../../answers/gates/gate-kinds.ts'
import type { ServiceErrorKind } from '../../client/service-error.ts'
import type { GroupRecord } from '../../records/manifest/backtests.ts'
import type { ComparisonResult } from '../../records/manifest/comparisons.ts'
import type { ManifestStatus } from '../../records/manifest/manifest.ts'
import type { ScenarioStatus } from '../../records/manifest/scenarios.ts'
import type { UploadStatus } from '../../records/state/datasets.ts'
import type { ExitReason } from '../../runner/interface/exit-code.ts'
import type { FaultCode } from '../../runner/interface/fault-meanings.ts'
import type { ResultSource } from '../../runner/interface/run-event.ts'
import type { Action, DatasetAction, GenerateReason, UploadReason } from '../../runner/plan/plan.ts'
import type { ScenarioState } from '../../runner/plan/state-index.ts'
import type { Breaker } from '../../runner/session/scenario-progress.ts'
import type { Meaning } from './result-meanings.ts'

type State = ScenarioStatus | ScenarioState | UploadStatus | ManifestStatus | ComparisonResult['status']
type Step = Action['kind'] | GenerateReason['kind'] | DatasetAction['kind'] | UploadReason | ResultSource

/** Words that other tables explain. */
type Explained = GateKind | FaultCode | ServiceErrorKind | ExitReason

/** What became of a group of a backtest. */
type Group = Exclude<GroupRecord['status'], 'too_few_rows'>

type Word = State | Step | Breaker | Group

const GONE_AT_SERVICE =
  'The service keeps trained datasets and results for a limited time, and that time is over. Results on disk stay valid. A result that is not on disk is generated again, which is billed. The embedded service keeps everything for 7 days, or as long as WHATIF_EMBEDDED_RETENTION says.'

/**
 * Statuses, actions and reasons in summaries, plans and `whatif status`. The type makes one without an explanation an error
 * of the build.
 */
export const WORD_MEANINGS = {
  ready: {
    title: 'the result is there',
    explanation: 'All requested rows were generated, downloaded, verified and counted. For a dataset: it is trained.',
  },
  partial: {
    title: 'fewer rows than asked for',
    explanation:
      'The rows follow the requested mix exactly, but the data support no more of them. They are kept and billed. The shortfall names the targets that limit them. `partial` in the study decides whether this is accepted, a warning, or exit code 8.',
  },
  refused: {
    title: 'the service did not take the request',
    explanation:
      'The service answered with a 4xx, and made and billed nothing. The message beside it says why. Correct that and run again: the same request is sent with the same key. For a whole run: it ended before anything was generated, and manifest.json is still that of the run before.',
  },
  not_started: {
    title: 'nothing was sent for this scenario',
    explanation:
      'The run stopped before its turn: because of an interruption, the deadline, a 402, refused credentials, an unreachable service, or a failure with `on_failure: stop`. Nothing was billed for it. Run again.',
  },
  interrupted: {
    title: 'the run ended before the work did',
    explanation:
      'A request was sent, and the run did not see its end. The service continues the work and bills what it makes. Run again, or use `whatif resume`: the result is collected, not bought twice. A run that you interrupt ends with exit code 130 (SIGINT) or 143 (SIGTERM).',
  },
  running: {
    title: 'work is in progress',
    explanation:
      'The run has not ended yet, or the service is still working on the scenario. `whatif status` shows how far it is.',
  },
  unanswered: {
    title: 'a request without an answer',
    explanation:
      'The request was recorded and probably sent, but no answer arrived. The next run sends it again with the same key, so that the service makes and bills it once.',
  },
  prepared: {
    title: 'a request that may not have been sent',
    explanation:
      'The request is recorded, but no answer arrived. The next run sends it again with the same key, so that the service makes it once.',
  },
  training: {
    title: 'the dataset is being trained',
    explanation: 'The seed file was uploaded, and its training has not been seen to end. The next run waits for it.',
  },
  payment: {
    title: 'the service wants payment',
    explanation:
      'The service answered 402, so nothing more is submitted. Running work is collected, everything else is not_started, and the run ends with exit code 6.',
  },
  failure: {
    title: 'a scenario failed, and the policy is to stop',
    explanation:
      'With `policy: { on_failure: stop }` or --on-failure stop, nothing more is submitted after the first failure. Running work is completed.',
  },
  expired: { title: 'gone at the service', explanation: GONE_AT_SERVICE },
  complete: {
    title: 'the run came to its end',
    explanation:
      'Every selected scenario has a result, or a reason why it has none. The exit code distinguishes the two.',
  },
  compared: {
    title: 'both sides have results from one model',
    explanation: 'Shares and means of the two scenarios were compared; both come from one model.',
  },
  missing: {
    title: 'a side of the comparison has no result',
    explanation:
      'One of the two scenarios has no rows, so nothing could be compared, and gates on the difference fail. For a file: it is not in its place.',
  },
  generate: {
    title: 'rows are generated',
    explanation: 'The run asks the service for new rows, which are billed. The reason stands beside it.',
  },
  regenerate: {
    title: 'rows are generated again',
    explanation: `${GONE_AT_SERVICE} The plan counts its rows in the bound.`,
  },
  resume: {
    title: 'work of an earlier run is collected',
    explanation:
      'An earlier run requested it and did not see its end. This run waits for it and downloads it. A request without an answer is sent again with the same key; only that can still be billed.',
  },
  download: {
    title: 'the result is fetched again',
    explanation:
      'The file of a result is missing or has changed, and the service still has the result. It is downloaded again (re-download), which costs nothing.',
  },
  copy: {
    title: 'the same request as another scenario',
    explanation:
      'Two scenarios ask for the same rows with the same seed. The rows are generated and billed once, then copied.',
  },
  reuse: {
    title: 'nothing needs to be done for it',
    explanation:
      'Request, data and file are those of an earlier run. Nothing is sent or billed. --force generates it again.',
  },
  skip: {
    title: 'left out of this run',
    explanation:
      '--select or --exclude leaves the scenario out of this run. An earlier result is listed, but its gates are not evaluated.',
  },
  new: {
    title: 'never generated before',
    explanation: 'No such request is known in this scope. For a dataset: its seed file was never uploaded.',
  },
  changed: {
    title: 'not as it was when it was last generated',
    explanation:
      'The differences are listed: field, value before, value now. For a dataset: the seed file or its cleaning has changed.',
  },
  random_seed: {
    title: 'the seed is drawn again',
    explanation:
      '`seed: random` asks for other rows in each run. A number as seed gives the same rows, and lets runs reuse them.',
  },
  forced: {
    title: 'generated again because of an option',
    explanation: '--force or --force-dataset asks for it although it is up to date. It is billed again.',
  },
  dataset_forced: {
    title: 'its dataset is trained again because of an option',
    explanation: '--force-dataset trains the dataset again, so all its scenarios are generated again and billed.',
  },
  retry: {
    title: 'tried again after a failure',
    explanation:
      '--retry-failed requests again what failed in an earlier run. This is new work and counts against the budget.',
  },
  refused_before: {
    title: 'refused in an earlier run',
    explanation:
      'The service refused the request with a 4xx. It is sent again with the same key; nothing was billed for it.',
  },
  none: {
    title: 'nothing to do',
    explanation: 'No scenario needs the dataset in this run, so the service is not asked about it.',
  },
  use: {
    title: 'the trained dataset is used',
    explanation:
      'The dataset was trained before and, as far as is known, still exists. The run asks the service before anything is generated.',
  },
  inspect: {
    title: 'the dataset is inspected first',
    explanation:
      'The study names the dataset by its id, and its columns are not known here. The run asks the service for them, which is free.',
  },
  upload: {
    title: 'the seed file is uploaded and trained',
    explanation:
      'The service has no trained dataset for this seed file, or an option asks for a new one. Training is not billed in rows.',
  },
  generated: {
    title: 'made in this run',
    explanation: 'This run requested the rows and got them. They are on its bill.',
  },
  resumed: {
    title: 'collected from an earlier run',
    explanation:
      'An earlier run requested the rows, and this run collected them. They were billed once, to that request.',
  },
  downloaded: {
    title: 'fetched again',
    explanation: 'The rows were made and billed in an earlier run. This run only downloaded the file again.',
  },
  copied: {
    title: 'the same rows as another scenario',
    explanation:
      'Another scenario asks for the same rows with the same seed, so its file was copied. The rows are billed once.',
  },
  reused: {
    title: 'up to date, nothing was sent',
    explanation: 'The result of an earlier run is still valid: same request, same data, same file. Nothing was billed.',
  },
  predicted: {
    title: 'a group of a backtest that the others predict',
    explanation:
      'The rows of the other groups, reweighted to the margins of this group, say what it answered; the prediction stands beside what it did answer.',
  },
  no_match: {
    title: 'a group of a backtest that the others cannot be reweighted to',
    explanation:
      'The rows of the other groups cannot have the margins of this group, for example because none of them has one of its levels. Name fewer columns under `on`, or columns with fewer levels.',
  },
} as const satisfies Record<Exclude<Word, Explained> | 'interrupted', Meaning>

/** Words in the texts around these; no type lists them. */
export const TEXT_MEANINGS = {
  'not selected': WORD_MEANINGS.skip,
  'up to date': WORD_MEANINGS.reuse,
  're-download': WORD_MEANINGS.download,
  'probably expired': {
    title: 'expired by the clock',
    explanation: `${GONE_AT_SERVICE} \`whatif plan\` asks no service and relies on the clock; a run asks the service first.`,
  },
  bound: {
    title: 'the most rows that can be billed',
    explanation:
      'The most rows that a run of this plan can be billed: the sum over the distinct requests that it will send. The bill can be lower, because partial results cost only the rows that were delivered. Before anything is sent, the bound is compared with budget.rows_per_run.',
  },
  billed: {
    title: 'rows that this run pays for',
    explanation:
      'Rows of the generations that this run requested and saw end. The embedded service counts them and costs nothing.',
  },
  collected: {
    title: 'rows that an earlier request pays for',
    explanation:
      'Rows of generations that an earlier run requested and this run collected. They are billed once, to that request.',
  },
  evidence: {
    title: 'how much of the seed data stands behind rows',
    explanation:
      'What the service says about the seed rows that a result rests on: effective_rows, largest_tilt, in_range_share, low_support. Thin evidence is a warning, not a failure.',
  },
  shortfall: {
    title: 'why there are fewer rows than asked for',
    explanation:
      'The shortfall names the targets that limit the result, with the seed rows available for them. The data hold no more rows of exactly this mix. `nearest_mix`, where the service knows it, is the least change with which all rows can be made: whatif explain nearest_mix.',
  },
  nearest_mix: {
    title: 'the least change that gives all rows',
    explanation:
      'Conditions that take the place of those that the scenario states of the same columns; paste them into the study. No other mix moves fewer shares and has all rows, but for the rounding of its numbers; each mean is the nearest that is possible with the shares. Ranges stay as they are. It shows what the data allow, not what you should ask.',
  },
  renamed: {
    title: 'the same request under a new name',
    explanation:
      'A scenario has a new name and asks for the same rows. Its file is copied to the new name; nothing is generated or billed.',
  },
  epoch: {
    title: 'how often a request was made new work',
    explanation:
      'The epoch is part of the key of a request. The same epoch is the same work, paid once. A higher epoch, after an expiry or with --force, is new work.',
  },
  drift: {
    title: 'the data changed since the lock file',
    explanation:
      'A column or level that the scenario needs is gone. `policy: { drift: warn }` stops only the scenarios that need it. Change the condition or the seed file, then run whatif lock.',
  },
  disk: {
    title: 'the disk is full or failed',
    explanation:
      'A file could not be written. Free some space or change the permissions, and run again: what was paid for is fetched, not bought twice.',
  },
} as const satisfies Record<string, Meaning>
