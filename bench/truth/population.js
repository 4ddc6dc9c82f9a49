// A population with a known law: membership, opinions, spending, and a weak effect that is easily lost.
import { Draws } from './draws.js'

const YES_NO = ['No', 'Yes']
const REGIONS = ['North', 'South', 'East', 'West']
const SEGMENTS = ['A', 'B', 'C', 'D', 'E']
const SCALE = ['1', '2', '3', '4', '5']
const ITEMS = 8

/** @type {readonly import('./simulated-table.js').SimulatedColumn[]} */
export const POPULATION_COLUMNS = [
  { name: 'region', levels: REGIONS },
  { name: 'age', decimals: 0 },
  { name: 'member', levels: YES_NO },
  { name: 'segment', levels: SEGMENTS },
  { name: 'satisfaction', levels: SCALE, integer: true },
  { name: 'intent', levels: YES_NO },
  { name: 'spend', decimals: 2 },
  { name: 'weak', levels: YES_NO },
  ...Array.from({ length: ITEMS }, (_, i) => ({ name: `item ${i + 1}`, levels: SCALE, integer: true })),
  { name: 'noise level 1', levels: ['a', 'b', 'c'] },
  { name: 'noise level 2', levels: ['a', 'b', 'c', 'd'] },
  { name: 'noise number 1', decimals: 2 },
  { name: 'noise number 2', decimals: 0 },
]

/** @typedef {{ column: string, level: number | null }} Outcome The share of a level, by index, or the mean. */

/** @type {readonly Outcome[]} */
export const OUTCOMES = [
  { column: 'satisfaction', level: 4 },
  { column: 'intent', level: 1 },
  { column: 'weak', level: 1 },
  { column: 'item 1', level: 4 },
  { column: 'spend', level: null },
]

/** @typedef {{ shares: readonly (readonly [string, readonly number[]])[], ranges: readonly (readonly [string, number, number])[] }} KnownScenario */

/**
 * Shares of all levels of a column, in the column's sequence; ranges with both ends.
 *
 * @type {Record<string, KnownScenario>}
 */
export const SCENARIOS = {
  none: { shares: [], ranges: [] },
  'one share': { shares: [['member', [0.3, 0.7]]], ranges: [] },
  'two columns': {
    shares: [
      ['member', [0.35, 0.65]],
      ['region', [0.2, 0.2, 0.3, 0.3]],
    ],
    ranges: [],
  },
  'three columns': {
    shares: [
      ['member', [0.35, 0.65]],
      ['region', [0.25, 0.25, 0.25, 0.25]],
      ['segment', [0.15, 0.2, 0.35, 0.2, 0.1]],
    ],
    ranges: [],
  },
  'share and range': { shares: [['member', [0.3, 0.7]]], ranges: [['age', 25, 45]] },
  'rare level': { shares: [['segment', [0.1, 0.1, 0.1, 0.1, 0.6]]], ranges: [] },
  'few members': { shares: [['member', [0.8, 0.2]]], ranges: [] },
}

/** @type {readonly (readonly [scenario: string, baseline: string])[]} */
export const COMPARISONS = [
  ['one share', 'none'],
  ['two columns', 'none'],
  ['three columns', 'none'],
  ['share and range', 'none'],
  ['rare level', 'none'],
  ['one share', 'few members'],
]

/**
 * @param {number} rows
 * @param {number} seed
 * @returns {(Float64Array | Uint8Array)[]} By column: indices of levels, or numbers.
 */
export function drawPopulation(rows, seed) {
  const draws = new Draws(seed)
  const columns = POPULATION_COLUMNS.map((column) =>
    'levels' in column ? new Uint8Array(rows) : new Float64Array(rows),
  )
  for (let i = 0; i < rows; i++) {
    drawPerson(draws).forEach((value, c) => {
      const column = columns[c]
      if (column) column[i] = value
    })
  }
  return columns
}

/** @param {Draws} draws */
function drawPerson(draws) {
  const region = draws.pick([0.35, 0.3, 0.2, 0.15])
  const age = Math.min(90, 18 + Math.round(8 * draws.gamma(3.5)))
  const years = age - 45
  const member = +draws.logistic(-0.5 + (region === 0 ? 0.5 : region === 3 ? -0.4 : 0) + 0.025 * years)
  const segment = draws.pick([
    1.2,
    Math.exp(0.8 * member),
    Math.exp(0.5 - 0.02 * years),
    Math.exp(0.02 * years - 0.3 * member),
    0.3,
  ])
  const liking = 0.6 * member + (region === 1 ? 0.3 : 0) + 0.012 * years + draws.normal()
  const satisfaction = cut(liking, [-1, -0.2, 0.5, 1.3])
  const intent = +draws.logistic(
    -0.9 +
      0.8 * member +
      0.3 * (satisfaction - 2) +
      (region === 0 ? 0.25 : 0) -
      0.012 * years +
      (segment === 2 ? 0.3 : segment === 4 ? 0.5 : 0),
  )
  const isSpender = draws.logistic(-0.2 + 0.7 * member)
  const amount = Math.exp(3.2 + 0.3 * member + 0.01 * years + 0.6 * draws.normal())
  const spend = isSpender ? Math.round(amount * 100) / 100 : 0
  const weak = +draws.chance(0.3 + 0.05 * member + (region === 0 ? 0.03 : 0))
  const factor = 0.4 * (member - 0.4) + draws.normal()
  const items = Array.from({ length: ITEMS }, () => cut(0.7 * factor + 0.71 * draws.normal(), [-1.2, -0.4, 0.4, 1.2]))
  const noise = [draws.pick([3, 2, 1]), draws.pick([1, 1, 1, 1])]
  const numbers = [Math.round(draws.normal() * 1000) / 100, Math.round(50 + 20 * draws.normal())]
  return [region, age, member, segment, satisfaction, intent, spend, weak, ...items, ...noise, ...numbers]
}

/**
 * How many cuts are below a value.
 *
 * @param {number} value
 * @param {readonly number[]} cuts
 */
export function cut(value, cuts) {
  let below = 0
  while (below < cuts.length && value > (cuts[below] ?? 0)) below++
  return below
}
