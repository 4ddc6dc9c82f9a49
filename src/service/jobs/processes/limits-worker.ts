/** The thread that watches a work process, see process-limits.ts. Runs compiled, from dist. */

import { lstatSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { LIMIT_PASSED, type LimitMessage, type SpaceLimit, type TimeLimit, type Watched } from './process-limits.ts'

const WATCH_MS = 50
/** A disk accepts some 100 MB between two checks of a folder. */
const LOOKS_PER_FOLDER_LOOK = 4

const { memoryBytes, parentPid } = workerData as Watched
let until: TimeLimit | null = null
let space: SpaceLimit | null = null
let looks = 0

parentPort?.on('message', (message: LimitMessage) => {
  if ('space' in message) space = message.space
  else {
    const { time } = message
    until = time && { cpuMs: cpuMs() + time.cpuMs, wallMs: performance.now() + time.wallMs }
  }
})

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) end(LIMIT_PASSED.memory)
  else if (until !== null && (cpuMs() > until.cpuMs || performance.now() > until.wallMs)) end(LIMIT_PASSED.time)
  else if (looks++ % LOOKS_PER_FOLDER_LOOK === 0 && space !== null && bytesIn(space.folder) > space.bytes) {
    end(LIMIT_PASSED.space)
  } else if (process.ppid !== parentPid) end('')
}, WATCH_MS)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** Disk usage of the files in a folder, in bytes; 0 if there is no folder. Files may appear and disappear meanwhile. */
function bytesIn(folder: string): number {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.reduce((sum, entry) => sum + (entry.isFile() ? bytesOf(join(entry.parentPath, entry.name)) : 0), 0)
  } catch {
    return 0
  }
}

function bytesOf(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512
}

function end(word: string): void {
  try {
    writeSync(2, `\n${word}\n`)
  } catch {
    // The parent no longer listens.
  }
  process.kill(process.pid, 'SIGKILL')
}
