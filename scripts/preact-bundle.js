// Bundles an entry of src/explore/page for browsers, with the licence of the library that is in it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = join(ROOT, 'src/explore/page')

/** @returns {Promise<string>} */
export async function bundledScript(/** @type {string} */ entry) {
  const bundle = await rolldown({
    input: join(PAGE, entry),
    cwd: ROOT,
    platform: 'browser',
    tsconfig: join(PAGE, 'tsconfig.json'),
    // A module of Node would be a fault of the page, not an external file.
    onLog(_level, log) {
      throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  const licence = await readFile(join(ROOT, 'node_modules/preact/LICENSE'), 'utf8')
  return `/* preact\n${licence.trim().replaceAll('*/', '* /')}\n*/\n${output[0].code.trim()}\n`
}

export const pageStyle = () => readFile(join(PAGE, 'page.css'), 'utf8')
