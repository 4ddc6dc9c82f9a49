// What is true in a population of levers: sums over all combinations of their levels.

/**
 * Shares of listed levels, by name; the unlisted ones of a column keep their proportions among each other. A range of a number
 * has both ends. Cells are shares of levels of several levers together. What bounds come to is among the shares of the truth; a seed
 * is asked for the bounds.
 *
 * @typedef {{ of: readonly string[], shares: readonly (readonly [levels: readonly string[], share: number])[] }} Table
 * @typedef {{ bounds?: Readonly<Record<string, Readonly<Record<string, { min: number, max: number }>>>>, cells?: readonly Table[], shares?: Readonly<Record<string, Readonly<Record<string, number>>>>, range?: readonly [lever: string, min: number, max: number] }} Mix
 * @typedef {import('./levers.js').Person} Person
 * @typedef {{ person: Person, share: number }} Cell
 */

/** Sweeps of fitting end here. */
const FITTED = 1e-13

/**
 * All combinations of levels, with their shares of the population.
 *
 * @param {readonly import('./levers.js').Lever[]} levers
 * @returns {readonly Cell[]}
 */
export function cellsOf(levers) {
  /** @type {Cell[]} */
  let cells = [{ person: {}, share: 1 }]
  for (const lever of levers) {
    cells = cells.flatMap(({ person, share }) =>
      lever
        .shares(person)
        .map((part, level) => ({ person: { ...person, [lever.name]: level }, share: share * part }))
        .filter((cell) => cell.share > 0),
    )
  }
  return cells
}

/**
 * The shares of the cells in the population that follows a mix with the least change (Deming, Stephan 1940).
 *
 * @param {readonly import('./levers.js').Lever[]} levers
 * @param {readonly Cell[]} cells
 * @param {Mix} mix
 * @returns {Float64Array}
 */
export function followed(levers, cells, { shares = {}, cells: tables = [], range }) {
  const q = Float64Array.from(cells, ({ person, share }) => {
    if (range === undefined) return share
    const [lever, min, max] = range
    const value = (levers.find(({ name }) => name === lever)?.first ?? 0) + (person[lever] ?? 0)
    return value >= min && value <= max ? share : 0
  })
  const margins = [
    ...Object.entries(shares).map(([name, listed]) => marginOf(levers, cells, name, listed)),
    ...tables.map((table) => marginOfTable(levers, cells, table)),
  ]
  const inside = sum(q)
  q.forEach((share, c) => {
    q[c] = share / inside
  })
  for (let sweep = 0; sweep < 10_000; sweep++) {
    let worst = 0
    for (const { groups, targets } of margins) {
      const now = new Float64Array(targets.length)
      q.forEach((share, c) => {
        now[groups[c] ?? 0] = (now[groups[c] ?? 0] ?? 0) + share
      })
      targets.forEach((target, g) => {
        worst = Math.max(worst, Math.abs((now[g] ?? 0) - target))
      })
      q.forEach((share, c) => {
        const g = groups[c] ?? 0
        q[c] = (share * (targets[g] ?? 0)) / (now[g] ?? 1)
      })
    }
    if (worst < FITTED) return q
  }
  throw new Error('the population cannot follow the mix')
}

/**
 * @param {readonly import('./levers.js').Lever[]} levers
 * @param {readonly Cell[]} cells
 * @param {string} name
 * @param {Readonly<Record<string, number>>} listed
 */
function marginOf(levers, cells, name, listed) {
  const levels = levers.find((lever) => lever.name === name)?.levels ?? []
  const names = Object.keys(listed)
  const targets = Object.values(listed)
  const rest = 1 - targets.reduce((all, target) => all + target, 0)
  const groups = Int32Array.from(cells, ({ person }) => {
    const at = names.indexOf(levels[person[name] ?? 0] ?? '')
    return at < 0 ? names.length : at
  })
  return { groups, targets: names.length < levels.length ? [...targets, rest] : targets }
}

/**
 * @param {readonly import('./levers.js').Lever[]} levers
 * @param {readonly Cell[]} cells
 * @param {Table} table
 */
function marginOfTable(levers, cells, { of, shares }) {
  const keys = shares.map(([levels]) => levels.join(' '))
  const levelOf = (/** @type {Person} */ person, /** @type {string} */ name) =>
    levers.find((lever) => lever.name === name)?.levels?.[person[name] ?? 0] ?? ''
  const groups = Int32Array.from(cells, ({ person }) => {
    const at = keys.indexOf(of.map((name) => levelOf(person, name)).join(' '))
    return at < 0 ? keys.length : at
  })
  return {
    groups,
    targets: [...shares.map(([, share]) => share), 1 - sum(Float64Array.from(shares, ([, share]) => share))],
  }
}

/**
 * @param {readonly Cell[]} cells
 * @param {Float64Array} shares Of the cells.
 * @param {(person: Person) => number} expected
 */
export function trueMean(cells, shares, expected) {
  let mean = 0
  cells.forEach(({ person }, c) => {
    mean += (shares[c] ?? 0) * expected(person)
  })
  return mean
}

/** @param {Float64Array} values */
function sum(values) {
  return values.reduce((all, value) => all + value, 0)
}
