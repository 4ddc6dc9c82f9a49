import { createHash } from 'node:crypto'
import type { Database } from './database.ts'

/** One step of the database's shape. Its SQL never changes once released: a change is a new migration. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Number of the advisory lock; any does, as long as every process of the service takes the same one. */
const MIGRATION_LOCK = 7_203_114_907

/**
 * Brings the database to the shape of `migrations`, in order, in one transaction, so that of several processes that
 * start together one migrates and the others wait. Returns the names applied now.
 *
 * @throws Error when an applied migration has other SQL than the one of the same name here, or is not known here (the
 * database was made by a newer version).
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  return await db.transaction(async (tx) => {
    // A large table may take its time to be changed, and so may the process that is before us.
    await tx.exec(`set local statement_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await tx.exec(`
      create table if not exists schema_migrations (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`)
    const rows = await tx.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations')
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    const known = new Set(migrations.map((migration) => migration.name))
    const unknown = [...applied.keys()].filter((name) => !known.has(name))
    if (unknown.length > 0) {
      throw new Error(
        `The database has migrations that this version does not know (${unknown.join(', ')}): it was made by a newer version. Use that one, or another data folder.`,
      )
    }
    const done: string[] = []
    for (const { name, sql } of migrations) {
      const sha256 = createHash('sha256').update(sql).digest('hex')
      const before = applied.get(name)
      if (before === sha256) continue
      if (before !== undefined) {
        throw new Error(`Migration ${name} was applied with other SQL than this version has. Use another data folder.`)
      }
      await tx.exec(sql)
      await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
      done.push(name)
    }
    return done
  })
}
