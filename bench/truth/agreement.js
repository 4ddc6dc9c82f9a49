// How far generated files lie from the answer, the raked seed's difference, in its standard errors; how much of that difference they
// show; and whether pairs of columns come as near to the truth as without a tilt.
import { trainModel } from '../../dist/engine/train.js'
import { Draws } from './draws.js'
import { cut, drawPopulation, POPULATION_COLUMNS, SCENARIOS } from './population.js'
import { outcomeValues, rakedWeights, weightedMean } from './raked-rows.js'
import { mean, share, slopeOf, spreadOver } from './repetitions.js'
import { simulatedRows, simulatedTable } from './simulated-table.js'

const YES_NO = ['No', 'Yes']
/** Below so many effective rows the model helps, and with fewer than the second there is no interval. */
const FEW = 50
const FEWEST = 20
const TRUTH_ROWS = 400_000
const TRUTH_SEED = 800_000
/** Stream of the columns that are added to the population. */
const ADDED = 7
/** Numbers are cut here for pairs of columns. */
const CUTS = {
  age: [30, 40, 50, 60],
  spend: [0, 15, 30, 60],
  'noise number 1': [-7, -2, 2, 7],
  'noise number 2': [35, 45, 55, 65],
}

/** A rare answer, and one that depends on two levers together. */
const COLUMNS = [...POPULATION_COLUMNS, { name: 'rare', levels: YES_NO }, { name: 'crossed', levels: YES_NO }]

/** @type {readonly (import('./population.js').Outcome & { law: string })[]} */
const OUTCOMES = [
  { column: 'satisfaction', level: 4, law: 'strong' },
  { column: 'intent', level: 1, law: 'strong' },
  { column: 'segment', level: 1, law: 'strong' },
  { column: 'age', level: null, law: 'strong' },
  { column: 'spend', level: null, law: 'strong' },
  { column: 'item 1', level: 4, law: 'strong' },
  { column: 'weak', level: 1, law: 'weak, rare' },
  { column: 'rare', level: 1, law: 'weak, rare' },
  { column: 'crossed', level: 1, law: 'interaction' },
  { column: 'noise level 1', level: 0, law: 'none' },
  { column: 'noise number 1', level: null, law: 'none' },
]

/** @type {Record<string, import('./population.js').KnownScenario>} */
const KNOWN = {
  ...SCENARIOS,
  'two columns that pull': {
    shares: [
      ['member', [0.15, 0.85]],
      ['region', [0.05, 0.1, 0.25, 0.6]],
    ],
    ranges: [],
  },
}

const COMPARED = ['one share', 'two columns', 'three columns', 'share and range', 'rare level', 'two columns that pull']

/**
 * @param {number} n
 * @param {number} seed
 */
function drawRows(n, seed) {
  const values = drawPopulation(n, seed)
  const draws = new Draws(seed, ADDED)
  const [region = [], , member = []] = values
  const rare = new Uint8Array(n)
  const crossed = new Uint8Array(n)
  for (let i = 0; i < n; i++) {
    const [isMember, place] = [member[i] ?? 0, region[i] ?? 0]
    rare[i] = +draws.chance(isMember === 1 ? 0.1 : 0.02)
    crossed[i] = +draws.chance(0.3 + (isMember === +(place < 2) ? 0.3 : 0))
  }
  return { columns: COLUMNS, values: [...values, rare, crossed] }
}

/** @param {import('./population.js').KnownScenario} scenario */
function engineScenario({ shares, ranges }) {
  return {
    shares: shares.map(([column, targets]) => {
      const of = COLUMNS.find(({ name }) => name === column)
      return {
        column,
        levels: new Map(targets.map((share, l) => [of && 'levels' in of ? (of.levels[l] ?? '') : '', share])),
      }
    }),
    ranges: ranges.map(([column, min, max]) => ({ column, min, max })),
  }
}

const EFFECTIVE_ROWS = /** @type {const} */ ([
  [20, 50],
  [50, 100],
  [100, 200],
  [200, 500],
  [500, Number.POSITIVE_INFINITY],
])

/** @typedef {import('./raked-rows.js').Rows} Rows */

/**
 * Influence of every row on a side's mean: the linearised error of calibration with its leverage correction.
 *
 * @param {Rows} rows
 * @param {import('./population.js').KnownScenario} scenario
 * @param {Float64Array} w
 * @param {Float64Array} y
 */
function influence(rows, { shares }, w, y) {
  const n = y.length
  const m = weightedMean(w, y)
  /** @type {Float64Array[]} */
  const x = [new Float64Array(n).fill(1)]
  for (const [name, targets] of shares) {
    const of = rows.values[rows.columns.findIndex((column) => column.name === name)] ?? []
    for (let l = 1; l < targets.length; l++) x.push(Float64Array.from(of, (value) => +(value === l)))
  }
  const p = x.length
  const cross = (/** @type {Float64Array} */ a, /** @type {ArrayLike<number>} */ b) => {
    let sum = 0
    for (let i = 0; i < n; i++) sum += (w[i] ?? 0) * (a[i] ?? 0) * (b[i] ?? 0)
    return sum
  }
  const u = y.map((value) => value - m)
  const inverse = inverted(x.map((a) => x.map((b) => cross(a, b))))
  const b = inverse.map((line) => line.reduce((sum, value, j) => sum + value * cross(x[j] ?? u, u), 0))
  return u.map((value, i) => {
    let fitted = 0
    let leverage = 0
    for (let j = 0; j < p; j++) {
      const xj = x[j]?.[i] ?? 0
      fitted += xj * (b[j] ?? 0)
      for (let k = 0; k < p; k++) leverage += xj * (inverse[j]?.[k] ?? 0) * (x[k]?.[i] ?? 0)
    }
    return ((w[i] ?? 0) * (value - fitted)) / (1 - Math.min(0.999, (w[i] ?? 0) * leverage))
  })
}

/** @param {number[][]} matrix Symmetric, positive definite (Gauss and Jordan). */
function inverted(matrix) {
  const p = matrix.length
  const a = matrix.map((row, i) => [...row, ...row.map((_, j) => +(i === j))])
  for (let c = 0; c < p; c++) {
    const pivotRow = a[c] ?? []
    const pivot = pivotRow[c] || 1e-12
    for (let j = 0; j < 2 * p; j++) pivotRow[j] = (pivotRow[j] ?? 0) / pivot
    for (let i = 0; i < p; i++) {
      const row = a[i] ?? []
      const factor = row[c] ?? 0
      if (i !== c) for (let j = 0; j < 2 * p; j++) row[j] = (row[j] ?? 0) - factor * (pivotRow[j] ?? 0)
    }
  }
  return a.map((row) => row.slice(p))
}

/**
 * Shares of all cells of all pairs of columns.
 *
 * @param {Rows} rows
 * @param {Float64Array | null} weights Null: all the same.
 */
function pairTables(rows, weights) {
  const coded = rows.columns.map(({ name }, c) => {
    const of = rows.values[c] ?? []
    const cuts = name in CUTS ? CUTS[/** @type {keyof typeof CUTS} */ (name)] : null
    return cuts ? Uint8Array.from(of, (value) => cut(value, cuts)) : Uint8Array.from(of)
  })
  const n = coded[0]?.length ?? 0
  /** @type {Float64Array[]} */
  const tables = []
  for (let a = 0; a < coded.length; a++) {
    for (let b = 0; b < a; b++) {
      const table = new Float64Array(SIDE * SIDE)
      const [one = coded[0], other = coded[0]] = [coded[a], coded[b]]
      for (let i = 0; i < n; i++) {
        const cell = SIDE * (one?.[i] ?? 0) + (other?.[i] ?? 0)
        table[cell] = (table[cell] ?? 0) + (weights ? (weights[i] ?? 0) : 1 / n)
      }
      tables.push(table)
    }
  }
  return tables
}

/**
 * Mean total variation distance.
 *
 * @param {Float64Array[]} one
 * @param {Float64Array[]} other
 */
function tablesApart(one, other) {
  return mean(
    one.map((table, t) => table.reduce((sum, share, cell) => sum + Math.abs(share - (other[t]?.[cell] ?? 0)), 0) / 2),
  )
}

/** Levels of a column in a table of two. */
const SIDE = 6

/** @param {Float64Array} table */
function marginsOf(table) {
  const [first, second] = [new Float64Array(SIDE), new Float64Array(SIDE)]
  for (const [cell, share] of table.entries()) {
    first[Math.floor(cell / SIDE)] = (first[Math.floor(cell / SIDE)] ?? 0) + share
    second[cell % SIDE] = (second[cell % SIDE] ?? 0) + share
  }
  return /** @type {const} */ ([first, second])
}

/**
 * The association of a table: its odds ratios, with the margins of another one (iterative proportional fitting; Deming and Stephan
 * 1940).
 *
 * @param {Float64Array} table
 * @param {Float64Array} other
 */
function withMarginsOf(table, other) {
  const [first, second] = marginsOf(other)
  // A cell that no row has may still belong to the other table.
  let fitted = table.map((share) => share + 1e-9)
  const factor = (/** @type {number} */ wanted, /** @type {number} */ found) => (found > 0 ? wanted / found : 0)
  for (let round = 0; round < 30; round++) {
    const [rows] = marginsOf(fitted)
    fitted = fitted.map((share, cell) => {
      const at = Math.floor(cell / SIDE)
      return share * factor(first[at] ?? 0, rows[at] ?? 0)
    })
    const [, columns] = marginsOf(fitted)
    fitted = fitted.map((share, cell) => share * factor(second[cell % SIDE] ?? 0, columns[cell % SIDE] ?? 0))
  }
  return fitted
}

/** @type {{ means: Map<string, number[]>, sds: number[], pairs: Map<string, Float64Array[]> } | undefined} */
let truth

function knownTruth() {
  const rows = drawRows(TRUTH_ROWS, TRUTH_SEED)
  const means = new Map()
  const pairs = new Map()
  for (const name of ['none', ...COMPARED]) {
    const weights = rakedWeights(rows, KNOWN[name] ?? { shares: [], ranges: [] })
    if (weights === null) throw new Error(`the population cannot follow ${name}`)
    means.set(
      name,
      OUTCOMES.map((outcome) => weightedMean(weights, outcomeValues(rows, outcome))),
    )
    pairs.set(name, pairTables(rows, weights))
  }
  const sds = OUTCOMES.map((outcome) => {
    const y = outcomeValues(rows, outcome)
    const middle = mean([...y])
    return rms([...y].map((value) => value - middle))
  })
  return { means, sds, pairs }
}

/**
 * @typedef {object} Observed
 * @property {string} scenario
 * @property {string} law
 * @property {number} effective
 * @property {number} apart Of the rows' difference from the seed's, in the seed's standard errors.
 * @property {number} rows Difference.
 * @property {number} seed
 * @property {number} truth
 * @property {number} sd Of the outcome in the population.
 * @property {number} error
 */

/**
 * One seed.
 *
 * @param {{ n: number, multiple: number, seed: number }} options
 */
async function observe({ n, multiple, seed }) {
  truth ??= knownTruth()
  const rows = drawRows(n, seed)
  const model = await trainModel(simulatedTable(COLUMNS, rows.values), { threads: 1 })
  const v = new Float64Array(n).fill(1 / n)
  const none = { shares: [], ranges: [] }
  const made = async (/** @type {import('./population.js').KnownScenario} */ known, /** @type {number} */ run) => {
    const options = { rowCount: n * multiple, seed: 10 * seed + run, scenario: engineScenario(known) }
    const { values, feasibility } = await simulatedRows(model, COLUMNS, options)
    return feasibility.rows < n * multiple ? null : { columns: COLUMNS, values }
  }
  /** @type {Observed[]} */
  const observed = []
  /** @type {Map<string, number>} */
  const pairs = new Map()
  /** @type {number[]} */
  const associations = []
  const base = await made(none, 0)
  if (base === null) return { observed, pairs, associations, base: [] }
  pairs.set('none', tablesApart(pairTables(base, null), truth.pairs.get('none') ?? []))
  const baseApart = OUTCOMES.map((outcome) => {
    const y = outcomeValues(rows, outcome)
    const error = Math.hypot(...influence(rows, none, v, y))
    return (mean([...outcomeValues(base, outcome)]) - weightedMean(v, y)) / error
  })
  for (const [s, name] of COMPARED.entries()) {
    const known = KNOWN[name] ?? none
    const w = rakedWeights(rows, known)
    const side = w && (await made(known, s + 1))
    if (!w || !side) continue
    const tables = pairTables(side, null)
    const trueTables = truth.pairs.get(name) ?? []
    pairs.set(name, tablesApart(tables, trueTables))
    const ofTrueMargins = tables.map((table, t) => withMarginsOf(table, trueTables[t] ?? table))
    associations.push(tablesApart(ofTrueMargins, trueTables))
    const effective = 1 / w.reduce((sum, weight) => sum + weight * weight, 0)
    if (effective < FEWEST) continue
    for (const [o, outcome] of OUTCOMES.entries()) {
      if (
        known.shares.some(([column]) => column === outcome.column) ||
        known.ranges.some(([column]) => column === outcome.column)
      )
        continue
      const y = outcomeValues(rows, outcome)
      const e = influence(rows, known, w, y)
      const eBase = influence(rows, none, v, y)
      const error = Math.sqrt((n / (n - 1)) * e.reduce((sum, value, i) => sum + (value - (eBase[i] ?? 0)) ** 2, 0))
      if (!(error > 0)) continue
      const told = weightedMean(w, y) - weightedMean(v, y)
      const shown = mean([...outcomeValues(side, outcome)]) - mean([...outcomeValues(base, outcome)])
      observed.push({
        scenario: name,
        law: outcome.law,
        effective,
        apart: (shown - told) / error,
        rows: shown,
        seed: told,
        truth: (truth.means.get(name)?.[o] ?? 0) - (truth.means.get('none')?.[o] ?? 0),
        sd: truth.sds[o] ?? 1,
        error,
      })
    }
  }
  return { observed, pairs, associations, base: baseApart }
}

/** @param {readonly number[]} values */
const rms = (values) => Math.sqrt(mean(values.map((value) => value ** 2)))

/** @param {Observed} one */
const isFar = ({ apart }) => Math.abs(apart) > 2

/**
 * The mix of both differences that stands beside an answer of few effective rows.
 *
 * @param {Observed} one
 */
function withModel({ effective, seed, rows }) {
  const part = effective / (effective + FEW)
  return part * seed + (1 - part) * rows
}

/**
 * Root mean square error of a difference over that of the seed's.
 *
 * @param {readonly Observed[]} list
 * @param {(one: Observed) => number} told
 */
const besideSeed = (list, told) =>
  rms(list.map((one) => (told(one) - one.truth) / one.error)) /
  rms(list.map((one) => (one.seed - one.truth) / one.error))

/**
 * Outcomes count by their spread in the population: seeds in which a rare answer is missing have small errors and small differences.
 *
 * @param {readonly Observed[]} list
 * @param {(one: Observed) => number} told
 */
const slopeOnTruth = (list, told) => slopeOf(list.map((one) => ({ x: one.truth, y: told(one), error: one.sd })))

/**
 * @param {{ sizes: readonly number[], multiples: readonly number[], repetitions: number, seed: number }} options
 */
export async function agreementSection({ sizes, multiples, repetitions, seed }) {
  const lines = []
  for (const n of sizes) {
    for (const multiple of multiples) {
      const seeds = []
      for (let r = 0; r < repetitions; r++) seeds.push(await observe({ n, multiple, seed: seed + r }))
      const all = (/** @type {typeof seeds} */ list) => list.flatMap(({ observed }) => observed)
      const few = (/** @type {typeof seeds} */ list) => all(list).filter(({ effective }) => effective < FEW)
      const many = (/** @type {typeof seeds} */ list) => all(list).filter(({ effective }) => effective >= FEW)
      const slopes = ['strong', 'weak, rare', 'interaction'].flatMap((law) =>
        EFFECTIVE_ROWS.map(([low, high]) => {
          const points = all(seeds).filter((one) => one.law === law && one.effective >= low && one.effective < high)
          const slope = slopeOf(points.map((one) => ({ x: one.seed, y: one.rows, error: one.error })))
          const range = Number.isFinite(high) ? `${low} to ${high}` : `above ${low}`
          return points.length === 0 ? null : [law, range, `${slope.toFixed(2)} (${points.length})`]
        }).filter((line) => line !== null),
      )
      lines.push({
        n,
        rows: n * multiple,
        apart: spreadOver(seeds, (list) => rms(all(list).map(({ apart }) => apart))),
        far: spreadOver(seeds, (list) => share(many(list), isFar)),
        farOfFew: spreadOver(seeds, (list) => share(few(list), isFar)),
        baseApart: spreadOver(seeds, (list) => rms(list.flatMap(({ base }) => base))),
        slope: spreadOver(seeds, (list) =>
          slopeOf(all(list).map((one) => ({ x: one.seed, y: one.rows, error: one.error }))),
        ),
        slopes,
        besideSeed: spreadOver(seeds, (list) => besideSeed(all(list), (one) => one.rows)),
        mixedBesideSeed: spreadOver(seeds, (list) => besideSeed(few(list), withModel)),
        mixedSlope: spreadOver(seeds, (list) => slopeOnTruth(few(list), withModel)),
        seedSlope: spreadOver(seeds, (list) => slopeOnTruth(few(list), (one) => one.seed)),
        pairs: spreadOver(seeds, (list) =>
          mean(list.flatMap(({ pairs }) => [...pairs].filter(([name]) => name !== 'none').map(([, apart]) => apart))),
        ),
        associations: spreadOver(seeds, (list) => mean(list.flatMap(({ associations }) => associations))),
        basePairs: spreadOver(seeds, (list) => mean(list.flatMap(({ pairs }) => pairs.get('none') ?? []))),
      })
    }
  }
  return lines
}
