/** What a backtest says, in the words of the answers. Names are not escaped. */

import { countText, listText, plural } from '../../base/text/amount-text.ts'
import type { BacktestTotals, GroupRecord, PredictionRecord } from '../../records/manifest/backtests.ts'
import { type AnswerWords, answerWords, UNITS } from './answer-text.ts'
import { TOO_FEW_MARK } from './difference-text.ts'

/** What was done, in a sentence without its end. */
export const backtestedText = ({ by, on }: { readonly by: string; readonly on: readonly string[] }): string =>
  `each group of ${by} predicted from the others, reweighted to its ${listText(on, 8)}`

/** The whole in sentences, each without its end. */
export function verdictTexts(totals: BacktestTotals): string[] {
  const { predictions, nearer, told, held, beyond_chance: beyond, relative_error: relative, generated } = totals
  if (predictions === 0) return ['nothing could be predicted']
  return [
    [
      `the reweighted answer is nearer than the unweighted one for ${countText(nearer)} of ${plural(predictions, 'figure')}`,
      ...(told === 0
        ? []
        : [
            `the 95 % intervals hold the actual answer in ${countText(held)} of ${countText(told)} ${missesText(told)}`,
          ]),
    ].join('; '),
    ...(relative === undefined ? [] : [relativeText(relative)]),
    ...(generated === undefined ? [] : [generatedText(generated)]),
    ...(told === 0 ? [] : [beyondText(beyond, told)]),
  ]
}

function generatedText(of: NonNullable<BacktestTotals['generated']>): string {
  const { rows, predictions, nearer, told, held, relative_error: relative } = of
  return [
    `by the model, from ${plural(rows, 'row')} for each group: nearer than the unweighted answer for ${countText(nearer)} of ${plural(predictions, 'figure')}`,
    ...(told === 0
      ? []
      : [`in ${countText(held)} of ${countText(told)} within the interval and the noise of generation`]),
    ...(relative === undefined ? [] : [`with ${percentText(relative)} of the error of doing nothing`]),
    'it was trained with the group, so that this is kinder than a forecast',
  ].join('; ')
}

/** One in twenty misses by chance, however many are looked at. */
function missesText(told: number): string {
  const misses = Math.round(told * 0.05)
  return misses === 0
    ? '(by chance one in twenty does not)'
    : `(by chance about ${countText(misses)} ${misses === 1 ? 'does' : 'do'} not)`
}

function relativeText(relative: number): string {
  const of = `its error is ${percentText(relative)} of that of doing nothing`
  return relative < 1 ? of : `${of}: reweighting did not help`
}

function beyondText(beyond: number, told: number): string {
  if (beyond === 0) return 'no error is beyond chance, judged together'
  const errors = `${countText(beyond)} of ${plural(told, 'error')} ${beyond === 1 ? 'is' : 'are'} beyond chance, judged together`
  return `${errors}: the groups differ in something that these columns do not tell`
}

/** A share of 1 in whole per cent, of more than 10 times as a factor. */
const percentText = (ratio: number): string =>
  ratio < 10 ? `${Math.round(ratio * 100)} %` : `${countText(Math.round(ratio))} times`

/** What every backtest leaves open. */
export const BACKTEST_NOTE =
  'An error is what was predicted less what the group answered; unweighted is that of the others as they are. Its interval counts the chance of both samples, each at 95 %. Errors that are beyond chance (*) are judged together. A backtest says nothing about causes, about columns that nobody asked, nor about a group unlike all others.'

export const WHY_NOT_PREDICTED: Readonly<Record<Exclude<GroupRecord['status'], 'predicted'>, string>> = {
  no_match: 'the others cannot be reweighted to it, for example because none of them has one of its levels',
  too_few_rows: 'too few rows of it, or of the others',
}

export const BACKTEST_COLUMNS = ['Figure', 'Predicted', 'Actual', 'Error', '95 % interval', 'Unweighted'] as const

/** Of an error that chance does not explain. */
export const BEYOND_MARK = '*'

/** The most errors in standard errors first, so that what chance does not explain stands there. */
export function worstFirst(predictions: readonly PredictionRecord[]): PredictionRecord[] {
  const distance = ({ error, standard_error: se }: PredictionRecord) =>
    se === undefined ? -1 : se === 0 ? (error === 0 ? 0 : Number.POSITIVE_INFINITY) : Math.abs(error) / se
  return [...predictions].sort((a, b) => {
    const [one, other] = [distance(a), distance(b)]
    return one === other ? 0 : other - one
  })
}

/** The cells of a prediction, as `BACKTEST_COLUMNS`. */
export function predictionCells(
  one: PredictionRecord,
): readonly [figure: string, predicted: string, actual: string, error: string, interval: string, unweighted: string] {
  const words = predictionWords(one)
  const unweighted = predictionWords({ ...one, predicted: one.unweighted, error: one.unweighted - one.actual })
  return [
    words.of,
    words.to,
    words.from,
    words.difference,
    one.support === 'too_few_rows' ? TOO_FEW_MARK : words.interval || '–',
    unweighted.difference.replace(UNITS.share, ''),
  ]
}

/** Head of the cell of `generatedCell`. */
export const GENERATED_COLUMN = 'By the model'

/** The error of what the model generates, without its unit. */
export function generatedCell(one: PredictionRecord): string {
  const { generated, generated_error: error } = one
  if (generated === undefined || error === undefined) return '–'
  return predictionWords({ ...one, predicted: generated, error }).difference.replace(UNITS.share, '')
}

function predictionWords(one: PredictionRecord): AnswerWords {
  const { column, level = null, kind = 'number' as const, actual: from, predicted: to, error: difference } = one
  const { interval = null, standard_error: standardError = null } = one
  const figure = { column, level, kind: level === null ? kind : ('share' as const) }
  return answerWords({ ...figure, from, to, difference, inRows: null, interval, standardError })
}
