// The page of a study with many scenarios and outcomes.
import { callBenchProgram } from './child-process.js'
import { limitText, prose, seconds, table } from './report-text.js'

const ROUNDS = 3

/** Limits in seconds and bytes. */
const SIZES = [
  { scenarios: 50, outcomes: 20, limitBytes: 1e6 },
  { scenarios: 200, outcomes: 30, limitSeconds: 2, limitBytes: 4e6 },
]

/** @returns {Promise<string[]>} */
export async function reportSection() {
  const rows = []
  for (const { scenarios, outcomes, limitSeconds, limitBytes } of SIZES) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await callBenchProgram('report-program.js', { scenarios, outcomes }))
    const best = rounds.reduce((a, b) => (b.pageSeconds < a.pageSeconds ? b : a))
    const name = `${scenarios} scenarios, ${outcomes} outcomes`
    const kilobytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1000)} kB`
    rows.push(
      [
        `${name}: make the page`,
        seconds(best.pageSeconds),
        limitSeconds ? limitText(best.pageSeconds, limitSeconds, seconds) : '',
      ],
      [`${name}: read the manifest`, seconds(best.parseSeconds), ''],
      [`${name}: size of the page`, kilobytes(best.pageBytes), limitText(best.pageBytes, limitBytes, kilobytes)],
    )
  }
  return [
    ...prose(`report.html from a manifest; the fastest of ${ROUNDS} runs.`),
    ...table(['', 'measured', 'limit'], rows),
  ]
}
