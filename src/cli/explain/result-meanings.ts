import type { ServiceErrorKind } from '../../client/service-error.ts'
import type { TERMINAL_JOB_STATUSES } from '../../contract/jobs.ts'
import type { GateKind, ManifestEvidence } from '../../manifest/manifest.ts'

/** A word as it is shown, what it stands for, and what to do. */
export interface Meaning {
  readonly title: string
  readonly explanation: string
}

/** Gates of scenarios and comparisons. The type makes a gate without an explanation an error of the build. */
export const GATE_MEANINGS = {
  fill: {
    title: 'enough of the rows asked for',
    explanation:
      'Rows in the file divided by rows asked for, held against `fill: { min }` in expect or warn. It fails when the data cannot support all rows of the mix. The shortfall beside it names the targets that bind: ask for fewer rows, or change these shares or ranges.',
  },
  shares: {
    title: 'shares near their targets',
    explanation:
      'shares:COLUMN is the largest distance between a target share of the column and the share counted in the file, held against the tolerance in expect or warn. It passes on equality. A tolerance below what chance does in so few rows fails on good results: see W5102.',
  },
  ranges: {
    title: 'values inside their ranges',
    explanation:
      'The largest share of rows outside a range of the scenario, or without a value there, held against `ranges: { outside_max }` in expect or warn.',
  },
  delta: {
    title: 'a difference of a comparison within its bounds',
    explanation:
      'delta:SCENARIO:COLUMN:LEVEL is a share (without a level: a mean) of the scenario minus that of the scenario compared against, held against delta_min and delta_max. With `confidence` its whole interval must lie within them. It fails with nothing found when one side has no result.',
  },
  mixed_model: {
    title: 'both sides of a comparison from one model',
    explanation:
      'Counts scenarios of a comparison whose rows come from another model than those compared against, or from another training whose model the service does not tell. The difference would be partly that of the models. It fails the run (exit 9), or only warns with `policy: { mixed_model: warn }`. `whatif plan` tells beforehand (N4401, W4402, N4403); --force generates all anew from one model.',
  },
} as const satisfies Record<GateKind, Meaning>

/** What a service says of the seed data behind rows; reports show all of it. */
export const EVIDENCE_MEANINGS = {
  effective_rows: {
    title: 'rows of the seed data that a result rests on',
    explanation:
      'Kish’s effective sample size over the combinations of levels that the scenario sets. Below 50 the evidence is thin: many generated rows repeat what few people said.',
  },
  largest_tilt: {
    title: 'how far a combination was multiplied',
    explanation:
      'The largest ratio of a combination’s share in the scenario to its share in the model. 1 is no change; 10 means ten times its usual share.',
  },
  in_range_share: {
    title: 'share of the model inside the ranges',
    explanation:
      'How much of the model lies inside all ranges of the scenario, among the levels asked for. Near 0, few seed rows stand behind all rows.',
  },
  unlisted: {
    title: 'how unlisted levels were filled',
    explanation:
      'Which reading of the rest of a column was used: in the model’s overall proportions (unconditional), or in those given the other conditions (conditional).',
  },
  low_support: {
    title: 'the evidence is thin',
    explanation:
      'Few rows of the seed data stand behind the result (effective_rows), so differences in it may be chance or a few people. The rows are delivered all the same. Ask for a less extreme mix, widen ranges, or bring more data.',
  },
  converged: {
    title: 'the mix is the closest to the model',
    explanation:
      'False when the search for the mix closest to the model was cut short. Shares and ranges hold in any case.',
  },
} as const satisfies Record<keyof ManifestEvidence, Meaning>

type EndOfJob = Exclude<(typeof TERMINAL_JOB_STATUSES)[number], 'completed'>

/** Why a request or a job has no result, where the service gives no code of its own. */
export const CALL_MEANINGS = {
  auth: {
    title: 'the credentials were refused',
    explanation:
      'The service did not accept the client id and secret, or the token. Check them; `whatif auth status` shows how a request for access stands.',
  },
  forbidden: {
    title: 'the credentials do not allow this',
    explanation: 'The service knows the client and does not let it do this. Ask whoever runs the service.',
  },
  quota: {
    title: 'the rows are used up',
    explanation:
      'The service answered 402: the request exceeds the subscription or the cap of one request. Nothing more was sent. Ask for fewer rows, or whoever runs the service for more.',
  },
  not_found: {
    title: 'the service does not have it',
    explanation:
      'The service answered 404. Where its own record says so, a dataset or result has expired and is made anew by the next run.',
  },
  gone: {
    title: 'no longer there',
    explanation:
      'The service answered 410, or its record of the dataset or result has ended. The next run makes it anew where that is needed, within the budget.',
  },
  conflict: {
    title: 'the key is in use',
    explanation:
      'The service says that a request with this key is still in flight, or remembers the key with another body. Wait and run again; --scope LABEL makes it new work.',
  },
  rejected: {
    title: 'the service refused the request',
    explanation:
      'The service answered with a 4xx; its words stand beside it. Nothing was made or billed. Mend the request and run again.',
  },
  too_large: {
    title: 'the request is too large',
    explanation: 'The service refused the size of an upload or a request. It takes seed files of at most 500 MB.',
  },
  server: {
    title: 'the service failed',
    explanation: 'The service answered with a 5xx, on every try. Run again later; what was accepted is collected then.',
  },
  network: {
    title: 'the service could not be reached',
    explanation:
      'No answer came, on any try: no connection, no such host, a broken line. Check address and network, and run again; nothing that was paid is lost.',
  },
  deadline: {
    title: 'no end in time',
    explanation: 'The service did not finish before --deadline. It goes on; run again to collect what it made.',
  },
  reply: {
    title: 'the answer breaks the contract',
    explanation:
      'The service answered something that cannot be used. Report it to whoever runs it, with the request id.',
  },
  job_failed: {
    title: 'the job failed',
    explanation:
      'The job ended without a result and without a reason. A failed job is final; --retry-failed asks for new work.',
  },
  job_expired: {
    title: 'the job took too long',
    explanation:
      'The service gave the job up at its own time limit. --retry-failed asks for new work; ask for fewer rows if it happens again.',
  },
  job_cancelled: {
    title: 'the job was cancelled',
    explanation: 'Whoever runs the service ended the job. Ask them why; --retry-failed asks for new work.',
  },
} as const satisfies Record<ServiceErrorKind | `job_${EndOfJob}`, Meaning>
