import { openEmbeddedDatabase } from '../../src/service/store/pglite-database.ts'

export interface ServiceRecords {
  readonly datasets: readonly { readonly dataset_id: string; readonly display_name: string | null }[]
  readonly generations: readonly {
    readonly generation_id: string
    readonly dataset_id: string
    readonly status: string
    readonly row_count: number
    readonly seed: number
  }[]
  /** The billed rows: one entry per generation. */
  readonly ledger: readonly { readonly generation_id: string; readonly rows_generated: number }[]
  /** Keys under which something was made or is being received. */
  readonly keys: readonly { readonly operation: string; readonly key: string; readonly resource_id: string | null }[]
}

/** The records in the data folder of a service that no longer runs. */
export async function readServiceRecords(dataDir: string): Promise<ServiceRecords> {
  const db = await openEmbeddedDatabase(dataDir)
  try {
    return {
      datasets: await db.query('select dataset_id, display_name from datasets order by created_at, dataset_id'),
      generations: await db.query(
        'select generation_id, dataset_id, status, row_count, seed from generations order by created_at, generation_id',
      ),
      ledger: await db.query('select generation_id, rows_generated from ledger order by generation_id'),
      keys: await db.query('select operation, key, resource_id from idempotency_keys order by operation, key'),
    }
  } finally {
    await db.close()
  }
}
