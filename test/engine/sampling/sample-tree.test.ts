import { beforeAll, describe, expect, it } from 'vitest'
import { BLOCK_ROWS, leafOf, type Model } from '../../../src/engine/model/model.ts'
import { goldenStep } from '../../../src/engine/sampling/route-rows.ts'
import { BatchSampler } from '../../../src/engine/sampling/sample-tree.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { surveyTable } from '../survey-table.ts'

const SAMPLE_ROWS = 2500
/** More than one round through the rows of the sample, and no whole number of blocks. */
const BATCH_ROWS = 6000

describe('a batch of rows', () => {
  let model: Model
  /** Column → codes of all rows of the batch. */
  let made: number[][]

  beforeAll(async () => {
    model = await trainModel(surveyTable(SAMPLE_ROWS), { threads: 1 })
    const sampler = new BatchSampler(model.base, [], Math.ceil(BATCH_ROWS / BLOCK_ROWS))
    made = model.columns.map(() => [])
    sampler.startBatch(3, 0)
    sampler.sample(3, 0, BATCH_ROWS, 0)
    for (let first = 0; first < BATCH_ROWS; first += BLOCK_ROWS) {
      const rows = Math.min(BLOCK_ROWS, BATCH_ROWS - first)
      sampler.enter(first / BLOCK_ROWS)
      made.forEach((codes, c) => {
        codes.push(...sampler.codes.subarray(c * BLOCK_ROWS, c * BLOCK_ROWS + rows))
      })
    }
  })

  it('takes its first column from every sample row equally often, up to one round in whole blocks', () => {
    const { target, codes } = model.base.trees[0]!
    const held = countsOf(codes)
    for (const blocks of [1, 2, 3, 4, 5]) {
      const rounds = (blocks * BLOCK_ROWS) / SAMPLE_ROWS
      const drawn = countsOf(made[target]!.slice(0, blocks * BLOCK_ROWS))
      for (const [code, times] of held) {
        expect(drawn.get(code) ?? 0).toBeGreaterThanOrEqual(Math.floor(rounds) * times)
        expect(drawn.get(code) ?? 0).toBeLessThanOrEqual(Math.ceil(rounds) * times)
      }
    }
  })

  it('takes each code of a leaf as often as the rows of the leaf have it, up to one round of the leaf', () => {
    let leaves = 0
    for (const tree of model.base.trees) {
      const drawn = new Map<number, number[]>()
      for (let row = 0; row < BATCH_ROWS; row++) {
        const codes = made.map((column) => column[row]!)
        const leaf = leafOf(tree, codes)
        drawn.set(leaf, [...(drawn.get(leaf) ?? []), codes[tree.target]!])
      }
      for (const [leaf, codes] of drawn) {
        const held = [...tree.codes.subarray(tree.start[leaf], tree.end[leaf])]
        const rounds = Math.floor(codes.length / held.length)
        for (const code of new Set([...codes, ...held])) {
          const [times, has] = [codes, held].map((all) => all.filter((other) => other === code).length)
          expect(times).toBeGreaterThanOrEqual(rounds * has!)
          expect(times).toBeLessThanOrEqual((rounds + 1) * has!)
        }
        leaves++
      }
    }
    expect(leaves).toBeGreaterThan(model.columns.length)
  })
})

function countsOf(codes: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}

describe('the step of the golden ratio', () => {
  it.each([1, 2, 3, 4, 5, 6, 10, 20, 97, 128, 1000, 22_792, 200_000])(
    'visits all of %i places once, and spreads the first few',
    (n) => {
      const step = goldenStep(n)
      const visited = new Set<number>()
      for (let at = 0, k = 0; k < n; k++, at = (at + step) % n) visited.add(at)
      expect(visited.size).toBe(n)
      const five = Array.from({ length: Math.min(5, n) }, (_, k) => (k * step) % n).sort((a, b) => a - b)
      const gaps = five.map((at, i) => (five[i + 1] ?? n + five[0]!) - at)
      if (n >= 10) expect(Math.max(...gaps)).toBeLessThanOrEqual(0.45 * n)
    },
  )
})
