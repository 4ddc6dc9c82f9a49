// The design effect (Kish 1965) of a designed sample on the share of an answer, from the law alone: variance of the weighted
// share over that of as many people who are drawn one by one.
import { CLUSTER_LEVERS, CLUSTER_SIZE, CLUSTERS, DESIGN_LEVERS, STRATA } from './designs.js'
import { cellsOf } from './true-means.js'

/**
 * @param {import('./designs.js').DesignLaw} law
 * @param {(person: import('./levers.js').Person) => number} expected
 */
export function designEffect({ hasStrata, clusterSize }, expected) {
  const n = CLUSTERS * CLUSTER_SIZE
  const whole = variances(() => 0, expected)
  const alone = (whole[0]?.people ?? 0) / n
  const parts = hasStrata ? variances(({ stratum }) => stratum ?? 0, expected) : whole
  const shares = hasStrata ? STRATA : [1]
  const designed = parts.reduce((sum, { people, clusters }, h) => {
    const drawn = n / clusterSize / shares.length
    return sum + ((shares[h] ?? 0) ** 2 * (clusters + (people - clusters) / clusterSize)) / drawn
  }, 0)
  return designed / alone
}

/**
 * Of each part of the population: the variance of one answer, and that of the clusters' means.
 *
 * @param {(person: import('./levers.js').Person) => number} partOf
 * @param {(person: import('./levers.js').Person) => number} expected
 */
function variances(partOf, expected) {
  /** @type {Map<number, { share: number, mean: number, clusters: Map<string, { share: number, sum: number }> }>} */
  const parts = new Map()
  for (const { person, share } of cellsOf(DESIGN_LEVERS)) {
    const part = parts.get(partOf(person)) ?? { share: 0, mean: 0, clusters: new Map() }
    const key = CLUSTER_LEVERS.map((name) => person[name]).join()
    const cluster = part.clusters.get(key) ?? { share: 0, sum: 0 }
    cluster.share += share
    cluster.sum += share * expected(person)
    part.share += share
    part.mean += share * expected(person)
    part.clusters.set(key, cluster)
    parts.set(partOf(person), part)
  }
  return [...parts.keys()]
    .sort((a, b) => a - b)
    .map((key) => {
      const part = parts.get(key)
      if (part === undefined) throw new Error('no such part')
      const p = part.mean / part.share
      let clusters = 0
      for (const { share, sum } of part.clusters.values()) clusters += (share / part.share) * (sum / share - p) ** 2
      return { people: p * (1 - p), clusters }
    })
}
