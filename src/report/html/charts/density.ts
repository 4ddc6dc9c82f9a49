import { shareText } from '../../../answers/words/share-text.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import type { Histogram } from '../../../records/manifest/columns.ts'
import type { NumericStatistics } from '../../../records/manifest/differences.ts'
import { scaleLinear } from '../scales.ts'
import { heading, rightwardAxis } from './axis.ts'
import { coordinate as at, CHART_WIDTH, chart, tipped } from './chart.ts'
import { dayText, shortFigure, tickText } from './tick-text.ts'

/** The values of a number on one side. */
export type NumberSide = Pick<NumericStatistics, 'q05' | 'q25' | 'q50' | 'q75' | 'q95'> & {
  readonly histogram?: Histogram
}

export interface Density {
  readonly title: string
  readonly label: string
  readonly before: NumberSide | null
  readonly after: NumberSide | null
  /** Numbers are milliseconds since 1970. */
  readonly isDate: boolean
  /** Drawings of one column have the same axes. */
  readonly span: readonly [low: number, high: number]
  /** What tips call the two sides. */
  readonly names?: readonly [before: string, after: string]
  /** Share per unit; 0 where no histogram is drawn. */
  readonly highest: number
}

const LEFT = 4
const RIGHT = CHART_WIDTH - 4
const TOP = 24
const PLOT = 84
const BOX = 26

/** Share per unit of each bin; bins need not have one width. */
const densities = ({ edges, shares }: Histogram): number[] =>
  shares.map((share, i) => share / (edges[i + 1]! - edges[i]!))

/** The axes of drawings that are to compare: over the bins that hold values, otherwise from the 5 % to the 95 % quantile. */
export function densityAxes(sides: readonly (NumberSide | null)[]): Pick<Density, 'span' | 'highest'> {
  const known = sides.filter((side) => side !== null)
  const histograms = known.flatMap(({ histogram }) => (histogram === undefined ? [] : [histogram]))
  const ends = [
    ...histograms.flatMap(({ edges, shares }) =>
      shares.flatMap((share, i) => (share > 0 ? [edges[i]!, edges[i + 1]!] : [])),
    ),
    ...known.flatMap(({ q05, q95 }) => [q05, q95]).filter((end) => end !== null),
  ]
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  return {
    span: low < high ? [low, high] : [low - 1, high + 1],
    highest: Math.max(0, ...histograms.flatMap(densities)),
  }
}

/**
 * The distribution of a number on both sides: the shares of bins as steps, where there are bins, and a line from the 5 % to
 * the 95 % quantile below, thick between the quartiles, with the median.
 */
export function densityChart({ title, label, before, after, isDate, span, names, highest }: Density): Markup {
  const { baseline, scenario } = words().sections.distributions
  const [first, second] = names ?? [baseline, scenario]
  const across = scaleLinear().domain(span).range([LEFT, RIGHT])
  const isStepped = highest > 0
  const bottom = TOP + (isStepped ? PLOT : 0)
  const up = scaleLinear()
    .domain([0, highest || 1])
    .range([bottom, TOP])
  const [lower, upper] = [before && quantilesOf(before), after && quantilesOf(after)]
  const boxes = lower === null ? [] : [box('baseline', lower, { y: bottom + 22, across, isDate, name: first })]
  const below =
    upper === null
      ? []
      : [box('scenario', upper, { y: bottom + 22 + boxes.length * BOX, across, isDate, name: second })]
  const base = bottom + (boxes.length + below.length) * BOX + 8
  const text = isDate ? dayText : tickText
  const step = (side: NumberSide | null, kind: string) =>
    side?.histogram !== undefined && html`<path class="${kind}" d="${stepPath(side.histogram, across, up)}"/>`
  return chart({
    label,
    height: base + 18,
    marks: html`${heading(title, CHART_WIDTH)}${rightwardAxis({ scale: across, count: isDate ? 3 : 5, text }, { top: TOP, bottom: base })}${step(before, 'area-baseline')}${step(after, 'step-scenario')}${isStepped && html`<path class="zero" d="M${LEFT} ${bottom}H${RIGHT}"/>`}${beyondBins(after, bottom)}${boxes}${below}`,
  })
}

/** A line over the bins that falls to zero at both ends. */
function stepPath(
  { edges, shares }: Histogram,
  across: (value: number) => number,
  up: (value: number) => number,
): string {
  const heights = densities({ edges, shares })
  const parts = heights.map((height, i) => `V${at(up(height))}H${at(across(edges[i + 1]!))}`)
  return `M${at(across(edges[0]!))} ${at(up(0))}${parts.join('')}V${at(up(0))}`
}

/** Says which values lie outside the bins. */
function beyondBins(side: NumberSide | null, bottom: number): Markup | null {
  const { below = 0, above = 0 } = side?.histogram ?? {}
  if (below + above === 0) return null
  return html`${below > 0 && html`<text class="note" x="${LEFT}" y="${bottom - PLOT + 10}">← ${shareText(below)}</text>`}${above > 0 && html`<text class="note" x="${RIGHT}" y="${bottom - PLOT + 10}" text-anchor="end">${shareText(above)} →</text>`}`
}

interface BoxPlace {
  readonly y: number
  readonly across: (value: number) => number
  readonly isDate: boolean
  readonly name: string
}

/** Whether there is anything to draw of a side. */
export const isDrawn = (side: NumberSide | null): boolean =>
  side !== null && (side.histogram !== undefined || quantilesOf(side) !== null)

type Quantiles = Readonly<Record<'q05' | 'q25' | 'q50' | 'q75' | 'q95', number>>

/** Null where they are not known, as of several replicates. */
function quantilesOf({ q05, q25, q50, q75, q95 }: NumberSide): Quantiles | null {
  if (q05 === null || q25 === null || q50 === null || q75 === null || q95 === null) return null
  return { q05, q25, q50, q75, q95 }
}

function box(kind: 'baseline' | 'scenario', side: Quantiles, { y, across, isDate, name }: BoxPlace): Markup {
  const x = (value: number): number => at(across(value))
  const figure = (value: number): string => shortFigure(value, isDate)
  const median = x(side.q50)
  const isLate = median > CHART_WIDTH / 2
  const { tip: tipOf, median: medianText } = words().sections.distributions
  const [low, lower, middle, upper, high] = [side.q05, side.q25, side.q50, side.q75, side.q95].map(figure) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const tip = tipOf(name, middle, [lower, upper], [low, high])
  return tipped(
    tip,
    html`<path class="whisker ${kind}" d="M${x(side.q05)} ${y}H${x(side.q95)}"/><rect class="bar-${kind}" x="${x(side.q25)}" y="${y - 4}" width="${at(Math.max(0.5, across(side.q75) - across(side.q25)))}" height="8"/><path class="median ${kind}" d="M${median} ${y - 7}V${y + 7}"/><text class="${kind === 'scenario' ? 'value' : 'axis'} halo" x="${at(isLate ? median - 5 : median + 5)}" y="${y - 6}" text-anchor="${isLate ? 'end' : 'start'}">${medianText(middle)}</text>`,
  )
}
