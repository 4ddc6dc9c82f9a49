// How often intervals cover the truth where outcomes go with the levers, for all cases.
import { CASES, MIXES } from './cases.js'
import { seedOf, simpleSample } from './drawn-seed.js'
import { LEVERS, MEMBER, OUTCOMES } from './levers.js'
import { coverageOf, repeated } from './observe.js'
import { toldDifferences } from './told-differences.js'
import { cellsOf, followed, trueMean } from './true-means.js'
import { unequalSample } from './unequal-sample.js'

/** What can be asked for. */
const ASKED = [...OUTCOMES, MEMBER]

/** First stream of the draws; one for each kind of sample. */
const STREAM = 2_000

/**
 * @param {{ repetitions: number, seed: number }} options
 * @returns {AsyncGenerator<{ of: import('./cases.js').Case, n: number, truth: number } & import('./observe.js').Coverage>}
 */
export async function* relationsCoverage({ repetitions, seed }) {
  const truths = trueMeans()
  for (const [s, [n, isWeighted]] of samplesOf(CASES).entries()) {
    const cases = CASES.filter((of) => of.sizes.includes(n) && (of.isWeighted ?? false) === isWeighted)
    const sample = isWeighted ? unequalSample : simpleSample
    const told = await repeated({ repetitions, seed, stream: STREAM + s }, async (draws) => {
      const drawn = seedOf(LEVERS, OUTCOMES, sample(LEVERS, OUTCOMES, n, draws))
      return await Promise.all(cases.map((of) => toldOf(drawn, of)))
    })
    for (const [c, of] of cases.entries()) {
      const truth = truths(of.scenario, of.outcome) - truths(of.baseline, of.outcome)
      yield {
        of,
        n,
        truth,
        ...coverageOf(
          told.map((one) => one[c] ?? null),
          truth,
        ),
      }
    }
  }
}

/**
 * Sizes with and without weights; cases of one kind share their seeds.
 *
 * @param {readonly import('./cases.js').Case[]} cases
 */
function samplesOf(cases) {
  const all = new Map(
    cases.flatMap(({ sizes, isWeighted = false }) =>
      sizes.map((n) => [`${n} ${isWeighted}`, /** @type {const} */ ([n, isWeighted])]),
    ),
  )
  return [...all.values()].sort(([a], [b]) => a - b)
}

export function trueMeans() {
  const cells = cellsOf(LEVERS)
  const shares = new Map(Object.entries(MIXES).map(([name, mix]) => [name, followed(LEVERS, cells, mix)]))
  return (/** @type {string} */ mix, /** @type {string} */ outcome) => {
    const asked = ASKED.find(({ name }) => name === outcome)
    const of = shares.get(mix)
    if (!asked || !of) throw new Error(`no outcome ${outcome} or mix ${mix}`)
    return trueMean(cells, of, asked.expected)
  }
}

/**
 * @param {import('../../../dist/engine/estimates/seed-patterns.js').Seed} seed
 * @param {Pick<import('./cases.js').Case, 'scenario' | 'baseline' | 'outcome'>} of
 * @param {'exact' | import('../../../dist/engine/disclosure/row-keys.js').RowKeys} [disclosure]
 */
export async function toldOf(seed, { scenario, baseline, outcome }, disclosure) {
  const asked = ASKED.filter(({ name }) => name === outcome)
  const [told] = await toldDifferences(seed, MIXES[scenario] ?? {}, MIXES[baseline] ?? {}, asked, disclosure)
  return told ?? null
}
