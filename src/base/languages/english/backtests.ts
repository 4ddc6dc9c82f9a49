/** How well reweighting predicts groups that were asked. */

import { type Said, said } from '../../message/said.ts'
import { count, isOrAre, plural } from './numbers.ts'

export const BACKTESTS = {
  title: 'Was it ever right?',
  done: <N>(by: N, on: N): Said<N> => said`Each group of ${by} predicted from the others, reweighted to its ${on}.`,
  /** Below the page of `whatif backtest`. */
  madeBy: <N>(tool: N): Said<N> => said`Made by whatif ${tool}.`,
  /** What follows are sentences without their end. */
  unknown: (why: string): string => `nothing is known: ${why}`,
  nothing: 'nothing could be predicted',
  nearer: (nearer: number, predictions: number): string =>
    `the reweighted answer is nearer than the unweighted one for ${count(nearer)} of ${plural(predictions, 'figure')}`,
  /** `misses`: as many do by chance; 0 where less than one does. */
  held: (held: number, told: number, misses: number): string =>
    `; the 95 % intervals hold the actual answer in ${count(held)} of ${count(told)} ${
      misses === 0
        ? '(by chance one in twenty does not)'
        : `(by chance about ${count(misses)} ${misses === 1 ? 'does' : 'do'} not)`
    }`,
  relative: (error: string, isBetter: boolean): string =>
    `its error is ${error} of that of doing nothing${isBetter ? '' : ': reweighting did not help'}`,
  times: (ratio: number): string => `${count(ratio)} times`,
  byModels: (of: {
    readonly rows: number
    readonly nearer: number
    readonly predictions: number
    /** Null: no interval is told. */
    readonly held: readonly [held: number, told: number] | null
    /** Null: not known. */
    readonly error: string | null
  }): string =>
    [
      `by models trained without the group, from ${plural(of.rows, 'row')} for each: nearer than the unweighted answer for ${count(of.nearer)} of ${plural(of.predictions, 'figure')}`,
      ...(of.held === null
        ? []
        : [`in ${count(of.held[0])} of ${count(of.held[1])} within the interval and the noise of generation`]),
      ...(of.error === null ? [] : [`with ${of.error} of the error of doing nothing`]),
    ].join('; '),
  noneBeyond: 'no error is beyond chance, judged together',
  someBeyond: (beyond: number, told: number): string =>
    `${count(beyond)} of ${plural(told, 'error')} ${isOrAre(beyond)} beyond chance, judged together: the groups differ in something that these columns do not tell`,
  note: 'An error is what was predicted less what the group answered; unweighted is that of the others as they are. Its interval counts the chance of both samples, each at 95 %. Errors that are beyond chance (*) are judged together. A backtest says nothing about causes, about columns that nobody asked, nor about a group unlike all others.',
  notPredicted: <N>(group: N, why: string): Said<N> => said`${group} is not predicted: ${why}.`,
  why: {
    no_match: 'the others cannot be reweighted to it, for example because none of them has one of its levels',
    too_few_rows: 'too few rows of it, or of the others',
  },
  heads: {
    figure: 'Figure',
    predicted: 'Predicted',
    actual: 'Actual',
    error: 'Error',
    interval: '95 % interval',
    unweighted: 'Unweighted',
    byModel: 'By model',
  },
  errors: 'Errors',
  rowsLeft: 'rows are left out here',
  smallerErrors: (figures: number): string =>
    `${plural(figures, 'figure')} with smaller errors stand in the table alone.`,
  firstGroups: (groups: number): string => `The pictures show the first ${groups} groups.`,
  errorMark: 'error, reweighted, with its 95 % interval',
  nothingMark: 'error of doing nothing',
  picture: (figure: string): string => `Errors of ${figure} by group`,
  tip: (of: {
    readonly group: string
    readonly figure: string
    readonly predicted: string
    readonly actual: string
    readonly error: string
    readonly interval: string
    readonly unweighted: string
    readonly isBeyond: boolean
  }): string =>
    `${of.group}. ${of.figure}: predicted ${of.predicted}, actual ${of.actual}, error ${of.error}, 95 % interval ${of.interval}, unweighted ${of.unweighted}${of.isBeyond ? ', beyond chance' : ''}`,
}
