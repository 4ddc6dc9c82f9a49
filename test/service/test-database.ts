import type { Database } from '../../src/service/store/database.ts'
import { migrate } from '../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../src/service/store/migrations.ts'
import { openEmbeddedDatabase } from '../../src/service/store/pglite-database.ts'

/** A migrated, empty database for one test file; opening it takes seconds. Closed by whoever opened it. */
export async function openTestDatabase(dataDir: string): Promise<Database> {
  const db = await openEmbeddedDatabase(dataDir)
  await migrate(db, MIGRATIONS)
  return db
}
