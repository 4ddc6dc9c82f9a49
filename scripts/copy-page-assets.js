// Run by `npm run build`: puts the files that the service's pages refer to beside the compiled pages. Our own come from
// src; the reference is shown by swagger-ui, of which two files and their licences are copied, so that an installed package
// has what it serves and needs no other; /explore is bundled from src/explore/page. Each file is replaced as a whole, for a service that may be reading it.

import { copyFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledScript, pageStyle } from './preact-bundle.js'

const OWN = fileURLToPath(new URL('../src/service/pages/assets/', import.meta.url))
const TARGET = fileURLToPath(new URL('../dist/service/pages/assets/', import.meta.url))
const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/** Their names in the package, and here. */
const FOREIGN = [
  ['swagger-ui.css', 'swagger-ui.css'],
  ['swagger-ui-bundle.js', 'swagger-ui-bundle.js'],
  ['swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui-bundle.js.LICENSE.txt'],
  ['LICENSE', 'swagger-ui.LICENSE.txt'],
  ['NOTICE', 'swagger-ui.NOTICE.txt'],
]

await mkdir(TARGET, { recursive: true })
for (const name of await readdir(OWN)) await replace(join(OWN, name), name)
for (const [from, name] of FOREIGN) await replace(join(SWAGGER_UI, from), name)
await write('explore.js', await bundledScript('served.tsx'))
await write('explore.css', await pageStyle())

async function replace(from, name) {
  const draft = join(TARGET, `.${basename(name)}.${process.pid}`)
  await copyFile(from, draft)
  await rename(draft, join(TARGET, name))
}

async function write(name, text) {
  const draft = join(TARGET, `.${name}.${process.pid}`)
  await writeFile(draft, text)
  await rename(draft, join(TARGET, name))
}
