import { sha256Hex } from '../../../base/sha256.ts'
import { pageScript } from '../../../generated/page-script.ts'
import type { ReadManifest } from '../../../manifest/parse-manifest.ts'
import { firstScreen } from '../answer/first-screen.ts'
import { html, type Markup } from '../markup.ts'
import { name } from '../names.ts'
import { comparisonsSection } from '../record/comparisons-section.ts'
import { findingsSection } from '../record/findings-section.ts'
import { gatesSection } from '../record/gates-section.ts'
import { provenanceSection } from '../record/provenance-section.ts'
import type { Section } from '../section.ts'
import { furtherSections } from '../sections.ts'
import { STYLE } from './style.ts'

/** The beginning of a page, which identifies it. */
export const HTML_MARK = '<!doctype html>\n<!-- whatif report'

/**
 * A manifest as one HTML file for people: the answer, then what it rests on. It needs no network, and no script to be
 * read. Its content security policy allows only its own style and script, by their hashes. The same manifest gives the
 * same bytes.
 */
export function reportHtml(read: ReadManifest): string {
  const { study } = read.manifest
  const sections = [
    comparisonsSection(read),
    ...furtherSections(read),
    gatesSection(read),
    findingsSection(read),
    provenanceSection(read),
  ].filter((section) => section !== null)
  const body = html`<a class="skip" href="#main">Skip to the answer</a>
<header><h1 dir="auto">${study.name}</h1>
${contents(sections)}</header>
<main id="main">
${firstScreen(read)}${sections.map(sectionMarkup)}</main>
<footer><p>Made by whatif ${name(read.manifest.run.tool)} from a manifest with the digest <code>${read.digest}</code>. This file needs no network.</p></footer>
<div id="tip" role="status" hidden></div>
`
  return `${HTML_MARK}, version 1 -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${html`<title>${study.name} · what-if study</title>`.text}
<style>${STYLE}</style>
</head>
<body>
${body.text}<script>${pageScript}</script>
</body>
</html>
`
}

const sourceOf = (text: string): string => `'sha256-${Buffer.from(sha256Hex(text), 'hex').toString('base64')}'`

const POLICY = [
  "default-src 'none'",
  `style-src ${sourceOf(STYLE)}`,
  `script-src ${sourceOf(pageScript)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const contents = (
  sections: readonly Section[],
): Markup => html`<nav aria-label="Contents"><ul><li><a href="#answer">Answer</a></li>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
`

const sectionMarkup = ({ id, title, body }: Section): Markup => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}</section>
`
