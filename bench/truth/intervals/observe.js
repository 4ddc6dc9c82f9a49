// Repeats a law: draws a seed, asks for its differences, and holds what is told against what is true.
import { Draws } from '../draws.js'
import { mean, share, shareWithInterval, spreadOver } from '../repetitions.js'

/** A coverage of fewer intervals says nothing. */
const FEW = 50

/**
 * @typedef {object} Coverage
 * @property {number} told Share of the repetitions in which an interval is told.
 * @property {number} thin Share of the told ones that are marked thin.
 * @property {{ value: number, low: number, high: number }} coverage Of the told intervals.
 * @property {{ value: number, low: number, high: number } | null} unmarked Coverage of those that are not marked thin; null where these
 * are few.
 * @property {{ value: number, low: number, high: number }} width Mean told standard error over the spread of the estimates.
 */

/**
 * @param {readonly (import('./told-differences.js').Told | null)[]} repetitions Null where nothing is told.
 * @param {number} truth
 * @returns {Coverage}
 */
export function coverageOf(repetitions, truth) {
  const told = repetitions
    .filter((one) => one !== null)
    .map((one) => /** @type {import('./told-differences.js').Told} */ (one))
  const covered = (/** @type {typeof told} */ of) =>
    shareWithInterval(of.filter(({ interval: [low, high] }) => low <= truth && truth <= high).length, of.length)
  const unmarked = told.filter(({ support }) => support !== 'thin')
  return {
    told: told.length / repetitions.length,
    thin: share(told, ({ support }) => support === 'thin'),
    coverage: covered(told),
    unmarked: unmarked.length < FEW ? null : covered(unmarked),
    width: spreadOver(
      told,
      (of) => mean(of.map(({ standardError }) => standardError)) / spread(of.map(({ difference }) => difference)),
    ),
  }
}

/** @param {readonly number[]} values */
function spread(values) {
  const middle = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}

/**
 * @template T
 * @param {{ repetitions: number, seed: number, stream: number }} options
 * @param {(draws: Draws) => Promise<T>} once
 * @returns {Promise<T[]>}
 */
export async function repeated({ repetitions, seed, stream }, once) {
  const all = []
  for (let r = 0; r < repetitions; r++) all.push(await once(new Draws(seed + r, stream)))
  return all
}
