// What the noise of a shared service costs: coverage and width of its intervals beside the exact ones of the same seeds.
import { RowKeys } from '../../../dist/engine/disclosure/row-keys.js'
import { mean, spreadOver } from '../repetitions.js'
import { seedOf, simpleSample } from './drawn-seed.js'
import { LEVERS, OUTCOMES } from './levers.js'
import { coverageOf, repeated } from './observe.js'
import { toldOf, trueMeans } from './relations-section.js'

/** First stream of the draws. */
const STREAM = 4_000

const NATURAL = 'nothing changed'

/** Laws, by what is asked: shares of everybody alone, and groups that a range leaves people out of. */
const CASES = [
  { scenario: 'one share', baseline: NATURAL, outcome: 'strong' },
  { scenario: 'one share', baseline: NATURAL, outcome: 'none' },
  { scenario: 'natural share + 3 points', baseline: NATURAL, outcome: 'strong' },
  { scenario: 'two columns', baseline: NATURAL, outcome: 'medium' },
  { scenario: 'two columns', baseline: 'few members', outcome: 'medium' },
  { scenario: 'two that cross', baseline: NATURAL, outcome: 'interaction' },
  { scenario: 'one share', baseline: NATURAL, outcome: 'rare' },
  { scenario: 'one share', baseline: NATURAL, outcome: 'spend', isHeavyTailed: true },
  { scenario: 'a share and a range', baseline: NATURAL, outcome: 'aged' },
  { scenario: 'a share and a range', baseline: NATURAL, outcome: 'none' },
]

/**
 * @param {{ sizes: readonly number[], repetitions: number, seed: number }} options
 * @returns {AsyncGenerator<{ of: typeof CASES[number], n: number, told: number, wider: import('../printed-table.js').Figure } & Pick<import('./observe.js').Coverage, 'coverage'>>}
 */
export async function* noiseCoverage({ sizes, repetitions, seed }) {
  const truths = trueMeans()
  for (const [s, n] of sizes.entries()) {
    let repetition = 0
    const told = await repeated({ repetitions, seed, stream: STREAM + s }, async (draws) => {
      const drawn = seedOf(LEVERS, OUTCOMES, simpleSample(LEVERS, OUTCOMES, n, draws))
      const keys = new RowKeys(new TextEncoder().encode(`installation ${seed} ${n} ${repetition++}`), n)
      return await Promise.all(
        CASES.map(async (of) => ({ exact: await toldOf(drawn, of), noisy: await toldOf(drawn, of, keys) })),
      )
    })
    for (const [c, of] of CASES.entries()) {
      const pairs = told.map((one) => one[c] ?? { exact: null, noisy: null })
      const both = pairs.flatMap(({ exact, noisy }) => (exact && noisy ? [{ exact, noisy }] : []))
      const truth = truths(of.scenario, of.outcome) - truths(of.baseline, of.outcome)
      const noisy = pairs.map((pair) => pair.noisy)
      yield {
        of,
        n,
        told: noisy.filter((one) => one !== null).length / noisy.length,
        coverage: coverageOf(noisy, truth).coverage,
        wider: spreadOver(both, (some) =>
          mean(some.map(({ noisy, exact }) => widthOf(noisy.interval) / widthOf(exact.interval))),
        ),
      }
    }
  }
}

/** @param {readonly [low: number, high: number]} interval */
function widthOf([low, high]) {
  return high - low
}
