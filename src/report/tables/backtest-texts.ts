import { verdictTexts } from '../../answers/words/backtest-words.ts'
import { noEstimatesWords } from '../../answers/words/difference-text.ts'
import { name, nameList, type Text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import type { ManifestBacktest } from '../../records/manifest/backtests.ts'

/** What a backtest did and found, in sentences. */
export function backtestTexts({
  by,
  on,
  totals,
  no_estimates: why,
}: Pick<ManifestBacktest, 'by' | 'on' | 'totals' | 'no_estimates'>): Text[] {
  const { done, unknown } = words().backtests
  const verdicts = why === undefined ? verdictTexts(totals) : [unknown(noEstimatesWords(why))]
  return [done<Text>(name(by), nameList(on, 8)), ...verdicts.map(words().figures.sentence)]
}
