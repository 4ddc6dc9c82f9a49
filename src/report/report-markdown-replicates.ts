import { isDateColumn } from '../answers/words/answer-order.ts'
import { replicatesOf } from '../answers/words/compared-scenario.ts'
import { DAY_MS, figureText } from '../answers/words/difference-text.ts'
import { numberWord } from '../answers/words/quantile-text.ts'
import { listText, plural } from '../base/text/amount-text.ts'
import type { ManifestComparison, ReplicateSpread } from '../records/manifest/comparisons.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { codeText } from './markdown-text.ts'

/** What the spread of replicates says, and what it does not. */
export const SPREAD_MEANING = 'This measures the noise of generation, not the sampling of the seed.'

/** Names, and figures of the spread, in one sentence. */
const MOST = 6

/** The replicates that a comparison pools: a list item for each scenario, and one for the baseline. */
export function replicateItems(manifest: Manifest, comparison: ManifestComparison): string[] {
  const { against, against_replicates: baseline, scenarios } = comparison
  return [
    ...(baseline === undefined ? [] : [`- ${together(manifest, against, baseline)}`]),
    ...Object.entries(scenarios).flatMap(([id, { replicates }]) =>
      replicates === undefined
        ? []
        : [
            `- ${together(manifest, id, replicates.ids)}${spreadText(replicates, (column) => isDateColumn(manifest, against, column))}`,
          ],
    ),
  ]
}

/** `3 of 5 replicates` when some have no result. */
export function replicateCount(manifest: Manifest, name: string, ids: readonly string[]): string {
  const all = Math.max(replicatesOf(manifest, name).length, ids.length)
  return ids.length === all ? plural(all, 'replicate') : `${ids.length} of ${plural(all, 'replicate')}`
}

function together(manifest: Manifest, name: string, ids: readonly string[]): string {
  if (ids.length === 0) return `${codeText(name)}: no replicate has a result.`
  return `${codeText(name)} takes ${replicateCount(manifest, name, ids)} together: ${listText(ids.map(codeText), MOST)}.`
}

/** `0.31`, or `0.42 days` of a date. */
export const spreadOfMean = (sd: number, isDate: boolean): string =>
  isDate ? `${figureText(sd / DAY_MS, sd / DAY_MS)} days` : figureText(sd, sd)

function spreadText({ spread }: ReplicateSpread, isDate: (column: string) => boolean): string {
  const shares = Object.entries(spread.shares).flatMap(([column, levels]) =>
    Object.entries(levels).flatMap(([level, sd]) =>
      sd === null ? [] : [`${codeText(column)} ${codeText(level)} ${figureText(sd * 100, sd * 100)} points`],
    ),
  )
  const means = Object.entries(spread.means).flatMap(([column, sd]) =>
    sd === null ? [] : [`mean of ${codeText(column)} ${spreadOfMean(sd, isDate(column))}`],
  )
  const quantiles = Object.entries(spread.quantiles ?? {}).flatMap(([column, own]) =>
    Object.entries(own).flatMap(([share, sd]) =>
      sd === null ? [] : [`${numberWord(share)} of ${codeText(column)} ${spreadOfMean(sd, isDate(column))}`],
    ),
  )
  const all = [...shares, ...means, ...quantiles]
  if (all.length === 0) return ''
  return ` From replicate to replicate the difference varies by (standard deviation): ${all.slice(0, MOST).join('; ')}. ${SPREAD_MEANING}`
}
