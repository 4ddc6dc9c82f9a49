// Studies in which nothing is real: how often something is said to be beyond chance, and how often a gate passes.

import { withVerdicts } from '../../../dist/answers/arithmetic/beyond-chance.js'
import { intervalOf } from '../../../dist/answers/arithmetic/intervals.js'
import { loadStudy } from '../../../dist/index.js'
import { shareWithInterval } from '../repetitions.js'
import { seedOf, simpleSample } from './drawn-seed.js'
import { answer, LEVERS } from './levers.js'
import { repeated } from './observe.js'
import { toldDifferences } from './told-differences.js'

const ROWS = 1_000
const STREAM = 4_000
/** Confidences of gates. A gate asks for an increase: by chance half of what lies outside the interval is one. */
export const CONFIDENCES = [0.8, 0.95, 0.99]

/** Twenty answers that nothing moves, from rare to frequent. */
const OUTCOMES = Array.from({ length: 20 }, (_, o) => answer(`answer ${o + 1}`, () => 0.08 + 0.04 * o))

/** Ten scenarios, no two of which ask about the same contrast. */
const SCENARIOS = [
  { shares: { member: { Yes: 0.6 } } },
  { shares: { region: { North: 0.5 } } },
  { shares: { region: { South: 0.5 } } },
  { shares: { region: { East: 0.4 } } },
  { shares: { plan: { gold: 0.25 } } },
  { shares: { trial: { Yes: 0.25 } } },
  { shares: { card: { Yes: 0.7 } } },
  { shares: { member: { Yes: 0.6 }, region: { West: 0.35 } } },
  { shares: { member: { Yes: 0.2 }, club: { Yes: 0.6 } } },
  { shares: {}, range: /** @type {const} */ (['age', 30, 54]) },
]

/** The study of these scenarios, as the runner has it. */
const { study: STUDY } = loadStudy(
  JSON.stringify({
    version: 1,
    name: 'nothing',
    datasets: { panel: { file: 'panel.csv' } },
    defaults: { rows: ROWS, seed: 1 },
    scenarios: {
      population: {},
      ...Object.fromEntries(SCENARIOS.map(({ shares, range }, s) => [`asked-${s}`, { shares, ...rangesOf(range) }])),
    },
    comparisons: [
      { id: 'told', scenarios: ['asked-*'], against: 'population', shares: OUTCOMES.map(({ name }) => name) },
    ],
  }),
  { filename: 'nothing.study.yaml' },
)

/** @param {readonly [string, number, number] | undefined} range */
function rangesOf(range) {
  return range === undefined ? {} : { ranges: { [range[0]]: { min: range[1], max: range[2] } } }
}

const lowEnd = (/** @type {Told} */ { difference, standardError, degrees }, /** @type {number} */ confidence) =>
  intervalOf(difference, standardError, degrees, confidence, (figure) => figure)[0]

/**
 * @typedef {import('./told-differences.js').Told} Told
 * @typedef {object} Nothing
 * @property {number} questions Of a study.
 * @property {{ value: number, low: number, high: number }} any Share of the studies in which at least one is beyond chance.
 * @property {{ value: number, low: number, high: number }} anyOfEach The same where each interval stands alone.
 * @property {{ confidence: number, nominal: number, value: number, low: number, high: number }[]} gates
 */

/**
 * @param {{ studies: number, seed: number }} options
 * @returns {Promise<Nothing>}
 */
export async function nothingReal({ studies, seed }) {
  /** @type {(Told | null)[][][]} */
  const asked = await repeated({ repetitions: studies, seed, stream: STREAM }, async (draws) => {
    const drawn = seedOf(LEVERS, OUTCOMES, simpleSample(LEVERS, OUTCOMES, ROWS, draws))
    return await Promise.all(SCENARIOS.map((scenario) => toldDifferences(drawn, scenario, {}, OUTCOMES)))
  })
  const counts = asked.map(questionsOf)
  const told = asked.map((of) => of.flat().filter((one) => one !== null))
  const count = (/** @type {boolean[]} */ of) => shareWithInterval(of.filter(Boolean).length, of.length)
  return {
    questions: Math.max(...counts.map((of) => of.asked)),
    any: count(counts.map((of) => of.beyond_chance > 0)),
    anyOfEach: count(told.map((of) => of.some(({ interval: [low, high] }) => low > 0 || high < 0))),
    gates: CONFIDENCES.map((confidence) => ({
      confidence,
      nominal: (1 - confidence) / 2,
      ...clustered(told.map((of) => of.map((one) => lowEnd(one, confidence) > 0))),
    })),
  }
}

/**
 * How many questions the product counts in a study, and how many of them it says to be beyond chance.
 *
 * @param {readonly (readonly (Told | null)[])[]} told By scenario and outcome.
 */
function questionsOf(told) {
  if (STUDY === null) throw new Error('the study has faults')
  const results = told.map((outcomes, s) => {
    const shares = Object.fromEntries(OUTCOMES.map(({ name }, o) => [name, recordOf(outcomes[o] ?? null)]))
    return [`asked-${s}`, { status: 'compared', shares, means: {} }]
  })
  const comparisons = { told: { against: 'population', scenarios: Object.fromEntries(results), gates: [] } }
  const { told: marked } = withVerdicts(STUDY, comparisons, levelCount)
  return marked.questions
}

/** @param {Told | null} told Of the level `Yes`; that of the other level is its mirror. */
function recordOf(told) {
  if (told === null) return {}
  const { difference, standardError, degrees, interval } = told
  const level = (/** @type {1 | -1} */ sign) => ({
    answer: { difference: sign * difference, ...(degrees !== null && { degrees_of_freedom: degrees }) },
    ...{ delta: sign * difference, basis: 'seed', standard_error: standardError, interval },
  })
  return { No: level(-1), Yes: level(1) }
}

/**
 * @param {string} _scenario
 * @param {string} column
 */
function levelCount(_scenario, column) {
  return LEVERS.find(({ name }) => name === column)?.levels?.length ?? 2
}

/**
 * A share over the questions of all studies. Its interval is that of the studies, whose questions hang together.
 *
 * @param {readonly boolean[][]} studies
 */
function clustered(studies) {
  const shares = studies.map((of) => of.filter(Boolean).length / of.length)
  const value = shares.reduce((sum, one) => sum + one, 0) / shares.length
  const variance = shares.reduce((sum, one) => sum + (one - value) ** 2, 0) / (shares.length - 1) / shares.length
  const reach = 1.96 * Math.sqrt(variance)
  return { value, low: value - reach, high: value + reach }
}
