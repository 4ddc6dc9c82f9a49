import { type PageFrame, renderFrame } from './render-html.ts'

/** `/dashboard`: the frame that `assets/dashboard.js` fills once it is given the operator token. It holds no data. */
export function renderDashboardPage(frame: PageFrame): string {
  const { linkRoot } = frame
  return renderFrame(
    'Dashboard',
    `<main>
<h1>Dashboard</h1>
<noscript><p>This page needs JavaScript. <code>whatif operator tenants</code>, <code>whatif operator log</code> and <a href="${linkRoot}/openapi.json">/operator/v1/overview</a> tell the same.</p></noscript>
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
