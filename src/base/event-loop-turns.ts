/**
 * Longest time on the main thread for work whose size a peer chose, in milliseconds; then other requests are served.
 */
const SLICE_MS = 5

const waiting: (() => void)[] = []
let isDue = false

/**
 * Waits for its own turn of the event loop. Each turn resumes one waiting task, so many sliced tasks hold up others no
 * longer than one does.
 */
export async function ownTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (!isDue) setImmediate(giveTurn)
    isDue = true
  })
}

function giveTurn(): void {
  waiting.shift()?.()
  isDue = waiting.length > 0
  if (isDue) setImmediate(giveTurn)
}

/** One piece of work, done in slices. */
export class Slices {
  #begun = performance.now()

  /** Waits for a turn if a slice has passed since the last one. */
  async next(): Promise<void> {
    if (performance.now() - this.#begun < SLICE_MS) return
    await ownTurn()
    this.#begun = performance.now()
  }
}
