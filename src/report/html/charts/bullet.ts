import { html, type Markup } from '../../../base/document/markup.ts'
import type { Text } from '../../../base/document/text.ts'
import { fitLabel } from '../fit-label.ts'
import { scaleLinear } from '../scales.ts'
import { rightwardAxis } from './axis.ts'
import { coordinate as at, CHART_WIDTH, chart, LETTERS, tipped } from './chart.ts'
import { tickText } from './tick-text.ts'

/** A figure of a model beside what it is read against. */
export interface Bullet {
  readonly title: string
  /** The same for texts that tell names apart; absent where there are none. */
  readonly named?: Text
  readonly value: number
  readonly valueText: string
  /** The figure of other real rows, or of chance. */
  readonly reference: number
  readonly referenceText: string
  /** Around the reference: what chance alone does. */
  readonly chance: number | null
  /** The 95 % interval of the value. */
  readonly interval: readonly [low: number, high: number] | null
  /** Part of the scale that is always shown. */
  readonly scale: readonly [low: number, high: number]
}

const LINE = 40
const EDGE = 10

/** The figure as a dot on a line, the reference as a stroke, chance as a band. */
export function bulletChart({
  title,
  value,
  valueText,
  reference,
  referenceText,
  chance,
  interval,
  scale,
}: Bullet): Markup {
  const ends = [value, reference - (chance ?? 0), reference + (chance ?? 0), ...(interval ?? []), ...scale]
  const across = scaleLinear()
    .domain([Math.min(...ends), Math.max(...ends)])
    .range([EDGE, CHART_WIDTH - EDGE])
    .nice(5)
  const x = (of: number): number => at(across(of))
  const width = valueText.length * LETTERS * 0.6 + 8
  return chart({
    label: `${title}: ${valueText}, ${referenceText}`,
    height: LINE + 36,
    marks: html`${rightwardAxis({ scale: across, count: 5, text: tickText }, { top: LINE - 10, bottom: LINE + 10 })}${tipped(
      `${title}: ${valueText}, ${referenceText}`,
      html`<text class="outcome" x="0" y="12">${fitLabel(title, CHART_WIDTH - width, LETTERS + 2)}</text><text class="value beyond" x="${CHART_WIDTH}" y="12" text-anchor="end">${valueText}</text><text class="label" x="${CHART_WIDTH}" y="27" text-anchor="end">${fitLabel(referenceText, CHART_WIDTH, LETTERS)}</text>${chance !== null && html`<rect class="band" x="${x(reference - chance)}" y="${LINE - 6}" width="${at(x(reference + chance) - x(reference - chance))}" height="12"/>`}${interval && html`<path class="interval beyond" d="M${x(interval[0])} ${LINE}H${x(interval[1])}"/>`}<path class="median" d="M${x(reference)} ${LINE - 9}V${LINE + 9}"/><circle class="mark-scenario beyond" cx="${x(value)}" cy="${LINE}" r="4.5"/>`,
    )}`,
  })
}
