// Run by `npm run build` before the compiler: bundles what the report's pictures need of D3 into one module in
// src/generated, which git ignores. Installed as packages, D3's scales and shapes take a megabyte, most of it unused.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = join(ROOT, 'src/generated/charts.ts')
const ENTRY = '\0charts'
const EXPORTS = `
  import { scaleBand, scaleLinear } from 'd3-scale'
  import { area, curveMonotoneX, line } from 'd3-shape'
  export const charts = { area, curveMonotoneX, line, scaleBand, scaleLinear }
`

const bundle = await rolldown({
  input: ENTRY,
  cwd: ROOT,
  plugins: [
    {
      name: 'entry',
      resolveId: (id) => (id === ENTRY ? id : null),
      load: (id) => (id === ENTRY ? EXPORTS : null),
    },
  ],
})
const { output } = await bundle.generate({ format: 'esm' })
const header = `// Made from d3-scale and d3-shape by scripts/bundle-charts.js.\n// @ts-nocheck\n`
await mkdir(dirname(TARGET), { recursive: true })
await replaceIfOther(`${header}${await licences()}\n${output[0].code}`)

/** The licence of D3 asks to be kept with its code. */
async function licences() {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('d3-scale'))), '..')
  return `/*!\n${(await readFile(join(folder, 'LICENSE'), 'utf8')).trim()}\n*/`
}

/** @param {string} text */
async function replaceIfOther(text) {
  if ((await readFile(TARGET, 'utf8').catch(() => null)) === text) return
  const draft = `${TARGET}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, TARGET)
}
