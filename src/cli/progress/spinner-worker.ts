import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Frame, SpinnerWork } from './terminal-frames.ts'

/** Thread of `terminal-frames.ts`: turns the spinners of the last frame while the main thread draws none. */

const TICK_MS = 150
/** The main thread draws ten frames a second. */
const SILENT_TICKS = 3

const { shared, fd, glyphs } = workerData as SpinnerWork
let frame: Frame = { beat: -1, spots: [] }
let beat = -1
let silent = 0
let turn = 0

parentPort?.on('message', (latest: Frame) => {
  frame = latest
})

setInterval(() => {
  const now = Atomics.load(shared, 1)
  silent = now === beat ? silent + 1 : 0
  beat = now
  if (silent >= SILENT_TICKS && frame.beat === now && frame.spots.length > 0) draw()
}, TICK_MS)

function draw(): void {
  if (Atomics.compareExchange(shared, 0, 0, 1) !== 0) return
  try {
    // The main thread may have drawn since.
    if (Atomics.load(shared, 1) !== frame.beat) return
    const glyph = glyphs[turn++ % glyphs.length]
    const marks = frame.spots.map(
      ({ up, column, style }) => `\u001b[${up}A\u001b[${column + 1}G${style}${glyph}\u001b8`,
    )
    writeSync(fd, `\u001b7${marks.join('')}\u001b[0m\u001b8`)
  } catch {
    // A terminal that takes nothing now, or is gone, gets the next turn or none.
  } finally {
    Atomics.store(shared, 0, 0)
    Atomics.notify(shared, 0)
  }
}
