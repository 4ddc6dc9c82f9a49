// Prints how true intervals are: where outcomes go with the levers, in designed samples, and where nothing is real.
import { atLeast, atMost, figureText, none, percent, print, reaches, row, within } from '../printed-table.js'
import { designsCoverage } from './designs-section.js'
import { noiseCoverage } from './noise-section.js'
import { nothingReal } from './nothing-section.js'
import { randomStudies } from './random-studies.js'
import { relationsCoverage } from './relations-section.js'
import { studiesCoverage } from './studies-section.js'

/** @typedef {{ repetitions: number, seed: number }} Options */

/** Of nominal 95 % intervals. */
const LOW = 0.92
const HIGH = 0.98
/** Where the tails are heavy and the seed is thin. */
const LOW_IN_TAILS = 0.87
/** Told standard error over the true one. */
const MOST_WIDTH = 1.3
/** Intervals with the noise of a shared service over the exact ones, from 1,000 rows of the seed on. */
const MOST_WIDER = 1.05
/** Studies of nothing in which anything is said: 5 %, and two standard errors of 300 studies. */
const MOST_FALSE = 0.075

/** @param {Options} options */
export async function printRelations(options) {
  print(`Intervals where outcomes go with what a scenario changes, ${options.repetitions} seeds each`, [
    'relation',
    'scenario',
    'seed rows',
    'true difference',
    'told',
    'thin',
    `coverage (${LOW} to ${HIGH}; heavy tails at least ${LOW_IN_TAILS})`,
    'coverage where not marked thin',
    `told error / true error (at most ${MOST_WIDTH})`,
  ])
  for await (const { of, n, truth, told, thin, coverage, unmarked, width } of relationsCoverage(options)) {
    const place = `${of.relation}, ${of.scenario}, ${n} seed rows`
    row([
      of.relation,
      of.scenario,
      String(n),
      truth.toFixed(4),
      percent(told),
      percent(thin),
      of.isHeavyTailed || of.isOfChance
        ? atLeast(coverage, of.isOfChance ? LOW : LOW_IN_TAILS, `${place}: coverage`)
        : within(coverage, LOW, HIGH, `${place}: coverage`),
      unmarked === null
        ? ''
        : of.isHeavyTailed
          ? atLeast(unmarked, LOW, `${place}: coverage where not marked thin`)
          : figureText(unmarked),
      of.isOfChance ? figureText(width) : atMost(width, MOST_WIDTH, `${place}: told error over true error`),
    ])
  }
}

/** @param {Options} options */
export async function printNoise(options) {
  print(`Intervals with the noise of a shared service, ${options.repetitions} seeds each`, [
    'outcome',
    'scenario',
    'compared with',
    'seed rows',
    'told',
    `coverage (${LOW} to ${HIGH})`,
    `width / exact width (from 1,000 rows on at most ${MOST_WIDER})`,
  ])
  for await (const { of, n, told, coverage, wider } of noiseCoverage({ ...options, sizes: [300, 1_000, 5_000] })) {
    const place = `noise, ${of.outcome}, ${of.scenario}, ${n} seed rows`
    row([
      of.outcome,
      of.scenario,
      of.baseline,
      String(n),
      percent(told),
      of.isHeavyTailed ? figureText(coverage) : within(coverage, LOW, HIGH, `${place}: coverage`),
      n < 1_000 ? figureText(wider) : atMost(wider, MOST_WIDER, `${place}: width`),
    ])
  }
}

/** @param {Options} options */
export async function printDesigns(options) {
  print(`Intervals in designed samples of 600 people, ${options.repetitions} each`, [
    'design',
    'outcome',
    'design effect on its share',
    `coverage (${LOW} to ${HIGH})`,
    `told error / true error (at most ${MOST_WIDTH})`,
    'coverage without the design',
  ])
  for await (const { design, outcome, effect, coverage, width, ignored } of designsCoverage(options)) {
    const place = `${design}, ${outcome}`
    row([
      design,
      outcome,
      effect.toFixed(2),
      within(coverage, LOW, HIGH, `${place}: coverage`),
      atMost(width, MOST_WIDTH, `${place}: told error over true error`),
      figureText(ignored),
    ])
  }
}

/** @param {Options} options */
export async function printNothing({ repetitions, seed }) {
  const { questions, any, anyOfEach, gates } = await nothingReal({ studies: repetitions, seed })
  print(`Nothing is real: ${repetitions} studies of ${questions} questions each`, ['figure', 'share', 'nominal'])
  row(['studies with at least one beyond chance', atMost(any, MOST_FALSE, 'nothing real: beyond chance'), '0.050'])
  row(['studies with at least one interval without 0', figureText(anyOfEach), ''])
  for (const { confidence, nominal, ...figure } of gates) {
    const place = `nothing real: gates with confidence ${confidence}`
    row([
      `gates for an increase that pass at ${confidence}`,
      atMost(figure, 1.15 * nominal, place, 4),
      nominal.toFixed(3),
    ])
  }
}

/** @param {Options} options */
export async function printStudies(options) {
  print(
    `The same through seed file, service, manifest, gates and report, ${options.repetitions} seeds of 1,000 rows each`,
    ['sample', 'scenario', 'told differences', 'told otherwise than by the engine (0)', `coverage (${LOW} to ${HIGH})`],
  )
  for await (const { law, scenario, told, apart, coverage } of studiesCoverage(options)) {
    const place = `studies, ${law}, ${scenario}`
    row([
      law,
      scenario,
      String(told),
      none(apart, `${place}: told otherwise than by the engine`),
      reaches(coverage, LOW, HIGH, `${place}: coverage`),
    ])
  }
}

/** @param {Options} options */
export async function printRandomStudies(options) {
  const { studies, scenarios, answers, raked, places, apart } = await randomStudies(options)
  print(`${studies} studies drawn at random, by the commands plan and run`, [
    'scenarios',
    'answers',
    'other than an independent reweighting (0)',
    ...Object.keys(places).map((place) => `shown in the ${place}, of those otherwise than in the plan (0)`),
    'rows apart from the answers, in standard errors',
  ])
  row([
    String(scenarios),
    String(answers),
    none(raked, 'random studies: other than an independent reweighting'),
    ...Object.entries(places).map(
      ([place, { shown, other }]) =>
        `${shown}, ${none(other, `random studies: shown in the ${place} otherwise than in the plan`)}`,
    ),
    apart.toFixed(2),
  ])
}
