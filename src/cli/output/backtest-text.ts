import { type AnswerWords, answerWords, UNITS } from '../../answers/words/answer-text.ts'
import { TOO_FEW_MARK } from '../../answers/words/difference-text.ts'
import { countText, listText, plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { textTable, wrapped } from '../../base/text/fit-text.ts'
import type { BacktestRecord, GroupRecord, PredictionRecord } from '../../records/backtest.ts'

/** Predictions of a group that are shown; the rest is counted. */
const MOST_SHOWN = 20

/** How well reweighting predicts groups: a sentence, then a table for each group. */
export function backtestText(
  found: BacktestRecord,
  { width, isAll }: { readonly width: number; readonly isAll: boolean },
): string {
  const text = (line: string): string => wrapped('', line, width)
  const { dataset, by, on, groups } = found
  const names = on.map((name) => escapeText(name))
  return [
    text(
      `${escapeText(dataset)}: each group of ${escapeText(by)} predicted from the others, reweighted to its ${listText(names, 8)}`,
    ),
    text(verdictText(found)),
    ...groups.map((group) => `\n${groupText(group, by, { width, isAll })}`),
    '\n',
    text(NOTE),
  ].join('')
}

const NOTE =
  'An error is what was predicted less what the group answered; unweighted is that of the others as they are. Its interval counts the chance of both samples. Where the error is beyond chance (*), the groups differ in something that these columns do not tell. A backtest says nothing about causes, nor about groups that nobody asked.'

/** The whole in a sentence. */
function verdictText({ totals: { predictions, nearer, told, held } }: BacktestRecord): string {
  if (predictions === 0) return 'nothing could be predicted'
  const near = `the reweighted answer is nearer than the unweighted one for ${countText(nearer)} of ${plural(predictions, 'figure')}`
  return told === 0
    ? near
    : `${near}; the 95 % intervals hold the actual answer in ${countText(held)} of ${countText(told)}`
}

const WHY_NOT: Readonly<Record<Exclude<GroupRecord['status'], 'predicted'>, string>> = {
  no_match: 'the others cannot be reweighted to it, for example because none of them has one of its levels',
  too_few_rows: 'too few rows of it, or of the others',
}

function groupText(
  { level, rows, status, predictions }: GroupRecord,
  by: string,
  { width, isAll }: { readonly width: number; readonly isAll: boolean },
): string {
  const size = rows === undefined ? '' : ` (${plural(rows, 'row')})`
  const title = `${escapeText(by)} ${escapeText(level)}${size}`
  if (status !== 'predicted') return wrapped('', `${title}: not predicted: ${WHY_NOT[status]}`, width)
  const shown = isAll ? predictions : [...predictions].sort(byDistance).slice(0, MOST_SHOWN)
  const columns = [
    { title: `  ${COLUMNS[0]}`, mayShrink: true, cut: 'middle' as const },
    ...COLUMNS.slice(1).map((name) => ({ title: name, align: 'right' as const })),
    { title: '' },
  ]
  const table = `${wrapped('', title, width)}${textTable(columns, shown.map(rowOf), width)}`
  const left = predictions.length - shown.length
  return left === 0
    ? table
    : `${table}${wrapped('', `${plural(left, 'more figure')} with smaller errors; --all shows them`, width)}`
}

const COLUMNS = ['Figure', 'Predicted', 'Actual', 'Error', '95 % interval', 'Unweighted'] as const

/** Of an error that chance does not explain. */
const BEYOND = '*'

/** In standard errors, so that what chance does not explain stands first. */
function byDistance(a: PredictionRecord, b: PredictionRecord): number {
  const distance = ({ error, standard_error: se }: PredictionRecord) =>
    se === undefined ? -1 : se === 0 ? (error === 0 ? 0 : Number.POSITIVE_INFINITY) : Math.abs(error) / se
  return distance(b) - distance(a)
}

function rowOf(one: PredictionRecord): string[] {
  const words = wordsOf(one)
  const interval = one.support === 'too_few_rows' ? TOO_FEW_MARK : words.interval || '–'
  const unweighted = wordsOf({ ...one, predicted: one.unweighted, error: one.unweighted - one.actual }).difference
  return [
    `  ${escapeText(words.of)}`,
    words.to,
    words.from,
    words.difference,
    interval,
    unweighted.replace(UNITS.share, ''),
    one.holds === false ? BEYOND : '',
  ]
}

function wordsOf(one: PredictionRecord): AnswerWords {
  const { column, level = null, kind = 'number' as const, actual: from, predicted: to, error: difference } = one
  const { interval = null, standard_error: standardError = null } = one
  const figure = { column, level, kind: level === null ? kind : ('share' as const) }
  return answerWords({ ...figure, from, to, difference, inRows: null, interval, standardError })
}
