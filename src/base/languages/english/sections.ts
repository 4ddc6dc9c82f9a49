/** Curves, distributions, targets, evidence and comparisons. */

import { type Said, said } from '../../message/said.ts'
import { count, hasOrHave, isOrAre, plural } from './numbers.ts'

export const SECTIONS = {
  responses: {
    title: 'Along the axes',
    left: (outcomes: number): string =>
      `Drawn are the outcomes with the strongest differences. The tables of the comparisons hold ${plural(outcomes, 'further outcome')}.`,
    beyond: 'with 95 % interval, beyond chance',
    bandEnds: 'ends of intervals that hold for all points together',
    within: 'within chance or not known',
    baseline: 'baseline',
    /** A sentence without its end. `what` is one of those below. */
    caption: (of: {
      readonly axis: string
      readonly held: string
      readonly outcome: string
      readonly isShare: boolean
      readonly where: string | null
      readonly what: string
      readonly against: string
      readonly from: string
    }): string =>
      `Along ${of.axis}${of.held === '' ? '' : ` at ${of.held}`}, ${of.isShare ? '' : 'the '}${of.outcome}${of.where === null ? '' : ` in rows with ${of.where}`} ${of.what}; in ${of.against} it is ${of.from}`,
    bars: (against: string): string => `. The bars are 95 % intervals of the difference from ${against}.`,
    inDays: (against: string): string => ` The axis counts days from ${against}.`,
    atBothEnds: (figure: string): string => `is ${figure} at both ends`,
    mayBeChance: (from: string, first: string, to: string, last: string): string =>
      `is ${from} at ${first} and ${to} at ${last}, which chance may explain`,
    changes: (isRise: boolean, from: string, first: string, to: string, last: string): string =>
      `${isRise ? 'rises' : 'falls'} from ${from} (${first}) to ${to} (${last})`,
    atEveryValue: (figure: string): string => `is ${figure} at every value`,
    between: (low: string, high: string): string => `lies between ${low} and ${high}, which chance may explain`,
    extremes: (lowest: string, low: string, highest: string, high: string): string =>
      `is lowest at ${lowest} (${low}) and highest at ${highest} (${high})`,
    heads: { axis: 'Axis', held: 'Held', value: 'Value', number: 'Number' },
    label: (outcome: string, axis: string, held: string): string =>
      `${outcome} along ${axis}${held === '' ? '' : `, ${held}`}`,
    point: (value: string, to: string, difference: string, against: string): string =>
      `${value}: ${to}, ${difference} from ${against}`,
    interval: (interval: string): string => `95 % interval of the difference ${interval}`,
  },
  axes: {
    share: (of: string): string => `share of ${of}`,
    leastShare: (of: string): string => `least share of ${of}`,
    greatestShare: (of: string): string => `greatest share of ${of}`,
    smallest: (column: string): string => `smallest ${column}`,
    largest: (column: string): string => `largest ${column}`,
    mean: (column: string): string => `mean ${column}`,
    leastMean: (column: string): string => `least mean ${column}`,
    greatestMean: (column: string): string => `greatest mean ${column}`,
  },
  distributions: {
    title: 'Distributions',
    left: (distributions: number): string =>
      `Drawn are the scenarios that differ most. ${plural(distributions, 'further distribution')} would repeat what the tables of the comparisons hold.`,
    baseline: 'baseline',
    scenario: 'scenario',
    label: (column: string, against: string, scenario: string): string => `${column}: ${against} against ${scenario}`,
    /** `where`: the rows that are counted; null: all. */
    shares: <N>(column: N, where: N | null, inRows: boolean, against: N): Said<N> =>
      said`Shares of the levels of ${column}${where === null ? '' : said`${' with '}${where}`}${inRows ? ' in the generated rows' : ''}, ${against} (empty bars) against each scenario (full bars).`,
    numbers: <N>(of: {
      readonly column: N
      readonly where: N | null
      readonly against: N
      readonly hasBins: boolean
      readonly hasQuantiles: boolean
      readonly isCut: boolean
    }): Said<N> =>
      said`Distribution of ${of.column} in the generated rows${of.where === null ? '' : said`${' with '}${of.where}`}, ${of.against} against each scenario: ${of.hasBins ? said`the steps are shares of bins (${of.against} as an area); ` : ''}${of.hasQuantiles ? 'the lines reach from the 5 % to the 95 % quantile, the bars between the quartiles' : 'the quantiles of several replicates together are not known'}.${of.isCut ? ' A figure with an arrow is the share beyond that edge.' : ''}`,
    level: 'Level, %',
    figure: 'Figure',
    values: 'values',
    deviation: 'standard deviation',
    days: (figure: string): string => `${figure} days`,
    below: (edge: string): string => `below ${edge}, %`,
    above: (edge: string): string => `above ${edge}, %`,
    more: (left: number): string => `${left} more: see the figures`,
    tip: (name: string, median: string, quartiles: readonly string[], ends: readonly string[]): string =>
      `${name}: median ${median}, quartiles ${quartiles.join(' and ')}, 5 % and 95 % quantiles ${ends.join(' and ')}`,
    median: (figure: string): string => `median ${figure}`,
  },
  targets: {
    title: 'Targets and what was achieved',
    all: 'All targets',
    shares: (met: number, shares: number, scenarios: number): string => {
      const of = plural(scenarios, 'scenario')
      if (met < shares) return `${count(met)} of ${plural(shares, 'share')} that ${of} asked for are met to the row. `
      return `${shares === 1 ? 'The one share' : `All ${count(shares)} shares`} that ${of} asked for ${isOrAre(shares)} met to the row. `
    },
    ranges: (outside: number, ranges: number): string => {
      if (outside > 0) return `${count(outside)} of ${plural(ranges, 'range')} ${hasOrHave(outside)} rows outside.`
      return ranges === 1 ? 'Every row lies in the range.' : `Every row lies in its ranges (${count(ranges)} in all).`
    },
    means: (met: number, means: number): string => {
      if (met === means) return means === 1 ? ' The mean is met.' : ` All ${count(means)} means are met.`
      return ` ${count(met)} of ${plural(means, 'mean')} ${isOrAre(means)} met to a thousandth.`
    },
    rules: (broken: number, rules: number): string => {
      if (broken > 0) return ` Some rows break ${count(broken)} of ${plural(rules, 'rule')}.`
      return rules === 1
        ? ' Every row keeps the rule of the study.'
        : ` Every row keeps the ${count(rules)} rules of the study.`
    },
    withoutRows: (scenarios: number): string =>
      ` ${plural(scenarios, 'further scenario')} ${hasOrHave(scenarios)} no rows to measure.`,
    caption: (share: string, scenario: string, achieved: string, target: string): string =>
      `The largest distance is that of ${share} in ${scenario}: ${achieved} instead of ${target}.`,
    drawn: (shown: number, all: number): string => ` Drawn are the ${shown} largest of ${count(all)}.`,
    target: 'target',
    achieved: 'achieved',
    chance: 'what chance alone does in so many rows',
    picture: 'Targets and achieved shares',
    tip: (share: string, target: string, achieved: string, rows: number): string =>
      `${share}: target ${target}, achieved ${achieved} of ${rows} rows`,
  },
  feasibility: {
    title: 'Rows and the evidence behind them',
    all: 'All scenarios',
    notReported: 'The service does not report how many rows of the seed support a scenario.',
    weakest: <N>(isOne: boolean, rows: string, scenario: N): Said<N> =>
      said`Generated rows are no new answers. Effective rows say on how many rows of the seed a scenario rests: ${isOne ? 'it is' : 'the fewest are'} ${rows}, in ${scenario}.`,
    tooWide: <N>(group: N): Said<N> =>
      said`${group} has too many values on both axes for a map; its figures stand in the table.`,
    caption: (full: number, all: number, group: string): string =>
      `${full === all ? `All ${plural(all, 'scenario')}` : `${count(full)} of ${plural(all, 'scenario')}`} of ${group} ${full === 1 ? 'has' : 'have'} all rows that were asked for; “seed” is the number of effective rows of the seed behind them, and a deeper colour means more of them.`,
    replicates: ' Of the replicates of a scenario, the weakest is drawn.',
    drawn: (shown: number, all: number): string => ` Drawn are ${shown} of ${all} maps.`,
    scenariosOf: (group: string): string => `Scenarios of ${group}`,
    heads: {
      askedFor: 'Asked for',
      delivered: 'Delivered',
      seedRows: 'Seed rows',
      tilt: 'Largest tilt',
      inRange: 'In range',
      standardErrors: 'Standard errors',
      support: 'Support',
      binds: 'What binds',
    },
    further: 'further scenarios stand in the manifest',
    meaning:
      'Seed rows are effective rows. A service that protects its seed tells them as a range. The tilt is the largest ratio of a combination’s share to its usual share. If you analyse generated rows as if each were a person, multiply your standard errors by the factor, √(1 + rows / seed rows).',
    thin: 'thin',
    enough: 'enough',
    notAsked: 'not asked',
    seed: (rows: string): string => `seed ${rows}`,
    tipRows: (counted: number, requested: number): string => `${count(counted)} of ${count(requested)} rows`,
    tipSeed: (rows: string): string => `${rows} of the seed`,
    thinEvidence: 'thin evidence',
    binds: (what: string): string => `what binds: ${what}`,
  },
  comparisons: {
    title: 'Comparisons',
    against: <N>(baseline: N): Said<N> => said`against ${baseline}`,
    leftOut: <N>(rows: number, manifest: N, command: N): Said<N> =>
      said`${plural(rows, 'row')} are left out here. ${manifest} has all of them, and ${command} writes them.`,
    countedIn: <N>(where: N, rows: string | null): Said<N> =>
      said`Its outcomes are counted in rows with ${where}${rows === null ? '' : ` (${rows})`}.`,
    noResult: <N>(scenarios: N): Said<N> => said`No result to compare: ${scenarios}.`,
    insideSegments: (why: string): string => `Intervals inside segments do not rest on the seed: ${why}.`,
    segmentOf: <N>(level: N, scenario: N): Said<N> => said`${level} in ${scenario}`,
    emptySegments: <N>(segments: N): Said<N> => said`Without rows on one side: ${segments}.`,
    sharesOf: <N>(column: N): Said<N> => said`Shares of ${column}`,
    numbersOf: <N>(figure: string, column: N): Said<N> =>
      said`${figure.slice(0, 1).toUpperCase()}${figure.slice(1)} of ${column}`,
    by: <N>(column: N): Said<N> => said` by ${column}`,
    rows: 'Rows',
    size: (rows: number, beyond: number): string => `${count(rows)} rows, ${count(beyond)} beyond chance`,
  },
}
