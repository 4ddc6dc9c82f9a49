import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { UnusableError } from '../settings/unusable-error.ts'
import { type Database, DatabaseUnavailableError, type NotificationListener, type Transaction } from './database.ts'
import { PostgresListener } from './postgres-listener.ts'
import { readPostgresTls } from './postgres-tls.ts'
import { startFaultOf } from './start-faults.ts'

const APPLICATION_NAME = 'whatif'

/** Oldest server version whose SQL the service uses, as in `server_version_num`. */
const OLDEST_SERVER = 150_000

const POOL_SIZE = 10
/** Longest wait for a connection: a free one of the pool, or a new one. */
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
/** No statement of the service normally takes so long; one that does has met a lock or an overloaded machine. */
const STATEMENT_TIMEOUT_MS = 30_000
/** A process that hangs inside a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000
/** Measured here and not by the server, for a server or network that no longer answers. */
const SILENCE_MS = 15_000
/** For migrations and for waiting for the migrations of other processes; the longest time that a timer can hold. */
const UNHURRIED_MS = 2 ** 31 - 1

export interface PostgresOptions {
  /** Receives errors of idle connections, and of the listening one. */
  readonly onError?: (error: unknown) => void
  /** Most connections, not counting the one that listens; at least 2. Default: 10. */
  readonly poolSize?: number | undefined
  /** The server ends a longer statement. Default: 30 s. */
  readonly statementTimeoutMs?: number | undefined
}

/**
 * Opens a PostgreSQL database by its address, `postgresql://user:password@host:port/database`; parameters in the
 * address override ours. A restart of the server fails only the statements of that moment, because new connections are
 * opened when next needed. TLS is decided here, for all connections.
 *
 * @throws DatabaseUnavailableError if it cannot be reached; UnusableError if the address is invalid, if the server
 * refuses the login or is older than PostgreSQL 15, and if the database is not UTF-8.
 */
export async function openPostgresDatabase(url: string, options: PostgresOptions = {}): Promise<Database> {
  const tls = readPostgresTls(url, { isSocket: hostOf(url).startsWith('/') })
  let refusal: unknown
  for (const ssl of tls.ways) {
    try {
      return await open({ connectionString: tls.url, ssl }, options)
    } catch (error) {
      refusal = error
      if (!isOfTls(error)) break
    }
  }
  throw startFaultOf(refusal)
}

/** Whether another TLS mode may succeed: the server offers no TLS or none that works, or refuses the login with it. */
function isOfTls(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError)) return (error as { code?: string }).code === '28000'
  const { message, code = '' } = error.cause as Error & { code?: string }
  return /SSL|TLS/i.test(`${code} ${message}`)
}

async function open(address: Address, options: PostgresOptions): Promise<Database> {
  const database = new PostgresDatabase(address, options)
  try {
    const [server] = await database.query<{ version: number; name: string; encoding: string }>(
      `select current_setting('server_version_num')::integer as version, current_setting('server_version') as name,
         current_setting('server_encoding') as encoding`,
    )
    if (server === undefined || server.version < OLDEST_SERVER) {
      throw new UnusableError(
        'database_unusable',
        `The database server is PostgreSQL ${server?.name}; the service needs 15 or newer. Upgrade it, or name another in DATABASE_URL.`,
      )
    }
    if (server.encoding !== 'UTF8') {
      throw new UnusableError(
        'database_unusable',
        `The database has the encoding ${server.encoding}, and the service needs UTF8. Make another one with "create database NAME encoding 'UTF8' template template0".`,
      )
    }
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Address and TLS options of connections. */
interface Address {
  readonly connectionString: string
  readonly ssl: ConnectionOptions | false
}

/** Replaced by our own message: the error of a wrong address contains the address, including the password. */
function hostOf(url: string): string {
  try {
    if (!/^postgres(ql)?:/.test(url)) throw new Error('another protocol')
    // Without parameters that name files: those are read, and reported, elsewhere.
    const address = url.replaceAll(/\bssl(mode|rootcert|cert|key)=[^&]*/g, '')
    return new pg.Client({ connectionString: address }).host
  } catch {
    throw new UnusableError(
      'database_unusable',
      'The address of the database cannot be read. Write postgresql://user:password@host:port/database, with special characters percent-encoded.',
    )
  }
}

/** As PGlite reads it: a number, or a bigint if a number would not be exact. */
function readInt8(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

const readText = (text: string): string => text

// biome-ignore lint/suspicious/noExplicitAny: that is how pg declares its parsers
const PARSERS = new Map<number, (text: string) => any>([
  [pg.types.builtins.INT8, readInt8],
  [pg.types.builtins.TIMESTAMPTZ, readText],
  [pg.types.builtins.TIMESTAMP, readText],
  [pg.types.builtins.DATE, readText],
])

const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}

class PostgresDatabase implements Database {
  readonly #pool: pg.Pool
  readonly #listener: PostgresListener
  readonly #answerTimeoutMs: number
  #closing: Promise<void> | null = null

  constructor(address: Address, options: PostgresOptions) {
    const { onError = () => undefined, poolSize = POOL_SIZE, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
    this.#answerTimeoutMs = Math.min(statementTimeoutMs + SILENCE_MS, UNHURRIED_MS)
    const connection = {
      ...address,
      application_name: APPLICATION_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: TYPES,
    }
    this.#pool = new pg.Pool({
      ...connection,
      max: poolSize,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    })
    // Without a listener, the end of an idle connection would end the process, for example at a restart of the server.
    this.#pool.on('error', onError)
    this.#listener = new PostgresListener(() => new pg.Client(connection), onError)
  }

  /** The server manages its own disk. */
  get forRemoval(): Database {
    return this
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    return await this.#withConnection(async (connection) => await connection.query<Row>(sql, parameters))
  }

  async exec(sql: string): Promise<void> {
    await this.#withConnection(async (connection) => {
      try {
        await connection.exec(sql)
      } catch (error) {
        // The statements may have begun a transaction of their own.
        await connection.rollBack()
        throw error
      }
    })
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.#withConnection(async (connection) => {
      await connection.query('begin')
      try {
        const result = await work(connection)
        await connection.commit()
        return result
      } catch (error) {
        await connection.rollBack()
        throw error
      }
    })
  }

  async exclusively<T>(lockNumber: number, work: () => Promise<T>): Promise<T> {
    return await this.#withConnection(async (connection) => {
      try {
        await connection.query('set statement_timeout = 0')
        await connection.exec(`select pg_advisory_lock(${lockNumber})`)
        return await work()
      } finally {
        // The lock belongs to the session and ends with the connection.
        connection.discard()
      }
    })
  }

  async listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>> {
    return await unavailableOr(async () => await this.#listener.listen(channel, listener))
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.all([this.#listener.close(), this.#pool.end()]).then(() => undefined)
    await this.#closing
  }

  async #withConnection<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = new Connection(
      await unavailableOr(async () => await this.#pool.connect()),
      this.#answerTimeoutMs,
    )
    try {
      return await use(connection)
    } finally {
      connection.release()
    }
  }
}

/** pg takes a timeout per statement, in milliseconds; its types do not say so. */
interface Statement extends pg.QueryConfig {
  readonly query_timeout: number
}

/** Most named statements; the service has about a hundred. */
const MAX_NAMED = 500
const statementNames = new Map<string, string>()

/**
 * A statement with a name is parsed and planned once per connection, not every time, which takes longer than most
 * statements. Undefined if there are too many.
 */
function statementName(sql: string): string | undefined {
  const known = statementNames.get(sql)
  if (known !== undefined || statementNames.size >= MAX_NAMED) return known
  const name = `whatif_${statementNames.size}`
  statementNames.set(sql, name)
  return name
}

/** A connection of the pool in use. */
class Connection implements Transaction {
  readonly #client: pg.PoolClient
  readonly #answerTimeoutMs: number
  #isBroken = false

  constructor(client: pg.PoolClient, answerTimeoutMs: number) {
    this.#client = client
    this.#answerTimeoutMs = answerTimeoutMs
    client.on('error', this.discard)
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const name = parameters.length === 0 ? undefined : statementName(sql)
    const statement = { text: sql, values: [...parameters], query_timeout: this.#answerTimeoutMs }
    return (await this.#ask(name === undefined ? statement : { ...statement, name })).rows
  }

  async exec(sql: string): Promise<void> {
    await this.#ask({ text: sql, query_timeout: UNHURRIED_MS })
  }

  async commit(): Promise<void> {
    const { command } = await this.#ask({ text: 'commit', query_timeout: this.#answerTimeoutMs })
    // The server's reply if a statement failed and `work` continued as if it had not.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement in it had failed.')
  }

  /** Ends a transaction, if there is one. A connection that cannot do even that is not reused. */
  async rollBack(): Promise<void> {
    if (!this.#isBroken) await this.query('rollback').catch(this.discard)
  }

  /**
   * Closes the connection when it is released. Also called when it breaks between two statements: the next one fails.
   */
  readonly discard = (): void => {
    this.#isBroken = true
  }

  release(): void {
    this.#client.off('error', this.discard)
    this.#client.release(this.#isBroken)
  }

  async #ask(statement: Statement): Promise<pg.QueryResult> {
    return await unavailableOr(async () => {
      try {
        return await this.#client.query(statement)
      } catch (error) {
        // Our own timeout and not the server's: a reply may still be on its way.
        if (!(error instanceof pg.DatabaseError)) this.discard()
        throw error
      }
    })
  }
}

/**
 * SQLSTATEs that are not faults of the statement: connection exceptions (08), lack of resources or connections (53),
 * shutdown and restart (57P), a statement that took too long (57014) or met a deadlock or a lock (40, 55P03), and a
 * server that became a standby (25006).
 */
const PASSING_STATES = /^(08...|53...|57P0.|57014|40001|40P01|55P03|25006)$/

async function unavailableOr<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof pg.DatabaseError ? PASSING_STATES.test(error.code ?? '') : isOfConnection(error)) {
      throw new DatabaseUnavailableError(error)
    }
    throw error
  }
}

/** pg's own errors concern connections, with or without a code, unless it was called wrongly. */
function isOfConnection(error: unknown): boolean {
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof DatabaseUnavailableError)
}
