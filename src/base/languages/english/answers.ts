/** What answers say: notes, reasons, verdicts of comparisons. */

import { type Said, said } from '../../message/said.ts'
import { count, hasOrHave, isOrAre, plural } from './numbers.ts'

export const ANSWERS = {
  heads: {
    scenario: 'Scenario',
    outcome: 'Outcome',
    baseline: 'Baseline',
    difference: 'Difference',
    interval: '95 % interval',
    inRows: 'In the rows',
    beyond: 'Beyond chance',
    notes: 'Notes',
    marks: 'Marks',
    from: 'From',
    to: 'To',
  },
  /** What a reader should know of a difference, by the mark that records have. */
  marks: {
    'asked for': 'asked for',
    thin: 'thin',
    'too few seed rows': 'too few seed rows',
    'another training': 'another training',
  },
  generationAlone: 'interval of generation alone',
  /** Few rows of the seed support the answer: the difference in the rows helps, and is too small. */
  withModel: (difference: string): string => `with the model’s help ${difference} (nearer on average, attenuated)`,
  bases: {
    seed: 'the seed, reweighted to both scenarios',
    effective_rows: 'bound, from effective rows',
    generation: 'noise of generation only',
  },
  noEstimates: {
    no_estimates_operation: 'the service does not estimate differences from the seed',
    no_segment_estimates: 'the service does not estimate differences inside segments',
    no_where_estimates: 'the service does not estimate differences among the rows of `where`',
    no_quantile_estimates: 'the service tells no quantiles: it protects its seeds, or does not know them',
    estimates_dataset_gone: 'the dataset is no longer at the service',
    estimates_other_model: 'the two sides come from different models',
    estimates_refused: 'the service refused to estimate them',
    estimates_unreadable: 'the answer of the service could not be read',
    estimates_failed: 'the service gave no answer; the next run asks again',
    estimates_not_asked: 'the service was not asked: the run ended before, or the data do not have what is named',
  },
  restOn: (bases: string): string => `intervals rest on: ${bases}`,
  noIntervals: (why: string): string => `no intervals: ${why}`,
  noQuantileIntervals: (why: string): string => `no intervals of quantiles: ${why}`,
  /** What every report says of its answers, a paragraph each. */
  notes: [
    'The answer is what the seed says: the difference between its own rows, reweighted to both scenarios. Its interval contains the difference in the population with 95 % confidence, if the seed is a random sample of it. Neither depends on how many rows are generated.',
    '“In the rows” is the same difference in the generated rows. They follow the answers as far as they may, and less inside segments.',
    '“Thin” marks an answer with a support of fewer than 50 rows of the seed, or with fewer than 20 degrees of freedom (50 for a mean). With a support of fewer than 20 rows there is no interval. Below 50 rows of support, a figure with the model’s help stands beside it: the seed’s difference mixed with that of the rows. It is nearer to the truth on average, and attenuated: too small.',
  ],
  shareOutcome: <N>(column: N, level: N): Said<N> => said`${column} ${level}`,
  numberOutcome: <N>(figure: string, column: N): Said<N> => said`the ${figure} of ${column}`,
  /** An answer as a sentence without its end. */
  sentence: <N>(of: {
    readonly scenario: N
    readonly outcome: Said<N>
    /** The rows that are counted; null: all. */
    readonly rows: N | null
    readonly falls: boolean
    readonly from: string
    readonly to: string
    readonly difference: N
    /** Empty: there is none. */
    readonly interval: string
  }): Said<N> =>
    said`With ${of.scenario}, ${of.outcome}${of.rows === null ? '' : said`${' in rows with '}${of.rows}`} ${of.falls ? 'falls' : 'rises'} from ${of.from} to ${of.to}: ${of.difference}${of.interval === '' ? '' : `, 95 % interval ${of.interval}`}`,
  countedIn: (where: string, rows: string | null): string =>
    `counted in rows with ${where}${rows === null ? '' : ` (${rows})`}`,
  notCompared: { shares: '', means: ' mean', quantiles: ' quantiles', segments: ' segments', where: ' under where' },
  notInData: (names: readonly string[]): string =>
    `not compared, because the data do not have ${names.length === 1 ? 'it' : 'them'}: ${names.join(', ')}`,
  brokenRules: (rows: number, rule: string, others: number): string =>
    `${plural(rows, 'row')} ${rows === 1 ? 'breaks' : 'break'} "${rule}"${others === 0 ? '' : `, and ${plural(others, 'more rule')} ${isOrAre(others)} broken`}`,
  trial: (rows: number): string =>
    `trial with at most ${plural(rows, 'row')} per scenario: figures are rougher than those of the study, and gates do not count`,
  nearestConditions: 'The nearest conditions with all rows:',
  nearestMix: (points: string): string => `The nearest mix with all rows moves shares by ${points}:`,
  nothingToEvaluate: 'nothing to evaluate',
  gateInterval: (percent: string | null, interval: string): string =>
    `${percent === null ? '' : `${percent} `}interval ${interval}`,
  noInterval: {
    too_few_rows: 'too few seed rows for an interval',
    generation_only: 'no interval: only the noise of generation is known',
    no_standard_error: 'no interval: a side has fewer than two values',
    other: 'no interval',
  },
  /** Verdicts are sentences without their end. */
  verdicts: {
    none: 'no differences',
    noneAsMissing: 'no differences, because results are missing',
    tooFew: (all: number): string => `${plural(all, 'difference')}; too few seed rows for an interval`,
    unknown: (all: number): string => `${plural(all, 'difference')}; nothing is known about chance`,
    oneWithin: 'the difference is within chance',
    oneBeyond: 'the difference is beyond chance',
    noneBeyond: (all: number): string => `none of ${count(all)} differences is beyond chance`,
    someBeyond: (beyond: number, all: number): string =>
      `${count(beyond)} of ${count(all)} differences ${isOrAre(beyond)} beyond chance`,
    questions: (beyond: number, asked: number): string =>
      asked === 1
        ? `the question is answered ${beyond === 1 ? 'beyond' : 'within'} chance`
        : `${beyond === 0 ? 'none' : count(beyond)} of ${count(asked)} questions ${beyond < 2 ? 'is' : 'are'} answered beyond chance`,
    moreOfThem: (more: number): string => `${count(more)} more of them`,
    moreBeyond: (more: number): string => `${count(more)} more ${isOrAre(more)} beyond chance`,
    moreWithin: (more: number): string => `${count(more)} more ${isOrAre(more)} within chance`,
    moreTooFew: (more: number): string => `${count(more)} more ${hasOrHave(more)} too few seed rows for an interval`,
    moreUnknown: (more: number): string => `nothing is known about chance in ${count(more)} more`,
    oneInTwenty: 'about 1 in 20 of the answers that are beyond chance is chance all the same',
    ifNone: (chance: number, decided: number): string =>
      `if no difference were real, about ${count(chance)} of ${count(decided)} would be beyond chance`,
    bySegments: (by: string, what: string): string => `by ${by}: ${what}`,
    segmentsUnknown: (all: number): string =>
      `${plural(all, 'difference')} inside segments; nothing is known about chance`,
    /** `chance`: as many would be, if none were real; null: that is not said. */
    segments: (beyond: number, all: number, chance: number | null): string =>
      `${count(beyond)} of ${count(all)} differences inside segments ${isOrAre(beyond)} beyond chance${chance === null ? '' : `, and about ${count(chance)} would be if none were real`}`,
    pooled: (scenarios: number, fewest: number, most: number): string => {
      const replicates = fewest === most ? plural(most, 'replicate') : `${fewest} to ${plural(most, 'replicate')}`
      return scenarios === 1
        ? `1 scenario is pooled from ${replicates}`
        : `${count(scenarios)} scenarios are pooled from ${replicates} each`
    },
    withoutResult: (scenarios: number): string => `${plural(scenarios, 'scenario')} without a result on both sides`,
  },
}
