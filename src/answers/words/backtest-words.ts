/** What a backtest says, in the words of the answers. Names are not escaped. */

import { words } from '../../base/language/language.ts'
import { percentSign } from '../../base/language/local-number.ts'
import { listText } from '../../base/text/amount-text.ts'
import type { BacktestTotals, GroupRecord, PredictionRecord } from '../../records/manifest/backtests.ts'
import { type AnswerWords, answerWords, unitText } from './answer-text.ts'
import { markWords, TOO_FEW_MARK } from './difference-text.ts'

/** What was done, in a sentence without its end. */
export const backtestedText = ({ by, on }: { readonly by: string; readonly on: readonly string[] }): string =>
  `each group of ${by} predicted from the others, reweighted to its ${listText(on, 8)}`

/** The whole in sentences, each without its end. */
export function verdictTexts(totals: BacktestTotals): string[] {
  const { predictions, nearer, told, held, beyond_chance: beyond, relative_error: relative, generated } = totals
  const { backtests } = words()
  if (predictions === 0) return [backtests.nothing]
  // One in twenty misses by chance, however many are looked at.
  const intervals = told === 0 ? '' : backtests.held(held, told, Math.round(told * 0.05))
  return [
    `${backtests.nearer(nearer, predictions)}${intervals}`,
    ...(relative === undefined ? [] : [backtests.relative(percentText(relative), relative < 1)]),
    ...(generated === undefined ? [] : [generatedText(generated)]),
    ...(told === 0 ? [] : [beyond === 0 ? backtests.noneBeyond : backtests.someBeyond(beyond, told)]),
  ]
}

const generatedText = (of: NonNullable<BacktestTotals['generated']>): string =>
  words().backtests.byModels({
    ...of,
    held: of.told === 0 ? null : [of.held, of.told],
    error: of.relative_error === undefined ? null : percentText(of.relative_error),
  })

/** A share of 1 in whole per cent, of more than 10 times as a factor. */
const percentText = (ratio: number): string =>
  ratio < 10 ? percentSign(String(Math.round(ratio * 100))) : words().backtests.times(Math.round(ratio))

/** What every backtest leaves open. */
export const backtestNote = (): string => words().backtests.note

export const whyNotPredicted = (status: Exclude<GroupRecord['status'], 'predicted'>): string =>
  words().backtests.why[status]

/** Heads of `predictionCells`. */
export function backtestColumns(): readonly [figure: string, ...figures: string[]] {
  const { figure, predicted, actual, error, interval, unweighted } = words().backtests.heads
  return [figure, predicted, actual, error, interval, unweighted]
}

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

/** The cells of a prediction, as `backtestColumns`. */
export function predictionCells(
  one: PredictionRecord,
): readonly [figure: string, predicted: string, actual: string, error: string, interval: string, unweighted: string] {
  const of = predictionWords(one)
  const unweighted = predictionWords({ ...one, predicted: one.unweighted, error: one.unweighted - one.actual })
  return [
    of.of,
    of.to,
    of.from,
    of.difference,
    one.support === 'too_few_rows' ? markWords(TOO_FEW_MARK) : of.interval || '–',
    withoutUnit(one, unweighted.difference),
  ]
}

/** Head of the cell of `generatedCell`. */
export const generatedColumn = (): string => words().backtests.heads.byModel

/** The error of what the model generates, without its unit. */
export function generatedCell(one: PredictionRecord): string {
  const { generated, generated_error: error } = one
  if (generated === undefined || error === undefined) return '–'
  return withoutUnit(one, predictionWords({ ...one, predicted: generated, error }).difference)
}

/** Behind an error: ` points`, ` days`, or nothing. */
export const errorUnit = ({ level, kind }: PredictionRecord): string =>
  unitText(level === undefined ? (kind ?? 'number') : 'share')

/** An error for a place beside or below its unit. */
export function withoutUnit(one: PredictionRecord, error: string): string {
  const unit = errorUnit(one)
  return error.endsWith(unit) ? error.slice(0, error.length - unit.length) : error
}

function predictionWords(one: PredictionRecord): AnswerWords {
  const { column, level = null, kind = 'number' as const, actual: from, predicted: to, error: difference } = one
  const { interval = null, standard_error: standardError = null } = one
  const figure = { column, level, kind: level === null ? kind : ('share' as const) }
  return answerWords({ ...figure, from, to, difference, inRows: null, interval, standardError })
}
