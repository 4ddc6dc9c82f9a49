import { createHash } from 'node:crypto'
import { listText } from '../../base/text/amount-text.ts'
import { UnusableError } from '../settings/unusable-error.ts'
import type { Database, Queryable } from './database.ts'
import { readInstallation } from './installation.ts'

/** One migration of the database's schema. Its SQL never changes once released: a change is a new migration. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Number of the advisory lock; any number that every process of the service uses. */
const MIGRATION_LOCK = 7_203_114_907

/**
 * Applies `migrations` in sequence, in one transaction. If several processes start together, one migrates and the
 * others wait. Returns the names applied now.
 *
 * @throws UnusableError if the database holds another program's tables, if an applied migration has other SQL than the
 * one of the same name here, or if it is unknown here (a newer version made the database).
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  // Writes nothing if nothing is to be done: the disk may be full.
  if ((await pendingMigrations(db, migrations)).length === 0) return []
  return await db.transaction(async (tx) => {
    // Changing a large table may take long, and so may another process that migrates first.
    await tx.exec(`set local statement_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await requireOurs(tx)
    await tx.exec(`
      create table if not exists schema_migrations (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`)
    const pending = await unapplied(tx, migrations)
    for (const { name, sql } of pending) {
      await tx.exec(sql)
      await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, digestOf(sql)])
    }
    return pending.map(({ name }) => name)
  })
}

/** Names of the migrations that `migrate` would apply. Changes nothing. Throws as `migrate` does. */
export async function pendingMigrations(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  const [table] = await db.query<{ name: string | null }>(`select to_regclass('schema_migrations')::text as name`)
  await requireOurs(db)
  const pending = table?.name == null ? migrations : await unapplied(db, migrations)
  return pending.map(({ name }) => name)
}

async function unapplied(db: Queryable, migrations: readonly Migration[]): Promise<Migration[]> {
  const rows = await db.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations')
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new UnusableError(
      'database_unusable',
      `The database was made by a newer version of whatif${await newestVersion(db)}: it has migrations that this one does not know (${unknown.join(', ')}). Start that version, or name another database or data folder. An older one cannot use it any more.`,
    )
  }
  const changed = migrations.find(({ name, sql }) => applied.has(name) && applied.get(name) !== digestOf(sql))
  if (changed !== undefined) {
    throw new UnusableError(
      'database_unusable',
      `Migration ${changed.name} was applied with other SQL than this version has. Name another database or data folder.`,
    )
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

const digestOf = (sql: string): string => createHash('sha256').update(sql).digest('hex')

/** Most names of foreign tables in a message. */
const MOST_NAMES = 5

/** Before anything is created: our tables among those of another program would be an accident. */
async function requireOurs(tx: Queryable): Promise<void> {
  const tables = await tx.query<{ name: string; is_ours: boolean }>(
    `select c.relname as name, c.relname = 'schema_migrations' and exists (
         select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'sha256' and not a.attisdropped
       ) as is_ours
     from pg_class c
     where c.relnamespace = to_regnamespace(quote_ident(current_schema())) and c.relkind in ('r', 'p', 'v', 'm', 'f')
       -- What an extension brought along is nobody's.
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by c.relname`,
  )
  if (tables.length === 0 || tables.some((table) => table.is_ours)) return
  const names = tables.map(({ name }) => name)
  throw new UnusableError(
    'database_unusable',
    `The database holds tables of another program (${listText(names, MOST_NAMES)}). Make an empty one for the service with "create database NAME encoding 'UTF8' template template0", and name that in DATABASE_URL.`,
  )
}

/** In brackets; empty if the database does not say. */
async function newestVersion(tx: Queryable): Promise<string> {
  const [known] = await tx.query<{ is_there: boolean }>(`select to_regclass('installation') is not null as is_there`)
  const version = known?.is_there === true ? (await readInstallation(tx))?.newest_version : undefined
  return version === undefined ? '' : ` (${version})`
}
