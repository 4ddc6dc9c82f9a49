/** What stands beside and between figures everywhere. */

import { type Said, said } from '../../message/said.ts'
import { count, plural } from './numbers.ts'

export const FIGURES = {
  /** Behind the difference of a share, a number or a date. */
  units: { share: ' points', number: '', date: ' days' },
  /** The unit of differences of shares, in heads. */
  points: 'points',
  /** Days on an axis. */
  dayOfAxis: 'd',
  comma: ', ',
  semicolon: '; ',
  /** Of a text without its end. */
  sentence: (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`,
  /** Between two sentences. */
  sentenceGap: ' ',
  range: (low: string, high: string): string => `${low} to ${high}`,
  rangeOf: <N>(low: N, high: N): Said<N> => said`${low} to ${high}`,
  atLeast: (figure: string): string => `at least ${figure}`,
  atMost: (figure: string): string => `at most ${figure}`,
  /** Of a list that is not whole. */
  andMore: (left: number): string => ` and ${count(left)} more`,
  outOf: (part: string, all: string): string => `${part} of ${all}`,
  rows: (rows: number): string => plural(rows, 'row'),
  columns: (columns: number): string => plural(columns, 'column'),
  scenarios: (scenarios: number): string => plural(scenarios, 'scenario'),
  mean: 'mean',
  median: 'median',
  /** `percent`: `90 %`. */
  quantile: (percent: string): string => `${percent} quantile`,
  /** `mean of spend`. */
  ofColumn: <N>(figure: string, column: N): Said<N> => said`${figure} of ${column}`,
  rowsOfSeed: (rows: string): string => `${rows} rows of the seed`,
  anyValue: 'any value',
  upTo: (end: string): string => `up to ${end}`,
  andAbove: (end: string): string => `${end} and above`,
  fewerThan: (rows: string): string => `fewer than ${rows}`,
  lessThan: (rows: string): string => `less than ${rows}`,
  effectiveRows: (rows: string): string => `${rows} effective ${rows === '1' ? 'row' : 'rows'}`,
  yes: 'yes',
  no: 'no',
  notKnown: 'not known',
  beyondChance: 'beyond chance',
  withinChance: 'within chance',
  chanceNotKnown: 'chance not known',
  /** Of scenarios and runs. */
  statuses: {
    complete: 'complete',
    ready: 'ready',
    partial: 'partial',
    failed: 'failed',
    refused: 'refused',
    interrupted: 'interrupted',
    running: 'running',
    not_started: 'not started',
  },
}
