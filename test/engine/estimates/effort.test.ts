import { expect, it } from 'vitest'
import type { Seed } from '../../../src/engine/estimates/seed-patterns.ts'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'

/** A column of one frequent level and others that are as frequent as each other. */
interface Shape {
  readonly levels: number
  /** In a thousand. */
  readonly first: number
}

function seedOf(rowCount: number, shapes: readonly Shape[]): Seed {
  const stream = new RandomStream(1, PURPOSE.testTable)
  const columns = shapes.map(({ levels, first }, d) => ({
    kind: 'categorical' as const,
    name: `column ${d}`,
    levels: Array.from({ length: levels }, (_, i) => `level ${i}`),
    missing: 0 as const,
    codeCount: levels,
    shares: Float64Array.from({ length: levels }, (_, i) =>
      i === 0 ? first / 1000 : (1 - first / 1000) / (levels - 1),
    ),
  }))
  const codes = shapes.map(({ levels, first }) =>
    Uint16Array.from({ length: rowCount }, () => (stream.below(1000) < first ? 0 : 1 + stream.below(levels - 1))),
  )
  return { seedRows: rowCount, rowCount, columns, codes } as unknown as Seed
}

const firstLevel = (d: number, share: number) => ({ column: `column ${d}`, levels: new Map([['level 0', share]]) })
const allLevels = (d: number, levels: number, shareOf: (i: number) => number) => ({
  column: `column ${d}`,
  levels: new Map(Array.from({ length: levels }, (_, i) => [`level ${i}`, shareOf(i)] as const)),
})
const times = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i))

// Before work was bounded, the second took a processor for more than a minute.

it('weights are found for large shares of twelve columns with small shares of hundreds of levels', async () => {
  const shapes = [...times(12, () => ({ levels: 2, first: 980 })), { levels: 400, first: 3 }]
  const shares = [...times(12, (d) => firstLevel(d, 0.998)), allLevels(12, 400, () => 1 / 400)]
  const weighted = await weighSeed(seedOf(100_000, shapes), { shares, ranges: [] } satisfies RequestedConditions)
  expect(weighted?.effectiveRows).toBeGreaterThan(50_000)
})

it('shares count as impossible if the search for weights takes too long', async () => {
  const shapes = times(8, () => ({ levels: 300, first: 50 }))
  // Every second level is three times as frequent as its neighbour.
  const shares = times(8, (d) => allLevels(d, 300, (i) => (i % 2 === 0 ? 1.5 : 0.5) / 300))
  expect(await weighSeed(seedOf(19_500, shapes), { shares, ranges: [] } satisfies RequestedConditions)).toBeNull()
}, 60_000)
