// Seeds whose columns are related: an order, a chain of them, ranks, sums within a bound, a payment that is sometimes the whole
// bill, a value that follows from two others. Each with a scenario that conditions a side of the relation.

/**
 * @typedef {readonly number[]} Row By column: the index of a level, or a number.
 * @typedef {readonly { min: number, max: number }[]} Extremes Of the seed, by column.
 *
 * @typedef {object} RelatedSeed
 * @property {readonly import('./simulated-table.js').SimulatedColumn[]} columns
 * @property {(draws: import('./draws.js').Draws) => number[]} draw
 * @property {import('../../dist/engine/scenario/scenario.js').Scenario} scenario At least 10 rows of a seed of 200 lie inside.
 * @property {Record<string, (row: Row, extremes: Extremes) => boolean>} relations By what is to hold.
 * @property {(row: Row) => boolean} [among] Only a part of these rows has the relation, as many as in the seed.
 */

const RANKS = ['1', '2', '3']
const REGIONS = ['north', 'east', 'south']
const EQUAL_SHARE = 0.2

/** Cents do not add up exactly in binary fractions. */
const ROUNDING = 1e-6

const tenths = (/** @type {number} */ value) => Math.round(value * 10) / 10
const cents = (/** @type {number} */ value) => Math.round(value * 100) / 100
const whole = (/** @type {string} */ name) => ({ name, decimals: 0 })

/** @type {readonly RelatedSeed[]} */
export const RELATED_SEEDS = [
  {
    columns: [whole('start'), whole('end')],
    draw(draws) {
      const start = 3_000 + Math.floor(4_000 * draws.uniform())
      return [start, start + Math.floor(-20 * Math.log(1 - draws.uniform()))]
    },
    scenario: { shares: [], ranges: [{ column: 'end', min: 3_500, max: 4_500 }] },
    relations: { 'start <= end': ([start = 0, end = 0]) => start <= end },
  },
  {
    columns: [
      { name: 'low', decimals: 1 },
      { name: 'high', decimals: 1 },
    ],
    draw(draws) {
      const low = tenths(50 + 40 * draws.uniform() ** 2)
      return [low, tenths(low + 30 * draws.uniform() ** 2)]
    },
    scenario: { shares: [], ranges: [{ column: 'high', min: 60, max: 75 }] },
    relations: { 'low <= high': ([low = 0, high = 0]) => low <= high },
  },
  {
    columns: ['first', 'second', 'third'].map((name) => ({ name, decimals: 1 })),
    draw(draws) {
      const first = tenths(50 + 40 * draws.uniform() ** 2)
      const second = tenths(first + 30 * draws.uniform() ** 3)
      return [first, second, tenths(second + 25 * draws.uniform())]
    },
    scenario: {
      shares: [],
      ranges: [
        { column: 'first', min: 55, max: 75 },
        { column: 'third', min: 65, max: 85 },
      ],
    },
    relations: { 'first <= second <= third': ([a = 0, b = 0, c = 0]) => a <= b && b <= c },
  },
  {
    columns: RANKS.map((rank) => ({ name: `rank of ${rank}`, levels: RANKS, integer: true })),
    draw(draws) {
      // The pull makes the first rank the first item's more often than not.
      const places = RANKS.map((_, item) => ({ item, at: draws.uniform() + 0.3 * item })).sort((a, b) => a.at - b.at)
      return RANKS.map((_, item) => places.findIndex((place) => place.item === item))
    },
    scenario: { shares: [{ column: 'rank of 3', levels: new Map([['1', 0.6]]) }], ranges: [] },
    relations: { 'ranks are a permutation': (row) => new Set(row.slice(0, RANKS.length)).size === RANKS.length },
  },
  {
    columns: [whole('work'), whole('home'), whole('travel')],
    draw(draws) {
      const cuts = [draws.uniform(), draws.uniform(), draws.uniform()].sort((a, b) => a - b)
      return cuts.map((cut, j) => Math.floor(100 * (cut - (cuts[j - 1] ?? 0))))
    },
    scenario: { shares: [], ranges: [{ column: 'travel', min: 30, max: 70 }] },
    relations: { 'work + home + travel <= 100': ([a = 0, b = 0, c = 0]) => a + b + c <= 100 },
  },
  {
    columns: ['spent', 'rent', 'food'].map((name) => ({ name, decimals: 2 })),
    draw(draws) {
      const spent = cents(10 + 190 * draws.uniform() ** 2)
      const rent = cents(0.7 * spent * draws.uniform())
      return [spent, rent, cents((spent - rent) * (draws.chance(0.1) ? 1 : draws.uniform()))]
    },
    scenario: { shares: [], ranges: [{ column: 'food', min: 10, max: 50 }] },
    relations: { 'rent + food <= spent': ([spent = 0, rent = 0, food = 0]) => rent + food <= spent + ROUNDING },
  },
  {
    columns: [whole('bill'), whole('paid')],
    draw(draws) {
      const bill = draws.chance(0.2) ? 0 : Math.round(100 + 30_000 * draws.uniform() ** 2)
      if (bill > 0 && draws.chance(EQUAL_SHARE)) return [bill, bill]
      return [bill, draws.chance(0.3) ? 1_000 : Math.round(0.3 * bill * draws.uniform())]
    },
    scenario: { shares: [{ column: 'region', levels: new Map([['north', 0.8]]) }], ranges: [] },
    relations: { 'paid = bill in a part of the rows': ([bill, paid]) => bill === paid },
    // Who paid the 1,000 that many pay, or nothing of nothing, is equal by chance.
    among: ([bill]) => bill !== 0 && bill !== 1_000,
  },
  {
    columns: ['price', 'cost', 'margin'].map((name) => ({ name, decimals: 2 })),
    draw(draws) {
      const price = cents(20 + 180 * draws.uniform() ** 2)
      const cost = cents(price * (0.3 + 0.7 * draws.uniform()))
      return [price, cost, cents(price - cost)]
    },
    scenario: { shares: [], ranges: [{ column: 'price', min: 40, max: 90 }] },
    relations: {
      'margin = price - cost': ([price = 0, cost = 0, margin = 0]) => Math.abs(price - cost - margin) < ROUNDING,
      'margin >= 0': ([, , margin = 0]) => margin >= 0,
      'margin within the extremes of the seed': ([, , margin = 0], [, , extremes]) =>
        extremes !== undefined && margin >= extremes.min && margin <= extremes.max,
    },
  },
]

/** Columns that have nothing to do with the relation; they follow its own. */
export const OTHER_COLUMNS = [whole('age'), { name: 'region', levels: REGIONS }]

/** @param {import('./draws.js').Draws} draws */
export function drawOthers(draws) {
  return [18 + Math.floor(60 * draws.uniform()), draws.pick([1, 1, 1])]
}
