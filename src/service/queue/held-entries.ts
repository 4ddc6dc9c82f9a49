import type { Database } from '../store/database.ts'
import type { QueueName } from './work-queue.ts'

/** Pause before a job whose handler failed is handed out again. */
const RETRY_SECONDS = 5
/** pg-boss hands out what begins before now, not at it, and PGlite's clock only has milliseconds. */
const PAST = `now() - interval '1 millisecond'`

/**
 * One handing out of a job: pg-boss counts them, so that a worker whose lease had passed, and whose job another one has
 * been handed, can neither renew nor end what is no longer its own.
 */
interface EntryKey {
  readonly queue: QueueName
  /** Id in pg-boss. */
  readonly id: string
  readonly retryCount: number
}

/** An entry of the queue that this process works on. */
export interface Hold {
  /** Aborts when the entry turns out to be another worker's by now. */
  readonly lost: AbortSignal
  /** Takes the entry off the queue. */
  finish(): Promise<void>
  /** Has the entry handed out again, after a pause or at once. */
  giveBack(options: { readonly isAtOnce: boolean }): Promise<void>
  /** Ends the renewal; always called last. */
  forget(): void
}

/** The leases of what a process works on; they live in pg-boss's table and go by the clock of the database. */
export class HeldEntries {
  readonly #db: Database
  readonly #table: string
  readonly #filledChannel: string
  readonly #held = new Map<EntryKey, AbortController>()

  constructor(db: Database, schema: string, filledChannel: string) {
    this.#db = db
    this.#table = `${schema}.job`
    this.#filledChannel = filledChannel
  }

  add(key: EntryKey): Hold {
    const lost = new AbortController()
    this.#held.set(key, lost)
    const ours = `name = $1 and id = $2::uuid and retry_count = $3::integer and state = 'active'`
    const parameters = [key.queue, key.id, key.retryCount]
    return {
      lost: lost.signal,
      finish: async () => {
        await this.#db.query(`delete from ${this.#table} where ${ours}`, parameters)
      },
      giveBack: async ({ isAtOnce }) => {
        await this.#db.query(
          `with returned as (
             update ${this.#table} set state = 'retry', start_after = ${PAST} + $4::integer * interval '1 second'
             where ${ours} returning name)
           select pg_notify($5, name) from returned`,
          [...parameters, isAtOnce ? 0 : RETRY_SECONDS, this.#filledChannel],
        )
      },
      forget: () => void this.#held.delete(key),
    }
  }

  async renew(): Promise<void> {
    const held = [...this.#held]
    if (held.length === 0) return
    const renewed = await this.#db.query<{ id: string; retry_count: number }>(
      `update ${this.#table} job set started_on = now()
       from unnest($1::text[], $2::uuid[], $3::integer[]) as held (queue, id, retry_count)
       where job.name = held.queue and job.id = held.id and job.retry_count = held.retry_count and job.state = 'active'
       returning job.id, job.retry_count`,
      [held.map(([key]) => key.queue), held.map(([key]) => key.id), held.map(([key]) => key.retryCount)],
    )
    const ours = new Set(renewed.map((row) => `${row.id} ${row.retry_count}`))
    for (const [key, lost] of held) {
      // What was finished meanwhile is held no more.
      if (ours.has(`${key.id} ${key.retryCount}`) || !this.#held.has(key)) continue
      lost.abort(new Error(`The lease of queue entry ${key.id} has passed, and another worker was handed its job.`))
    }
  }

  /** Has handed out again what workers held that did not renew in time. */
  async takeOver(queues: readonly QueueName[]): Promise<void> {
    await this.#db.query(
      `with freed as (
         update ${this.#table} set state = 'retry', start_after = ${PAST}
         where name = any($1::text[]) and state = 'active' and started_on + expire_in < now() returning name)
       select pg_notify($2, name) from (select distinct name from freed) as queues`,
      [queues, this.#filledChannel],
    )
  }
}
