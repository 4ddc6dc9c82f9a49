import {
  BEYOND_MARK,
  backtestColumns,
  backtestedText,
  backtestNote,
  errorUnit,
  generatedCell,
  generatedColumn,
  predictionCells,
  verdictTexts,
  whyNotPredicted,
  withoutUnit,
  worstFirst,
} from '../../answers/words/backtest-words.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { plural } from '../../base/text/amount-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { roomOfFirst, textTable, wrapped } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import type { BacktestRecord } from '../../records/backtest.ts'
import type { GroupRecord, PredictionRecord } from '../../records/manifest/backtests.ts'

/** Predictions of a group that are shown; the rest is counted. */
const MOST_SHOWN = 20

/** How well reweighting predicts groups: sentences, then a table for each group. */
export function backtestText(
  found: BacktestRecord,
  { width, isAll }: { readonly width: number; readonly isAll: boolean },
): string {
  const text = (line: string): string => wrapped('', line, width)
  return [
    text(escapeText(`${found.dataset}: ${backtestedText(found)}`)),
    ...verdictTexts(found.totals).map(text),
    ...found.groups.map((group) => `\n${groupText(group, found.by, { width, isAll })}`),
    '\n',
    text(backtestNote()),
  ].join('')
}

function groupText(
  { level, rows, status, predictions }: GroupRecord,
  by: string,
  { width, isAll }: { readonly width: number; readonly isAll: boolean },
): string {
  const size = rows === undefined ? '' : ` (${plural(rows, 'row')})`
  const title = `${escapeText(by)} ${escapeText(level)}${size}`
  if (status !== 'predicted') return wrapped('', `${title}: not predicted: ${whyNotPredicted(status)}`, width)
  const shown = isAll ? predictions : worstFirst(predictions).slice(0, MOST_SHOWN)
  const isByModel = predictions.some(({ generated }) => generated !== undefined)
  const columns = [
    { title: `  ${backtestColumns()[0]}`, longest: 'fits' as const },
    ...backtestColumns()
      .slice(1)
      .map((name) => ({ title: name, align: 'right' as const })),
    ...(isByModel ? [{ title: generatedColumn(), align: 'right' as const }] : []),
    { title: '' },
  ]
  const rowsOf = shown.map((one) => rowOf(one, isByModel))
  const room = roomOfFirst([columns.map(({ title: head }) => head), ...rowsOf], width)
  const hasRoom = rowsOf.every(([first]) => textWidth(first!) <= room)
  const table = `${wrapped('', title, width)}${textTable(columns, hasRoom ? rowsOf : byColumn(shown, rowsOf), width)}`
  const left = predictions.length - shown.length
  return left === 0
    ? table
    : `${table}${wrapped('', `${plural(left, 'more figure')} with smaller errors; --all shows them`, width)}`
}

/** Long names of columns stand once, with the unit of their errors, above the levels that their shares are of. */
function byColumn(predictions: readonly PredictionRecord[], rows: readonly string[][]): string[][] {
  const found = new Map<string, string[][]>()
  for (const [i, one] of predictions.entries()) {
    const { column, level = numberWord(null) } = one
    const [, predicted, actual, error, ...others] = rows[i]!
    const unit = errorUnit(one).trim()
    const head = `  ${escapeText(column)}${unit === '' ? '' : `, ${unit}`}`
    const row = [`    ${escapeText(level)}`, predicted!, actual!, withoutUnit(one, error!), ...others]
    found.set(head, [...(found.get(head) ?? []), row])
  }
  return [...found].flatMap(([head, of]) => [[head], ...of])
}

function rowOf(one: PredictionRecord, isByModel: boolean): string[] {
  const [figure, ...cells] = predictionCells(one)
  return [
    `  ${escapeText(figure)}`,
    ...cells,
    ...(isByModel ? [generatedCell(one)] : []),
    one.beyond_chance === true ? BEYOND_MARK : '',
  ]
}
