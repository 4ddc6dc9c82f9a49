// The seed's estimates for two scenarios: the operation that plans with --estimates and runs call, compared with a
// schema and a simple pass.
import { join } from 'node:path'
import { callBenchProgram } from './child-process.js'
import { writeMixedCsv } from './mixed-csv.js'
import { limitText, milliseconds, prose, table, times } from './report-text.js'

const SEED = { rows: 30_000, columns: 24 }
const OUTCOMES = 20
const ROUNDS = 15
/** The request to the operation with this many outcomes of this many rows. */
const MOST_SECONDS = 0.1

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function estimatesSection(tempDir) {
  const file = join(tempDir, 'seed.csv')
  await writeMixedCsv(file, SEED)
  const dataDir = join(tempDir, 'embedded')
  /** @type {{ estimates: Record<string, Took>, schema: Took, pass: Took }} */
  const { estimates, schema, pass } = await callBenchProgram('estimates-program.js', {
    file,
    dataDir,
    outcomes: OUTCOMES,
    rounds: ROUNDS,
    rows: SEED.rows,
  })
  /** @typedef {{ first: number, least: number, middle: number, processor: number }} Took */
  /** @param {string} name @param {Took} took @param {string} [limit] */
  const row = (name, { first, least, middle, processor }, limit = '') => [
    name,
    milliseconds(first),
    precisely(least),
    precisely(middle),
    precisely(processor),
    limit,
    times(least / schema.least),
  ]
  return [
    ...prose(
      `${OUTCOMES} outcomes of a seed of ${SEED.rows.toLocaleString('en')} rows and ${SEED.columns} columns, over HTTP from the client to the embedded service, one request at a time: the first, which reads the model, then the fastest and the median of ${ROUNDS} others, processor time of both sides per request, and the fastest over that of a schema. The single pass adds up a weight for each code of ${OUTCOMES} columns of as many rows, without a request. The limit is on the fastest.`,
    ),
    ...table(
      ['', 'first', 'min', 'median', 'CPU', 'limit', 'over'],
      [
        ...Object.entries(estimates).map(([name, took]) =>
          row(name, took, limitText(took.least, MOST_SECONDS, milliseconds)),
        ),
        row('a schema', schema),
        row('a single pass', pass),
      ],
    ),
  ]
}

/** @param {number} seconds */
function precisely(seconds) {
  return `${(seconds * 1000).toFixed(1)} ms`
}
