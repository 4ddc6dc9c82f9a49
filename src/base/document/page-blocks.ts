import { words } from '../language/language.ts'
import { countText } from '../text/amount-text.ts'
import type { Block, Figure, Fold, List, Row, Table, Terms } from './block.ts'
import { html, Markup } from './markup.ts'
import { isEmpty, type Text } from './text.ts'

/** Blocks as HTML. */
export const pageBlocks = (blocks: readonly Block[]): Markup => html`${blocks.map((block) => pageBlock(block, true))}`

/** `isOpen`: nothing says yet what a table is. */
function pageBlock(block: Block, isOpen: boolean): Markup | null {
  if (!isShown(block)) return null
  if (block instanceof Markup) return block
  switch (block.kind) {
    case 'heading':
      return html`<h3>${block.text}</h3>
`
    case 'paragraph':
      return html`<p${block.tone !== undefined && html` class="${block.tone}"`}>${block.text}</p>
`
    case 'alerts':
      return html`<ul class="alerts">${block.items.map(({ tone, text }) => html`<li class="${tone}">${text}</li>`)}</ul>
`
    case 'list':
      return list(block)
    case 'code':
      return html`<pre><code>${block.code}</code></pre>
`
    case 'terms':
      return terms(block)
    case 'table':
      return html`${scrolled(block, isOpen && !block.isBare)}${notesOf(block)}`
    case 'fold':
      return fold(block)
    case 'figure':
      return figure(block)
  }
}

/** Whether a page has something to show. */
function isShown(block: Block): block is Exclude<Block, null | false> {
  if (block === null || block === false) return false
  if (block instanceof Markup) return true
  if (block.only === 'text' || (block.kind === 'paragraph' && isEmpty(block.text))) return false
  return block.kind !== 'table' || block.rows.length > 0
}

function list({ items, isOrdered }: List): Markup {
  const all = items.map(
    (item) => html`<li>${item}</li>
`,
  )
  return isOrdered
    ? html`<ol>${all}</ol>
`
    : html`<ul>${all}</ul>
`
}

const terms = ({ entries }: Terms): Markup => html`<dl>${entries.map(
  ([term, of]) =>
    !isEmpty(of) &&
    html`<dt>${term}</dt><dd>${of}</dd>
`,
)}</dl>
`

function fold({ title, blocks, look }: Fold): Markup {
  const shown = blocks.filter(isShown)
  return html`<details${look !== undefined && html` class="${look}"`}><summary>${title}</summary>${shown.map((block) => pageBlock(block, shown.length > 1))}</details>
`
}

/** The table is folded below the picture, and stands open in print and where pictures cannot be shown. */
const figure = ({ id, caption, picture, table }: Figure): Markup => html`<figure id="${id}" class="picture">
${picture()}
<figcaption>${caption}</figcaption>
<details class="figures"><summary>${words().record.page.figures}</summary>${scrolled({ ...table, title: caption }, false)}${notesOf(table)}</details>
</figure>
`

/** A table that scrolls on a narrow screen. */
const scrolled = (
  of: Table,
  hasCaption: boolean,
): Markup => html`<div class="scroll" tabindex="0" role="group" aria-label="${plain(of.title)}">${pageTable(of, hasCaption)}</div>
`

function pageTable({ title, columns, rows, most, stacks }: Table, hasCaption: boolean): Markup {
  const isWorded = columns.map((column) => wordsOf(column) !== null)
  const heads = columns.map(
    (column, i) =>
      html`<th scope="col"${i > 0 && isWorded[i] && html` class="t"`}>${wordsOf(column) ?? (column as Text)}</th>`,
  )
  const labels = stacks ? columns.map((column) => plain(wordsOf(column) ?? (column as Text))) : []
  const cells = (all: readonly Text[]) =>
    all.map((cell, i) =>
      i === 0
        ? html`<th scope="row">${cell}</th>`
        : html`<td${isWorded[i] && html` class="t"`}${stacks && html` data-label="${labels[i]}"`}>${cell}</td>`,
    )
  const line = (row: Row, i: number): Markup => {
    if (!('heading' in row))
      return html`<tr${'outstanding' in row && html` class="b"`}>${cells('outstanding' in row ? row.outstanding : row)}</tr>
`
    return html`${i > 0 && html`</tbody><tbody>`}<tr><th colspan="${columns.length}" scope="rowgroup" class="group">${row.heading}</th></tr>
`
  }
  return html`<table>${hasCaption && html`<caption>${title}</caption>`}
<thead><tr>${heads}</tr></thead>
<tbody>${rows.slice(0, most?.rows).map(line)}</tbody></table>`
}

const wordsOf = (column: Table['columns'][number]): Text =>
  typeof column === 'object' && column !== null && 'words' in column ? column.words : null

function notesOf({ rows, most, notes = [] }: Table): Markup {
  const left = most === undefined ? 0 : rows.length - most.rows
  return html`${notes.map((block) => pageBlock(block, true))}${
    left > 0 &&
    html`<p class="note">${words().figures.sentence(`${countText(left)} ${most!.others}`)}</p>
`
  }`
}

/** For places that hold no parts: an attribute. */
function plain(of: Text): string {
  if (Array.isArray(of)) return of.map(plain).join('')
  if (of === null || of === undefined || of === false) return ''
  return typeof of === 'object' ? plain((of as { readonly of: Text }).of) : String(of)
}
