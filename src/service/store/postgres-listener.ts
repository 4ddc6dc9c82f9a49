import type pg from 'pg'
import type { NotificationListener } from './database.ts'

/** Pauses between reconnection tries: the first, doubled each time, up to the last. */
const FIRST_PAUSE_MS = 100
const LAST_PAUSE_MS = 5_000
/** How often a connection that may be idle for long is checked, and how long it may take to respond. */
const HEARTBEAT_MS = 30_000
const HEARTBEAT_TIMEOUT_MS = 10_000

/**
 * The connection of a process that receives notifications (LISTEN). It is opened at the first `listen`. When it breaks
 * it is opened again until that succeeds, and every listener gets null, because it may have missed notifications.
 */
export class PostgresListener {
  readonly #newClient: () => pg.Client
  readonly #onError: (error: unknown) => void
  readonly #listeners = new Map<string, Set<NotificationListener>>()
  #client: pg.Client | null = null
  #connecting: Promise<void> | null = null
  #heartbeat: NodeJS.Timeout | null = null
  #retry: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(newClient: () => pg.Client, onError: (error: unknown) => void) {
    this.#newClient = newClient
    this.#onError = onError
  }

  async listen(channel: string, listener: NotificationListener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel)
    if (listeners !== undefined) listeners.add(listener)
    else this.#listeners.set(channel, new Set([listener]))
    const stop = async (): Promise<void> => await this.#stopListening(channel, listener)
    try {
      if (this.#client !== null) await this.#client.query(`listen ${channel}`)
      else await this.#connected()
    } catch (error) {
      await stop()
      throw error
    }
    return stop
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#connecting?.catch(() => undefined)
    const client = this.#client
    this.#drop()
    await client?.end().catch(() => undefined)
  }

  async #stopListening(channel: string, listener: NotificationListener): Promise<void> {
    const listeners = this.#listeners.get(channel)
    if (listeners?.delete(listener) !== true || listeners.size > 0) return
    this.#listeners.delete(channel)
    await this.#client?.query(`unlisten ${channel}`).catch(() => undefined)
  }

  /** Resolves when there is a connection; simultaneous callers share one try. */
  async #connected(): Promise<void> {
    this.#connecting ??= this.#connect()
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const client = this.#newClient()
    const onBreak = (error?: unknown): void => this.#reconnect(client, error)
    client.on('error', onBreak)
    try {
      await client.connect()
      client.on('end', onBreak)
      client.on('notification', ({ channel, payload = '' }) => {
        for (const listener of this.#listeners.get(channel) ?? []) listener(payload)
      })
      // Channels may be added while LISTEN runs for the first ones.
      const done = new Set<string>()
      for (let next = this.#unheard(done); next !== undefined; next = this.#unheard(done)) {
        done.add(next)
        await client.query(`listen ${next}`)
      }
      if (this.#isClosed) throw new Error('The database was closed.')
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    } finally {
      this.#connecting = null
    }
    this.#client = client
    this.#heartbeat = setInterval(() => void this.#beat(client, onBreak), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  #unheard(done: ReadonlySet<string>): string | undefined {
    return [...this.#listeners.keys()].find((channel) => !done.has(channel))
  }

  async #beat(client: pg.Client, onBreak: (error: unknown) => void): Promise<void> {
    const timer = setTimeout(() => onBreak(new Error('no sign of life')), HEARTBEAT_TIMEOUT_MS)
    try {
      await client.query('select 1')
    } catch (error) {
      onBreak(error)
    } finally {
      clearTimeout(timer)
    }
  }

  #drop(): void {
    this.#client = null
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat)
  }

  /** Called for every event that ends a connection, possibly several times for one end. */
  #reconnect(broken: pg.Client, error: unknown): void {
    if (this.#isClosed || broken !== this.#client) return
    this.#drop()
    if (error !== undefined) this.#onError(error)
    void broken.end().catch(() => undefined)
    this.#tryAgain(FIRST_PAUSE_MS)
  }

  #tryAgain(pauseMs: number): void {
    this.#retry = setTimeout(() => {
      this.#connected().then(
        () => {
          for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null)
        },
        (error: unknown) => {
          if (this.#isClosed) return
          this.#onError(error)
          this.#tryAgain(Math.min(LAST_PAUSE_MS, 2 * pauseMs))
        },
      )
    }, pauseMs)
    this.#retry.unref()
  }
}
