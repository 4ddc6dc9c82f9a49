// The same laws from seed file to report: whether manifest, gates and report tell what the engine tells, and how often it is true.
import { intervalOf } from '../../../dist/answers/arithmetic/intervals.js'
import { share, spreadOver } from '../repetitions.js'
import { MIXES } from './cases.js'
import { DESIGN_LEVERS, DESIGN_OUTCOMES, designedSample, STRATA_AND_CLUSTERS } from './designs.js'
import { seedOf, simpleSample } from './drawn-seed.js'
import { LEVERS, MEMBER, OUTCOMES } from './levers.js'
import { repeated } from './observe.js'
import { GATES, toldByStudy } from './studies.js'
import { toldDifferences } from './told-differences.js'
import { cellsOf, followed, trueMean } from './true-means.js'
import { unequalSample } from './unequal-sample.js'

const ROWS = 1_000
const STREAM = 5_000

/** Seeds of one study. */
const PANELS = 20

/** A manifest rounds shares to six places. */
const ROUNDED = 2e-6

/**
 * @typedef {import('../draws.js').Draws} Draws
 * @typedef {import('./studies.js').Panel & { design?: import('../../../dist/engine/weighting/survey-design.js').SurveyDesign }} Drawn
 * @typedef {import('./studies.js').StudyLaw & { draw: (draws: Draws) => Drawn }} Law
 */

const FEW_LEVERS = LEVERS.filter(({ name }) => ['member', 'region', 'plan', 'trial'].includes(name))
const SHARES = OUTCOMES.filter(({ name }) => ['strong', 'medium', 'pulled'].includes(name))
const ASKED = [...SHARES, MEMBER]

const SURVEY = {
  levers: FEW_LEVERS,
  outcomes: SHARES,
  asked: ASKED,
  scenarios: {
    'one-share': MIXES['one share'] ?? {},
    'three-points': MIXES['natural share + 3 points'] ?? {},
    'two-pulled': MIXES['two that pull at 10 %'] ?? {},
  },
}

/** @type {Readonly<Record<string, Law>>} */
const LAWS = {
  'simple sample': {
    ...SURVEY,
    draw: (draws) => ({ sample: simpleSample(FEW_LEVERS, SHARES, ROWS, draws), declared: '', columns: {} }),
  },
  'declared weights': {
    ...SURVEY,
    draw: (draws) => {
      const sample = unequalSample(FEW_LEVERS, SHARES, ROWS, draws)
      return { sample, declared: ', weight: pondera', columns: { pondera: sample.weights ?? [] } }
    },
  },
  'declared strata and clusters': {
    levers: DESIGN_LEVERS,
    outcomes: DESIGN_OUTCOMES,
    asked: [...DESIGN_OUTCOMES, MEMBER],
    scenarios: { 'one-share': { shares: { member: { Yes: 0.6 } } } },
    draw: (draws) => {
      const { sample, clusters, design } = designedSample(STRATA_AND_CLUSTERS, draws)
      const declared = ', design: { strata: stratum, clusters: psu, weight: pondera }'
      const stratum = sample.people.map((person) => person.stratum ?? 0)
      return { sample, design, declared, columns: { stratum, psu: clusters, pondera: sample.weights ?? [] } }
    },
  },
}

/**
 * @typedef {object} StudyFigures
 * @property {string} law
 * @property {string} scenario
 * @property {number} told Differences with an interval.
 * @property {number} apart Differences of which manifest, gates or report tell other than the engine.
 * @property {{ value: number, low: number, high: number }} coverage Of all told outcomes; those of one seed hang together.
 */

/**
 * @param {{ repetitions: number, seed: number }} options
 * @returns {AsyncGenerator<StudyFigures>}
 */
export async function* studiesCoverage({ repetitions, seed }) {
  for (const [l, [name, law]] of Object.entries(LAWS).entries()) {
    const cells = cellsOf(law.levers)
    const drawn = await repeated({ repetitions, seed, stream: STREAM + l }, async (draws) => law.draw(draws))
    const observed = []
    for (let from = 0; from < repetitions; from += PANELS)
      observed.push(...(await observe(law, drawn.slice(from, from + PANELS))))
    const population = followed(law.levers, cells, {})
    for (const [scenario, mix] of Object.entries(law.scenarios)) {
      const shares = followed(law.levers, cells, mix)
      const truth = new Map(
        law.asked.map(({ name: outcome, expected }) => [
          outcome,
          trueMean(cells, shares, expected) - trueMean(cells, population, expected),
        ]),
      )
      const own = observed.map((list) => list.filter((one) => one.scenario === scenario))
      const covered = own.map((list) =>
        list.flatMap(({ told, outcome }) => {
          const of = truth.get(outcome) ?? Number.NaN
          return told === null ? [] : [told.interval[0] <= of && of <= told.interval[1]]
        }),
      )
      yield {
        ...{ law: name, scenario, told: covered.flat().length },
        apart: own.flat().filter(({ isSame }) => !isSame).length,
        coverage: spreadOver(covered, (of) => share(of.flat(), (hit) => hit)),
      }
    }
  }
}

/**
 * @param {Law} law
 * @param {readonly Drawn[]} panels
 */
async function observe(law, panels) {
  const byStudy = await toldByStudy(law, panels)
  const observed = []
  for (const [p, { sample, design }] of panels.entries()) {
    const seed = { ...seedOf(law.levers, law.outcomes, sample), ...(design && { design }) }
    const byEngine = []
    for (const mix of Object.values(law.scenarios)) byEngine.push(...(await toldDifferences(seed, mix, {}, law.asked)))
    observed.push((byStudy[p] ?? []).map((one, i) => ({ ...one, isSame: isSame(one, byEngine[i] ?? null) })))
  }
  return observed
}

/**
 * @param {import('./studies.js').ToldByStudy} study
 * @param {import('./told-differences.js').Told | null} engine
 */
function isSame({ told, verdicts, inReport }, engine) {
  if (told === null || engine === null) return told === null && engine === null && !verdicts.includes(true)
  const isNear = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a - b) <= ROUNDED
  const { difference, standardError, degrees } = engine
  const lows = GATES.map(
    (confidence) => intervalOf(difference, standardError, degrees, confidence, (figure) => figure)[0],
  )
  return (
    isNear(told.difference, difference) &&
    isNear(told.standardError, standardError) &&
    told.interval.every((end, i) => isNear(end, engine.interval[i] ?? Number.NaN)) &&
    told.support === engine.support &&
    verdicts.every((passed, i) => passed === (lows[i] ?? 0) >= 0 || Math.abs(lows[i] ?? 0) <= ROUNDED) &&
    inReport === told.interval.join(' to ')
  )
}
