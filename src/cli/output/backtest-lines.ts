import { backtestedText, verdictTexts } from '../../answers/words/backtest-words.ts'
import { noEstimatesWords } from '../../answers/words/difference-text.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { wrappedLines } from '../../base/text/fit-text.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** What the backtests of a run come to, in sentences. */
export function backtestLines({ backtests = {} }: Manifest, width: number): string[] {
  return Object.entries(backtests).flatMap(([id, backtest]) => {
    const { totals, no_estimates: why } = backtest
    const texts = why === undefined ? verdictTexts(totals) : [`nothing is known: ${noEstimatesWords(why)}`]
    return [
      '',
      ...wrappedLines('', escapeText(`backtest ${id}: ${backtestedText(backtest)}`), width),
      ...texts.flatMap((text) => wrappedLines('  ', text, width)),
    ]
  })
}
