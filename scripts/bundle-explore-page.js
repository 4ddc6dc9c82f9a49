// Run by `npm run build` before the compiler: makes the page of `whatif explore` from src/explore/page, as a module in
// src/generated, which git ignores. Browsers run it, so it has a tsconfig of its own.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledScript, pageStyle } from './preact-bundle.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = join(ROOT, 'src/generated/explore-page.ts')

const script = await bundledScript('page.tsx')
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>whatif explore</title>
<link rel="stylesheet" href="/explore.css">
<link rel="icon" href="data:,">
<script src="/explore.js" defer></script>
</head>
<body><div id="page"><p>Loading …</p><noscript><p>This page needs JavaScript.</p></noscript></div></body>
</html>
`
const style = await pageStyle()
const text = `// Made from src/explore/page by scripts/bundle-explore-page.js.\nexport const explorePage = ${JSON.stringify({ html, script, style })}\n`
await mkdir(dirname(TARGET), { recursive: true })
if ((await readFile(TARGET, 'utf8').catch(() => null)) !== text) {
  const draft = `${TARGET}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, TARGET)
}
