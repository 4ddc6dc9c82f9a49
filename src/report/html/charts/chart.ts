import { html, type Markup } from '../../../base/document/markup.ts'

/** Width of a picture among small multiples, in its own units. A phone shows one of them a little larger than that. */
export const CHART_WIDTH = 320
/** Size of letters, in the same units. */
export const LETTERS = 12

export interface Chart {
  /** What the picture is of, whole; it is read aloud. */
  readonly label: string
  /** `CHART_WIDTH` unless the drawing needs more. */
  readonly width?: number
  readonly height: number
  /** Drawn as wide as its units; it may have to be scrolled. */
  readonly isFixed?: boolean
  readonly marks: Markup
}

/** One drawing. Its letters keep their size from phones to desktops, because only the number of drawings a row differs. */
export const chart = ({ label, width = CHART_WIDTH, height, isFixed = false, marks }: Chart): Markup =>
  html`<svg class="chart"${isFixed && html` width="${width}"`} viewBox="0 0 ${width} ${coordinate(height)}" role="img" aria-label="${label}" tabindex="0">${marks}</svg>
`

/** Drawings of one kind beside each other. */
export const multiples = (charts: readonly Markup[]): Markup => html`<div class="multiples">
${charts}</div>
`

/** Marks with a text that pointers, keys and screen readers reach. */
export const tipped = (tip: string, marks: Markup): Markup =>
  html`<g data-tip="${tip}"><title>${tip}</title>${marks}</g>`

/** A coordinate with one decimal: finer ones cannot be seen. */
export const coordinate = (value: number): number => Math.round(value * 10) / 10
