import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { Database } from '../../src/service/store/database.ts'
import { migrate } from '../../src/service/store/migrate.ts'
import { MIGRATIONS } from '../../src/service/store/migrations.ts'
import { openDatabase } from '../../src/service/store/open-database.ts'
import { openEmbeddedTestDatabase } from './embedded-databases.ts'
import { createDatabase } from './postgres-cluster.ts'
import type {} from './postgres-setup.ts'

/**
 * A migrated, empty database for one test file: PGlite, or one of its own on PostgreSQL when the tests run on that. Its
 * opener closes it.
 */
export async function openTestDatabase(): Promise<Database> {
  const { databaseUrl, remove } = await newTestDatabase()
  if (databaseUrl === null) return await openEmbeddedTestDatabase()
  const db = await openDatabase({ dataDir: 'unused', databaseUrl, lockTimeoutMs: 10_000 }, () => undefined)
  await migrate(db, MIGRATIONS)
  const close = db.close.bind(db)
  db.close = async () => {
    await close()
    await remove()
  }
  return db
}

/** The setting `databaseUrl` of an empty database: null where the tests run on PGlite. */
export async function newTestDatabase(): Promise<{ databaseUrl: string | null; remove(): Promise<void> }> {
  const server = inject('postgresUrl')
  if (server === undefined) return { databaseUrl: null, remove: async () => undefined }
  const { url, remove } = await createDatabase(server, `whatif_test_${randomUUID().replaceAll('-', '')}`)
  return { databaseUrl: url, remove }
}
