// Run by `npm run build` before the compiler: makes the page of `whatif explore` from src/explore/page, as a module in
// src/generated, which git ignores. Browsers run it, so it has a tsconfig of its own.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = join(ROOT, 'src/explore/page')
const TARGET = join(ROOT, 'src/generated/explore-page.ts')

const bundle = await rolldown({ input: join(PAGE, 'page.tsx'), cwd: ROOT, tsconfig: join(PAGE, 'tsconfig.json') })
const { output } = await bundle.generate({ format: 'iife', minify: true })
const licence = await readFile(join(ROOT, 'node_modules/preact/LICENSE'), 'utf8')
const script = `/* preact\n${licence.trim().replaceAll('*/', '* /')}\n*/\n${output[0].code.trim()}`
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
const style = await readFile(join(PAGE, 'page.css'), 'utf8')
const text = `// Made from src/explore/page by scripts/bundle-explore-page.js.\nexport const explorePage = ${JSON.stringify({ html, script, style })}\n`
await mkdir(dirname(TARGET), { recursive: true })
if ((await readFile(TARGET, 'utf8').catch(() => null)) !== text) {
  const draft = `${TARGET}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, TARGET)
}
