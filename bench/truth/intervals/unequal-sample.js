// A sample in which some people were more likely to be asked than others. Their weights are the inverse of their chances.
import { drawPerson } from './drawn-seed.js'
import { is } from './levers.js'

/** The chance of an average person. So small that hardly anybody's is cut at 1. */
const CHANCE = 0.08
/** Standard deviation of the logarithm of the chance: weights are lognormal. */
const SPREAD = 0.6

/**
 * Members are asked less often, and people who answer the first outcome with yes more often: without the weights the sample
 * is wrong about both.
 *
 * @param {readonly import('./levers.js').Lever[]} levers
 * @param {readonly import('./levers.js').Outcome[]} outcomes
 * @param {number} n
 * @param {import('../draws.js').Draws} draws
 * @returns {import('./drawn-seed.js').Sample}
 */
export function unequalSample(levers, outcomes, n, draws) {
  const people = []
  const answers = []
  const weights = new Float64Array(n)
  while (people.length < n) {
    const person = drawPerson(levers, draws)
    const given = outcomes.map((outcome) => outcome.draw(person, draws))
    const tilt = (is(person, 'member') === 1 ? 0.6 : 1) * (given[0] === 1 ? 1.5 : 1)
    const chance = Math.min(1, CHANCE * tilt * Math.exp(SPREAD * draws.normal()))
    if (!draws.chance(chance)) continue
    weights[people.length] = 1 / chance
    people.push(person)
    answers.push(given)
  }
  return { people, answers, weights }
}
