/**
 * Work of one tenant is done one after the other; that of others does not wait for it. Where all share something that does
 * one thing at a time, nobody waits for more than one thing of each other tenant.
 */
export class TenantTurns {
  /** By tenant: resolves when all that was asked for so far has ended. */
  readonly #ends = new Map<string, Promise<void>>()

  /** Rejects as `work` does, or with the signal's reason when it aborts while others of the tenant are before it. */
  async take<T>(tenantId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(tenantId)
    let end: () => void = () => undefined
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    const all = before === undefined ? own : before.then(async () => await own)
    this.#ends.set(tenantId, all)
    try {
      if (before !== undefined) await endOf(before, signal)
      signal.throwIfAborted()
      return await work()
    } finally {
      end()
      void all.then(() => {
        if (this.#ends.get(tenantId) === all) this.#ends.delete(tenantId)
      })
    }
  }
}

/** Resolves also when the signal aborts. */
async function endOf(before: Promise<void>, signal: AbortSignal): Promise<void> {
  let leave: () => void = () => undefined
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  if (signal.aborted) return
  signal.addEventListener('abort', leave, { once: true })
  await Promise.race([before, left])
  signal.removeEventListener('abort', leave)
}
