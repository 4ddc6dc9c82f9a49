import { describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { simultaneousQuantile } from '../../../src/engine/estimates/simultaneous.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { people, tableOfPeople } from './people.ts'

const NONE = scenario({})

/** A vector of length n that shares nothing with others but by chance. */
function vector(n: number, seed: number): Float64Array {
  const random = new RandomStream(seed, PURPOSE.testTable)
  return Float64Array.from({ length: n }, () => random.real() - 0.5)
}

/** The quantile of the largest of k independent |z| at 0.95, by Šidák: 2.2365 and 2.5692 for 2 and 5. */
const INDEPENDENT = [
  { k: 2, quantile: 2.2365 },
  { k: 5, quantile: 2.5692 },
]

describe('the quantile of several differences', () => {
  it('is that of one for one, and for several that are multiples of it', () => {
    const e = vector(500, 1)
    const one = simultaneousQuantile([e], undefined)!
    expect(Math.abs(one - 1.96)).toBeLessThan(0.04)
    const multiples = [e, e.map((x) => 2 * x), e.map((x) => -3 * x)]
    expect(Math.abs(simultaneousQuantile(multiples, undefined)! - one)).toBeLessThan(0.04)
  })

  it.each(INDEPENDENT)('is $quantile for $k that have nothing in common', ({ k, quantile }) => {
    // Vectors that do not overlap are uncorrelated exactly.
    const apart = Array.from({ length: k }, (_, i) =>
      Float64Array.from({ length: 100 * k }, (_, row) => (Math.floor(row / 100) === i ? 1 : 0)),
    )
    expect(Math.abs(simultaneousQuantile(apart, undefined)! - quantile)).toBeLessThan(0.04)
  })

  it('is not known where none varies', () => {
    expect(simultaneousQuantile([new Float64Array(10)], undefined)).toBeNull()
  })

  it('counts clusters, where rows of a cluster vary together', () => {
    const clusters = Uint32Array.from({ length: 400 }, (_, row) => Math.floor(row / 4))
    const design = { strata: null, clusters, replicates: null }
    const [a, b] = [vector(400, 2), vector(400, 3)]
    // Within each cluster b takes back what a gives: as totals of clusters they are opposite.
    const opposite = a.map((_, row) => (row % 4 === 0 ? -(a[row]! + a[row + 1]! + a[row + 2]! + a[row + 3]!) : 0))
    const together = simultaneousQuantile([a, opposite], design)!
    expect(Math.abs(together - 1.96)).toBeLessThan(0.04)
    expect(simultaneousQuantile([a, b], design)!).toBeGreaterThan(2.1)
  })
})

describe('estimates that are looked at together', () => {
  it('of shares of one lever need hardly more than one, those of unlike scenarios need more', async () => {
    const seed = await encodeTable(tableOfPeople(people(1000, 7)), { threads: 1 })
    const quantile = async (first: ReturnType<typeof scenario>, together: readonly ReturnType<typeof scenario>[]) => {
      const { outcomes } = await estimateDifferences(seed, {
        scenario: first,
        baseline: NONE,
        outcomes: [{ column: 'intent', base: 'all' }],
        maxLevels: 10,
        disclosure: 'exact',
        together,
      })
      return outcomes[0]?.kind === 'shares' ? outcomes[0].levels.map((level) => level.simultaneousQuantile!) : []
    }
    const curve = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9].map((yes) => scenario({ member: { yes } }))
    const unlike = [scenario({ region: { north: 0.6 } }), scenario({}, { age: { min: 18, max: 40 } })]
    for (const found of await quantile(scenario({ member: { yes: 0.2 } }), curve)) {
      expect(found).toBeGreaterThanOrEqual(1.96)
      expect(found).toBeLessThan(2.4)
    }
    for (const found of await quantile(scenario({ member: { yes: 0.7 } }), unlike)) expect(found).toBeGreaterThan(2.2)
    expect(await quantile(scenario({ member: { yes: 0.7 } }), [])).toEqual([undefined, undefined, undefined])
  })

  it('have one quantile in all segments of a level', async () => {
    const seed = await encodeTable(tableOfPeople(people(1000, 8)), { threads: 1 })
    const { segments = [] } = await estimateDifferences(seed, {
      scenario: scenario({ member: { yes: 0.7 } }),
      baseline: NONE,
      outcomes: [{ column: 'spend', base: 'all' }],
      by: 'region',
      maxLevels: 10,
      disclosure: 'exact',
    })
    const quantiles = segments.map(({ outcomes: [first] }) =>
      first?.kind === 'mean' ? first.mean?.simultaneousQuantile : null,
    )
    expect(new Set(quantiles).size).toBe(1)
    // Three regions share no rows.
    expect(Math.abs(quantiles[0]! - 2.388)).toBeLessThan(0.12)
  })
})
