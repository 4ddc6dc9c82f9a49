import { figuresIn } from '../../answers/arithmetic/figures-in.ts'
import { isDateColumn } from '../../answers/words/answer-order.ts'
import { replicatesOf } from '../../answers/words/compared-scenario.ts'
import { DAY_MS, figureText } from '../../answers/words/difference-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { joined, name, nameList, type Text, text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import type { ManifestComparison, ReplicateSpread } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** Names, and figures of the spread, in one sentence. */
const MOST = 6

/** The replicates that a comparison pools: a text for the baseline, and one for each scenario. */
export function replicateTexts(manifest: Manifest, comparison: ManifestComparison): Text[] {
  const { against, against_replicates: baseline, scenarios } = comparison
  return [
    ...(baseline === undefined ? [] : [together(manifest, against, baseline)]),
    ...Object.entries(scenarios).flatMap(([id, { replicates }]) =>
      replicates === undefined
        ? []
        : [
            [
              together(manifest, id, replicates.ids),
              spreadText(replicates, (column) => isDateColumn(manifest, against, column)),
            ],
          ],
    ),
  ]
}

function together(manifest: Manifest, id: string, ids: readonly string[]): Text {
  const { none, together: say } = words().tables.replicates
  if (ids.length === 0) return none<Text>(name(id))
  // Some may have no result.
  const all = Math.max(replicatesOf(manifest, id).length, ids.length)
  return say<Text>(name(id), ids.length, all, nameList(ids, MOST))
}

/** `0.31`, or `0.42 days` of a date. */
const spreadOfMean = (sd: number, isDate: boolean): string =>
  isDate
    ? `${localNumber(figureText(sd / DAY_MS, sd / DAY_MS))}${words().figures.units.date}`
    : localNumber(figureText(sd, sd))

function spreadText({ spread }: ReplicateSpread, isDate: (column: string) => boolean): Text {
  const { figures } = words()
  const all = figuresIn(spread).flatMap(({ column, level, quantile, value: sd }): Text[] => {
    if (sd === null) return []
    if (level !== null)
      return [text`${name(column)} ${name(level)} ${localNumber(figureText(sd * 100, sd * 100))}${figures.units.share}`]
    const what = quantile === null ? figures.mean : numberWord(quantile)
    return [text`${figures.ofColumn<Text>(what, name(column))} ${spreadOfMean(sd, isDate(column))}`]
  })
  if (all.length === 0) return null
  return words().tables.replicates.spread<Text>(joined(all.slice(0, MOST), figures.semicolon))
}
