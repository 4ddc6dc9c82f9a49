import type { Database } from './database.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { startFaultOfDatabase, UnusableDatabaseError } from './unusable-database-error.ts'

/**
 * Brings a PostgreSQL database to the shape of this version, or only looks what is missing. Processes of a version that
 * is older than the database refuse to start, so the database comes first when a new version is rolled out.
 *
 * @returns names of the migrations applied now, or yet to be applied.
 * @throws DatabaseUnavailableError; UnusableDatabaseError when a newer version made the database.
 */
export async function migrateDatabase(url: string, { isDryRun }: { readonly isDryRun: boolean }): Promise<string[]> {
  const db = await openPostgresDatabase(url)
  try {
    return isDryRun ? await pendingMigrations(db, MIGRATIONS) : await migrate(db, MIGRATIONS)
  } catch (error) {
    throw startFaultOfDatabase(error)
  } finally {
    await db.close()
  }
}

/** @throws UnusableDatabaseError when the database has another shape than this version needs. */
export async function requireMigrated(db: Database): Promise<void> {
  const pending = await pendingMigrations(db, MIGRATIONS)
  if (pending.length === 0) return
  throw new UnusableDatabaseError(
    `The database lacks ${pending.length} migrations (${pending.join(', ')}). Run whatif migrate-database, or start with --migrate on.`,
  )
}
