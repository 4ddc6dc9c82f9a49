// What is told of a seed: the engine's differences, with the intervals that a manifest has.

import { certaintyOf, MEAN, SHARE } from '../../../dist/answers/arithmetic/intervals.js'
import { estimateDifferences } from '../../../dist/engine/estimates/estimate-differences.js'

/**
 * @typedef {object} Told
 * @property {number} difference
 * @property {number} standardError
 * @property {number | null} degrees Of freedom; null: as many as one likes.
 * @property {readonly [low: number, high: number]} interval
 * @property {'ok' | 'thin'} support
 */

/** A manifest rounds its figures; here they are as they are. */
const exactly = (/** @type {number} */ figure) => figure

/** What the seed knows does not depend on the generated rows. */
const NO_ROWS = { rows: 0, variance: null }

/** @param {import('./true-means.js').Mix} mix */
export function engineScenario({ shares = {}, bounds = {}, cells = [], range }) {
  return {
    // What bounds come to is known of the truth alone.
    shares: Object.entries({ ...shares, ...bounds }).map(([column, listed]) =>
      column in bounds
        ? { column, levels: new Map(), bounds: new Map(Object.entries(bounds[column] ?? {})) }
        : { column, levels: new Map(Object.entries(/** @type {Record<string, number>} */ (listed))) },
    ),
    cells: cells.map(({ of, shares: listed }) => ({
      columns: of,
      cells: listed.map(([levels, share]) => ({ levels, share })),
    })),
    ranges: range === undefined ? [] : [{ column: range[0], min: range[1], max: range[2] }],
  }
}

/**
 * @param {import('../../../dist/engine/estimates/seed-patterns.js').Seed} seed
 * @param {import('./true-means.js').Mix} scenario
 * @param {import('./true-means.js').Mix} baseline
 * @param {readonly { name: string, level?: string }[]} outcomes
 * @param {'exact' | import('../../../dist/engine/disclosure/row-keys.js').RowKeys} disclosure As on one's own machine, or as a
 *   shared service tells it.
 * @returns {Promise<(Told | null)[]>} By outcome; null where no interval is told.
 */
export async function toldDifferences(seed, scenario, baseline, outcomes, disclosure = 'exact') {
  const estimates = await estimateDifferences(seed, {
    scenario: engineScenario(scenario),
    baseline: engineScenario(baseline),
    outcomes: outcomes.map(({ name }) => ({ column: name, base: 'all' })),
    maxLevels: 50,
    disclosure,
  })
  const pair = (/** @type {'support' | 'effectiveRows'} */ key) => ({
    scenario: estimates.scenario[key] ?? 0,
    against: estimates.baseline[key] ?? 0,
  })
  return outcomes.map(({ level }, o) => {
    const of = estimates.outcomes[o]
    const figures = of?.kind === 'shares' ? of.levels.find((each) => each.level === level) : of?.mean
    if (!figures) return null
    const { difference, standardError, degreesOfFreedom } = figures
    const estimate = { ...figures, against: figures.baseline }
    const knowledge = { basis: 'seed', estimate, effectiveRows: pair('effectiveRows'), support: pair('support') }
    const figure = { ...(level === undefined ? MEAN : SHARE), round: exactly }
    const { interval, support } = certaintyOf(null, { scenario: NO_ROWS, against: NO_ROWS }, knowledge, figure)
    if (interval === null) return null
    return { difference, standardError, degrees: degreesOfFreedom, interval, support: support === 'ok' ? 'ok' : 'thin' }
  })
}
