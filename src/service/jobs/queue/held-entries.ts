import { setTimeout as wait } from 'node:timers/promises'
import { type Database, DatabaseUnavailableError } from '../../store/database.ts'
import { type EntryKey, type Return, removeEntry, renewEntries, returnEntry } from './queue-entries.ts'

/** What could not be given back, because the database is away, is tried again this often. */
const AWAY_MS = 500

/** An entry of the queue that this process works on. */
export interface Hold {
  /** Aborts when the entry turns out to be another worker's by now, and when the queue stops. */
  readonly signal: AbortSignal
  /** Takes the entry off the queue. */
  finish(): Promise<void>
  /** Has the entry handed out again. Waits for a database that is away, so that nothing lies until its lease has passed. */
  giveBack(how: Return): Promise<void>
  /** Ends the renewal; always called last. */
  forget(): void
}

/** The leases of what a process works on; they go by the clock of the database. */
export class HeldEntries {
  readonly #db: Database
  readonly #lease: { readonly holder: string; readonly leaseMs: number }
  readonly #stopping: AbortSignal
  readonly #held = new Map<EntryKey, { readonly working: AbortController; isLost: boolean }>()

  constructor(db: Database, lease: { readonly holder: string; readonly leaseMs: number }, stopping: AbortSignal) {
    this.#db = db
    this.#lease = lease
    this.#stopping = stopping
    // One listener for all: what `AbortSignal.any` makes of a signal that lives on is not let go of by it.
    stopping.addEventListener('abort', () => {
      for (const { working } of this.#held.values()) working.abort(stopping.reason)
    })
  }

  add(key: EntryKey): Hold {
    const entry = { working: new AbortController(), isLost: false }
    this.#held.set(key, entry)
    if (this.#stopping.aborted) entry.working.abort(this.#stopping.reason)
    return {
      signal: entry.working.signal,
      finish: async () => await removeEntry(this.#db, key),
      giveBack: async (how) => {
        while (!entry.isLost) {
          try {
            await returnEntry(this.#db, key, how)
            return
          } catch (error) {
            if (!(error instanceof DatabaseUnavailableError) || this.#stopping.aborted) throw error
          }
          await wait(AWAY_MS, undefined, { signal: this.#stopping }).catch(() => undefined)
        }
      },
      forget: () => void this.#held.delete(key),
    }
  }

  /** The jobs of all that is held here. */
  jobIds(): readonly string[] {
    return [...this.#held.keys()].map(({ jobId }) => jobId)
  }

  async renew(): Promise<void> {
    const held = [...this.#held]
    if (held.length === 0) return
    const keys = held.map(([key]) => key)
    const ours = new Set((await renewEntries(this.#db, keys, this.#lease)).map(word))
    for (const [key, entry] of held) {
      // What was finished meanwhile is held no more.
      if (ours.has(word(key)) || !this.#held.has(key)) continue
      entry.isLost = true
      entry.working.abort(new Error(`The lease of job ${key.jobId} has passed, and another worker was handed it.`))
    }
  }
}

const word = ({ jobId, handedOut }: Pick<EntryKey, 'jobId' | 'handedOut'>): string => `${jobId} ${handedOut}`
