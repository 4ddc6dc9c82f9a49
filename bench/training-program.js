// Reads, cleans and trains as the service does, and prints the cost; on request also the cost of training again.
import { join } from 'node:path'
import { cleanTable } from '../dist/engine/clean.js'
import { trainModel } from '../dist/engine/train.js'
import { readTable } from '../dist/formats/read-table.js'
import { peakRssBytes } from './peak-rss.js'
import { stopwatch } from './stopwatch.js'

/** @type {{ file: string, tempDir: string, threads: number, again?: boolean }} */
const { file, tempDir, threads, again = false } = JSON.parse(process.argv[2] ?? '{}')

const clock = stopwatch()
const begun = process.cpuUsage()
const raw = await readTable(file, { tempDir: join(tempDir, 'reading'), threads })
const readCpuSeconds = cpuSeconds(begun)
const { table } = cleanTable(raw, { autoClean: true })
const readSeconds = clock()
await trainModel(table, { threads })
const cost = {
  readSeconds,
  readCpuSeconds,
  trainSeconds: clock(),
  trainCpuSeconds: cpuSeconds(begun) - readCpuSeconds,
  peakRssBytes: peakRssBytes(),
}
if (again) await trainModel(table, { threads })
process.stdout.write(JSON.stringify({ ...cost, ...(again && { againSeconds: clock() }) }))

/** @param {NodeJS.CpuUsage} since Of all threads. */
function cpuSeconds(since) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}
