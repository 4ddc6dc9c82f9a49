import { html, type Markup } from './markup.ts'

/** A part of the page with a heading and a place in its table of contents. */
export interface Section {
  /** Lower-case letters and hyphens; also the fragment of its address. */
  readonly id: string
  readonly title: string
  readonly body: Markup
}

/** A picture with what it shows in words, and its figures as a table. */
export interface Figure {
  readonly id: string
  /** One sentence that says what the picture shows. It is read aloud in place of the picture. */
  readonly caption: string
  /** An `svg` element with a `viewBox` and without width and height. */
  readonly picture: Markup
  /** A `table` element with the same figures. */
  readonly table: Markup
}

/** The table is folded below the picture, and stands open in print and where pictures cannot be shown. */
export const figure = ({ id, caption, picture, table }: Figure): Markup => html`<figure id="${id}" class="picture">
${picture}
<figcaption>${caption}</figcaption>
<details class="figures"><summary>Figures</summary><div class="scroll" tabindex="0" role="group" aria-label="${caption}">${table}</div></details>
</figure>
`
