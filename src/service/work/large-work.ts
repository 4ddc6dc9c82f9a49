/** Large work has gone on for so long before something is made ready: what ends sooner holds nobody up. */
const TICK_MS = 1_000

/**
 * Watches the large work of a place, so that what small work beside it needs is there before somebody has any, and is not
 * there while nobody could need it.
 */
export class LargeWork {
  readonly #keepReady: () => void
  readonly #tickMs: number
  #running = 0
  #ticks: NodeJS.Timeout | null = null

  /** `keepReady` is called again and again while large work goes on, one after the other included. */
  constructor(keepReady: () => void, tickMs: number = TICK_MS) {
    this.#keepReady = keepReady
    this.#tickMs = tickMs
  }

  async watch<T>(work: () => Promise<T>): Promise<T> {
    this.#running++
    this.#ticks ??= setInterval(() => this.#tick(), this.#tickMs).unref()
    try {
      return await work()
    } finally {
      this.#running--
    }
  }

  #tick(): void {
    if (this.#running > 0) this.#keepReady()
    else {
      clearInterval(this.#ticks ?? undefined)
      this.#ticks = null
    }
  }
}
