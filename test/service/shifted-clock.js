// Gives a process a wrong clock, as `NODE_OPTIONS=--import=…/shifted-clock.js`: `Date` is off by WHATIF_TEST_CLOCK_MS from the
// start, or, with WHATIF_TEST_JUMP_MS, by that from SIGUSR2 on. `performance` is unaffected. What is done every minute is done
// every WHATIF_TEST_MINUTE_MS.
let shiftMs = Number(process.env.WHATIF_TEST_CLOCK_MS ?? 0)
const jumpMs = Number(process.env.WHATIF_TEST_JUMP_MS ?? 0)
if (jumpMs !== 0) {
  process.on('SIGUSR2', () => {
    shiftMs = jumpMs
  })
}

const RealDate = globalThis.Date
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs)
    else super(...given)
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}

const MINUTE_MS = 60_000
const minuteMs = Number(process.env.WHATIF_TEST_MINUTE_MS ?? MINUTE_MS)
const realSetInterval = globalThis.setInterval
globalThis.setInterval = (act, ms, ...given) => realSetInterval(act, ms === MINUTE_MS ? minuteMs : ms, ...given)
