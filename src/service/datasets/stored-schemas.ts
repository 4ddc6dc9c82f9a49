import type { SchemaColumn } from '../../contract/datasets.ts'
import type { Database, Queryable } from '../store/database.ts'

/** Characters of all schemas that a process remembers. */
const MAX_REMEMBERED = 32 * 2 ** 20

/** The cleaned schema of a ready dataset. */
export class StoredSchema {
  /** JSON, as training wrote it. */
  readonly text: string
  #columns: readonly SchemaColumn[] | null = null

  constructor(text: string) {
    this.text = text
  }

  get columns(): readonly SchemaColumn[] {
    this.#columns ??= JSON.parse(this.text) as readonly SchemaColumn[]
    return this.#columns
  }
}

/**
 * Cleaned schemas, the last ones asked for remembered: they may be of megabytes, every scenario is checked against one, and they
 * never change. Who may see one is for the caller to have settled.
 */
class StoredSchemas {
  readonly #db: Database
  readonly #remembered = new Map<string, StoredSchema>()
  readonly #reading = new Map<string, Promise<StoredSchema>>()
  #characters = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** The schema of a dataset, empty where it has none. Those who ask the database at once share one statement. */
  async read(datasetId: string, tx?: Queryable): Promise<StoredSchema> {
    const known = this.#remembered.get(datasetId)
    if (known !== undefined) {
      // A Map keeps the order of insertion: the first one is the one not asked for the longest.
      this.#remembered.delete(datasetId)
      this.#remembered.set(datasetId, known)
      return known
    }
    // A transaction waits for no statement beside it: an embedded database has one connection.
    if (tx !== undefined) return await this.#load(tx, datasetId)
    let reading = this.#reading.get(datasetId)
    if (reading === undefined) {
      reading = this.#load(this.#db, datasetId).finally(() => this.#reading.delete(datasetId))
      this.#reading.set(datasetId, reading)
    }
    return await reading
  }

  async #load(db: Queryable, datasetId: string): Promise<StoredSchema> {
    const [row] = await db.query<{ schema: string | null }>(
      'select schema::text as schema from datasets where dataset_id = $1',
      [datasetId],
    )
    const text = row?.schema ?? null
    if (text === null) return new StoredSchema('[]')
    const schema = new StoredSchema(text)
    this.#remember(datasetId, schema)
    return schema
  }

  #remember(datasetId: string, schema: StoredSchema): void {
    if (schema.text.length > MAX_REMEMBERED || this.#remembered.has(datasetId)) return
    this.#remembered.set(datasetId, schema)
    this.#characters += schema.text.length
    for (const [oldest, { text }] of this.#remembered) {
      if (this.#characters <= MAX_REMEMBERED) return
      this.#remembered.delete(oldest)
      this.#characters -= text.length
    }
  }
}

const ofDatabases = new WeakMap<Database, StoredSchemas>()

/** Those of a database: one for all who ask in this process. */
export function storedSchemas(db: Database): StoredSchemas {
  let schemas = ofDatabases.get(db)
  if (schemas === undefined) {
    schemas = new StoredSchemas(db)
    ofDatabases.set(db, schemas)
  }
  return schemas
}
