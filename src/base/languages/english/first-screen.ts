/** The first screen of a report: what was asked, what came out, and the picture of differences. */

import { type Said, said } from '../../message/said.ts'
import { count, hasOrHave, isOrAre, plural } from './numbers.ts'

export const FIRST_SCREEN = {
  title: 'Answer',
  delivered: (ready: number, scenarios: number, rows: number): string => {
    const which =
      scenarios === 1 && ready === 1
        ? 'The scenario has'
        : ready === scenarios
          ? `${scenarios === 2 ? 'Both' : `All ${count(scenarios)}`} scenarios have`
          : `${count(ready)} of ${plural(scenarios, 'scenario')} ${hasOrHave(ready)}`
    return `${which} the rows that were asked for: ${plural(rows, 'row')} in total.`
  },
  /** `against`: the baseline; null: there are several. */
  noneWithInterval: <N>(total: number, against: N | null): Said<N> => {
    const from = against === null ? '' : said`${' from '}${against}`
    return total === 1
      ? said` The difference${from} has no interval that holds for the population.`
      : said` Of ${plural(total, 'difference')}${from}, none has an interval that holds for the population.`
  },
  oneDifference: <N>(isBeyond: boolean, against: N | null): Said<N> =>
    said` The difference${against === null ? '' : said`${' from '}${against}`} is ${isBeyond ? 'beyond' : 'within'} chance.`,
  differences: <N>(of: {
    readonly beyond: number
    readonly total: number
    readonly unknown: number
    readonly against: N | null
  }): Said<N> => {
    const { beyond, total, unknown, against } = of
    const which =
      beyond === total ? (total === 2 ? 'Both' : `All ${count(total)}`) : `${count(beyond)} of ${count(total)}`
    const others = unknown === 0 ? '' : ` Nothing is known about chance in ${count(unknown)} of them.`
    return said` ${which} differences${against === null ? '' : said`${' from '}${against}`} ${isOrAre(beyond)} beyond chance.${others}`
  },
  /** `text` is a sentence without its end. */
  pooled: (text: string): string => ` ${text}.`,
  pooledIn: (comparison: string, text: string): string => ` In ${comparison}, ${text}.`,
  sentence: <N>(of: Said<N>): Said<N> => said` ${of}.`,
  from: <N>(against: N): Said<N> => said`from ${against}`,
  fromInRows: <N>(against: N, where: N, rows: string | null): Said<N> =>
    said`from ${against}, in rows with ${where}${rows === null ? '' : ` (${rows})`}`,
  captionFrom: (against: string): string => `Differences from ${against} with 95 % intervals, the largest first.`,
  captionFromAll: 'Differences from their baselines with 95 % intervals, the largest first.',
  captionJudged:
    ' Each interval stands for itself; whether a difference is beyond chance is judged over all questions of the study.',
  captionChance: (chance: number, known: number): string =>
    ` If no difference were real, about ${count(chance)} of ${count(known)} would be beyond chance.`,
  captionShown: (shown: number, total: number, kind: string): string =>
    ` Shown are ${count(shown)} of ${count(total)}: ${kind}.`,
  kinds: {
    unknown: 'the strongest; nothing is known about chance',
    noneBeyond: 'the strongest; none is beyond chance',
    strongestBeyond: 'the strongest of those beyond chance',
    beyond: 'those beyond chance',
  },
  withinOrNotKnown: 'within chance or not known',
  thinSupport: 'thin support',
  noiseOnly: 'noise of generation only',
  or: ', or ',
  differencesTable: 'Differences',
  inPoints: ', points',
  shares: 'Shares: difference in points',
  /** `outcome`: `mean of spend`. */
  numbers: (outcome: string, inDays: boolean): string =>
    `${outcome.slice(0, 1).toUpperCase()}${outcome.slice(1)}: difference${inDays ? ' in days' : ''}`,
  less: 'less',
  more: 'more',
  sides: 'baseline → scenario',
  difference: 'difference',
  shortDifference: 'diff.',
  tip: (scenario: string, parts: string): string => `${scenario}. ${parts}`,
  intervalOf: (interval: string): string => `95 % interval ${interval}`,
  generated: 'What was generated',
  conditions: 'Conditions',
  rows: 'Rows',
  askedFor: 'Asked for',
  moreScenarios: 'more scenarios stand under Provenance',
  none: 'none',
  moreConditions: (left: number): string => `; ${left} more`,
}
