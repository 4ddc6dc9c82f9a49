// Differences between scenarios of a population with a known law: how much of the truth the model shows, how often the
// stated interval covers it, and how far off it is compared with the raked seed.

import { certaintyOf, MEAN, SHARE } from '../../dist/answers/arithmetic/intervals.js'
import { estimateDifferences } from '../../dist/engine/estimates/estimate-differences.js'
import { trainModel } from '../../dist/engine/train.js'
import { COMPARISONS, drawPopulation, OUTCOMES, POPULATION_COLUMNS, SCENARIOS } from './population.js'
import { drawRows, outcomeValues, rakedWeights, weightedDifference, weightedMean } from './raked-rows.js'
import { share, slopeOf, spreadOver } from './repetitions.js'
import { simulatedRows, simulatedTable } from './simulated-table.js'

const TRUTH_PARTS = 16
const TRUTH_ROWS = 250_000

/** @type {ReturnType<typeof trueMeans> | undefined} */
let means

/** Means of the outcomes under every scenario, over 4 million people. */
export function trueMeans() {
  const sums = new Map(Object.keys(SCENARIOS).map((name) => [name, OUTCOMES.map(() => 0)]))
  for (let part = 0; part < TRUTH_PARTS; part++) {
    const rows = { columns: POPULATION_COLUMNS, values: drawPopulation(TRUTH_ROWS, 900_000 + part) }
    const outcomes = OUTCOMES.map((outcome) => outcomeValues(rows, outcome))
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      const weights = rakedWeights(rows, scenario)
      if (weights === null) throw new Error(`the population cannot follow ${name}`)
      const of = sums.get(name) ?? []
      for (const [o, y] of outcomes.entries()) of[o] = (of[o] ?? 0) + weightedMean(weights, y) / TRUTH_PARTS
    }
  }
  return sums
}

/** @param {import('./population.js').KnownScenario} scenario */
function engineScenario({ shares, ranges }) {
  return {
    shares: shares.map(([column, targets]) => ({
      column,
      levels: new Map(targets.map((target, l) => [levelName(column, l), target])),
    })),
    ranges: ranges.map(([column, min, max]) => ({ column, min, max })),
  }
}

/**
 * @param {string} column
 * @param {number} level
 */
function levelName(column, level) {
  const of = POPULATION_COLUMNS.find(({ name }) => name === column)
  return (of && 'levels' in of ? of.levels[level] : undefined) ?? ''
}

/**
 * @typedef {object} Observed
 * @property {string} cell Comparison and outcome.
 * @property {number} truth
 * @property {number} model
 * @property {number} raked The seed's own difference, by the formula here.
 * @property {number} drawn The same of as many rows as were generated, drawn from the reweighted seed.
 * @property {number} rakedError
 * @property {'ok' | 'thin' | 'too few'} support
 * @property {boolean | null} covered Whether the stated interval has the truth in it; null without an interval.
 */

/**
 * One seed file, all comparisons, with so many rows as each of `multiples` times the seed's.
 *
 * @param {{ n: number, multiples: readonly number[], seed: number, means: ReturnType<typeof trueMeans> }} options
 * @returns {Promise<Map<number, Observed[]>>} By multiple.
 */
export async function observeDifferences({ n, multiples, seed, means }) {
  const rows = { columns: POPULATION_COLUMNS, values: drawPopulation(n, seed) }
  const model = await trainModel(simulatedTable(POPULATION_COLUMNS, rows.values), { threads: 1 })
  const comparisons = []
  for (const [name, base] of COMPARISONS) {
    const [known, knownBase] = [SCENARIOS[name], SCENARIOS[base]]
    if (!known || !knownBase) throw new Error(`no scenario ${name} or ${base}`)
    const [w, v] = [rakedWeights(rows, known), rakedWeights(rows, knownBase)]
    if (w === null || v === null) continue
    const estimated = await estimateDifferences(model, {
      scenario: engineScenario(known),
      baseline: engineScenario(knownBase),
      outcomes: OUTCOMES.map(({ column }) => ({ column, base: 'all' })),
      maxLevels: 50,
      disclosure: 'exact',
    })
    comparisons.push({ name, base, w, v, estimated })
  }
  /** @type {Map<number, Observed[]>} */
  const observed = new Map()
  for (const multiple of multiples) {
    /** @type {Map<string, CountedOutcome[] | null>} */
    const generated = new Map()
    /** @type {Map<string, number[]>} */
    const drawn = new Map()
    for (const [name, known] of Object.entries(SCENARIOS)) {
      const options = { rowCount: n * multiple, seed, scenario: engineScenario(known) }
      const { values, feasibility } = await simulatedRows(model, POPULATION_COLUMNS, options)
      const weights = rakedWeights(rows, known)
      if (weights !== null) drawn.set(name, drawnMeans(rows, drawRows(weights, feasibility.rows, seed, drawn.size)))
      const made = { columns: POPULATION_COLUMNS, values }
      generated.set(name, feasibility.rows > 1 ? OUTCOMES.map((outcome) => counted(made, outcome)) : null)
    }
    observed.set(
      multiple,
      comparisons.flatMap(({ name, base, w, v, estimated }) =>
        OUTCOMES.flatMap((outcome, o) => {
          const [side, against] = [generated.get(name)?.[o], generated.get(base)?.[o]]
          if (!side || !against) return []
          const truth = (means.get(name)?.[o] ?? Number.NaN) - (means.get(base)?.[o] ?? Number.NaN)
          const raked = weightedDifference(w, v, outcomeValues(rows, outcome))
          const delta = side.mean - against.mean
          const { interval, support } = certaintyOf(
            delta,
            { scenario: side, against },
            seedKnowledge(estimated, outcome),
            { ...(outcome.level === undefined ? MEAN : SHARE), round: (figure) => figure },
          )
          return [
            {
              cell: `${name} against ${base}: ${outcome.column}`,
              truth,
              model: delta,
              raked: raked.difference,
              drawn: (drawn.get(name)?.[o] ?? Number.NaN) - (drawn.get(base)?.[o] ?? Number.NaN),
              rakedError: raked.standardError,
              support: support === 'ok' || support === 'thin' ? support : 'too few',
              covered: interval === null ? null : interval[0] <= truth && truth <= interval[1],
            },
          ]
        }),
      ),
    )
  }
  return observed
}

/**
 * What the service would report to the runner.
 *
 * @param {import('../../dist/engine/estimates/estimate-differences.js').Estimates} estimated
 * @param {import('./population.js').Outcome} outcome
 * @returns {import('../../dist/answers/arithmetic/intervals.js').SeedKnowledge}
 */
function seedKnowledge({ scenario, baseline, outcomes }, { column, level }) {
  const of = outcomes.find((estimated) => estimated.column === column)
  const figures =
    of?.kind === 'shares' ? of.levels.find((each) => each.level === levelName(column, level ?? 0)) : (of?.mean ?? null)
  if (!figures) return { basis: 'seed', estimate: null }
  const pair = (/** @type {'support' | 'effectiveRows'} */ key) => ({
    scenario: scenario[key] ?? 0,
    against: baseline[key] ?? 0,
  })
  const estimate = { ...figures, against: figures.baseline }
  return { basis: 'seed', estimate, effectiveRows: pair('effectiveRows'), support: pair('support') }
}

/**
 * @param {import('./raked-rows.js').Rows} rows
 * @param {Uint32Array} counts How often each row was drawn.
 */
function drawnMeans(rows, counts) {
  const all = counts.reduce((sum, count) => sum + count, 0)
  const shares = Float64Array.from(counts, (count) => count / all)
  return OUTCOMES.map((outcome) => weightedMean(shares, outcomeValues(rows, outcome)))
}

/** @typedef {{ rows: number, mean: number, variance: number }} CountedOutcome */

/**
 * @param {import('./raked-rows.js').Rows} rows
 * @param {import('./population.js').Outcome} outcome
 * @returns {CountedOutcome}
 */
function counted(rows, outcome) {
  const y = outcomeValues(rows, outcome)
  const mean = y.reduce((a, b) => a + b, 0) / y.length
  return { rows: y.length, mean, variance: y.reduce((a, b) => a + (b - mean) ** 2, 0) / y.length }
}

/**
 * @param {{ sizes: readonly number[], multiples: readonly number[], repetitions: number, seed: number }} options
 */
export async function differencesSection({ sizes, multiples, repetitions, seed }) {
  means ??= trueMeans()
  const lines = []
  for (const n of sizes) {
    /** @type {Map<number, Observed[][]>} */
    const runs = new Map(multiples.map((multiple) => [multiple, []]))
    for (let r = 0; r < repetitions; r++) {
      const observed = await observeDifferences({ n, multiples, seed: seed + r, means })
      for (const [multiple, list] of observed) runs.get(multiple)?.push(list)
    }
    for (const [multiple, lists] of runs) lines.push(figures(n, multiple, lists))
  }
  return lines
}

/**
 * @param {number} n
 * @param {number} multiple
 * @param {Observed[][]} lists By repetition.
 */
function figures(n, multiple, lists) {
  const scales = meanErrors(lists)
  const weighted = (/** @type {'model' | 'raked'} */ key) => (/** @type {Observed[][]} */ of) =>
    slopeOf(of.flat().map((one) => ({ x: one.truth, y: one[key], error: scales.get(one.cell) ?? 1 })))
  const squares = (/** @type {Observed[][]} */ of, /** @type {'model' | 'raked' | 'drawn'} */ key) =>
    of.flat().reduce((sum, one) => sum + ((one[key] - one.truth) / (scales.get(one.cell) ?? 1)) ** 2, 0)
  const covered = (/** @type {Observed['support']} */ support) => (/** @type {Observed[][]} */ of) =>
    share(
      of.flat().filter((one) => one.support === support && one.covered !== null),
      ({ covered }) => covered === true,
    )
  return {
    n,
    rows: n * multiple,
    coverage: spreadOver(lists, covered('ok')),
    coverageThin: spreadOver(lists, covered('thin')),
    slope: spreadOver(lists, weighted('model')),
    slopeOfSeed: spreadOver(lists, weighted('raked')),
    errorBesideDrawn: spreadOver(lists, (of) => Math.sqrt(squares(of, 'model') / squares(of, 'drawn'))),
    errorBesideSeed: spreadOver(lists, (of) => Math.sqrt(squares(of, 'model') / squares(of, 'raked'))),
    zeros: share(lists.flat(), ({ model }) => model === 0),
  }
}

/**
 * Root mean square of the raked seed's standard error by comparison and outcome: their weights.
 *
 * @param {Observed[][]} lists
 */
function meanErrors(lists) {
  /** @type {Map<string, number[]>} */
  const errors = new Map()
  for (const { cell, rakedError } of lists.flat()) errors.set(cell, [...(errors.get(cell) ?? []), rakedError ** 2])
  return new Map([...errors].map(([cell, of]) => [cell, Math.sqrt(of.reduce((a, b) => a + b, 0) / of.length)]))
}
