import type { Settings } from '../settings/settings.ts'
import type { Database } from './database.ts'

/**
 * Opens the database that the settings name: a PostgreSQL server's, or the embedded one in the data folder. Only the
 * needed implementation is loaded.
 */
export async function openDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'lockTimeoutMs'> &
    Partial<Pick<Settings, 'databasePool' | 'statementTimeoutMs' | 'deletionReserve'>>,
  onError: (error: unknown) => void,
): Promise<Database> {
  if (settings.databaseUrl === null) {
    const { openEmbeddedDatabase } = await import('./pglite-database.ts')
    return await openEmbeddedDatabase(settings.dataDir, {
      lockTimeoutMs: settings.lockTimeoutMs,
      deletionReserve: settings.deletionReserve ?? false,
    })
  }
  const { openPostgresDatabase } = await import('./postgres-database.ts')
  return await openPostgresDatabase(settings.databaseUrl, {
    onError,
    poolSize: settings.databasePool,
    statementTimeoutMs: settings.statementTimeoutMs,
  })
}
