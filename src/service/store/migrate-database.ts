import { UnusableError } from '../settings/unusable-error.ts'
import type { Database } from './database.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { startFaultOf } from './start-faults.ts'

/**
 * Migrates a PostgreSQL database to the schema of this version, or only reports what is missing. Processes of a version
 * older than the database refuse to start, so the database is migrated first when a new version is rolled out.
 *
 * @returns names of the migrations applied now, or still to be applied.
 * @throws DatabaseUnavailableError; UnusableError if a newer version made the database.
 */
export async function migrateDatabase(url: string, { isDryRun }: { readonly isDryRun: boolean }): Promise<string[]> {
  const db = await openPostgresDatabase(url)
  try {
    return isDryRun ? await pendingMigrations(db, MIGRATIONS) : await migrate(db, MIGRATIONS)
  } catch (error) {
    throw startFaultOf(error)
  } finally {
    await db.close()
  }
}

/** @throws UnusableError if the database does not have the schema of this version. */
export async function requireMigrated(db: Database): Promise<void> {
  const pending = await pendingMigrations(db, MIGRATIONS)
  if (pending.length === 0) return
  throw new UnusableError(
    'database_unusable',
    `The database lacks ${pending.length} migrations (${pending.join(', ')}). Run whatif migrate-database, or start with --migrate on.`,
  )
}
