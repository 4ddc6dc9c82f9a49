import type { Buffer } from 'node:buffer'
import type { SchemaColumn } from '../../contract/datasets.ts'
import { readSchema } from '../records/schema-records.ts'
import { parseSchema } from '../records/schema-text.ts'
import type { Database, Queryable } from '../store/database.ts'

/** Size of a process's schema cache, in bytes. */
const MAX_REMEMBERED = 32 * 2 ** 20

/** The cleaned schema of a ready dataset. */
export class StoredSchema {
  /** JSON as training wrote it, ready to send. */
  readonly bytes: Buffer
  #columns: Promise<readonly SchemaColumn[]> | null = null

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  async columns(): Promise<readonly SchemaColumn[]> {
    this.#columns ??= parseSchema(this.bytes)
    return await this.#columns
  }
}

/**
 * Cleaned schemas, with a cache of the last ones used. They may have megabytes, every scenario is checked against one,
 * and they never change. A schema of 4 MiB takes an embedded database 30 statements. A tenant's reads wait for each
 * other, so that other tenants' reads come in between.
 */
class StoredSchemas {
  readonly #db: Database
  readonly #remembered = new Map<string, StoredSchema>()
  readonly #reading = new Map<string, Promise<StoredSchema | null>>()
  /** Tenant → its latest pending read. */
  readonly #lastOf = new Map<string, Promise<unknown>>()
  #bytes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** The schema of a ready dataset; null if the tenant has none. Simultaneous readers share one statement. */
  async read(tenantId: string, datasetId: string): Promise<StoredSchema | null> {
    const key = `${tenantId} ${datasetId}`
    const known = this.#remembered.get(key)
    if (known !== undefined) {
      // A Map iterates by insertion: the first entry is the least recently used one.
      this.#remembered.delete(key)
      this.#remembered.set(key, known)
      return known
    }
    let reading = this.#reading.get(key)
    if (reading === undefined) {
      reading = this.#inTurn(tenantId, () => this.readIn(this.#db, tenantId, datasetId)).finally(() =>
        this.#reading.delete(key),
      )
      this.#reading.set(key, reading)
    }
    return await reading
  }

  /**
   * The same in a transaction. It waits for no statement outside it, because an embedded database has one connection.
   */
  async readIn(tx: Queryable, tenantId: string, datasetId: string): Promise<StoredSchema | null> {
    const bytes = await readSchema(tx, tenantId, datasetId)
    if (bytes === null) return null
    const schema = new StoredSchema(bytes)
    this.#remember(`${tenantId} ${datasetId}`, schema)
    return schema
  }

  async #inTurn<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    const mine = (this.#lastOf.get(tenantId) ?? Promise.resolve()).then(read, read)
    this.#lastOf.set(tenantId, mine)
    try {
      return await mine
    } finally {
      if (this.#lastOf.get(tenantId) === mine) this.#lastOf.delete(tenantId)
    }
  }

  #remember(key: string, schema: StoredSchema): void {
    if (schema.bytes.length > MAX_REMEMBERED || this.#remembered.has(key)) return
    this.#remembered.set(key, schema)
    this.#bytes += schema.bytes.length
    for (const [oldest, { bytes }] of this.#remembered) {
      if (this.#bytes <= MAX_REMEMBERED) return
      this.#remembered.delete(oldest)
      this.#bytes -= bytes.length
    }
  }
}

const ofDatabases = new WeakMap<Database, StoredSchemas>()

/** The instance of a database, shared by this process. */
export function storedSchemas(db: Database): StoredSchemas {
  let schemas = ofDatabases.get(db)
  if (schemas === undefined) {
    schemas = new StoredSchemas(db)
    ofDatabases.set(db, schemas)
  }
  return schemas
}
