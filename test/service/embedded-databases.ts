import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Database } from '../../src/service/store/database.ts'
import { migrate } from '../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../src/service/store/migrations.ts'
import { openDatabase } from '../../src/service/store/open-database.ts'
import type {} from './database-folder-setup.ts'

const NO_ROWS = '[]'

/** The rows of a table, as JSON. */
type Rows = readonly { readonly name: string; readonly rows: string }[]

interface Kept {
  readonly db: Database
  /** Of every table after the migrations. */
  readonly rows: Rows
  readonly schema: string
}

/**
 * Databases that no test file uses at the moment. Opening one takes as long as many a file's tests, so the files that one
 * process runs, one after another, get the same one, emptied.
 */
const free: Kept[] = []

/** A migrated database with nothing in it, in a folder of its own. After `close` it refuses every statement. */
export async function openEmbeddedTestDatabase(): Promise<Database> {
  const kept = free.pop() ?? (await openNew())
  return until(kept.db, async () => {
    if (await empty(kept)) free.push(kept)
    else await kept.db.close()
  })
}

async function openNew(): Promise<Kept> {
  const dataDir = await mkdtemp(join(inject('databaseFolder'), 'database-'))
  const db = await openDatabase({ dataDir, databaseUrl: null, lockTimeoutMs: 10_000 }, () => undefined)
  await migrate(db, MIGRATIONS)
  return { db, rows: await rowsOf(db), schema: await schemaOf(db) }
}

/** Makes it what it was after the migrations; false if its tables are no longer those. */
async function empty({ db, rows, schema }: Kept): Promise<boolean> {
  if ((await schemaOf(db)) !== schema) return false
  await db.transaction(async (tx) => {
    await tx.exec(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade`)
    for (const { name, rows: json } of rows.filter((table) => table.rows !== NO_ROWS))
      await tx.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`, [json])
    const sequences = await tx.query<{ name: string }>(
      `select sequencename as name from pg_sequences where schemaname = 'public'`,
    )
    for (const { name } of sequences) await tx.exec(`alter sequence ${name} restart`)
  })
  return true
}

async function rowsOf(db: Database): Promise<Rows> {
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  return await Promise.all(
    tables.map(async ({ name }) => {
      const [found] = await db.query<{ rows: string }>(
        `select coalesce(json_agg(t), '${NO_ROWS}')::text as rows from ${name} t`,
      )
      return { name, rows: found?.rows ?? NO_ROWS }
    }),
  )
}

/** All tables with their columns, indexes, constraints and triggers, and all functions. */
async function schemaOf(db: Database): Promise<string> {
  const parts = [
    `select relname, relkind, attnum, attname, atttypid, attnotnull, pg_get_expr(adbin, adrelid) as given
       from pg_class c join pg_attribute a on attrelid = c.oid left join pg_attrdef on adrelid = c.oid and adnum = attnum
       where relnamespace = 'public'::regnamespace and attnum > 0 order by relname, attnum`,
    `select indexdef from pg_indexes where schemaname = 'public' order by indexname`,
    `select conname, pg_get_constraintdef(oid) as text from pg_constraint
       where connamespace = 'public'::regnamespace order by conname`,
    `select tgname, tgenabled, pg_get_triggerdef(t.oid) as text from pg_trigger t where not tgisinternal order by tgname`,
    `select proname, pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
    `select nspname from pg_namespace where nspname !~ '^pg_' order by nspname`,
  ]
  return JSON.stringify(await Promise.all(parts.map((sql) => db.query(sql))))
}

/** The database until it is closed, for whom it was opened: `close` gives it back, and then nothing reaches it. */
function until(db: Database, giveBack: () => Promise<void>): Database {
  let isClosed = false
  const requireOpen = (): void => {
    if (isClosed) throw new Error('The database is closed.')
  }
  const facade = (target: Database): Database => ({
    async query(sql, parameters) {
      requireOpen()
      return await target.query(sql, parameters)
    },
    async exec(sql) {
      requireOpen()
      await target.exec(sql)
    },
    async transaction(work) {
      requireOpen()
      return await target.transaction(work)
    },
    async exclusively(lockNumber, work) {
      requireOpen()
      return await target.exclusively(lockNumber, work)
    },
    async listen(channel, listener) {
      requireOpen()
      return await target.listen(channel, listener)
    },
    get forRemoval() {
      return facade(target.forRemoval)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await giveBack()
    },
  })
  return facade(db)
}
