/**
 * Large work has gone on for so long before something is made ready. What ends sooner holds nobody up, and making ready takes
 * processor time from it: with 1 s a training of 32,561 rows x 15 took half as long again.
 */
const LONG_MS = 3_000
const TICK_MS = 1_000
/** Between two jobs of a queue no more time passes than this. */
const PAUSE_MS = 200

/**
 * Watches the large work of a place, so that what small work beside it needs is there before somebody has any, and is not
 * there while nobody could need it.
 */
export class LargeWork {
  readonly #keepReady: () => void
  readonly #longMs: number
  #running = 0
  #busySince = 0
  #idleSince = Number.NEGATIVE_INFINITY
  #ticks: NodeJS.Timeout | null = null

  /** `keepReady` is called again and again while large work goes on for long, one after the other included. */
  constructor(keepReady: () => void, longMs: number = LONG_MS) {
    this.#keepReady = keepReady
    this.#longMs = longMs
  }

  async watch<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running === 0 && performance.now() - this.#idleSince > PAUSE_MS) this.#busySince = performance.now()
    this.#running++
    this.#ticks ??= setInterval(() => this.#tick(), Math.min(TICK_MS, this.#longMs)).unref()
    try {
      return await work()
    } finally {
      this.#running--
      this.#idleSince = performance.now()
    }
  }

  #tick(): void {
    if (this.#running === 0) {
      clearInterval(this.#ticks ?? undefined)
      this.#ticks = null
    } else if (performance.now() - this.#busySince >= this.#longMs) {
      this.#keepReady()
    }
  }
}
