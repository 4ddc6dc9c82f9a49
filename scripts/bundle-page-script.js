// Run by `npm run build` before the compiler: makes one text of the script that report.html carries, as a module in
// src/generated, which git ignores. Browsers run it, so it has a tsconfig of its own.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENTRY = join(ROOT, 'src/report/html/browser/page-script.ts')
const TARGET = join(ROOT, 'src/generated/page-script.ts')

const bundle = await rolldown({ input: ENTRY, cwd: ROOT })
const { output } = await bundle.generate({ format: 'iife', minify: true })
const code = output[0].code.trim()
// It stands in a script element.
if (/<\/script|<!--/i.test(code)) throw new Error('the script of report.html would end its own element')
const text = `// Made from src/report/html/browser by scripts/bundle-page-script.js.\nexport const pageScript = ${JSON.stringify(code)}\n`
await mkdir(dirname(TARGET), { recursive: true })
if ((await readFile(TARGET, 'utf8').catch(() => null)) !== text) {
  const draft = `${TARGET}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, TARGET)
}
