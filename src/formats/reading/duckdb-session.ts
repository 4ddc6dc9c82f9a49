import { existsSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve } from 'node:path'
import type { DuckDBConnection, DuckDBValue, DuckDBTypeId as TypeId } from '@duckdb/node-api'

type DuckDb = typeof import('@duckdb/node-api')

/**
 * The parts of DuckDB's package that this room uses, besides types. The package is CommonJS of many small files:
 * `import` reads each a second time to find its exports, and costs 0.2 s of processor time; `require` costs 0.08 s.
 */
export const {
  BIGINT,
  DATE,
  DOUBLE,
  DuckDBBigIntVector,
  DuckDBDataChunk,
  DuckDBDoubleVector,
  DuckDBInstance,
  DuckDBIntegerVector,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  DuckDBVarCharVector,
  ENUM,
  INTEGER,
  TIMESTAMP_MS,
  VARCHAR,
} = createRequire(import.meta.url)('@duckdb/node-api') as DuckDb

export type DuckDBDataChunk = InstanceType<DuckDb['DuckDBDataChunk']>
type DuckDBInstance = InstanceType<DuckDb['DuckDBInstance']>

/** Times without a zone. */
export const LOCAL_TIMES: ReadonlySet<TypeId> = new Set([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
])

export const WHOLE_NUMBERS: ReadonlySet<TypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
])

/** Numbers that need not be whole. */
export const FRACTIONS: ReadonlySet<TypeId> = new Set([DuckDBTypeId.FLOAT, DuckDBTypeId.DOUBLE, DuckDBTypeId.DECIMAL])

export interface DuckDbSessionOptions {
  /** An existing folder; the session creates its own folder in it and removes it again. */
  readonly tempDir: string
  /** The only files the session can read. */
  readonly readPaths: readonly string[]
  /** The only files the session can write. */
  readonly writePaths?: readonly string[]
  /** Default 2. */
  readonly threads?: number
  /** Default 512. Data that does not fit goes to the session's folder. */
  readonly memoryLimitMb?: number
  /** Most bytes of the session's folder; default 16 GB. */
  readonly maxSpillBytes?: number
  /**
   * Whether a database that stays open does the work. It may write to the folders of `writePaths`, has no place on the
   * disk for data, and is for small tables of our own: it reads no file.
   */
  readonly isKept?: boolean
  /** Stops the running statement, and refuses further ones. */
  readonly signal?: AbortSignal
}

/** The largest readable tables need a few gigabytes; others must not fill the disk. */
const MAX_SPILL_BYTES = 16e9
const MAX_SPILL = '16GB'

/**
 * A separate DuckDB with access to the named files only: no network, no extensions, no other path. Memory is bounded,
 * with spilling into a folder that `close` removes. The database is opened on first use: opening and closing one takes
 * longer than reading a small table that needs none.
 */
export class DuckDbSession {
  /** The session's own folder, also for files of the caller. */
  readonly folder: string
  readonly #options: DuckDbSessionOptions
  #opening: Promise<Opened> | null = null
  #opened: Opened | null = null
  /** Ends the running statement, which then rejects. */
  readonly interrupt = (): void => this.#opened?.connection.interrupt()

  private constructor(folder: string, options: DuckDbSessionOptions) {
    this.folder = folder
    this.#options = options
    // A thread must not be ended while DuckDB works for it: its late answer ends the process.
    options.signal?.addEventListener('abort', this.interrupt, { once: true })
  }

  static async open(options: DuckDbSessionOptions): Promise<DuckDbSession> {
    options.signal?.throwIfAborted()
    await mkdir(options.tempDir, { recursive: true })
    return new DuckDbSession(await mkdtemp(join(options.tempDir, 'tables-')), options)
  }

  async connection(): Promise<DuckDBConnection> {
    this.#options.signal?.throwIfAborted()
    this.#opening ??= openDatabase(this.folder, this.#options).then((opened) => {
      this.#opened = opened
      return opened
    })
    const { connection } = await this.#opening
    this.#options.signal?.throwIfAborted()
    return connection
  }

  async run(sql: string): Promise<void> {
    await (await this.connection()).run(sql)
  }

  /** All rows of a small result; 64-bit integers arrive as `bigint`. */
  async rows(sql: string): Promise<DuckDBValue[][]> {
    const result = await (await this.connection()).run(sql)
    return result.getRows()
  }

  /** A result in chunks of at most 2,048 rows, never more than a few of them in memory. */
  async *chunks(sql: string): AsyncGenerator<DuckDBDataChunk> {
    const result = await (await this.connection()).stream(sql)
    for (;;) {
      this.#options.signal?.throwIfAborted()
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      yield chunk
    }
  }

  /**
   * A path that DuckDB takes literally. It would read stars, question marks and brackets in a name as a pattern; such a
   * file is reached through a link in the session's folder.
   */
  readable(path: string): string {
    const whole = resolve(path)
    if (!/[*?[\]{}]/.test(whole)) return whole
    for (let i = 0; ; i++) {
      const link = join(this.folder, `input-${i}${/^\.\w+$/.test(extname(whole)) ? extname(whole) : ''}`)
      if (existsSync(link)) continue
      symlinkSync(whole, link)
      return link
    }
  }

  /** Stops the running statement, closes and removes everything. */
  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.interrupt)
    // Waits for a database that is still opening; a failure to open has been reported.
    const opened = await this.#opening?.catch(() => null)
    opened?.connection.interrupt()
    opened?.connection.closeSync()
    if (this.#options.isKept !== true) opened?.instance.closeSync()
    await rm(this.folder, { recursive: true, force: true })
  }
}

interface Opened {
  readonly instance: DuckDBInstance
  readonly connection: DuckDBConnection
}

async function openDatabase(folder: string, options: DuckDbSessionOptions): Promise<Opened> {
  if (options.isKept === true) {
    const instance = await keptInstance((options.writePaths ?? []).map((path) => dirname(resolve(path))))
    return { instance, connection: await instance.connect() }
  }
  // Tables beyond the memory limit go to the spill folder uncompressed; a database file would compress them at twice
  // the cost.
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(options.threads ?? 2),
    memory_limit: `${options.memoryLimitMb ?? 512}MB`,
    temp_directory: join(folder, 'spill'),
    max_temp_directory_size: options.maxSpillBytes === undefined ? MAX_SPILL : spillSize(options.maxSpillBytes),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    const paths = [...options.readPaths, ...(options.writePaths ?? [])].map((path) => resolve(path))
    await connection.run("SET TimeZone = 'UTC'")
    await connection.run(`SET allowed_paths = [${paths.map(sqlText).join(', ')}]`)
    await connection.run(`SET allowed_directories = [${sqlText(`${folder}/`)}]`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return { instance, connection }
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

/** A database for small tables: opening one takes 10 ms, and writing a hundred rows 3 ms. */
let kept: { readonly folders: string; readonly opening: Promise<DuckDBInstance> } | null = null

/** The database that may write to these folders. A connection of another one keeps that open until it closes. */
async function keptInstance(folders: readonly string[]): Promise<DuckDBInstance> {
  const names = `[${folders.map((folder) => sqlText(`${folder}/`)).join(', ')}]`
  if (kept?.folders !== names) {
    const previous = kept?.opening
    kept = { folders: names, opening: openKept(names) }
    await previous?.then((instance) => instance.closeSync()).catch(() => undefined)
  }
  try {
    return await kept.opening
  } catch (error) {
    kept = null
    throw error
  }
}

async function openKept(folders: string): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: '512MB',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  try {
    await connection.run("SET GLOBAL TimeZone = 'UTC'")
    await connection.run(`SET allowed_directories = ${folders}`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return instance
  } catch (error) {
    instance.closeSync()
    throw error
  } finally {
    connection.closeSync()
  }
}

/** The remaining bytes may exceed any disk, or be zero. */
function spillSize(bytes: number): string {
  return bytes < MAX_SPILL_BYTES ? `${Math.max(0, Math.floor(bytes / 1000))}KB` : MAX_SPILL
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
