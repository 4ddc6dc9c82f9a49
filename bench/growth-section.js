// How the cost of reading and training grows with rows and columns, and the gain of a second thread.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { callBenchProgram } from './child-process.js'
import { writeMixedCsv } from './mixed-csv.js'
import { limitText, markdownTable, megabytes, prose, seconds, times } from './report-text.js'

const ROWS = [10_000, 30_000, 100_000, 300_000, 1_000_000]
const COLUMNS = [15, 45, 150]
/** Larger tables are omitted, so that the section takes minutes. */
const MAX_CELLS = 15_000_000

/** A table with few columns, surveys with many, and the seconds that training may take. */
const THREADED = /** @type {const} */ ([
  [100_000, 15, null],
  [20_000, 300, 60],
  [5_000, 500, null],
])

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function growthSection(tempDir) {
  /** @param {number} rows @param {number} columns @param {readonly number[]} threads @param {boolean} [again] */
  const measure = async (rows, columns, threads, again = false) => {
    const file = join(tempDir, `${rows}x${columns}.csv`)
    await writeMixedCsv(file, { rows, columns })
    const runs = []
    for (const count of threads) {
      runs.push(await callBenchProgram('training-program.js', { file, tempDir, threads: count, again }))
    }
    await rm(file)
    return runs
  }
  /** @type {string[][]} */
  const cells = []
  for (const rows of ROWS) {
    const line = [rows.toLocaleString('en')]
    for (const columns of COLUMNS) {
      if (rows * columns > MAX_CELLS) line.push('')
      else {
        const [run] = await measure(rows, columns, [2])
        line.push(
          `${seconds(run.readCpuSeconds)} + ${seconds(run.trainCpuSeconds)}, ${seconds(run.readSeconds + run.trainSeconds)}, ${megabytes(run.peakRssBytes)}`,
        )
      }
    }
    cells.push(line)
  }
  /** @type {string[][]} */
  const threaded = []
  for (const [rows, columns, limit] of THREADED) {
    const [one, two] = await measure(rows, columns, [1, 2], true)
    threaded.push([
      `${rows.toLocaleString('en')} x ${columns}`,
      seconds(one.trainSeconds),
      seconds(two.trainSeconds),
      limit === null ? '' : limitText(two.trainSeconds, limit, seconds),
      seconds(one.againSeconds),
      seconds(two.againSeconds),
      times(one.againSeconds / two.againSeconds),
      megabytes(two.peakRssBytes),
    ])
  }
  return [
    ...prose(
      'By rows and columns, with 2 threads: processor seconds of reading and of training, seconds by the clock of both and of cleaning, and peak memory. At most 200,000 rows are trained on, chosen from all.',
    ),
    '',
    ...markdownTable(['rows', ...COLUMNS.map((columns) => `${columns} columns`)], cells),
    '',
    ...prose(
      'Training alone with 1 and 2 threads, by the clock: the first of a process, in which every thread has its code to compile, and one more, as in the processes that a service keeps. The ratio is what the second thread gives there.',
    ),
    '',
    ...markdownTable(['training', '1 thread', '2 threads', 'limit', '1, again', '2, again', 'ratio', 'RSS'], threaded),
  ]
}
