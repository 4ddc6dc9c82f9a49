import { setTimeout as wait } from 'node:timers/promises'
import { type Database, DatabaseUnavailableError } from '../store/database.ts'
import { type EntryKey, type Return, removeEntry, renewEntries, returnEntry } from './queue-entries.ts'

/** How often to retry releasing an entry while the database is unavailable. */
const AWAY_MS = 500

/** The lease of an entry that this process works on. */
export interface Lease {
  /** Aborts when another worker holds the entry, and when the queue stops. */
  readonly signal: AbortSignal
  /** Removes the entry from the queue. */
  finish(): Promise<void>
  /**
   * Releases the entry for another try. Waits for an unavailable database: otherwise the entry would wait until its
   * lease ends.
   */
  giveBack(how: Return): Promise<void>
  /** Ends the renewal; always called last. */
  forget(): void
}

/** The leases of the entries that a process works on, by the clock of the database. */
export class Leases {
  readonly #db: Database
  readonly #term: { readonly holder: string; readonly leaseMs: number }
  readonly #stopping: AbortSignal
  readonly #held = new Map<EntryKey, { readonly working: AbortController; isLost: boolean }>()

  constructor(db: Database, term: { readonly holder: string; readonly leaseMs: number }, stopping: AbortSignal) {
    this.#db = db
    this.#term = term
    this.#stopping = stopping
    // One listener for all: otherwise a long-lived signal would retain every signal that `AbortSignal.any` derives from
    // it.
    stopping.addEventListener('abort', () => {
      for (const { working } of this.#held.values()) working.abort(stopping.reason)
    })
  }

  add(key: EntryKey): Lease {
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

  /** Jobs of all leases. */
  jobIds(): readonly string[] {
    return [...this.#held.keys()].map(({ jobId }) => jobId)
  }

  async renew(): Promise<void> {
    const held = [...this.#held]
    if (held.length === 0) return
    const keys = held.map(([key]) => key)
    const ours = new Set((await renewEntries(this.#db, keys, this.#term)).map(nameOf))
    for (const [key, entry] of held) {
      // Skipped: finished meanwhile.
      if (ours.has(nameOf(key)) || !this.#held.has(key)) continue
      entry.isLost = true
      entry.working.abort(new Error(`The lease of job ${key.jobId} has expired, and another worker has taken the job.`))
    }
  }
}

const nameOf = ({ jobId, handedOut }: Pick<EntryKey, 'jobId' | 'handedOut'>): string => `${jobId} ${handedOut}`
