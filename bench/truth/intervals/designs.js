// Samples that are not drawn person by person: strata, clusters, and replicate weights. The people of a cluster share hidden
// levers, so the design effect of every outcome can be written down (design-effects.js).
import { surveyDesign } from '../../../dist/engine/weighting/survey-design.js'
import { drawPerson } from './drawn-seed.js'
import { answer, is, yes } from './levers.js'

/** Shares of the strata in the population. */
export const STRATA = [0.4, 0.3, 0.2, 0.1]
export const CLUSTER_SIZE = 10
/** Clusters of the whole sample; as many of each stratum where there are strata. */
export const CLUSTERS = 60
const BOOTSTRAPS = 100

/** First the levers that all people of a cluster have in common. */
export const CLUSTER_LEVERS = ['stratum', 'pull', 'mood']

/** @type {readonly import('./levers.js').Lever[]} */
export const DESIGN_LEVERS = [
  { name: 'stratum', isHidden: true, shares: () => STRATA },
  { name: 'pull', isHidden: true, shares: () => yes(0.5) },
  { name: 'mood', isHidden: true, shares: () => yes(0.5) },
  {
    name: 'member',
    levels: ['No', 'Yes'],
    shares: (person) => yes(0.15 + 0.1 * (person.stratum ?? 0) + 0.2 * is(person, 'pull')),
  },
]

/** @type {readonly import('./levers.js').Outcome[]} */
export const DESIGN_OUTCOMES = [
  answer('strong', (person) => 0.1 + 0.6 * is(person, 'member') + 0.2 * is(person, 'mood')),
  answer(
    'weak',
    (person) => 0.15 + 0.1 * (person.stratum ?? 0) + 0.1 * is(person, 'member') + 0.25 * is(person, 'mood'),
  ),
]

/**
 * @typedef {object} Designed
 * @property {import('./drawn-seed.js').Sample} sample
 * @property {readonly number[]} clusters Of each person.
 * @property {import('../../../dist/engine/weighting/survey-design.js').SurveyDesign} design
 */

/**
 * @typedef {object} DesignLaw
 * @property {boolean} hasStrata As many clusters of each; people weigh what their stratum weighs.
 * @property {number} clusterSize 1: people are drawn one by one.
 * @property {'jackknife' | 'bootstrap'} [replicates] Told instead of strata and clusters.
 */

/** @type {DesignLaw} */
export const STRATA_AND_CLUSTERS = { hasStrata: true, clusterSize: CLUSTER_SIZE }

/** @type {Readonly<Record<string, DesignLaw>>} */
export const DESIGNS = {
  clusters: { hasStrata: false, clusterSize: CLUSTER_SIZE },
  strata: { hasStrata: true, clusterSize: 1 },
  'strata and clusters': STRATA_AND_CLUSTERS,
  'jackknife replicates of these': { hasStrata: true, clusterSize: CLUSTER_SIZE, replicates: 'jackknife' },
  'bootstrap replicates of these': { hasStrata: true, clusterSize: CLUSTER_SIZE, replicates: 'bootstrap' },
}

/**
 * @param {DesignLaw} law
 * @param {import('../draws.js').Draws} draws
 * @returns {Designed}
 */
export function designedSample({ hasStrata, clusterSize, replicates }, draws) {
  const clusterCount = (CLUSTERS * CLUSTER_SIZE) / clusterSize
  const people = []
  const clusters = []
  for (let c = 0; c < clusterCount; c++) {
    const known = hasStrata ? { stratum: c % STRATA.length } : {}
    const common = drawPerson(DESIGN_LEVERS.slice(0, CLUSTER_LEVERS.length), draws, known)
    for (let i = 0; i < clusterSize; i++) {
      people.push(drawPerson(DESIGN_LEVERS, draws, common))
      clusters.push(c)
    }
  }
  const answers = people.map((person) => DESIGN_OUTCOMES.map((outcome) => outcome.draw(person, draws)))
  const weights = hasStrata ? Float64Array.from(people, ({ stratum }) => STRATA[stratum ?? 0] ?? 0) : null
  const strata = hasStrata ? people.map(({ stratum }) => stratum ?? 0) : null
  const columns =
    replicates === undefined || weights === null
      ? { strata, clusters: clusterSize > 1 ? clusters : null, replicates: null }
      : { strata: null, clusters: null, replicates: REPLICATES[replicates]({ weights, clusters, draws }) }
  return { sample: { people, answers, weights }, clusters, design: surveyDesign(columns, weights) }
}

/** @typedef {{ weights: Float64Array, clusters: readonly number[], draws: import('../draws.js').Draws }} Clustered */

const REPLICATES = {
  /** Each leaves out one cluster; the others of its stratum stand in for it (Wolter 2007, chapter 4). */
  jackknife: (/** @type {Clustered} */ { weights, clusters }) => {
    const size = CLUSTERS / STRATA.length
    const without = (/** @type {number} */ out) =>
      weights.map((weight, row) => {
        const cluster = clusters[row] ?? 0
        if (cluster === out) return 0
        return cluster % STRATA.length === out % STRATA.length ? (weight * size) / (size - 1) : weight
      })
    const all = Array.from({ length: CLUSTERS }, (_, out) => without(out))
    return { weights: all, scale: 1, rscales: all.map(() => (size - 1) / size) }
  },
  /** Each draws all clusters of a stratum but one, with replacement (Rao, Wu 1988). */
  bootstrap: (/** @type {Clustered} */ { weights, clusters, draws }) => {
    const size = CLUSTERS / STRATA.length
    const one = () => {
      const times = new Float64Array(CLUSTERS)
      for (let h = 0; h < STRATA.length; h++) {
        for (let k = 0; k < size - 1; k++) {
          const drawn = h + STRATA.length * Math.floor(size * draws.uniform())
          times[drawn] = (times[drawn] ?? 0) + 1
        }
      }
      return weights.map((weight, row) => (weight * (times[clusters[row] ?? 0] ?? 0) * size) / (size - 1))
    }
    const all = Array.from({ length: BOOTSTRAPS }, one)
    return { weights: all, scale: 1 / (BOOTSTRAPS - 1), rscales: all.map(() => 1) }
  },
}
