import type { ServiceErrorKind } from '../../client/service-error.ts'
import type { TERMINAL_JOB_STATUSES } from '../../contract/jobs.ts'
import type { IntervalBasis, IntervalSupport, NoEstimates } from '../../manifest/difference-records.ts'
import type { GateKind, ManifestEvidence, NoInterval } from '../../manifest/manifest.ts'
import type { ForeseenScenario } from '../../run/estimates/foresee-differences.ts'

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

/** Words that need no explanation beside those of the same text. */
type Plain = Extract<IntervalSupport, 'ok'> | Extract<IntervalBasis, 'effective_rows'>

type IntervalWord =
  | IntervalBasis
  | IntervalSupport
  | NoEstimates
  | NoInterval
  | (ForeseenScenario['no_estimates'] & string)

const BOUND_INSTEAD =
  'Intervals then rest on a bound from the effective rows (“bound, from effective rows”), or on the noise of generation alone where the service tells no effective rows. No run fails because of it.'

/** How sure differences are: words of manifests, reports and summaries. The type makes one that is missing an error of the build. */
export const INTERVAL_MEANINGS = {
  interval: {
    title: 'where the difference in the population lies, with 95 % confidence',
    explanation:
      'The interval of a difference counts two things: the seed is a sample of its population (SE_seed), and the generated rows do not show exactly what the seed shows (D, the distance between their two differences). It is d ± t·√(SE_seed² + D²), with Student’s t at the smaller effective sample size of both sides. Where the seed’s own difference is not told, the noise of generation takes the place of D² (s²/N on both sides). It assumes that the seed is a random sample, weighted by nothing, and that a scenario is a reweighting of that population. It does not hold errors of questions, of missing answers, or of a seed that is no fair sample. More rows can make only the second part smaller.',
  },
  'noise of generation': {
    title: 'what chance does to generated rows alone',
    explanation:
      'About 2·√(p(1−p)/n) for a share p of n rows, if rows are sampled independently. More rows take it away. It says how near a result comes to its target or to another result of the same model, and nothing of how sure a difference is in the population: that is what the interval is for.',
  },
  '±': {
    title: 'to either side',
    explanation:
      'In the summary of a run, behind `shares`: the largest distance of a share from its target, where 0.0100 is one percentage point. In a table of differences between runs, under `Noise`: what chance alone does to generated rows (whatif explain "noise of generation").',
  },
  seed: {
    title: 'the difference in the seed itself',
    explanation:
      'The seed’s own rows, reweighted to both scenarios, and the difference between them. As the basis of an interval (“seed and generation”), its standard error is that of this difference. The model’s difference beside it comes from the generated rows.',
  },
  'model and seed differ': {
    title: 'the model’s difference is not the seed’s',
    explanation:
      'The difference in the generated rows lies more than one standard error of the seed away from the difference in the seed itself (`departs` in a manifest). The model may have smoothed an effect away, or added one. Publish the seed’s difference rather than the model’s, or look at why they differ.',
  },
  'bound, from effective rows': {
    title: 'an interval from the number of seed rows behind each side',
    explanation:
      'The service did not tell the seed’s own difference, so its standard error is bounded by p(1−p)/n_eff (s²/n_eff for means) on each side, where n_eff is the number of effective rows. Of a mean, only rows that have a value count. The interval is wider than one that rests on the seed’s own difference. In a manifest: effective_rows.',
  },
  generation: {
    title: 'an interval of the noise of generation only',
    explanation:
      'The service tells neither the seed’s difference nor how many of its rows stand behind a scenario, so the interval counts the generated rows alone and is too narrow for the population. No gate with confidence passes on it.',
  },
  thin: {
    title: 'fewer than 50 effective rows of the seed',
    explanation:
      'The interval rests on so few rows of the seed that it may cover the truth less often than it says. Ask for a less extreme mix, widen ranges, or bring more data.',
  },
  too_few_rows: {
    title: 'too few rows of the seed for an interval',
    explanation:
      'Fewer than 20 effective rows of the seed stand behind a side (“too few seed rows”), so no interval is given, and no gate with confidence passes. Only the difference of the generated rows is told. The same mark stands where the service tells no difference of the seed: fewer than 10 of its rows have a value, or fewer than 10 are all that the two scenarios differ by. Ask for a less extreme mix, widen ranges, or bring more data.',
  },
  unknown: {
    title: 'how many seed rows stand behind an interval is not told',
    explanation:
      'The service tells no effective rows for a side of the difference, so nobody can say whether its interval is thin. The interval counts the noise of generation only.',
  },
  generation_only: {
    title: 'only the noise of generation is known',
    explanation:
      'A gate asks for confidence, and nothing is known of the seed behind the difference, so the gate does not pass. Use a service that estimates differences from the seed, or one that tells effective rows.',
  },
  no_standard_error: {
    title: 'a side has fewer than two values',
    explanation:
      'A standard deviation needs two values, so the difference of means has no interval, and a gate with confidence on it does not pass. Ask for more rows.',
  },
  no_estimates_operation: {
    title: 'the service does not estimate differences from the seed',
    explanation: `The operation estimateDifferences is an extension that a service need not have. ${BOUND_INSTEAD}`,
  },
  estimates_dataset_gone: {
    title: 'the dataset is no longer at the service',
    explanation: `The results are kept, and the dataset that they come from has expired, so the seed’s own differences cannot be asked for. ${BOUND_INSTEAD} --force generates everything anew, which is billed.`,
  },
  estimates_other_model: {
    title: 'the two sides come from different models',
    explanation: `No one seed stands behind both sides of the comparison: see mixed_model. ${BOUND_INSTEAD}`,
  },
  estimates_refused: {
    title: 'the service refused to estimate the differences',
    explanation: `The service answered the question about the seed’s differences with a 4xx. ${BOUND_INSTEAD} The next run that talks to the service asks again.`,
  },
  estimates_unreadable: {
    title: 'the answer about the seed could not be read',
    explanation: `The service’s answer breaks the contract or does not answer the question. ${BOUND_INSTEAD} The next run that talks to the service asks again.`,
  },
  estimates_failed: {
    title: 'the service gave no answer about the seed',
    explanation: `The service could not be reached, did not answer in 30 seconds, or failed. ${BOUND_INSTEAD} The next run asks again; nothing is generated or billed for that.`,
  },
  estimates_not_asked: {
    title: 'the run ended before it asked about the seed',
    explanation: `The run was interrupted, or its deadline was near, before the service was asked for the seed’s own differences. ${BOUND_INSTEAD} Run again: nothing is generated or billed for that.`,
  },
  not_trained: {
    title: 'nothing is known of the seed yet',
    explanation:
      '`whatif plan --estimates` asks about trained datasets, and this one is not trained. `whatif validate` or `whatif lock` uploads and trains it, which bills nothing.',
  },
  standard_error_factor: {
    title: 'by how much to multiply standard errors of your own analyses',
    explanation:
      '√(1 + rows / effective rows). A statistics program takes each generated row for a person, so its standard errors are too small. Multiply them by this factor of the scenario. It is near 1 when there are far fewer generated rows than effective rows of the seed.',
  },
  confidence: {
    title: 'how sure a gate on a difference must be',
    explanation:
      'With `confidence: 0.95` beside delta_min or delta_max, the gate passes only if the whole 95 % interval of the difference lies within the bounds. It does not pass where there is no interval: with too few rows of the seed, or where only the noise of generation is known.',
  },
} as const satisfies Record<Exclude<IntervalWord, Plain>, Meaning> & Readonly<Record<string, Meaning>>
