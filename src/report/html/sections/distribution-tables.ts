import { isDateColumn } from '../../../answers/words/answer-order.ts'
import { DAY_MS } from '../../../answers/words/difference-text.ts'
import { numberWord } from '../../../answers/words/quantile-text.ts'
import { type Table, table } from '../../../base/document/block.ts'
import { name } from '../../../base/document/text.ts'
import { words } from '../../../base/language/language.ts'
import { localNumber } from '../../../base/language/local-number.ts'
import { countText } from '../../../base/text/amount-text.ts'
import type { Histogram } from '../../../records/manifest/columns.ts'
import type { NumericStatistics } from '../../../records/manifest/differences.ts'
import type { Manifest } from '../../../records/manifest/manifest.ts'
import { figureOf } from '../charts/tick-text.ts'
import { type DrawnColumn, drawnScenarios, levelSides, numberSides } from './distribution-columns.ts'

const NONE = '–'

/** A row for each level, a column for each side. */
export function levelsTable(manifest: Manifest, one: DrawnColumn): Table {
  const ids = drawnScenarios(manifest, one)
  const sides = ids.map((id) => levelSides(manifest, one, id))
  const percent = (share: number | null | undefined): string =>
    share == null ? NONE : localNumber((share * 100).toFixed(1))
  return table(
    name(one.column),
    [words().sections.distributions.level, name(one.against), ...ids.map(name)],
    one.levels.map((level, i) => [
      name(level),
      percent(sides.find((of) => of[i]?.before != null)?.[i]?.before),
      ...sides.map((of) => percent(of[i]?.after)),
    ]),
  )
}

/** Quantiles, then the shares of bins, with a column for each side. */
export function numbersTable(manifest: Manifest, one: DrawnColumn): Table {
  const ids = drawnScenarios(manifest, one)
  const pairs = ids.map((id) => numberSides(manifest, one, id))
  const isDate = isDateColumn(manifest, one.against, one.column)
  const { distributions: say } = words().sections
  const sides: (NumericStatistics | null)[] = [
    pairs.find(({ before }) => before !== null)?.before ?? null,
    ...pairs.map(({ after }) => after),
  ]
  const row = (text: string, cell: (side: NumericStatistics) => string): string[] => [
    text,
    ...sides.map((side) => (side === null ? NONE : cell(side))),
  ]
  return table(
    name(one.column),
    [say.figure, name(one.against), ...ids.map(name)],
    [
      row(say.values, ({ n }) => countText(n)),
      row(say.deviation, ({ sd }) => spreadText(sd, isDate)),
      ...QUANTILES.map(([share, key]) => row(numberWord(share), (side) => quantileOf(side[key], isDate))),
      ...binRows(sides, isDate, row),
    ],
  )
}

/** That of dates is in days. */
const spreadText = (sd: number | null, isDate: boolean): string =>
  sd === null ? NONE : isDate ? words().sections.distributions.days(figureOf(sd / DAY_MS, false)) : figureOf(sd, false)

const quantileOf = (value: number | null, isDate: boolean): string => (value === null ? NONE : figureOf(value, isDate))

const QUANTILES = [
  ['0.05', 'q05'],
  ['0.25', 'q25'],
  ['0.5', 'q50'],
  ['0.75', 'q75'],
  ['0.95', 'q95'],
] as const

/** All sides have the bins of the first one; a side that has others has no figures here. */
function binRows(
  sides: readonly (NumericStatistics | null)[],
  isDate: boolean,
  row: (text: string, cell: (side: NumericStatistics) => string) => string[],
): string[][] {
  const first = sides.find((side) => side?.histogram !== undefined)?.histogram
  if (first === undefined) return []
  const edges = JSON.stringify(first.edges)
  const percent = (of: (histogram: Histogram) => number | undefined) => (side: NumericStatistics) =>
    side.histogram === undefined || JSON.stringify(side.histogram.edges) !== edges
      ? NONE
      : localNumber(((of(side.histogram) ?? 0) * 100).toFixed(1))
  const ends = (i: number): string =>
    first.whole === true
      ? localNumber(String((first.edges[i]! + first.edges[i + 1]!) / 2))
      : words().figures.range(figureOf(first.edges[i]!, isDate), figureOf(first.edges[i + 1]!, isDate))
  const hasBelow = sides.some((side) => side?.histogram?.below !== undefined)
  const hasAbove = sides.some((side) => side?.histogram?.above !== undefined)
  const edge = (i: number): string => figureOf(first.edges.at(i)!, isDate)
  const below = percent((of) => of.below)
  const above = percent((of) => of.above)
  const inside = first.shares.map((_, i) => {
    const share = percent((of) => of.shares[i])
    return row(`${ends(i)}, %`, share)
  })
  return [
    ...(hasBelow ? [row(words().sections.distributions.below(edge(0)), below)] : []),
    ...inside,
    ...(hasAbove ? [row(words().sections.distributions.above(edge(-1)), above)] : []),
  ]
}
