// Many conditions at once, and many levers: what a scenario costs that states margins, tables of cells and means, and what
// `whatif sensitivity` asks.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callBenchProgram } from './child-process.js'
import { writeMixedCsv } from './mixed-csv.js'
import { limitText, milliseconds, prose, seconds } from './report-text.js'

const ROWS = 30_000
/** Columns and their numbers of levels: three have a margin each, the others are in two tables of 50 cells. */
const LEVELS = { region: 10, trade: 10, town: 10, size: 5, stage: 10, shift: 5, kind: 10 }
const MARGINS = ['region', 'trade', 'town']
const TABLES = [
  ['size', 'stage'],
  ['shift', 'kind'],
]
const MEANS = ['spend', 'age']
const LEVERS = 40
const ROUNDS = 3
const MOST_PROJECTION_SECONDS = 0.3
const MOST_SENSITIVITY_SECONDS = 1

/**
 * @param {string} tempDir
 * @returns {Promise<string[]>}
 */
export async function conditionsSection(tempDir) {
  const file = join(tempDir, 'conditioned.csv')
  const targets = join(tempDir, 'targets.json')
  const { csv, conditions } = conditionedTable()
  await writeFile(file, csv)
  await writeFile(targets, JSON.stringify(conditions))
  const request = { file, targets, tempDir: join(tempDir, 'reading'), rounds: ROUNDS }
  const { weighing, settling } = await callBenchProgram('conditions-program.js', request)
  const wide = join(tempDir, 'wide.csv')
  await writeMixedCsv(wide, { rows: ROWS, columns: LEVERS + 1 })
  const asked = await callBenchProgram('sensitivity-program.js', {
    file: wide,
    dataDir: join(tempDir, 'embedded'),
    rounds: ROUNDS,
  })
  return [
    ...prose(
      `${ROWS.toLocaleString('en')} rows, ${MARGINS.length} margins of 10 levels, ${TABLES.length} tables of 50 cells and ${MEANS.length} means in one scenario, in processor time, the least of ${ROUNDS}. The rows of the seed are weighted to it in ${milliseconds(weighing.seconds)} (${limitText(weighing.seconds, MOST_PROJECTION_SECONDS, milliseconds)}; ${Math.round(weighing.found).toLocaleString('en')} effective rows). Settling it before rows are drawn weighs the seed, lists the cells of the model and projects them: ${milliseconds(settling.seconds)} (${settling.found.toLocaleString('en')} rows).`,
    ),
    ...prose(
      `Sensitivity of one share to ${asked.levers} levers of ${asked.columns} columns, over HTTP from the client to the embedded service: ${seconds(asked.processor)} of the processor on both sides (${limitText(asked.processor, MOST_SENSITIVITY_SECONDS, seconds)}), ${seconds(asked.least)} at best of ${ROUNDS}.`,
    ),
  ]
}

/**
 * A table, and conditions that it can meet: those of its own rows once they are weighted.
 *
 * @returns {{ csv: string, conditions: object }}
 */
function conditionedTable() {
  const random = lcg(12_345)
  const names = Object.keys(LEVELS)
  const lines = [[...names, ...MEANS, 'other', 'intent'].join(',')]
  /** @type {Map<string, number>[]} */
  const ofMargins = MARGINS.map(() => new Map())
  /** @type {Map<string, number>[]} */
  const ofTables = TABLES.map(() => new Map())
  const ofMeans = MEANS.map(() => ({ sum: 0, weight: 0 }))
  let total = 0
  for (let row = 0; row < ROWS; row++) {
    const traits = [random(), random(), random()]
    const trait = (/** @type {number} */ t) => 0.5 * (traits[t] ?? 0) + 0.5 * random()
    /** @type {Record<string, string>} */
    const levels = {}
    Object.entries(LEVELS).forEach(([name, count], c) => {
      levels[name] = `${name} ${1 + Math.floor(count * trait(c % 3) ** 1.2)}`
    })
    const spend = random() < 0.2 ? 0 : Number((90 * trait(0)).toFixed(1))
    const age = random() < 0.05 ? null : 18 + Math.floor(60 * trait(1))
    const values = [...names.map((name) => levels[name]), spend, age ?? '', (200 * trait(2)).toFixed(2)]
    lines.push([...values, (traits[0] ?? 0) + random() > 1 ? 'Yes' : 'No'].join(','))
    const weight = Math.exp(0.4 * (traits[0] ?? 0) - 0.3 * (traits[1] ?? 0) + (levels.region === 'region 3' ? 0.3 : 0))
    total += weight
    const add = (/** @type {Map<string, number> | undefined} */ sums, /** @type {string} */ key) => {
      sums?.set(key, (sums.get(key) ?? 0) + weight)
    }
    for (const [i, name] of MARGINS.entries()) add(ofMargins[i], levels[name] ?? '')
    for (const [i, columns] of TABLES.entries()) add(ofTables[i], columns.map((name) => levels[name]).join('|'))
    ;[spend, age].forEach((value, i) => {
      const mean = ofMeans[i]
      if (value === null || mean === undefined) return
      mean.sum += weight * value
      mean.weight += weight
    })
  }
  const parts = (/** @type {Map<string, number>} */ sums) =>
    [...sums].map(([key, sum]) => /** @type {const} */ ([key, sum / total]))
  return {
    csv: `${lines.join('\n')}\n`,
    conditions: {
      shares: MARGINS.map((column, i) => ({ column, levels: parts(/** @type {any} */ (ofMargins[i])) })),
      cells: TABLES.map((columns, i) => ({
        columns,
        cells: parts(/** @type {any} */ (ofTables[i])).map(([key, share]) => ({ levels: key.split('|'), share })),
      })),
      means: MEANS.map((column, i) => {
        const { sum, weight } = ofMeans[i] ?? { sum: 0, weight: 1 }
        return { column, min: sum / weight, max: sum / weight }
      }),
    },
  }
}

/**
 * Linear congruential generator (Numerical Recipes): numbers in [0, 1).
 *
 * @param {number} seed
 */
function lcg(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
