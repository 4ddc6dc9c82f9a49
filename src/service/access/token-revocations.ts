import type { Database } from '../store/database.ts'
import { timestampOf, utcText } from '../store/timestamps.ts'
import type { MintMark } from './verified-token.ts'

/**
 * How long cached revocations are used, in milliseconds. It only matters if several processes share a database: the
 * process that revokes knows at once. Reading them for every request would cost a statement each.
 */
const MAX_AGE_MS = 1000

interface Revocation {
  /** Epoch that tokens of our own mint must have at least. */
  readonly epoch: number
  /** Foreign tokens must have been issued later. */
  readonly revokedAtMs: number
}

/** Which bearer tokens of a client are revoked. Clients without revocations have no entry. */
export class TokenRevocations {
  readonly #db: Database
  readonly #maxAgeMs: number
  readonly #revocations = new Map<string, Revocation>()
  /** On the monotonic clock, so that setting the clock does not change its age. */
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  constructor(db: Database, maxAgeMs = MAX_AGE_MS) {
    this.#db = db
    this.#maxAgeMs = maxAgeMs
  }

  isFresh(): boolean {
    return performance.now() - this.#readAtMs < this.#maxAgeMs
  }

  /** Reads the revocations unless they are fresh; simultaneous callers share one read. */
  async refresh(): Promise<void> {
    if (this.isFresh()) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    await this.#reading
  }

  /** Whether a token was minted before the client's last revocation, as last read. */
  isRevoked(clientId: string, mint: MintMark): boolean {
    const revocation = this.#revocations.get(clientId)
    if (revocation === undefined) return false
    // Times are whole seconds. A token of the second of the revocation counts as revoked: refusing one good token is
    // better than accepting a bad one.
    return 'epoch' in mint ? mint.epoch < revocation.epoch : mint.issuedAtMs <= revocation.revokedAtMs
  }

  /** Revokes every token minted for the client until now. Null if there is no such client. */
  async revoke(clientId: string, nowMs: number): Promise<{ revokedAtMs: number } | null> {
    const [row] = await this.#db.query<{ token_epoch: number }>(
      `update clients set token_epoch = token_epoch + 1, tokens_revoked_at = $2::timestamptz
       where client_id = $1 returning token_epoch`,
      [clientId, timestampOf(nowMs)],
    )
    if (row === undefined) return null
    this.#raise(clientId, { epoch: row.token_epoch, revokedAtMs: nowMs })
    return { revokedAtMs: nowMs }
  }

  async #read(): Promise<void> {
    const startedAtMs = performance.now()
    const rows = await this.#db.query<{ client_id: string; token_epoch: number; revoked_at: string }>(
      `select client_id, token_epoch, ${utcText('tokens_revoked_at')} as revoked_at from clients where token_epoch > 0`,
    )
    for (const row of rows) {
      this.#raise(row.client_id, { epoch: row.token_epoch, revokedAtMs: Date.parse(row.revoked_at) })
    }
    this.#readAtMs = startedAtMs
  }

  /** Epochs only grow: a read that began before a revocation must not undo it. */
  #raise(clientId: string, revocation: Revocation): void {
    if (revocation.epoch > (this.#revocations.get(clientId)?.epoch ?? 0)) this.#revocations.set(clientId, revocation)
  }
}
