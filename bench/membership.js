// `npm run bench:membership`: how well rows reveal who was in the seed, by the number of rows.
//
// A simulated population; a seed of it is trained and N rows are generated for it. For people of the seed and for as many
// others, the distance to the nearest generated row is measured (Gower: 0 or 1 for levels, parts of the range for numbers). The
// figure is the area under the ROC curve of that distance: 0.5 if it does not distinguish people of the seed.

import { generate } from '../dist/engine/generate.js'
import { PURPOSE, RandomStream } from '../dist/engine/sampling/random.js'
import { trainModel } from '../dist/engine/train.js'

const SEED_ROWS = 1000
const FACTORS = [1, 10, 20, 100]
const POPULATIONS = [1, 2, 3, 4, 5, 6]
const LEVELS = { region: 6, sex: 2, plan: 4, answer: 5 }
const NUMBERS = { age: 62, income: 60_000, spend: 400 }

const areas = FACTORS.map(() => [])
for (const seed of POPULATIONS) {
  const members = people(SEED_ROWS, seed)
  const others = people(SEED_ROWS, 1000 + seed)
  const model = await trainModel(tableOf(members), { threads: 1 })
  for (const [i, factor] of FACTORS.entries()) {
    const rows = await rowsOf(model, factor * SEED_ROWS, seed)
    areas[i].push(areaUnder(nearest(members, rows), nearest(others, rows)))
  }
}
console.log(`membership by distance, seeds of ${SEED_ROWS} rows, ${POPULATIONS.length} populations`)
for (const [i, factor] of FACTORS.entries()) {
  const mean = areas[i].reduce((sum, area) => sum + area, 0) / areas[i].length
  const sd = Math.sqrt(areas[i].reduce((sum, area) => sum + (area - mean) ** 2, 0) / (areas[i].length - 1))
  const error = sd / Math.sqrt(areas[i].length)
  console.log(`  ${String(factor).padStart(3)} rows per seed row: AUC ${mean.toFixed(3)} ± ${(2 * error).toFixed(3)}`)
}

function people(count, seed) {
  const random = new RandomStream(seed, PURPOSE.value)
  return Array.from({ length: count }, () => {
    const region = Math.floor(6 * random.real() ** 1.5)
    const sex = random.real() < 0.5 ? 0 : 1
    const age = 18 + Math.floor(62 * random.real() ** 1.4)
    const plan = Math.min(3, Math.floor((age / 40) * random.real() * 2))
    const income = Math.round(15_000 + 400 * age * random.real() + 30_000 * random.real() ** 3)
    const answer = Math.min(4, Math.floor(5 * (0.5 * random.real() + (0.5 * plan) / 3)))
    const spend = random.real() < 0.3 ? 0 : Math.round(income / 400 + 250 * random.real() ** 2)
    return { region, sex, plan, answer, age, income, spend }
  })
}

function tableOf(rows) {
  const levelColumns = Object.entries(LEVELS).map(([name, count]) => ({
    kind: 'categorical',
    name,
    sourceName: name,
    missingShare: 0,
    levels: Array.from({ length: count }, (_, i) => String(i)),
    codes: Int32Array.from(rows, (row) => row[name]),
    integer: false,
  }))
  const numberColumns = Object.keys(NUMBERS).map((name) => {
    const values = Float64Array.from(rows, (row) => row[name])
    return {
      kind: 'numeric',
      name,
      sourceName: name,
      missingShare: 0,
      format: null,
      values,
      valid: new Uint8Array(rows.length).fill(1),
      integer: true,
      decimals: 0,
      min: Math.min(...values),
      max: Math.max(...values),
    }
  })
  return { rowCount: rows.length, seedRows: rows.length, columns: [...levelColumns, ...numberColumns] }
}

/** Column by column, as numbers. */
async function rowsOf(model, rowCount, seed) {
  const { columns, blocks } = await generate(model, {
    rowCount,
    seed,
    scenario: { shares: [], ranges: [] },
    threads: 1,
  })
  const cells = Object.fromEntries(columns.map(({ name }) => [name, []]))
  for await (const block of blocks) {
    block.columns.forEach((data, c) => {
      const list = cells[columns[c].name]
      const { codes, values } = data
      for (let i = 0; i < block.rowCount; i++) list.push(codes ? Number(columns[c].levels[codes[i]]) : values[i])
    })
  }
  return Object.fromEntries(Object.entries(cells).map(([name, list]) => [name, Float64Array.from(list)]))
}

function nearest(group, rows) {
  const levels = Object.keys(LEVELS)
  const numbers = Object.entries(NUMBERS)
  return group.map((person) => {
    let least = Number.POSITIVE_INFINITY
    for (let row = 0; row < rows.age.length; row++) {
      let distance = 0
      for (const name of levels) if (rows[name][row] !== person[name]) distance++
      for (const [name, range] of numbers) {
        if (distance >= least) break
        distance += Math.abs(rows[name][row] - person[name]) / range
      }
      if (distance < least) least = distance
    }
    return least
  })
}

/** Probability that a person of the first group has the smaller distance; ties count half. */
function areaUnder(members, others) {
  const sorted = Float64Array.from(others).sort()
  const below = (value) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle] < value) low = middle + 1
      else high = middle
    }
    return low
  }
  let wins = 0
  for (const value of members) {
    const from = below(value)
    const to = below(value + 1e-12)
    wins += (sorted.length - to + (to - from) / 2) / sorted.length
  }
  return wins / members.length
}
