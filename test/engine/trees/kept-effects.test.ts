import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { generate } from '../../../src/engine/generate.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { leastGain } from '../../../src/engine/trees/growth-limits.ts'
import { categorical, tableOf } from '../survey-table.ts'

/** `group` moves `answer` by two standard errors of the seed, beside other columns that say nothing. */
function weakTable(seed: number): Table {
  const random = new RandomStream(seed, PURPOSE.value)
  const rows = 1_000
  const group: string[] = []
  const answer: string[] = []
  const others = Array.from({ length: 4 }, (): string[] => [])
  for (let i = 0; i < rows; i++) {
    const isIn = random.real() < 0.5
    group.push(isIn ? 'in' : 'out')
    answer.push(random.real() < (isIn ? 0.43 : 0.37) ? 'yes' : 'no')
    for (const other of others) other.push(String(random.below(4)))
  }
  return tableOf([
    categorical('group', group),
    categorical('answer', answer),
    ...others.map((labels, i) => categorical(`other ${i}`, labels)),
  ])
}

/** How the share of `yes` changes from `out` to `in`: in the seed, and in rows of the model. */
async function differences(seed: number): Promise<{ ofSeed: number; ofModel: number }> {
  const table = weakTable(seed)
  const [group, answer] = table.columns
  if (group?.kind !== 'categorical' || answer?.kind !== 'categorical') throw new Error('both columns have levels')
  const yes = answer.levels.indexOf('yes')
  const seedShare = (level: string) => {
    const code = group.levels.indexOf(level)
    const rows = [...group.codes.keys()].filter((row) => group.codes[row] === code)
    return rows.filter((row) => answer.codes[row] === yes).length / rows.length
  }
  const model = await trainModel(table, { threads: 1 })
  const modelShare = async (level: string) => {
    const shares = [{ column: 'group', levels: new Map([[level, 1]]) }]
    const { blocks } = await generate(model, { rowCount: 4_000, seed, threads: 1, scenario: { shares, ranges: [] } })
    let count = 0
    for await (const { columns } of blocks) {
      const column = columns[1]!
      if ('codes' in column) for (const code of column.codes) if (code === yes) count++
    }
    return count / 4_000
  }
  return {
    ofSeed: seedShare('in') - seedShare('out'),
    ofModel: (await modelShare('in')) - (await modelShare('out')),
  }
}

describe('a weak effect of a conditioned column', () => {
  it('is about as large in the model as in the seed', async () => {
    const seeds = Array.from({ length: 20 }, (_, i) => i + 1)
    const found: Awaited<ReturnType<typeof differences>>[] = []
    for (const seed of seeds) found.push(await differences(seed))
    const sum = (of: (pair: { ofSeed: number; ofModel: number }) => number) =>
      found.reduce((total, pair) => total + of(pair), 0)
    // Least squares through the origin.
    const slope = sum(({ ofSeed, ofModel }) => ofSeed * ofModel) / sum(({ ofSeed }) => ofSeed ** 2)
    expect(slope).toBeGreaterThan(0.9)
    expect(slope).toBeLessThan(1.1)
  })
})

describe('the gain that a split needs', () => {
  it('is small at the root for tables of any size', () => {
    expect(leastGain(100, 100, 2, 0)).toBe(leastGain(100_000, 100_000, 2, 0))
    expect(leastGain(100, 100, 2, 0)).toBeLessThan(1)
  })

  it('grows with the number of nodes of its size, and with the number of classes', () => {
    expect(leastGain(100, 10_000, 5, 0)).toBeGreaterThan(leastGain(1_000, 10_000, 5, 0))
    expect(leastGain(100, 10_000, 5, 0)).toBeGreaterThan(leastGain(100, 10_000, 2, 0))
  })

  it('is twice as large in the strictest trees', () => {
    expect(leastGain(100, 10_000, 5, 3)).toBeCloseTo(2 * leastGain(100, 10_000, 5, 0), 12)
  })
})
