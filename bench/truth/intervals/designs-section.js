// How often intervals cover the truth in samples with strata, clusters or replicate weights.
import { designEffect } from './design-effects.js'
import { DESIGN_LEVERS, DESIGN_OUTCOMES, DESIGNS, designedSample } from './designs.js'
import { seedOf } from './drawn-seed.js'
import { MEMBER } from './levers.js'
import { coverageOf, repeated } from './observe.js'
import { toldDifferences } from './told-differences.js'
import { cellsOf, followed, trueMean } from './true-means.js'

const ASKED = [...DESIGN_OUTCOMES, MEMBER]
const SCENARIO = { shares: { member: { Yes: 0.6 } } }

/** First stream of the draws; one for each design. */
const STREAM = 3_000

/**
 * `ignored` is the coverage where the seed does not know its design; weights are known in any case.
 *
 * @param {{ repetitions: number, seed: number }} options
 */
export async function* designsCoverage({ repetitions, seed }) {
  const cells = cellsOf(DESIGN_LEVERS)
  const [one, other] = [followed(DESIGN_LEVERS, cells, SCENARIO), followed(DESIGN_LEVERS, cells, {})]
  for (const [d, [name, law]] of Object.entries(DESIGNS).entries()) {
    const told = await repeated({ repetitions, seed, stream: STREAM + d }, async (draws) => {
      const { sample, design } = designedSample(law, draws)
      const drawn = seedOf(DESIGN_LEVERS, DESIGN_OUTCOMES, sample)
      return {
        known: await toldDifferences({ ...drawn, design }, SCENARIO, {}, ASKED),
        ignored: await toldDifferences(drawn, SCENARIO, {}, ASKED),
      }
    })
    for (const [o, { name: outcome, expected }] of ASKED.entries()) {
      const truth = trueMean(cells, one, expected) - trueMean(cells, other, expected)
      const of = (/** @type {'known' | 'ignored'} */ key) =>
        coverageOf(
          told.map((each) => each[key][o] ?? null),
          truth,
        )
      const { coverage: ignored } = of('ignored')
      yield { design: name, outcome, effect: designEffect(law, expected), ...of('known'), ignored }
    }
  }
}
