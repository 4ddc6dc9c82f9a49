import { randomUUID } from 'node:crypto'
import type { ServiceContext } from '../context/context.ts'
import { ProblemError } from '../http/problem-error.ts'
import { readDataset } from '../records/dataset-records.ts'
import {
  dropHeldKey,
  holdKey,
  type KeyScope,
  type KeyState,
  readKey,
  releaseKeysOf,
  renewKey,
  useHeldKey,
} from '../records/idempotency-keys.ts'
import type { Queryable } from '../store/database.ts'

/**
 * If a receiver has not renewed for this long, its process counts as dead. A receiver that was only suspended loses its
 * upload if another one has begun with its key: the holder is checked when the key is used.
 */
const LEASE_MS = 6_000
const RENEW_MS = 1_500

/** The idempotency key of one upload while it is received: free to take, or already used by a dataset. */
export class HeldUploadKey {
  readonly #context: ServiceContext
  readonly #tenantId: string
  readonly #holder = randomUUID()
  #scope: KeyScope | null = null
  #used: Extract<KeyState, { kind: 'used' }> | null = null
  #renewal: NodeJS.Timeout | null = null

  constructor(context: ServiceContext, tenantId: string) {
    this.#context = context
    this.#tenantId = tenantId
  }

  /** Whether `take` has succeeded. */
  get isTaken(): boolean {
    return this.#scope !== null || this.#used !== null
  }

  /** The dataset that the key created earlier; null if the key is new, or there is none. */
  get used(): { readonly resourceId: string; readonly fingerprint: string } | null {
    return this.#used
  }

  /**
   * Takes `key` for this upload, or finds the dataset that used it.
   *
   * @throws ProblemError `svc_idempotency_conflict` while another upload with it is being received.
   */
  async take(key: string): Promise<void> {
    const { db, now } = this.#context
    const scope: KeyScope = { tenantId: this.#tenantId, operation: 'createDataset', key }
    for (;;) {
      const state = await readKey(db, scope, now())
      if (state.kind === 'in_flight') throw stillInFlight()
      if (state.kind === 'free') {
        const hold = { holder: this.#holder, leaseUntilMs: now() + LEASE_MS, nowMs: now() }
        if (!(await holdKey(db, scope, hold))) throw stillInFlight()
        this.#scope = scope
        this.#renewal = setInterval(() => void this.#renew(scope), RENEW_MS)
        this.#renewal.unref()
        return
      }
      if ((await readDataset(db, this.#tenantId, state.resourceId, now())) !== null) {
        this.#used = state
        return
      }
      // Its dataset has expired and waits for the sweeper: the key counts as new.
      await releaseKeysOf(db, state.resourceId)
    }
  }

  /** Assigns the key to a dataset, in the transaction that records it. */
  async use(tx: Queryable, resourceId: string, fingerprint: string): Promise<void> {
    if (this.#scope === null) return
    const isOurs = await useHeldKey(tx, this.#scope, { holder: this.#holder, resourceId, fingerprint })
    if (!isOurs) throw stillInFlight()
  }

  /** Releases the key; an unused key is free again. */
  async release(): Promise<void> {
    if (this.#renewal !== null) clearInterval(this.#renewal)
    if (this.#scope !== null) await dropHeldKey(this.#context.db, this.#scope, this.#holder)
  }

  async #renew(scope: KeyScope): Promise<void> {
    try {
      await renewKey(this.#context.db, scope, this.#holder, this.#context.now() + LEASE_MS)
    } catch {
      // The next renewal tries again; a lost hold shows when the key is used.
    }
  }
}

export function stillInFlight(): ProblemError {
  return new ProblemError(
    'svc_idempotency_conflict',
    'A request with this Idempotency-Key is still in flight. Wait and repeat the same request.',
    { headers: { 'retry-after': '1' } },
  )
}

export function usedOtherwise(): ProblemError {
  return new ProblemError(
    'svc_idempotency_conflict',
    'This Idempotency-Key was used with a different request. Use another key, or repeat the first request unchanged.',
  )
}
