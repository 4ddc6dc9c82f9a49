import { html, type Markup } from '../../base/document/markup.ts'
import { pageBlocks } from '../../base/document/page-blocks.ts'
import { CONTRACT_VERSION } from '../../contract/openapi/openapi.ts'
import { type Document, type Section, under } from './document.ts'

/** Prefix of a page's own links: the path of `{base_url}`, empty at the root of a host. */
export function linkRootOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

const NAVIGATION = [
  ['/', 'Start'],
  ['/docs', 'Guide'],
  ['/__docs__/', 'Reference'],
  ['/explore', 'Explore'],
  ['/errors', 'Errors'],
] as const

export interface PageFrame {
  readonly linkRoot: string
  /** The page's entry in the navigation. */
  readonly path: string
  readonly version: string
}

/** A document as a page. */
export function renderPage(document: Document, frame: PageFrame): string {
  const { title, lead, sections } = under(frame.linkRoot, document)
  const contents =
    sections.length >= 6 &&
    html`<nav class="contents" aria-label="On this page"><ul>${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
`
  const main = html`<main><h1>${title}</h1><p class="lead">${lead}</p>
${contents}${sections.map(sectionOf)}</main>`
  const style = html`<link rel="stylesheet" href="${frame.linkRoot}/__docs__/pages.css">
`
  return renderFrame(title, main, frame, style)
}

const sectionOf = ({
  id,
  title,
  blocks,
}: Section): Markup => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${pageBlocks(blocks)}</section>
`

/** The same head, navigation and foot around any content. */
function renderFrame(title: string, content: Markup, { linkRoot, path, version }: PageFrame, head: Markup): string {
  const links = NAVIGATION.map(
    ([href, name]) => html`<a href="${linkRoot}${href}"${href === path && html` aria-current="page"`}>${name}</a>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${linkRoot}/__docs__/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${linkRoot}/__docs__/frame.css">
${head}</head>
<body>
<header><nav aria-label="Documents">${links}</nav></header>
${content}
<footer><p>whatif ${version}, contract ${CONTRACT_VERSION} (<a href="${linkRoot}/openapi.json">OpenAPI</a>, <a href="${linkRoot}/llms-full.txt">all in one text</a>)</p></footer>
</body>
</html>
`.text
}

/** `/dashboard`: the frame that `assets/dashboard.js` fills once it has the operator token. It contains no data. */
export function renderDashboardPage(frame: PageFrame): string {
  const { linkRoot } = frame
  return renderFrame(
    'Dashboard',
    html`<main>
<h1>Dashboard</h1>
<noscript><p>This page needs JavaScript. <code>whatif operator tenants</code>, <code>whatif operator log</code> and <a href="${linkRoot}/openapi.json">/operator/v1/overview</a> have the same content.</p></noscript>
<form id="access">
<p><label for="token">Operator token</label> <input id="token" name="token" type="password" autocomplete="off" spellcheck="false" required> <button>Show</button></p>
<p class="lead">The token stays in this page: it is forgotten when you close or reload it.</p>
</form>
<p id="state" role="status"></p>
<div id="board" hidden></div>
</main>`,
    frame,
    html`<link rel="stylesheet" href="${linkRoot}/__docs__/pages.css">
<link rel="stylesheet" href="${linkRoot}/__docs__/dashboard.css">
<script src="${linkRoot}/__docs__/dashboard.js" defer></script>
`,
  )
}

/** `/explore`: what the bundle of `src/explore/page` fills once it has a tenant's token. It contains no data, and no frame: levers need room. */
export function renderExplorePage({ linkRoot }: PageFrame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Explore</title>
<link rel="icon" href="${linkRoot}/__docs__/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${linkRoot}/__docs__/explore.css">
<script src="${linkRoot}/__docs__/explore.js" defer></script>
</head>
<body><div id="page"><p>Loading …</p><noscript><p>This page needs JavaScript. <code>whatif explore</code> and <code>whatif plan --estimates</code> ask the same service.</p></noscript></div></body>
</html>
`.text
}

/** `/__docs__/`: the frame in which `assets/reference.js` shows the OpenAPI document by swagger-ui. */
export function renderReferencePage(frame: PageFrame): string {
  const { linkRoot } = frame
  return renderFrame(
    'Reference',
    html`<main>
<noscript><p>This page needs JavaScript. The same content is in <a href="${linkRoot}/llms-full.txt">one text</a> and in the <a href="${linkRoot}/openapi.json">OpenAPI document</a>.</p></noscript>
<div id="reference"><p>Loading the reference…</p></div>
</main>`,
    frame,
    html`<link rel="stylesheet" href="${linkRoot}/__docs__/swagger-ui.css">
<link rel="stylesheet" href="${linkRoot}/__docs__/reference.css">
<script src="${linkRoot}/__docs__/swagger-ui-bundle.js" defer></script>
<script src="${linkRoot}/__docs__/reference.js" defer></script>
`,
  )
}
