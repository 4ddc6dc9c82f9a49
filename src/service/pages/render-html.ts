import { CONTRACT_VERSION } from '../../contract/openapi/openapi.ts'
import { type Block, type Document, type Section, spansOf } from './document.ts'

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
  const { title, lead, sections } = document
  const contents =
    sections.length < 6
      ? ''
      : `<nav class="contents" aria-label="On this page"><ul>${sections.map(({ id, title: name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`).join('')}</ul></nav>`
  return renderFrame(
    title,
    `<main><h1>${escapeHtml(title)}</h1><p class="lead">${inline(lead, frame.linkRoot)}</p>${contents}${sections
      .map((section) => sectionOf(section, frame.linkRoot))
      .join('')}</main>`,
    frame,
    `<link rel="stylesheet" href="${frame.linkRoot}/__docs__/pages.css">\n`,
  )
}

/** The same head, navigation and foot around any content. `head` is inserted unchanged into the page's head. */
export function renderFrame(
  title: string,
  content: string,
  { linkRoot, path, version }: PageFrame,
  head: string,
): string {
  const links = NAVIGATION.map(
    ([href, name]) => `<a href="${linkRoot}${href}"${href === path ? ' aria-current="page"' : ''}>${name}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${linkRoot}/__docs__/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${linkRoot}/__docs__/frame.css">
${head}</head>
<body>
<header><nav aria-label="Documents">${links.join('')}</nav></header>
${content}
<footer><p>whatif ${escapeHtml(version)}, contract ${CONTRACT_VERSION} (<a href="${linkRoot}/openapi.json">OpenAPI</a>, <a href="${linkRoot}/llms-full.txt">all in one text</a>)</p></footer>
</body>
</html>
`
}

function sectionOf({ id, title, blocks }: Section, linkRoot: string): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(title)}</h2>${blocks
    .map((block) => blockOf(block, linkRoot))
    .join('\n')}</section>\n`
}

function blockOf(block: Block, linkRoot: string): string {
  switch (block.kind) {
    case 'text':
      return `<p>${inline(block.text, linkRoot)}</p>`
    case 'heading':
      return `<h3>${inline(block.text, linkRoot)}</h3>`
    case 'code':
      return `<pre><code>${escapeHtml(block.code)}</code></pre>`
    case 'list': {
      const tag = block.isOrdered ? 'ol' : 'ul'
      return `<${tag}>${block.items.map((item) => `<li>${inline(item, linkRoot)}</li>`).join('')}</${tag}>`
    }
    case 'table':
      return tableOf(block.head, block.rows, linkRoot)
  }
}

/** Every cell repeats its heading, for screens that are too narrow for columns. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[], linkRoot: string): string {
  const headings = head.map((name) => `<th scope="col">${inline(name, linkRoot)}</th>`).join('')
  const bodies = rows.map((row) => {
    const cells = row.map((cell, index) => {
      const label = index === 0 ? '' : ` data-label="${escapeHtml(head[index] ?? '')}"`
      return `<td${label}>${inline(cell, linkRoot)}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return `<div class="table" tabindex="0"><table><thead><tr>${headings}</tr></thead><tbody>${bodies.join('\n')}</tbody></table></div>`
}

function inline(words: string, linkRoot: string): string {
  return spansOf(words)
    .map((span) => {
      if (span.kind === 'code') return `<code>${escapeHtml(span.text)}</code>`
      if (span.kind === 'link') {
        const root = span.href.startsWith('/') ? linkRoot : ''
        return `<a href="${root}${escapeHtml(span.href)}">${inline(span.text, linkRoot)}</a>`
      }
      return escapeHtml(span.text)
    })
    .join('')
}

function escapeHtml(words: string): string {
  return words.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** `/dashboard`: the frame that `assets/dashboard.js` fills once it has the operator token. It contains no data. */
export function renderDashboardPage(frame: PageFrame): string {
  const { linkRoot } = frame
  return renderFrame(
    'Dashboard',
    `<main>
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
    `<link rel="stylesheet" href="${linkRoot}/__docs__/pages.css">
<link rel="stylesheet" href="${linkRoot}/__docs__/dashboard.css">
<script src="${linkRoot}/__docs__/dashboard.js" defer></script>
`,
  )
}

/** `/explore`: what the bundle of `src/explore/page` fills once it has a tenant's token. It contains no data, and no frame: levers need room. */
export function renderExplorePage({ linkRoot }: PageFrame): string {
  return `<!doctype html>
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
`
}

/** `/__docs__/`: the frame in which `assets/reference.js` shows the OpenAPI document by swagger-ui. */
export function renderReferencePage(frame: PageFrame): string {
  const { linkRoot } = frame
  return renderFrame(
    'Reference',
    `<main>
<noscript><p>This page needs JavaScript. The same content is in <a href="${linkRoot}/llms-full.txt">one text</a> and in the <a href="${linkRoot}/openapi.json">OpenAPI document</a>.</p></noscript>
<div id="reference"><p>Loading the reference…</p></div>
</main>`,
    frame,
    `<link rel="stylesheet" href="${linkRoot}/__docs__/swagger-ui.css">
<link rel="stylesheet" href="${linkRoot}/__docs__/reference.css">
<script src="${linkRoot}/__docs__/swagger-ui-bundle.js" defer></script>
<script src="${linkRoot}/__docs__/reference.js" defer></script>
`,
  )
}
