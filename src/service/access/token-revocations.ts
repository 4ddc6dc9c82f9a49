import type { Database } from '../store/database.ts'
import { timestampOf } from '../store/timestamps.ts'

/**
 * How long what is known of revocations is relied on, in milliseconds. It only matters where several processes share a
 * database: the one that revokes knows at once. Asking with every request instead would cost a statement each.
 */
const MAX_AGE_MS = 1000

/** Which epoch a client's bearer tokens must have at least; the epochs of clients that were never revoked are 0. */
export class TokenRevocations {
  readonly #db: Database
  readonly #maxAgeMs: number
  readonly #epochs = new Map<string, number>()
  /** On the monotonic clock: it must not grow old or young by a change of the time of day. */
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(db: Database, maxAgeMs = MAX_AGE_MS) {
    this.#db = db
    this.#maxAgeMs = maxAgeMs
  }

  isFresh(): boolean {
    return performance.now() - this.#readAtMs < this.#maxAgeMs
  }

  /** Reads the epochs unless they are fresh; callers at the same moment share one reading. */
  async refresh(): Promise<void> {
    if (this.isFresh()) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    await this.#reading
  }

  /** The epoch that a token of the client must have at least, as last read. */
  epochOf(clientId: string): number {
    return this.#epochs.get(clientId) ?? 0
  }

  /** Refuses every token minted for the client until now. Null when there is no such client. */
  async revoke(clientId: string, nowMs: number): Promise<{ revokedAtMs: number } | null> {
    const [row] = await this.#db.query<{ token_epoch: number }>(
      `update clients set token_epoch = token_epoch + 1, tokens_revoked_at = $2::timestamptz
       where client_id = $1 returning token_epoch`,
      [clientId, timestampOf(nowMs)],
    )
    if (row === undefined) return null
    this.#raise(clientId, row.token_epoch)
    return { revokedAtMs: nowMs }
  }

  async #read(): Promise<void> {
    const startedAtMs = performance.now()
    const rows = await this.#db.query<{ client_id: string; token_epoch: number }>(
      'select client_id, token_epoch from clients where token_epoch > 0',
    )
    for (const row of rows) this.#raise(row.client_id, row.token_epoch)
    this.#readAtMs = startedAtMs
  }

  /** Epochs only grow: a reading that began before a revocation must not undo it. */
  #raise(clientId: string, epoch: number): void {
    if (epoch > this.epochOf(clientId)) this.#epochs.set(clientId, epoch)
  }
}
