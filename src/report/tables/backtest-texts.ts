import { verdictTexts } from '../../answers/words/backtest-words.ts'
import { NO_ESTIMATES_WORDS } from '../../answers/words/difference-text.ts'
import { capital } from '../../base/text/capital.ts'
import type { ManifestBacktest } from '../../records/manifest/backtests.ts'
import { name, nameList, type Text, text } from '../document/text.ts'

/** What a backtest did and found, in sentences. */
export function backtestTexts({
  by,
  on,
  totals,
  no_estimates: why,
}: Pick<ManifestBacktest, 'by' | 'on' | 'totals' | 'no_estimates'>): Text[] {
  const verdicts = why === undefined ? verdictTexts(totals) : [`nothing is known: ${NO_ESTIMATES_WORDS[why]}`]
  return [
    text`Each group of ${name(by)} predicted from the others, reweighted to its ${nameList(on, 8)}.`,
    ...verdicts.map((verdict) => `${capital(verdict)}.`),
  ]
}
