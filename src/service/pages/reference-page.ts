import { type PageFrame, renderFrame } from './render-html.ts'

/** `/__docs__/`: the frame in which `assets/reference.js` shows the OpenAPI document by swagger-ui. */
export function renderReferencePage(frame: PageFrame): string {
  const { linkRoot } = frame
  return renderFrame(
    'Reference',
    `<main>
<noscript><p>This page needs JavaScript. The same is in <a href="${linkRoot}/llms-full.txt">one text</a> and in the <a href="${linkRoot}/openapi.json">OpenAPI document</a>.</p></noscript>
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
