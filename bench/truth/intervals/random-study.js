// A seed file with an unknown law, scenarios that ask at random, and what reweighting makes of them, written for the reader.

/**
 * @typedef {object} RandomScenario
 * @property {Record<string, Record<string, number>>} shares Levels that are not stated share the rest.
 * @property {Record<string, { min: number, max: number }>} ranges
 *
 * @typedef {object} RandomStudy
 * @property {string} id
 * @property {readonly string[]} categorical
 * @property {readonly string[]} numeric
 * @property {Float64Array | null} weight Of the rows, as declared.
 * @property {Map<string, readonly (string | number | null)[]>} columns
 * @property {string} text The file.
 * @property {Record<string, RandomScenario>} scenarios
 */

const LEVELS = ['ash', 'birch', 'cedar', 'date']
const SCENARIOS = 3
const LEAST_ROWS_OF_LEVEL = 25

/**
 * @param {import('../draws.js').Draws} draws
 * @param {number} number Of the study.
 * @returns {RandomStudy}
 */
export function drawStudy(draws, number) {
  const n = 300 + Math.floor(500 * draws.uniform())
  const whole = (/** @type {number} */ below) => Math.floor(below * draws.uniform())
  const hidden = Float64Array.from({ length: n }, () => draws.normal())
  /** @type {Map<string, readonly (string | number | null)[]>} */
  const columns = new Map()
  const categorical = Array.from({ length: 3 + whole(2) }, (_, c) => `item${c + 1}`)
  for (const name of categorical) {
    const count = 2 + whole(LEVELS.length - 1)
    const base = Array.from({ length: count }, () => draws.normal() / 2)
    const pull = Array.from({ length: count }, () => draws.normal())
    columns.set(
      name,
      Array.from(hidden, (z) => LEVELS[draws.pick(base.map((at, l) => Math.exp(at + (pull[l] ?? 0) * z)))] ?? ''),
    )
  }
  const numeric = Array.from({ length: 1 + whole(2) }, (_, c) => `amount${c + 1}`)
  for (const name of numeric) {
    const [middle, pull, missing] = [20 + 60 * draws.uniform(), 6 * draws.normal(), draws.chance(0.4) ? 0.06 : 0]
    columns.set(
      name,
      Array.from(hidden, (z) =>
        draws.chance(missing) ? null : Math.round(100 * (middle + pull * z + 5 * draws.normal())) / 100,
      ),
    )
  }
  const weight = draws.chance(0.4)
    ? Float64Array.from(hidden, (z) => Math.round(1e3 * Math.exp(0.3 * draws.normal() + 0.2 * z)) / 1e3)
    : null
  const id = `panel${number}`
  const drawn = { id, categorical, numeric, weight, columns, text: fileText(columns, weight) }
  /** @type {Record<string, RandomScenario>} */
  const scenarios = {}
  for (let s = 0; s < SCENARIOS; s++) scenarios[`s${s}-${id}`] = drawScenario(draws, drawn)
  return { ...drawn, scenarios }
}

/**
 * @param {RandomStudy['columns']} columns
 * @param {Float64Array | null} weight
 */
function fileText(columns, weight) {
  const all = [...columns, ...(weight ? [/** @type {const} */ (['w', Array.from(weight)])] : [])]
  const lines = Array.from(all[0]?.[1] ?? [], (_, row) => all.map(([, values]) => values[row] ?? '').join(','))
  return `${[all.map(([name]) => name).join(','), ...lines].join('\n')}\n`
}

/**
 * @param {import('../draws.js').Draws} draws
 * @param {Omit<RandomStudy, 'scenarios'>} study
 * @returns {RandomScenario}
 */
function drawScenario(draws, { categorical, numeric, columns }) {
  /** @type {RandomScenario} */
  const scenario = { shares: {}, ranges: {} }
  const levers = categorical.slice(0, 1 + Math.floor(2 * draws.uniform()))
  if (draws.chance(0.3)) {
    const name = numeric[0] ?? ''
    const sorted = (columns.get(name) ?? []).filter((value) => typeof value === 'number').sort((a, b) => a - b)
    const at = (/** @type {number} */ q) => sorted[Math.floor(q * (sorted.length - 1))] ?? 0
    scenario.ranges[name] = { min: at(0.2 * draws.uniform()), max: at(0.75 + 0.2 * draws.uniform()) }
  }
  for (const name of levers) {
    const values = columns.get(name) ?? []
    const frequent = LEVELS.map((level) => ({ level, rows: values.filter((value) => value === level).length }))
      .filter(({ rows }) => rows >= LEAST_ROWS_OF_LEVEL)
      .map(({ level, rows }) => ({ level, natural: rows / values.length }))
    if (frequent.length < 2) continue
    const stated = draws.chance(0.5) ? frequent.slice(0, 1) : frequent.slice(0, -1)
    /** @type {Record<string, number>} */
    const shares = {}
    for (const { level, natural } of stated)
      shares[level] = Math.round(1e3 * natural * (0.7 + 0.6 * draws.uniform())) / 1e3
    if (Object.values(shares).reduce((sum, share) => sum + share, 0) < 0.95) scenario.shares[name] = shares
  }
  return scenario
}

/**
 * A figure of the seed's rows, reweighted to a scenario by iterative proportional fitting (Deming and Stephan 1940) under the
 * stated shares alone; of all rows; and the difference.
 *
 * @param {RandomStudy} study
 * @param {RandomScenario} scenario
 * @param {string} column
 * @param {string | null} level Null: the mean of the rows that have a number.
 */
export function raked({ columns, weight }, { shares, ranges }, column, level) {
  const values = columns.get(column) ?? []
  const initial = Float64Array.from(values, (_, i) => weight?.[i] ?? 1)
  const inside = initial.map((w, i) => {
    const isInside = Object.entries(ranges).every(([name, { min, max }]) => {
      const value = columns.get(name)?.[i]
      return typeof value === 'number' && value >= min && value <= max
    })
    return isInside ? w : 0
  })
  let weights = inside
  const margins = Object.entries(shares).map(([name, stated]) => {
    const groups = (columns.get(name) ?? []).map((value) => (String(value) in stated ? String(value) : 'the rest'))
    const rest = 1 - Object.values(stated).reduce((sum, share) => sum + share, 0)
    return { groups, targets: new Map([...Object.entries(stated), ['the rest', rest]]) }
  })
  for (let sweep = 0; sweep < 500; sweep++) {
    for (const { groups, targets } of margins) {
      /** @type {Map<string, number>} */
      const sums = new Map()
      let total = 0
      for (const [i, group] of groups.entries()) {
        sums.set(group, (sums.get(group) ?? 0) + (weights[i] ?? 0))
        total += weights[i] ?? 0
      }
      weights = weights.map((w, i) => {
        const group = groups[i] ?? ''
        return w * (((targets.get(group) ?? 0) * total) / (sums.get(group) || 1))
      })
    }
  }
  const figure = (/** @type {Float64Array} */ of) => {
    let [sum, total] = [0, 0]
    for (const [i, value] of values.entries()) {
      if (value === null) continue
      sum += (of[i] ?? 0) * (level === null ? Number(value) : +(value === level))
      total += of[i] ?? 0
    }
    return sum / total
  }
  const [reweighted, against] = [figure(weights), figure(initial)]
  return { scenario: reweighted, against, difference: reweighted - against }
}
