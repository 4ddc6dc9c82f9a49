import type { Section } from '../../../base/document/block.ts'
import { html, type Markup } from '../../../base/document/markup.ts'
import { pageBlocks } from '../../../base/document/page-blocks.ts'
import { words } from '../../../base/language/language.ts'
import { sha256Hex } from '../../../base/sha256.ts'
import { pageScript } from '../../../generated/page-script.ts'
import { CHART_STYLE } from '../charts/chart-style.ts'

import { STYLE } from './style.ts'

export interface Page {
  /** The beginning of the file, up to the number of its version. */
  readonly mark: string
  readonly title: string
  /** What kind of page it is, for the title of its window. */
  readonly about: string
  /** BCP 47. */
  readonly language: string
  /** Stands first, without a heading. */
  readonly lead?: Section
  readonly sections: readonly Section[]
  /** What the page was made from. */
  readonly origin: Markup
}

/**
 * A page as one HTML file. It needs no network, and no script to be read. Its content security policy allows only its own
 * style and script, by their hashes.
 */
export function framePage({ mark, title, about, language, lead, sections, origin }: Page): string {
  const all = lead === undefined ? sections : [lead, ...sections]
  const { page: say } = words().record
  const body = html`<a class="skip" href="#main">${say.skip}</a>
<header><h1 dir="auto">${title}</h1>
${contents(all)}</header>
<main id="main">
${
  lead &&
  html`<section id="${lead.id}" aria-label="${lead.title}">
${pageBlocks(lead.blocks)}</section>
`
}${sections.map(sectionMarkup)}</main>
<footer><p>${origin}${words().figures.sentenceGap}${say.noNetwork}</p></footer>
<div id="tip" role="status" hidden></div>
`
  return `${mark}, version 1 -->
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${html`<title>${title} · ${about}</title>`.text}
<style>${LOOKS}</style>
</head>
${html`<body data-save="${say.savePicture}">`.text}
${body.text}<script>${pageScript}</script>
</body>
</html>
`
}

const LOOKS = `${STYLE}${CHART_STYLE}`

const sourceOf = (text: string): string => `'sha256-${Buffer.from(sha256Hex(text), 'hex').toString('base64')}'`

const POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(LOOKS)}`,
  `script-src ${sourceOf(pageScript)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const contents = (
  sections: readonly Section[],
): Markup => html`<nav aria-label="${words().record.page.contents}"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
`

const sectionMarkup = ({
  id,
  title,
  blocks,
}: Section): Markup => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${pageBlocks(blocks)}</section>
`
