/** Work on what somebody chose the size of may hold the main thread this long, in milliseconds; then others are answered. */
const SLICE_MS = 5

const waiting: (() => void)[] = []
let isDue = false

/**
 * Waits for a turn of the event loop of its own. Of all that wait one goes on in each turn, so that many who work in slices at
 * once hold up the others no longer than one does.
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

  /** Waits for a turn where a slice has passed since the last one. */
  async next(): Promise<void> {
    if (performance.now() - this.#begun < SLICE_MS) return
    await ownTurn()
    this.#begun = performance.now()
  }
}
