// A population whose law can be written down: levers that scenarios move, and outcomes that follow from them. Every lever has
// few levels, so the truth is a sum over all their combinations (true-means.js) and no simulation.

const YES_NO = ['No', 'Yes']

/**
 * Indices of levels, by name of the lever.
 *
 * @typedef {Readonly<Record<string, number>>} Person
 */

/**
 * `shares` gives the shares of all levels among people who have the levers before it. A lever without `levels` is a number from
 * `first` on. A hidden one is no column of the seed.
 *
 * @typedef {{ name: string, levels?: readonly string[], first?: number, isHidden?: boolean, shares: (person: Person) => readonly number[] }} Lever
 */

/** @type {readonly Lever[]} */
export const LEVERS = [
  { name: 'member', levels: YES_NO, shares: () => [0.6, 0.4] },
  {
    name: 'region',
    levels: ['North', 'South', 'East', 'West'],
    shares: (person) => (is(person, 'member') ? [0.42, 0.26, 0.18, 0.14] : [0.3, 0.33, 0.21, 0.16]),
  },
  { name: 'plan', levels: ['basic', 'gold'], shares: (person) => yes(is(person, 'member') ? 0.12 : 0.0867) },
  { name: 'trial', levels: YES_NO, shares: (person) => yes(is(person, 'plan') ? 0.2 : 0.0889) },
  // Levers that are tied to each other: both follow the membership.
  { name: 'club', levels: YES_NO, shares: (person) => yes(is(person, 'member') ? 0.9 : 0.1) },
  { name: 'card', levels: YES_NO, shares: (person) => yes(is(person, 'club') ? 0.85 : 0.2) },
  { name: 'age', first: 20, shares: (person) => agesOf(is(person, 'member')) },
]

/**
 * @typedef {object} Outcome An answer `Yes` or `No`, or a number.
 * @property {string} name
 * @property {string} [level] Absent: a mean.
 * @property {(person: Person) => number} expected Given the levers.
 * @property {(person: Person, draws: import('../draws.js').Draws) => number} draw 1 or 0 for a share.
 */

/** @type {readonly Outcome[]} */
export const OUTCOMES = [
  answer('strong', (person) => 0.15 + 0.65 * is(person, 'member')),
  answer(
    'medium',
    (person) => 0.3 + 0.18 * is(person, 'member') + (person.region === 0 ? 0.1 : 0) + 0.1 * is(person, 'trial'),
  ),
  answer('none', () => 0.35),
  answer('pulled', (person) => 0.1 + 0.35 * is(person, 'plan') + 0.45 * is(person, 'trial')),
  answer('rare', (person) => 0.02 + 0.04 * is(person, 'plan') + 0.06 * is(person, 'trial')),
  answer('interaction', (person) => 0.3 + ((person.region ?? 0) < 2 === (is(person, 'member') === 1) ? 0.4 : 0)),
  answer('tied', (person) => 0.2 + 0.2 * is(person, 'member') + 0.15 * is(person, 'club') + 0.15 * is(person, 'card')),
  answer('aged', (person) => 0.2 + 0.01 * (person.age ?? 0) + 0.15 * is(person, 'member')),
  heavyTailed('spend', 1, (person) => 3 + 0.3 * is(person, 'member') + 0.4 * is(person, 'trial')),
  heavyTailed('wild spend', 1.2, (person) => 3 + 0.3 * is(person, 'member') + 0.4 * is(person, 'trial')),
]

/**
 * The conditioned column as its own outcome.
 *
 * @type {Pick<Outcome, 'name' | 'level' | 'expected'>}
 */
export const MEMBER = { name: 'member', level: 'Yes', expected: (person) => is(person, 'member') }

/**
 * @param {string} name
 * @param {(person: Person) => number} chance
 * @returns {Outcome}
 */
export function answer(name, chance) {
  return { name, level: 'Yes', expected: chance, draw: (person, draws) => +draws.chance(chance(person)) }
}

/**
 * Lognormal, in cents.
 *
 * @param {string} name
 * @param {number} sigma
 * @param {(person: Person) => number} mu
 * @returns {Outcome}
 */
function heavyTailed(name, sigma, mu) {
  return {
    name,
    expected: (person) => Math.exp(mu(person) + sigma ** 2 / 2),
    draw: (person, draws) => Math.round(100 * Math.exp(mu(person) + sigma * draws.normal())) / 100,
  }
}

/**
 * The second level, as a number.
 *
 * @param {Person} person
 * @param {string} lever
 */
export const is = (person, lever) => +(person[lever] === 1)

/** @param {number} share */
export const yes = (share) => [1 - share, share]

/**
 * Shares of 50 ages; members are older.
 *
 * @param {number} member
 */
function agesOf(member) {
  const weights = Array.from({ length: 50 }, (_, k) => (member === 1 ? 20 + k : 70 - k))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / all)
}
