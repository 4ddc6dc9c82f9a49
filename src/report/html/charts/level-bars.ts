import { shareText } from '../../../answers/words/share-text.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { words } from '../../../base/language/language.ts'
import { fitLabel } from '../fit-label.ts'
import { scaleLinear } from '../scales.ts'
import { heading } from './axis.ts'
import { coordinate as at, CHART_WIDTH, chart, LETTERS, tipped } from './chart.ts'

export interface LevelBar {
  readonly level: string
  /** Fractions of 1; null where a side has none. Without a baseline in any of them, there is one bar a level. */
  readonly before: number | null
  readonly after: number | null
}

export interface LevelBars {
  readonly title: string
  /** What the picture is of, whole. */
  readonly label: string
  readonly bars: readonly LevelBar[]
  /** Share at the right end, so that drawings compare. */
  readonly longest: number
}

/** Levels of a drawing. */
export const MOST_BARS = 12

const LABEL = 96
const FIGURES = 52
const TOP = 22
const ROW = 37
/** Height of a row in a drawing without a baseline. */
const SINGLE_ROW = 20

/** Levels one below the other, each with an empty bar for the baseline above a full one for the scenario. */
export function levelBars({ title, label, bars, longest }: LevelBars): Markup {
  const shown = bars.slice(0, MOST_BARS)
  const left = bars.length - shown.length
  const width = scaleLinear()
    .domain([0, longest || 1])
    .range([0, CHART_WIDTH - LABEL - FIGURES])
  const isSingle = bars.every(({ before }) => before === null)
  const row = isSingle ? SINGLE_ROW : ROW
  const bottom = TOP + shown.length * row
  return chart({
    label,
    height: bottom + (left > 0 ? 16 : 2),
    marks: html`${heading(title, CHART_WIDTH)}${shown.map((bar, i) => barMarks(bar, { y: TOP + i * row, width, isSingle }))}<path class="grid" d="M${LABEL} ${TOP}V${bottom}"/>${left > 0 && html`<text class="note" x="${LABEL}" y="${bottom + 13}">${words().sections.distributions.more(left)}</text>`}`,
  })
}

interface BarPlace {
  readonly y: number
  readonly width: (share: number) => number
  readonly isSingle: boolean
}

function barMarks({ level, before, after }: LevelBar, { y, width, isSingle }: BarPlace): Markup {
  const text = (share: number | null): string => (share === null ? '–' : shareText(share))
  const bar = (share: number | null, top: number, kind: string) =>
    share !== null &&
    html`<rect class="${kind}" x="${LABEL}" y="${top}" width="${at(width(share))}" height="12"/><text class="${kind === 'bar-scenario' ? 'value' : 'axis'}" x="${at(LABEL + width(share) + 4)}" y="${top + 10.5}">${text(share)}</text>`
  return tipped(
    `${level}: ${isSingle ? '' : `${text(before)} → `}${text(after)}`,
    html`<text x="${LABEL - 6}" y="${isSingle ? y + 13 : y + 21}" text-anchor="end">${fitLabel(level, LABEL - 8, LETTERS)}</text>${bar(before, y + 4, 'bar-baseline')}${bar(after, isSingle ? y + 3 : y + 17.5, 'bar-scenario')}`,
  )
}
