import { html, type Markup } from '../../../base/document/markup.ts'
import { fitLabel } from '../fit-label.ts'
import { coordinate as at, LETTERS } from './chart.ts'

/** A linear scale of D3. */
interface Scale {
  (value: number): number
  ticks(count?: number): number[]
}

interface Ticks {
  readonly scale: Scale
  readonly count: number
  readonly text: (value: number) => string
}

/** Lines across the plot with their numbers on the left, for a scale from the bottom up. */
export const upwardAxis = (
  { scale, count, text }: Ticks,
  { left, right }: { readonly left: number; readonly right: number },
): Markup =>
  html`${scale.ticks(count).map((tick) => {
    const y = at(scale(tick))
    return html`<path class="grid" d="M${left} ${y}H${right}"/><text class="axis" x="${left - 6}" y="${at(y + 4)}" text-anchor="end">${text(tick)}</text>`
  })}`

/** Lines up the plot with their numbers below, for a scale from left to right. */
export function rightwardAxis(
  { scale, count, text }: Ticks,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Markup {
  const ticks = scale.ticks(count)
  const labels = apart(ticks.map((tick) => ({ x: scale(tick), text: text(tick) })))
  return html`${ticks.map((tick) => html`<path class="grid" d="M${at(scale(tick))} ${top}V${bottom}"/>`)}${labels.map(
    (label) =>
      label && html`<text class="axis" x="${at(label.x)}" y="${bottom + 14}" text-anchor="middle">${label.text}</text>`,
  )}`
}

export interface PlacedLabel {
  readonly x: number
  readonly text: string
}

const GAP = 6

/** Labels centred on their places; null for one that would run into the label before it. */
export function apart(labels: readonly PlacedLabel[], size = LETTERS): (PlacedLabel | null)[] {
  let end = Number.NEGATIVE_INFINITY
  const shown = new Set<PlacedLabel>()
  for (const label of [...labels].sort((a, b) => a.x - b.x)) {
    const half = labelWidth(label.text, size) / 2
    if (label.x - half < end + GAP) continue
    shown.add(label)
    end = label.x + half
  }
  return labels.map((label) => (shown.has(label) ? label : null))
}

/** An estimate: a picture is drawn without fonts. */
export const labelWidth = (text: string, size = LETTERS): number => [...text].length * size * 0.56

/** The heading of a drawing, cut to its width. */
export const heading = (text: string, width: number, x = 0): Markup =>
  html`<text class="outcome" x="${x}" y="12">${fitLabel(text, width, LETTERS + 2)}</text>`
