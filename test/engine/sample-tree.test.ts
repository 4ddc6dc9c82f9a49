import { beforeAll, describe, expect, it } from 'vitest'
import { BLOCK_ROWS, leafOf, type Model } from '../../src/engine/model.ts'
import { BlockSampler } from '../../src/engine/sample-tree.ts'
import { trainModel } from '../../src/engine/train.ts'
import { surveyTable } from './survey-table.ts'

const SAMPLE_ROWS = 2500
/** More than one round through the rows of the sample, and no whole number of blocks. */
const BATCH_ROWS = 6000

describe('a batch of rows', () => {
  let model: Model
  /** Column → codes of all rows of the batch. */
  let made: number[][]

  beforeAll(async () => {
    model = await trainModel(surveyTable(SAMPLE_ROWS), { threads: 1 })
    const sampler = new BlockSampler(model.base)
    made = model.columns.map(() => [])
    for (let first = 0; first < BATCH_ROWS; first += BLOCK_ROWS) {
      const rows = Math.min(BLOCK_ROWS, BATCH_ROWS - first)
      sampler.sample(3, first / BLOCK_ROWS, rows, 0)
      made.forEach((codes, c) => {
        codes.push(...sampler.codes.subarray(c * BLOCK_ROWS, c * BLOCK_ROWS + rows))
      })
    }
  })

  it('takes its first column from every row of the sample once before any twice', () => {
    const { target, codes } = model.base.trees[0]!
    const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b)
    const drawn = made[target]!
    for (const round of [0, 1]) {
      const from = round * SAMPLE_ROWS
      expect(sorted(drawn.slice(from, from + SAMPLE_ROWS))).toEqual(sorted(codes))
    }
    expect(drawn.slice(0, SAMPLE_ROWS)).not.toEqual(drawn.slice(SAMPLE_ROWS, 2 * SAMPLE_ROWS))
  })

  it('takes each code of a leaf as often as the rows of the leaf have it, rounds of the whole leaf counted', () => {
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
