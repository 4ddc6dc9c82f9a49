// Loaded into `whatif serve` with `node --import`: watches its main thread. At SIGUSR2 it writes what was found since the last
// time into the file that BENCH_MAIN_THREAD_FILE names, and begins anew.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { peakRssBytes } from '../peak-rss.js'

const TICK_MS = 5

const file = process.env.BENCH_MAIN_THREAD_FILE
// Processes for trainings inherit the option that loads this.
if (isMainThread && file && process.argv[2] === 'serve') watch(file)

/** @param {string} path */
function watch(path) {
  let blockMs = 0
  let last = performance.now()
  let waited = waitedMs()
  setInterval(() => {
    const now = performance.now()
    const waitedNow = waitedMs()
    blockMs = Math.max(blockMs, now - last - TICK_MS - (waitedNow - waited))
    last = now
    waited = waitedNow
  }, TICK_MS).unref()
  let times = 0
  process.on('SIGUSR2', () => {
    writeFileSync(`${path}.part`, JSON.stringify({ blockMs, peakRssBytes: peakRssBytes() }))
    renameSync(`${path}.part`, `${path}.${times++}`)
    blockMs = 0
    forgetPeakRss()
  })
}

/**
 * How long the main thread was ready and had no processor: the machine caused that, not a block. 0 if the platform does
 * not report it.
 */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

function forgetPeakRss() {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // The peak covers the whole time then.
  }
}
