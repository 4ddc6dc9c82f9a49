import { html, type Markup } from '../../../base/document/markup.ts'

/** What the marks of a figure mean, once for all of its drawings. `marks` are drawn in 30 × 14 units. */
export const legend = (entries: readonly (readonly [marks: Markup, text: string])[]): Markup =>
  html`<p class="legend" aria-hidden="true">${entries.map(
    ([marks, text]) => html`<span><svg class="icon" viewBox="0 0 30 14">${marks}</svg> <bdi>${text}</bdi></span> `,
  )}</p>
`
