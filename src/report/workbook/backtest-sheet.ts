import { SCALES, unitText } from '../../answers/words/answer-text.ts'
import { generatedColumn, predictionCells, verdictTexts, whyNotPredicted } from '../../answers/words/backtest-words.ts'
import { noEstimatesWords } from '../../answers/words/difference-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { words } from '../../base/language/language.ts'
import { listText } from '../../base/text/amount-text.ts'
import type { ManifestBacktest, PredictionRecord } from '../../records/manifest/backtests.ts'
import { beyondText } from '../html/answer-cells.ts'
import { changeFormat, sideFormat } from './figure-format.ts'
import {
  BOLD,
  EMPTY,
  INDENTED,
  LEFT_HEAD,
  NOTE,
  number,
  RIGHT,
  RIGHT_HEAD,
  type SheetLayout,
  type StyledCell,
  text,
} from './sheet.ts'

/** What was done, in a sentence. */
export const backtestedText = ({ by, on }: Pick<ManifestBacktest, 'by' | 'on'>): string =>
  words().backtests.done(by, listText(on, 8)).join('')

/** A backtest: its verdict, then a row for each prediction, and for each group that is not predicted. */
export function backtestRows(id: string, backtest: ManifestBacktest): Pick<SheetLayout, 'widths' | 'rows'> {
  const { groups, totals, no_estimates: why } = backtest
  const { backtests, figures, answers, workbook } = words()
  const isByModel = groups.some(({ predictions }) => predictions.some(({ generated }) => generated !== undefined))
  const verdicts = why === undefined ? verdictTexts(totals) : [backtests.unknown(noEstimatesWords(why))]
  const { predicted, actual, error, unweighted } = backtests.heads
  const { group, question, answer, low, high, unit, errorOf } = workbook.heads
  const numberHeads = [
    ...[predicted, actual, error, low, high, errorOf(unweighted)],
    ...(isByModel ? [errorOf(generatedColumn())] : []),
  ]
  return {
    widths: [22, 12, 24, 18, 12, 12, 12, 11, 11, 12, ...(isByModel ? [12] : []), 9, 12],
    rows: [
      [text(id, BOLD)],
      [text(backtestedText(backtest))],
      ...verdicts.map((verdict) => [text(figures.sentence(verdict), NOTE)]),
      [EMPTY],
      [
        text(group, LEFT_HEAD),
        text(words().tables.heads.rows, RIGHT_HEAD),
        ...[question, answer].map((head) => text(head, LEFT_HEAD)),
        ...numberHeads.map((head) => text(head, RIGHT_HEAD)),
        ...[unit, answers.heads.beyond].map((head) => text(head, LEFT_HEAD)),
      ],
      ...groups.flatMap(({ level, rows, status, predictions }) => {
        const first = [text(level), number(rows, '#,##0')]
        if (status !== 'predicted')
          return [[...first, text(backtests.notPredicted(level, whyNotPredicted(status)).join(''), NOTE)]]
        return predictions.map((one) => [...first, ...predictionRow(one, isByModel)])
      }),
    ],
  }
}

function predictionRow(one: PredictionRecord, isByModel: boolean): StyledCell[] {
  const { column, level, actual, predicted, error, unweighted, interval, generated_error: generated } = one
  const kind = level === undefined ? (one.kind ?? 'number') : 'share'
  const [, predictedWords, actualWords, errorWords] = predictionCells(one)
  const side = (value: number, words: string): StyledCell =>
    kind === 'date' ? text(words, RIGHT) : number(value, sideFormat(words, kind))
  const change = (value: number | null | undefined): StyledCell =>
    number(value == null ? null : value * SCALES[kind], changeFormat(errorWords))
  return [
    text(column),
    text(level ?? numberWord(null)),
    side(predicted, predictedWords),
    side(actual, actualWords),
    ...[error, interval?.[0], interval?.[1], unweighted - actual, ...(isByModel ? [generated] : [])].map(change),
    text(unitText(kind).trim(), INDENTED),
    text(beyondText({ beyond: one.beyond_chance ?? null }), INDENTED),
  ]
}
