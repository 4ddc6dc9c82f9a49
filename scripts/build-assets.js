// Run by `npm run build` after tsc: makes what the compiled service reads besides its code.
//
// The template of the embedded database is an initialised data folder, packed: opening it takes a third of the time and
// half of the memory of PostgreSQL's own initdb. It belongs to one version of PGlite and is made again for another.

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

const TEMPLATE = fileURLToPath(new URL('../dist/service/store/pglite-template.tar.gz', import.meta.url))
const STAMP = `${TEMPLATE}.json`

const stamp = `${JSON.stringify({ pglite: await pgliteVersion() })}\n`
if ((await readIfThere(TEMPLATE)) === null || String(await readIfThere(STAMP)) !== stamp) await makeTemplate()

async function makeTemplate() {
  await mkdir(dirname(TEMPLATE), { recursive: true })
  const database = await PGlite.create()
  const packed = new Uint8Array(await (await database.dumpDataDir('gzip')).arrayBuffer())
  await database.close()
  await rm(STAMP, { force: true })
  const draft = `${TEMPLATE}.${process.pid}`
  await writeFile(draft, packed)
  await rename(draft, TEMPLATE)
  await writeFile(STAMP, stamp)
}

/** The package does not export its package.json: it is found from its entry, dist/index.cjs. */
async function pgliteVersion() {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')).version
}

async function readIfThere(path) {
  try {
    return await readFile(path)
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
