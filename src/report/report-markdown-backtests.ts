import {
  BACKTEST_COLUMNS,
  BACKTEST_NOTE,
  BEYOND_MARK,
  predictionCells,
  verdictTexts,
  WHY_NOT_PREDICTED,
} from '../answers/words/backtest-words.ts'
import { NO_ESTIMATES_WORDS } from '../answers/words/difference-text.ts'
import type { ManifestBacktest } from '../records/manifest/backtests.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { codeText, markdownTable } from './markdown-text.ts'

/** Each backtest of a study: its sentences, and a row for each group and figure. */
export function backtestTables({ backtests = {} }: Manifest): string[] {
  const parts = Object.entries(backtests).flatMap(([id, backtest]) => backtestPart(id, backtest))
  return parts.length === 0 ? [] : [...parts, BACKTEST_NOTE, '']
}

function backtestPart(id: string, backtest: ManifestBacktest): string[] {
  const { groups, by } = backtest
  const numbers = BACKTEST_COLUMNS.slice(1)
  const rows = groups.flatMap(({ level, predictions }) =>
    predictions.map((one) => {
      const [figure, ...cells] = predictionCells(one)
      return [codeText(level), codeText(figure), ...cells, one.beyond_chance === true ? `\\${BEYOND_MARK}` : '']
    }),
  )
  const missing = groups.flatMap(({ level, status }) =>
    status === 'predicted' ? [] : [`${codeText(level)} is not predicted: ${WHY_NOT_PREDICTED[status]}.`],
  )
  const heading = `Backtest ${codeText(id)}`
  const text = [backtestVerdict(backtest), ...missing].join(' ')
  if (rows.length === 0) return [`## ${heading}`, '', text, '']
  return markdownTable(heading, [codeText(by), ...BACKTEST_COLUMNS, ''], numbers, rows, text)
}

/** Its sentences; names are code. */
export function backtestVerdict({ by, on, totals, no_estimates: why }: ManifestBacktest): string {
  const what = `each group of ${codeText(by)} predicted from the others, reweighted to its ${on.map(codeText).join(', ')}`
  const verdicts = why === undefined ? verdictTexts(totals) : [`nothing is known: ${NO_ESTIMATES_WORDS[why]}`]
  return [what, ...verdicts].map((text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`).join(' ')
}
