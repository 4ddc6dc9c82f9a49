/**
 * One running piece of work per key, shared by all callers that ask for it meanwhile. It is aborted when the last
 * caller leaves.
 */
export class InFlight<T> {
  readonly #running = new Map<
    string,
    { readonly result: Promise<T>; readonly control: AbortController; waiting: number }
  >()

  /** Joins the work under `key`, or starts it. Rejects with the signal's reason if this caller's signal fires first. */
  async join(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const work = this.#running.get(key) ?? this.#begin(key, begin)
    work.waiting++
    let leave = () => {}
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason)
    })
    signal.addEventListener('abort', leave)
    try {
      return await Promise.race([work.result, left])
    } finally {
      signal.removeEventListener('abort', leave)
      work.waiting--
      if (work.waiting === 0) {
        if (this.#running.get(key) === work) this.#running.delete(key)
        work.control.abort()
      }
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<T>) {
    const control = new AbortController()
    const forget = () => {
      if (this.#running.get(key) === work) this.#running.delete(key)
    }
    const result = begin(control.signal)
    const work = { result, control, waiting: 0 }
    this.#running.set(key, work)
    // Also marks the rejection as handled, in case every caller has left.
    result.then(forget, forget)
    return work
  }
}
