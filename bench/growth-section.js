// How the cost of reading and training grows with rows and columns, and what a second thread gives.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { callBenchProgram } from './child-process.js'
import { writeMixedCsv } from './mixed-csv.js'
import { limitText, markdownTable, megabytes, prose, seconds, times } from './report-text.js'

const ROWS = [10_000, 30_000, 100_000, 300_000, 1_000_000]
const COLUMNS = [15, 45, 150]
/** Larger tables are left out, so that the section ends in minutes. */
const MAX_CELLS = 15_000_000

/** Surveys with many columns, and the seconds that training may take. */
const WIDE = /** @type {const} */ ([
  [20_000, 300, 60],
  [5_000, 500, null],
])

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function growthSection(tempDir) {
  /** @param {number} rows @param {number} columns @param {readonly number[]} threads */
  const measure = async (rows, columns, threads) => {
    const file = join(tempDir, `${rows}x${columns}.csv`)
    await writeMixedCsv(file, { rows, columns })
    const runs = []
    for (const count of threads) {
      runs.push(await callBenchProgram('training-program.js', { file, tempDir, threads: count }))
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
  const wide = []
  for (const [rows, columns, limit] of WIDE) {
    const [one, two] = await measure(rows, columns, [1, 2])
    wide.push([
      `${rows.toLocaleString('en')} x ${columns}`,
      seconds(one.trainSeconds),
      seconds(two.trainSeconds),
      times(one.trainSeconds / two.trainSeconds),
      limit === null ? '' : limitText(two.trainSeconds, limit, seconds),
      megabytes(two.peakRssBytes),
    ])
  }
  const [one, two] = await measure(100_000, 15, [1, 2])
  wide.unshift([
    '100,000 x 15',
    seconds(one.trainSeconds),
    seconds(two.trainSeconds),
    times(one.trainSeconds / two.trainSeconds),
    '',
    megabytes(two.peakRssBytes),
  ])
  return [
    ...prose(
      'By rows and columns, with 2 threads: processor seconds of reading and of training, seconds by the clock of both and of cleaning, and peak memory. At most 200,000 rows are trained on, chosen from all.',
    ),
    '',
    ...markdownTable(['rows', ...COLUMNS.map((columns) => `${columns} columns`)], cells),
    '',
    ...prose('Training alone with 1 and 2 threads, by the clock; the ratio is what the second thread gives.'),
    '',
    ...markdownTable(['training', '1 thread', '2 threads', 'ratio', 'limit', 'RSS'], wide),
  ]
}
