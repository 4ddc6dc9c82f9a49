// Items of a questionnaire on factors: how much of their correlations, and of differences between segments, the model
// keeps.
import { trainModel } from '../../dist/engine/train.js'
import { Draws } from './draws.js'
import { cut } from './population.js'
import { mean, spreadOver } from './repetitions.js'
import { simulatedRows, simulatedTable } from './simulated-table.js'

const TRUTH_ROWS = 100_000
const FACTORS = 5
const CORRELATION_WITHIN = 0.4
const CORRELATION_BETWEEN = 0.15
const CUTS = [-1.2, -0.4, 0.4, 1.2]
const SEGMENTS = ['s1', 's2', 's3', 's4']
/** By segment: its addition to every item, in standard deviations. */
const GAPS = [-0.3, 0, 0.2, 0.4]
const CODES = ['1', '2', '3', '4', '5']
const WORDS = ['Never', 'Rarely', 'Sometimes', 'Often', 'Always']

/**
 * @param {number} items
 * @param {'codes' | 'words'} form
 * @returns {import('./simulated-table.js').SimulatedColumn[]}
 */
export function likertColumns(items, form) {
  const scale = form === 'codes' ? { levels: CODES, integer: true } : { levels: WORDS }
  return [
    { name: 'segment', levels: SEGMENTS },
    ...Array.from({ length: items }, (_, i) => ({ name: `item ${i + 1}`, ...scale })),
  ]
}

/**
 * @param {number} rows
 * @param {number} items
 * @param {number} seed
 */
export function drawLikert(rows, items, seed) {
  const draws = new Draws(seed)
  const values = Array.from({ length: items + 1 }, () => new Uint8Array(rows))
  for (let i = 0; i < rows; i++) {
    const segment = draws.pick([1, 1, 1, 1])
    const common = draws.normal()
    const factors = Array.from({ length: FACTORS }, () => draws.normal())
    const [bySegment] = values
    if (bySegment) bySegment[i] = segment
    for (let j = 0; j < items; j++) {
      const z =
        Math.sqrt(CORRELATION_BETWEEN) * common +
        Math.sqrt(CORRELATION_WITHIN - CORRELATION_BETWEEN) * (factors[j % FACTORS] ?? 0) +
        Math.sqrt(1 - CORRELATION_WITHIN) * draws.normal()
      const column = values[j + 1]
      if (column) column[i] = cut(z + (GAPS[segment] ?? 0), CUTS)
    }
  }
  return values
}

/**
 * @param {readonly ArrayLike<number>[]} values Segment first, then items.
 */
export function likertFigures(values) {
  const [segments = [], ...items] = values
  const n = segments.length
  const standardized = items.map((item) => {
    const of = Float64Array.from(item)
    const mean = of.reduce((a, b) => a + b, 0) / n
    const deviation = Math.sqrt(of.reduce((a, b) => a + (b - mean) ** 2, 0) / n)
    return of.map((value) => (value - mean) / deviation)
  })
  const matrix = standardized.map((a) =>
    standardized.map((b) => {
      let sum = 0
      for (let i = 0; i < n; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
      return sum / n
    }),
  )
  let within = 0
  let withins = 0
  let between = 0
  let betweens = 0
  for (let a = 0; a < items.length; a++) {
    for (let b = 0; b < a; b++) {
      const r = matrix[a]?.[b] ?? 0
      if (a % FACTORS === b % FACTORS) {
        within += r
        withins++
      } else {
        between += r
        betweens++
      }
    }
  }
  const gaps = SEGMENTS.map((_, s) => {
    let sum = 0
    let rows = 0
    for (let i = 0; i < n; i++) {
      if (segments[i] !== s) continue
      rows++
      for (const item of items) sum += (item[i] ?? 0) / items.length
    }
    return sum / rows
  })
  return {
    eigenvalue: firstEigenvalue(matrix),
    within: within / withins,
    between: between / betweens,
    gap: (gaps[3] ?? 0) - (gaps[0] ?? 0),
  }
}

/** @param {readonly (readonly number[])[]} matrix By power iteration. */
function firstEigenvalue(matrix) {
  let vector = matrix.map(() => 1)
  let value = 0
  for (let step = 0; step < 200; step++) {
    const next = matrix.map((row) => row.reduce((sum, a, j) => sum + a * (vector[j] ?? 0), 0))
    value = Math.hypot(...next)
    vector = next.map((a) => a / value)
  }
  return value
}

/**
 * Figures of the model's rows over those of the population (here: of a large sample of it).
 *
 * @param {{ n: number, items: number, form: 'codes' | 'words', seed: number, multiple?: number, truth: ReturnType<typeof likertFigures> }} options
 */
export async function likertRatios({ n, items, form, seed, multiple = 5, truth }) {
  const columns = likertColumns(items, form)
  const values = drawLikert(n, items, seed)
  const model = await trainModel(simulatedTable(columns, values), { threads: 1 })
  const { values: made } = await simulatedRows(model, columns, {
    rowCount: n * multiple,
    seed,
    scenario: { shares: [], ranges: [] },
  })
  const figures = likertFigures(made)
  const ofSeed = likertFigures(values)
  /** @param {ReturnType<typeof likertFigures>} f */
  const ratios = (f) => ({
    eigenvalue: f.eigenvalue / truth.eigenvalue,
    within: f.within / truth.within,
    between: f.between / truth.between,
    gap: f.gap / truth.gap,
  })
  return { model: ratios(figures), seed: ratios(ofSeed) }
}

/** @param {{ sizes: readonly number[], items: readonly number[], repetitions: number, seed: number }} options */
export async function likertSection({ sizes, items, repetitions, seed }) {
  const lines = []
  for (const count of items) {
    const truth = likertFigures(drawLikert(TRUTH_ROWS, count, 7))
    for (const n of sizes) {
      for (const form of /** @type {const} */ (['codes', 'words'])) {
        const runs = []
        for (let r = 0; r < repetitions; r++) {
          runs.push((await likertRatios({ n, items: count, form, seed: seed + r, truth })).model)
        }
        const figure = (/** @type {'eigenvalue' | 'within' | 'between' | 'gap'} */ key) =>
          spreadOver(runs, (of) => mean(of.map((one) => one[key])))
        lines.push({
          items: count,
          n,
          form,
          eigenvalue: figure('eigenvalue'),
          within: figure('within'),
          between: figure('between'),
          gap: figure('gap'),
        })
      }
    }
  }
  return lines
}
