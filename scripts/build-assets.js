// Run by `npm run build` after tsc: makes what the compiled service reads besides its code.
//
// The template of the embedded database is a data folder with the service's tables, packed: opening it takes a
// fraction of the time and half of the memory of PostgreSQL's own initdb and the migrations. It is made again when what it
// is made from is another: PGlite, the migrations or this file.

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { migrate } from '../dist/service/store/migrate.js'
import { MIGRATIONS } from '../dist/service/store/migrations.js'
import { packFolder } from '../dist/service/store/packed-folder.js'
import { PGliteDatabase } from '../dist/service/store/pglite-database.js'

const TEMPLATE = fileURLToPath(new URL('../dist/service/store/pglite-template.gz', import.meta.url))
const STAMP = `${TEMPLATE}.json`

const madeFrom = {
  pglite: await versionOf('@electric-sql/pglite'),
  migrations: createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex'),
  recipe: createHash('sha256')
    .update(await readFile(fileURLToPath(import.meta.url)))
    .digest('hex'),
}
const stamp = `${JSON.stringify(madeFrom)}\n`
if ((await readIfThere(TEMPLATE)) === null || String(await readIfThere(STAMP)) !== stamp) await makeTemplate()

async function makeTemplate() {
  await mkdir(dirname(TEMPLATE), { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'whatif-template-'))
  const pg = await PGlite.create(folder)
  const database = new PGliteDatabase(pg)
  await migrate(database, MIGRATIONS)
  // The service has one database and never makes another: without those to copy from, there are 600 files less to unpack.
  await pg.exec(`update pg_database set datistemplate = false`)
  for (const name of ['template0', 'template1']) await pg.exec(`drop database ${name}`)
  await database.close()
  const packed = packFolder(folder)
  await rm(folder, { recursive: true, force: true })
  await rm(STAMP, { force: true })
  const draft = `${TEMPLATE}.${process.pid}`
  await writeFile(draft, packed)
  await rename(draft, TEMPLATE)
  await writeFile(STAMP, stamp)
}

/** Packages need not export their package.json: it is found from the entry, which lies one folder below it. */
async function versionOf(name) {
  const entry = createRequire(import.meta.url).resolve(name)
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
