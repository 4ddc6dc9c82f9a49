import { isDateColumn } from '../../../answers/words/answer-order.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { Histogram } from '../../../records/manifest/columns.ts'
import type { NumericStatistics } from '../../../records/manifest/differences.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { figureOf } from '../charts/tick-text.ts'
import { html, type Markup } from '../markup.ts'
import { name } from '../names.ts'
import { type DrawnColumn, drawnScenarios, levelSides, numberSides } from './distribution-columns.ts'

const NONE = '–'

/** A row for each level, a column for each side. */
export function levelsTable(manifest: Manifest, one: DrawnColumn): Markup {
  const ids = drawnScenarios(manifest, one)
  const sides = ids.map((id) => levelSides(manifest, one, id))
  const percent = (share: number | null | undefined): string => (share == null ? NONE : (share * 100).toFixed(1))
  return html`<table>
<thead><tr><th scope="col">Level, %</th><th scope="col">${name(one.against)}</th>${ids.map((id) => html`<th scope="col">${name(id)}</th>`)}</tr></thead>
<tbody>${one.levels.map(
    (
      level,
      i,
    ) => html`<tr><th scope="row">${name(level)}</th><td>${percent(sides.find((of) => of[i]?.before != null)?.[i]?.before)}</td>${sides.map((of) => html`<td>${percent(of[i]?.after)}</td>`)}</tr>
`,
  )}</tbody></table>`
}

/** Quantiles, then the shares of bins, with a column for each side. */
export function numbersTable(manifest: Manifest, one: DrawnColumn): Markup {
  const ids = drawnScenarios(manifest, one)
  const pairs = ids.map((id) => numberSides(manifest, one, id))
  const isDate = isDateColumn(manifest, one.against, one.column)
  const sides: (NumericStatistics | null)[] = [
    pairs.find(({ before }) => before !== null)?.before ?? null,
    ...pairs.map(({ after }) => after),
  ]
  const row = (text: string, cell: (side: NumericStatistics) => string) =>
    html`<tr><th scope="row">${text}</th>${sides.map((side) => html`<td>${side === null ? NONE : cell(side)}</td>`)}</tr>
`
  return html`<table>
<thead><tr><th scope="col">Figure</th><th scope="col">${name(one.against)}</th>${ids.map((id) => html`<th scope="col">${name(id)}</th>`)}</tr></thead>
<tbody>${row('values', ({ n }) => countText(n))}${QUANTILES.map(([text, key]) => row(text, (side) => quantileOf(side[key], isDate)))}${binRows(sides, isDate, row)}</tbody></table>`
}

const quantileOf = (value: number | null, isDate: boolean): string => (value === null ? NONE : figureOf(value, isDate))

const QUANTILES = [
  ['5 % quantile', 'q05'],
  ['25 % quantile', 'q25'],
  ['median', 'q50'],
  ['75 % quantile', 'q75'],
  ['95 % quantile', 'q95'],
] as const

/** All sides have the bins of the first one; a side that has others has no figures here. */
function binRows(
  sides: readonly (NumericStatistics | null)[],
  isDate: boolean,
  row: (text: string, cell: (side: NumericStatistics) => string) => Markup,
): Markup | null {
  const first = sides.find((side) => side?.histogram !== undefined)?.histogram
  if (first === undefined) return null
  const edges = JSON.stringify(first.edges)
  const percent = (of: (histogram: Histogram) => number | undefined) => (side: NumericStatistics) =>
    side.histogram === undefined || JSON.stringify(side.histogram.edges) !== edges
      ? NONE
      : ((of(side.histogram) ?? 0) * 100).toFixed(1)
  const ends = (i: number): string =>
    first.whole === true
      ? String((first.edges[i]! + first.edges[i + 1]!) / 2)
      : `${figureOf(first.edges[i]!, isDate)} to ${figureOf(first.edges[i + 1]!, isDate)}`
  const hasBelow = sides.some((side) => side?.histogram?.below !== undefined)
  const hasAbove = sides.some((side) => side?.histogram?.above !== undefined)
  return html`${
    hasBelow &&
    row(
      `below ${figureOf(first.edges[0]!, isDate)}, %`,
      percent(({ below }) => below),
    )
  }${first.shares.map((_, i) =>
    row(
      `${ends(i)}, %`,
      percent(({ shares }) => shares[i]),
    ),
  )}${
    hasAbove &&
    row(
      `above ${figureOf(first.edges.at(-1)!, isDate)}, %`,
      percent(({ above }) => above),
    )
  }`
}
