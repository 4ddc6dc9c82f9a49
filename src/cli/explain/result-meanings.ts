import type { NoInterval } from '../../answers/gates/gate-kinds.ts'
import type { ServiceErrorKind } from '../../client/service-error.ts'
import type { TERMINAL_JOB_STATUSES } from '../../contract/jobs.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { IntervalBasis, IntervalSupport } from '../../records/manifest/differences.ts'
import type { ManifestEvidence } from '../../records/manifest/scenarios.ts'
import type { ExpectedScenario } from '../../records/plan-estimates.ts'

/** A word as it is shown, what it stands for, and what to do. */
export interface Meaning {
  readonly title: string
  readonly explanation: string
}

/** What a service says about the seed data behind rows. Reports show all of it. */
export const EVIDENCE_MEANINGS = {
  effective_rows: {
    title: 'rows of the seed data that a result rests on',
    explanation:
      'Kish’s effective sample size over the combinations of levels that the scenario sets. Below 50, the evidence is thin: many generated rows repeat what few people said. A service for others gives them a little noise and rounds them down, so that no small count is revealed: 1 stands for fewer than 10, 10 for 10 to 20, 20 for 20 to 50, 50 for 50 to 100, and larger ones have two digits. On your own machine they are exact.',
  },
  exact: {
    title: 'the figures of the evidence are exact',
    explanation:
      'True on your own machine: nothing about your own file is hidden from you. Absent where the service protects the seed from those who ask. Counts and effective rows are then rounded, and every text reads them as ranges.',
  },
  largest_tilt: {
    title: 'how much a combination was multiplied',
    explanation:
      'The largest ratio of a combination’s share in the scenario to its share in the model. 1 means no change; 10 means ten times the usual share.',
  },
  in_range_share: {
    title: 'share of the model inside the ranges',
    explanation:
      'How much of the model lies inside all ranges of the scenario, among the requested levels. If it is near 0, all rows rest on few seed rows.',
  },
  low_support: {
    title: 'the evidence is thin',
    explanation:
      'The result rests on few rows of the seed data (effective_rows), so differences in it may come from chance or from a few people. The rows are delivered nevertheless. Ask for a less extreme mix, widen ranges, or use more data.',
  },
  converged: {
    title: 'the mix is the closest to the model',
    explanation:
      'False if the search for the mix closest to the model was cut short. Shares and ranges hold in any case.',
  },
} as const satisfies Record<keyof ManifestEvidence, Meaning>

type EndOfJob = Exclude<(typeof TERMINAL_JOB_STATUSES)[number], 'completed'>

/** Why a request or a job has no result, where the service gives no code of its own. */
export const CALL_MEANINGS = {
  auth: {
    title: 'the credentials were refused',
    explanation:
      'The service did not accept the client id and secret, or the token. Check them. `whatif auth status` shows whether a request for access is approved.',
  },
  forbidden: {
    title: 'the credentials do not allow this',
    explanation: 'The service knows the client but does not let it do this. Ask the operator of the service.',
  },
  quota: {
    title: 'the rows are used up',
    explanation:
      'The service answered 402: the request exceeds the subscription, or the limit for one request. Nothing more was sent. Request fewer rows, or ask the operator of the service for more.',
  },
  not_found: {
    title: 'the service does not have it',
    explanation:
      'The service answered 404. If its own record says that a dataset or result has expired, the next run makes it again.',
  },
  gone: {
    title: 'it no longer exists',
    explanation:
      'The service answered 410, or its record of the dataset or result has ended. If it is needed, the next run makes it again, within the budget.',
  },
  conflict: {
    title: 'the key is in use',
    explanation:
      'The service says that a request with this key is still in progress, or that it knows the key with another body. Wait and run again; --scope LABEL makes it new work.',
  },
  rejected: {
    title: 'the service refused the request',
    explanation:
      'The service answered with a 4xx; its message stands beside the error. Nothing was made or billed. Correct the request and run again.',
  },
  too_large: {
    title: 'the request is too large',
    explanation: 'The service refused the size of an upload or a request. It accepts seed files of at most 500 MB.',
  },
  server: {
    title: 'the service failed',
    explanation: 'The service answered every try with a 5xx. Run again later; what it accepted is collected then.',
  },
  network: {
    title: 'the service could not be reached',
    explanation:
      'No try got an answer: no connection, no such host, or a broken line. Check the address and the network, and run again. Nothing that was paid for is lost.',
  },
  deadline: {
    title: 'it did not end in time',
    explanation: 'The service did not finish before --deadline. It continues; run again to collect what it made.',
  },
  reply: {
    title: 'the answer breaks the contract',
    explanation: 'The service sent an answer that cannot be used. Report it to its operator, with the request id.',
  },
  job_failed: {
    title: 'the job failed',
    explanation:
      'The job ended without a result and without a reason. A failed job is final; --retry-failed requests it again as new work.',
  },
  job_expired: {
    title: 'the job took too long',
    explanation:
      'The service stopped the job at its own time limit. --retry-failed requests it again as new work; if it happens again, request fewer rows.',
  },
  job_cancelled: {
    title: 'the job was cancelled',
    explanation:
      'The operator of the service ended the job. Ask them why; --retry-failed requests it again as new work.',
  },
} as const satisfies Record<ServiceErrorKind | `job_${EndOfJob}`, Meaning>

/** Words that need no explanation beside those of the same text. */
type SelfEvident = Extract<IntervalSupport, 'ok'> | Extract<IntervalBasis, 'effective_rows'>

type IntervalWord =
  | IntervalBasis
  | IntervalSupport
  | NoEstimates
  | NoInterval
  | (ExpectedScenario['no_estimates'] & string)

const BOUND_INSTEAD =
  'The difference in the rows then takes the place of the answer. Its interval is a bound from the effective rows (“bound, from effective rows”), or covers the noise of generation alone if the service reports no effective rows. A run never fails because of this.'

/** How sure differences are: words of manifests, reports and summaries. The type makes one that is missing an error of the build. */
export const INTERVAL_MEANINGS = {
  interval: {
    title: 'where the difference in the population lies, with 95 % confidence',
    explanation:
      'The answer d is the difference between the seed’s own rows, reweighted to both scenarios. The interval is d ± t·SE. SE is the standard error of a calibration estimator: what the scenario’s own margins explain of an outcome has no sampling error. It follows the survey design that the dataset declares. t is Student’s t, with degrees of freedom from the spread of the weights. The interval contains the difference in the population with 95 % confidence, if the seed is a random sample of it and a scenario is a reweighting of it. It does not cover errors from questions, missing answers, or a biased seed. It does not depend on how many rows are generated.',
  },
  'noise of generation': {
    title: 'what chance alone does to generated rows',
    explanation:
      'About 2·√(p(1−p)/n) for a share p of n rows, if rows are sampled independently. More rows reduce it. It says how near a result comes to its target, or to another result of the same model. It says nothing about how sure a difference is in the population; that is what the interval is for.',
  },
  '±': {
    title: 'to either side',
    explanation:
      'In a table of differences between runs, under `Noise`: what chance alone does to generated rows (whatif explain "noise of generation").',
  },
  points: {
    title: 'percentage points',
    explanation:
      'The difference of two shares: from 35 % to 47 % are 12 points. In the summary of a run, `shares within 1.3 points` is the largest distance of a share from its target; `shares met` is a distance of less than 0.05 points.',
  },
  'beyond chance': {
    title: 'chance alone hardly explains a difference',
    explanation:
      'The population has such a difference, if the seed is a random sample of it (whatif explain interval). All questions of a study are judged together (Benjamini and Hochberg 1995, at 5 %): of the differences that are told as beyond chance, about 1 in 20 is chance all the same, however many are looked at. Each question counts once. Each interval stands for itself, so one that excludes 0 may be within chance among many. In manifests of version 1.0 a difference is beyond chance where its interval excludes 0. `Within chance` does not prove that there is no difference: the seed may be too small to show it. Nothing is known about chance without an interval, or with one that covers the noise of generation only.',
  },
  'asked for': {
    title: 'a side sets the column',
    explanation:
      'The difference of a column that a scenario sets is what was asked for. It is no finding, and is not counted among the questions of a study.',
  },
  trial: {
    title: 'a run with fewer rows, for a quick look',
    explanation:
      'whatif run --rows N asks for at most N rows per scenario. Results and state are apart, in folders trial-N, so those of the study stay as they are. Its figures are rougher than those of the study, and failed gates do not change the exit code.',
  },
  seed: {
    title: 'the answer is the seed’s own difference',
    explanation:
      'The difference between the seed’s own rows, reweighted to each of the two scenarios, is the answer, and the interval is that of its standard error (“the seed, reweighted to both scenarios”). No model takes part in it. What the generated rows show stands beside it in the record (“In the rows”).',
  },
  'in the rows': {
    title: 'the same difference in the generated rows',
    explanation:
      'Reports show it beside the answer, and a manifest has it as `delta`. The rows follow the answers as far as they may, and less inside segments. How near the rows of a scenario are: whatif explain rows_distance.',
  },
  'with the model’s help': {
    title: 'the seed’s difference mixed with that of the rows',
    explanation:
      'Shown beside an answer that fewer than 50 rows of the seed support. The seed counts for n_eff / (n_eff + 50), and the generated rows for the rest. On average this is nearer to the truth than the answer itself. It is attenuated: effects in it are too small, and it has no interval. In a manifest: `with_model`.',
  },
  rows_distance: {
    title: 'how near the rows are to the answers',
    explanation:
      'A figure of the file’s quality for each scenario of a comparison: how many differences in the rows are more than two standard errors away from their answers, the largest distance of a share in percentage points, and the root mean square distance in standard errors. The noise of generation is part of the distance, so it is larger in files of few rows; docs/quality.md says what is usual. The answers do not depend on it.',
  },
  'model and seed differ': {
    title: 'a mark of manifests of version 1.0',
    explanation:
      'In manifests of version 1.0, `departs` says that the difference in the rows is more than one standard error of the seed away from the difference in the seed itself. Newer manifests answer with the seed’s difference, and count such distances once per scenario: whatif explain rows_distance. Run the study again to get them; nothing that is there is generated again.',
  },
  'bound, from effective rows': {
    title: 'an interval from the number of seed rows behind each side',
    explanation:
      'The service did not report the seed’s own difference, so that of the rows stands in, and its standard error is bounded by p(1−p)/n_eff (s²/n_eff for means) on each side, where n_eff is the number of effective rows. For a mean, only rows with a value count. The interval is wider than one that rests on the seed’s own difference. In a manifest: effective_rows.',
  },
  generation: {
    title: 'an interval of the noise of generation only',
    explanation:
      'The service reports neither the seed’s difference nor how many of its rows stand behind a scenario. The interval therefore counts the generated rows alone and is too narrow for the population. No gate with confidence passes on it.',
  },
  thin: {
    title: 'few rows of the seed decide the answer',
    explanation:
      'The support of a side is below 50 rows of the seed, or the interval has fewer than 20 degrees of freedom (50 for a mean). Support is the smaller of the effective rows and of what the spread of the weights says. The interval may then cover the truth less often than it claims, above all for a mean that few large values decide. Ask for a less extreme mix, widen ranges, or use more data.',
  },
  too_few_rows: {
    title: 'too few rows of the seed for an interval',
    explanation:
      'The support of a side is below 20 rows of the seed (“too few seed rows”), so no interval is given, and no gate with confidence passes. The same mark appears if the service reports no difference of the seed, so that only the rows’ difference is left: too few rows have a value, or one row alone decides the figure. A service on your own machine, asked about your own file, reports all of them. Ask for a less extreme mix, widen ranges, or use more data.',
  },
  unknown: {
    title: 'the number of seed rows behind an interval is not known',
    explanation:
      'The service reports no effective rows for a side of the difference, so it is not known whether the interval is thin. The interval counts the noise of generation only.',
  },
  generation_only: {
    title: 'only the noise of generation is known',
    explanation:
      'A gate asks for confidence, but nothing is known about the seed behind the difference, so the gate does not pass. Use a service that estimates differences from the seed, or one that reports effective rows.',
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
  no_segment_estimates: {
    title: 'the service does not estimate differences inside segments',
    explanation: `The service estimates differences from the seed, and its answer has none inside the levels of the column under \`by\`. ${BOUND_INSTEAD}`,
  },
  no_where_estimates: {
    title: 'the service does not estimate differences among the rows of `where`',
    explanation:
      'The service estimates differences from the seed, but its answer does not confirm that it counted only the rows under `where` of the comparison, so it may be about all rows and is not used. The rows of the results are counted all the same. The differences have no interval, and no gate with confidence passes on them.',
  },
  no_quantile_estimates: {
    title: 'the service tells no quantiles',
    explanation:
      'A service that protects its seeds tells no quantiles, because each is the value of some row, which the noise of its figures would not hide. An earlier version, or another service, may not know them. The quantiles of the rows are counted all the same. Their differences have no interval, and no gate with confidence passes on them.',
  },
  estimates_dataset_gone: {
    title: 'the dataset is no longer at the service',
    explanation: `The results are kept, but the dataset that they come from has expired, so the service cannot report the seed’s own differences. ${BOUND_INSTEAD} --force generates everything again, which is billed.`,
  },
  estimates_other_model: {
    title: 'the two sides come from different models',
    explanation: `The two sides of the comparison do not rest on one seed: see mixed_model. ${BOUND_INSTEAD}`,
  },
  estimates_refused: {
    title: 'the service refused to estimate the differences',
    explanation: `The service answered the question about the seed’s differences with a 4xx. ${BOUND_INSTEAD} The next run that talks to the service asks again.`,
  },
  estimates_unreadable: {
    title: 'the answer about the seed could not be read',
    explanation: `The service’s answer breaks the contract, or does not answer the question. ${BOUND_INSTEAD} The next run that talks to the service asks again.`,
  },
  estimates_failed: {
    title: 'the service gave no answer about the seed',
    explanation: `The service could not be reached, did not answer in 30 seconds, or failed. ${BOUND_INSTEAD} The next run asks again; nothing is generated or billed for that.`,
  },
  estimates_not_asked: {
    title: 'the service was not asked about the seed',
    explanation: `The run was interrupted, or its deadline was near, before the service was asked for the seed’s own differences. ${BOUND_INSTEAD} Run again: nothing is generated or billed for that. Or the data do not have the columns or levels that the comparison names (any more): then there is nothing to ask.`,
  },
  not_trained: {
    title: 'nothing is known of the seed yet',
    explanation:
      '`whatif plan --estimates` asks about trained datasets, and this one is not trained. `whatif validate` and `whatif lock` upload and train it, and bill nothing.',
  },
  standard_error_factor: {
    title: 'by how much to multiply standard errors of your own analyses',
    explanation:
      '√(1 + rows / effective rows). A statistics program treats each generated row as a person, so its standard errors are too small. Multiply them by this factor of the scenario. It is near 1 when there are far fewer generated rows than effective rows of the seed. Where effective rows are told as a range, the factor is the largest that it can be (“at most”). With fewer than 10 effective rows only its smallest value is known (“at least”), and the manifest has none.',
  },
  confidence: {
    title: 'how sure a gate on a difference must be',
    explanation:
      'With `confidence: 0.95` beside delta_min or delta_max, the gate passes only if the whole 95 % interval of the difference lies within the bounds. It does not pass without an interval: with too few rows of the seed, or if only the noise of generation is known.',
  },
} as const satisfies Record<Exclude<IntervalWord, SelfEvident>, Meaning> & Readonly<Record<string, Meaning>>
