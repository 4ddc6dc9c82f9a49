/**
 * Runs each tenant's work one item at a time, without making other tenants wait for it. At a shared resource that does
 * one thing at a time, nobody then waits for more than one item of each other tenant.
 */
export class TenantTurns {
  /** By tenant: resolves when all of its work so far has ended. */
  readonly #ends = new Map<string, Promise<void>>()

  /** Rejects as `work` does, or with the signal's reason if it aborts while earlier work of the tenant is pending. */
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

/** Also resolves when the signal aborts. */
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
