import type { ServiceErrorKind } from '../../client/service-error.ts'
import type { ComparisonResult } from '../../manifest/difference-records.ts'
import type { GateKind, ManifestStatus, ScenarioStatus } from '../../manifest/manifest.ts'
import type { Action, DatasetAction, GenerateReason, UploadReason } from '../../plan/plan.ts'
import type { ScenarioState } from '../../plan/state-index.ts'
import type { UploadStatus } from '../../plan/study-state.ts'
import type { ExitReason } from '../../run/interface/exit-code.ts'
import type { FaultCode } from '../../run/interface/fault-meanings.ts'
import type { Outcome } from '../../run/interface/run-event.ts'
import type { Breaker } from '../../run/session/scenario-progress.ts'
import type { Meaning } from './result-meanings.ts'

type State = ScenarioStatus | ScenarioState | UploadStatus | ManifestStatus | ComparisonResult['status']
type Step = Action['kind'] | GenerateReason['kind'] | DatasetAction['kind'] | UploadReason | Outcome

/** Words that other tables explain. */
type Explained = GateKind | FaultCode | ServiceErrorKind | ExitReason

type Word = State | Step | Breaker

const GONE_AT_SERVICE =
  'The service keeps trained datasets and results for a limited time, and this one has passed its end. Results that are on disk stay good; one that is not is generated anew, which is billed. The embedded service keeps things for 7 days, or as long as WHATIF_EMBEDDED_RETENTION says.'

/**
 * Statuses, actions and reasons in summaries, plans and `whatif status`. The type makes one without an explanation an error
 * of the build.
 */
export const WORD_MEANINGS = {
  ready: {
    title: 'the result is there',
    explanation: 'All rows asked for were generated, downloaded, verified and counted. Of a dataset: it is trained.',
  },
  partial: {
    title: 'fewer rows than asked for',
    explanation:
      'The rows follow the requested mix exactly, but the data supports no more of it. They are kept and billed. The shortfall names the targets that bind. `partial` in the study decides whether that is accepted, a warning, or exit code 8.',
  },
  refused: {
    title: 'the service did not take the request',
    explanation:
      'The service answered with a 4xx, and made and billed nothing; the words beside it say why. Mend that and run again: the same request is sent with the same key. Of a whole run: it ended before anything was generated, and manifest.json is still that of the run before.',
  },
  not_started: {
    title: 'nothing was sent for this scenario',
    explanation:
      'The run stopped before its turn came: an interruption, the deadline, a 402, refused credentials, a service out of reach, or a failure with `on_failure: stop`. Nothing was billed for it. Run again.',
  },
  interrupted: {
    title: 'the run ended while work went on',
    explanation:
      'Something was sent, and its end was not seen. The service goes on with it and bills what it makes. Run again, or `whatif resume`: it is collected, not bought twice. A run that you interrupt ends with exit code 130 (SIGINT) or 143 (SIGTERM).',
  },
  running: {
    title: 'work is under way',
    explanation:
      'The run has not ended yet, or the service still works on the scenario. `whatif status` shows how far it is.',
  },
  unanswered: {
    title: 'a request whose answer was never seen',
    explanation:
      'The request was recorded and sent, or nearly so, and no answer came. The next run sends it again with the same key, so that the service makes and bills it once.',
  },
  prepared: {
    title: 'a request that may not have been sent',
    explanation:
      'The request is recorded, and its answer was never seen. The next run sends it again with the same key, so that the service makes it once.',
  },
  training: {
    title: 'the dataset is being trained',
    explanation: 'The seed file was uploaded, and the end of its training was not seen yet. The next run waits for it.',
  },
  payment: {
    title: 'the service wants payment',
    explanation:
      'The service answered 402, so nothing more is submitted. Running work is collected, the rest is not_started, and the run ends with exit code 6.',
  },
  failure: {
    title: 'a scenario failed, and the policy is to stop',
    explanation:
      'With `policy: { on_failure: stop }` or --on-failure stop nothing more is submitted after the first failure. Running work goes on to its end.',
  },
  expired: { title: 'gone at the service', explanation: GONE_AT_SERVICE },
  complete: {
    title: 'the run came to its end',
    explanation:
      'Every selected scenario has an end: a result, or a reason why there is none. The exit code tells which.',
  },
  compared: {
    title: 'both sides are there and of one model',
    explanation: 'Shares and means of the two scenarios were set against each other; both come from one model.',
  },
  missing: {
    title: 'a side of the comparison has no result',
    explanation:
      'One of the two scenarios has no rows, so nothing could be compared; gates on the difference fail. Of a file: it is not at its place.',
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
      'An earlier run asked for it and did not see its end. It is waited for and downloaded, or sent again with the same key where no answer was seen; only that can still be billed.',
  },
  download: {
    title: 'the result is fetched again',
    explanation:
      'The file of a result is missing or differs, and the service still has it: it is downloaded again (re-download), which costs nothing.',
  },
  copy: {
    title: 'the same request as another scenario',
    explanation:
      'Two scenarios ask for the same rows with the same seed. They are generated and billed once, and copied.',
  },
  reuse: {
    title: 'nothing has to be done for it',
    explanation:
      'Request, data and file are those of an earlier run. Nothing is sent or billed. --force generates it anew.',
  },
  skip: {
    title: 'left out of this run',
    explanation:
      '--select or --exclude leave the scenario out of this run. An earlier result is listed and not judged.',
  },
  new: {
    title: 'never generated before',
    explanation: 'Nothing is known of such a request, in this scope. Of a dataset: its seed file was never uploaded.',
  },
  changed: {
    title: 'not as it was when it was last generated',
    explanation:
      'What differs is listed: field, value before, value now. Of a dataset: the seed file or its cleaning differs.',
  },
  random_seed: {
    title: 'the seed is drawn anew',
    explanation:
      '`seed: random` asks for other rows in each run. A number as seed gives the same rows, and lets runs reuse them.',
  },
  forced: {
    title: 'generated anew because of a flag',
    explanation: '--force or --force-dataset asks for it although it is up to date. It is billed again.',
  },
  dataset_forced: {
    title: 'its dataset is trained anew because of a flag',
    explanation: '--force-dataset trains the dataset again, so all its scenarios are generated anew and billed.',
  },
  retry: {
    title: 'tried again after a failure',
    explanation:
      '--retry-failed asks anew for what failed in an earlier run. It is new work and counts against the budget.',
  },
  refused_before: {
    title: 'refused in an earlier run',
    explanation:
      'The service refused the request with a 4xx. It is sent again with the same key; nothing was billed for it.',
  },
  none: {
    title: 'nothing to do',
    explanation: 'No scenario needs the dataset in this run; nothing is asked about it.',
  },
  use: {
    title: 'the trained dataset is used',
    explanation:
      'It was trained before and is still there, as far as is known. The service is asked before anything is generated.',
  },
  inspect: {
    title: 'the dataset is looked at first',
    explanation:
      'The study names it by its id, and its columns were never seen here. The run asks the service for them; that is free.',
  },
  upload: {
    title: 'the seed file is uploaded and trained',
    explanation:
      'The service has no trained dataset of this seed file, or a flag asks for a new one. Training is not billed in rows.',
  },
  generated: {
    title: 'made in this run',
    explanation: 'This run asked for the rows and got them. They are in its bill.',
  },
  resumed: {
    title: 'collected from an earlier run',
    explanation:
      'An earlier run asked for the rows, and this one collected them. They were billed to that request, once.',
  },
  downloaded: {
    title: 'fetched again',
    explanation: 'The rows were made and billed in an earlier run; this one only downloaded the file again.',
  },
  copied: {
    title: 'the same rows as another scenario',
    explanation: 'Another scenario asks for the same rows with the same seed, so its file was copied. Billed once.',
  },
  reused: {
    title: 'up to date, nothing was sent',
    explanation: 'The result of an earlier run is still good: same request, same data, same file. Nothing was billed.',
  },
} as const satisfies Record<Exclude<Word, Explained> | 'interrupted', Meaning>

/** Words that stand in no union: of the texts around the others. */
export const TEXT_MEANINGS = {
  'not selected': WORD_MEANINGS.skip,
  'up to date': WORD_MEANINGS.reuse,
  're-download': WORD_MEANINGS.download,
  'probably expired': {
    title: 'past its end by the clock',
    explanation: `${GONE_AT_SERVICE} \`whatif plan\` asks no service and goes by the clock; a run asks first.`,
  },
  bound: {
    title: 'at most so many rows billed',
    explanation:
      'The most rows that a run of this plan can be billed for: the sum over the distinct requests that it will send. The bill can be lower: partial results cost only the rows that came. budget.rows_per_run is held against it before anything is sent.',
  },
  billed: {
    title: 'rows that this run pays for',
    explanation:
      'Rows of the generations that this run asked for and saw end. The embedded service counts them and costs nothing.',
  },
  collected: {
    title: 'rows that an earlier request pays for',
    explanation:
      'Rows of generations that an earlier run asked for and this one collected. They are billed once, to that request.',
  },
  evidence: {
    title: 'how much of the seed data stands behind rows',
    explanation:
      'What the service says of the rows of the seed that a result rests on: effective_rows, largest_tilt, in_range_share, low_support. Thin evidence is a warning and no failure.',
  },
  shortfall: {
    title: 'why there are fewer rows than asked for',
    explanation:
      'Names the targets that bind, with the rows of the seed data that stand against them. More rows of exactly this mix are not in the data.',
  },
  renamed: {
    title: 'the same request under a new name',
    explanation:
      'A scenario was given another name and asks for the same rows. Its file is copied to the new name; nothing is generated or billed.',
  },
  epoch: {
    title: 'how often a request was made new',
    explanation:
      'A part of the key of a request. The same epoch is the same work, paid once; a higher one, after an expiry or with --force, is new work.',
  },
  drift: {
    title: 'the data changed since the lock file',
    explanation:
      'A column or level that the scenario needs is gone, and `policy: { drift: warn }` stops only the scenarios that need it. Change the condition or the seed file, then run whatif lock.',
  },
  disk: {
    title: 'the disk is full or failed',
    explanation:
      'A file could not be written. Make room or change the rights, and run again: what was paid for is fetched, not bought twice.',
  },
} as const satisfies Record<string, Meaning>
