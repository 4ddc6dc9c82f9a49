import { isDateColumn } from '../../answers/words/answer-order.ts'
import { replicatesOf } from '../../answers/words/compared-scenario.ts'
import { DAY_MS, figureText } from '../../answers/words/difference-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { plural } from '../../base/text/amount-text.ts'
import type { ManifestComparison, ReplicateSpread } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { joined, name, nameList, type Text, text } from '../document/text.ts'

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
  if (ids.length === 0) return text`${name(id)}: no replicate has a result.`
  // Some may have no result.
  const all = Math.max(replicatesOf(manifest, id).length, ids.length)
  const count = ids.length === all ? plural(all, 'replicate') : `${ids.length} of ${plural(all, 'replicate')}`
  return text`${name(id)} takes ${count} together: ${nameList(ids, MOST)}.`
}

/** `0.31`, or `0.42 days` of a date. */
const spreadOfMean = (sd: number, isDate: boolean): string =>
  isDate ? `${figureText(sd / DAY_MS, sd / DAY_MS)} days` : figureText(sd, sd)

function spreadText({ spread }: ReplicateSpread, isDate: (column: string) => boolean): Text {
  const known = <T>(record: Readonly<Record<string, number | null>>, of: (key: string, sd: number) => T): T[] =>
    Object.entries(record).flatMap(([key, sd]) => (sd === null ? [] : [of(key, sd)]))
  const all: Text[] = [
    ...Object.entries(spread.shares).flatMap(([column, levels]) =>
      known(levels, (level, sd) => text`${name(column)} ${name(level)} ${figureText(sd * 100, sd * 100)} points`),
    ),
    ...known(spread.means, (column, sd) => text`mean of ${name(column)} ${spreadOfMean(sd, isDate(column))}`),
    ...Object.entries(spread.quantiles ?? {}).flatMap(([column, own]) =>
      known(own, (share, sd) => text`${numberWord(share)} of ${name(column)} ${spreadOfMean(sd, isDate(column))}`),
    ),
  ]
  if (all.length === 0) return null
  return text` From replicate to replicate the difference varies by (standard deviation): ${joined(all.slice(0, MOST), '; ')}. This measures the noise of generation, not the sampling of the seed.`
}
