/** The thread that watches a work process, see process-limits.ts. Runs compiled, from dist. */

import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { LIMIT_PASSED, type TimeLimit, type Watched } from './process-limits.ts'

const WATCH_MS = 50

const { memoryBytes, parentPid } = workerData as Watched
let until: TimeLimit | null = null

parentPort?.on('message', (limit: TimeLimit | null) => {
  until = limit && { cpuMs: cpuMs() + limit.cpuMs, wallMs: performance.now() + limit.wallMs }
})

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) end(LIMIT_PASSED.memory)
  else if (until !== null && (cpuMs() > until.cpuMs || performance.now() > until.wallMs)) end(LIMIT_PASSED.time)
  else if (process.ppid !== parentPid) end('')
}, WATCH_MS)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

function end(word: string): void {
  try {
    writeSync(2, `\n${word}\n`)
  } catch {
    // Nobody listens any more.
  }
  process.kill(process.pid, 'SIGKILL')
}
