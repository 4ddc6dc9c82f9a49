import { SCALES, unitText } from '../../answers/words/answer-text.ts'
import { generatedColumn, predictionCells, verdictTexts, whyNotPredicted } from '../../answers/words/backtest-words.ts'
import { noEstimatesWords } from '../../answers/words/difference-text.ts'
import { words } from '../../base/language/language.ts'
import { capital } from '../../base/text/capital.ts'
import type { ManifestBacktest, PredictionRecord } from '../../records/manifest/backtests.ts'
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

/** A backtest: its verdict, then a row for each prediction, and for each group that is not predicted. */
export function backtestRows(id: string, backtest: ManifestBacktest): Pick<SheetLayout, 'widths' | 'rows'> {
  const { by, on, groups, totals, no_estimates: why } = backtest
  const isByModel = groups.some(({ predictions }) => predictions.some(({ generated }) => generated !== undefined))
  const verdicts = why === undefined ? verdictTexts(totals) : [`nothing is known: ${noEstimatesWords(why)}`]
  const { predicted, actual, error } = words().backtests.heads
  const numberHeads = [
    predicted,
    actual,
    error,
    '95 % from',
    '95 % to',
    'Unweighted, error',
    ...(isByModel ? [`${generatedColumn()}, error`] : []),
  ]
  return {
    widths: [22, 12, 24, 18, 12, 12, 12, 11, 11, 12, ...(isByModel ? [12] : []), 9, 12],
    rows: [
      [text(id, BOLD)],
      [text(`By ${by}, on ${on.join(', ')}`)],
      ...verdicts.map((verdict) => [text(`${capital(verdict)}.`, NOTE)]),
      [EMPTY],
      [
        ...['Group', 'Rows', 'Question', 'Answer'].map((head) => text(head, head === 'Rows' ? RIGHT_HEAD : LEFT_HEAD)),
        ...numberHeads.map((head) => text(head, RIGHT_HEAD)),
        ...['Unit', 'Beyond chance'].map((head) => text(head, LEFT_HEAD)),
      ],
      ...groups.flatMap(({ level, rows, status, predictions }) => {
        const group = [text(level), number(rows, '#,##0')]
        if (status !== 'predicted') return [[...group, text(`not predicted: ${whyNotPredicted(status)}`, NOTE)]]
        return predictions.map((one) => [...group, ...predictionRow(one, isByModel)])
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
    text(level ?? 'mean'),
    side(predicted, predictedWords),
    side(actual, actualWords),
    ...[error, interval?.[0], interval?.[1], unweighted - actual, ...(isByModel ? [generated] : [])].map(change),
    text(unitText(kind).trim(), INDENTED),
    text(one.beyond_chance === undefined ? 'not known' : one.beyond_chance ? 'yes' : 'no', INDENTED),
  ]
}
