import { beforeAll, describe, expect, it } from 'vitest'
import { leafOf, type Model, type Order } from '../../../src/engine/model/model.ts'
import { enumerateCells } from '../../../src/engine/scenario/cells.ts'
import { drawnColumns, inOrder, resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { exactMoments, type WeightedTree } from '../../../src/engine/scenario/exact-moments.ts'
import { leafRuns } from '../../../src/engine/scenario/leaf-runs.ts'
import { marginsOf } from '../../../src/engine/scenario/margins.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { surveyTable } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

let model: Model

beforeAll(async () => {
  model = await trainModel(surveyTable(3000), { threads: 1 })
})

describe.each([
  ['one column', ['spend']],
  ['two columns', ['spend', 'visits']],
])('moments of cells in %s', (_name, drawnNames) => {
  it('are those of all pairs of codes, one after another', async () => {
    const means = drawnNames.map((column) => ({ column, min: 20, max: 20 }))
    const asked = { ...scenario({ member: { yes: 0.5 }, region: { north: 0.3 } }), means }
    const conditions = resolveConditions(model, asked)
    const indices = [...conditions.shares, ...conditions.means].map(({ index }) => index)
    const order = await trainOrder(model, indices, { threads: 1 })
    const D = conditions.shares.length
    const shares = inOrder(conditions.shares, order.columns)
    const { codes: cells, probabilities } = enumerateCells(model, order, { margins: marginsOf(shares) })
    const K = probabilities.length
    const drawn = drawnColumns(model, conditions, order.columns)
    const trees = drawn.map(({ index, column }, j): WeightedTree => {
      const tree = order.trees[D + j]!
      expect(tree.target).toBe(index)
      const of = (code: number, by: number) => ((code * by) % 17) / 17
      return {
        tree,
        fractions: Float64Array.from({ length: column.codeCount }, (_, code) => of(code, 5)),
        numbers: Float64Array.from({ length: column.codeCount }, (_, code) => of(code, 7) - 0.5),
      }
    })
    const cellColumns = order.columns.subarray(0, D)
    const runs = leafRuns(cells, K, cellColumns, model.columns.length, trees[0]!.tree, trees[1]?.tree)
    const { masses, sums } = exactMoments(trees, runs)
    expect(runs.start[K]!).toBeGreaterThanOrEqual(K)
    const wanted = referenceMoments(model, order, cells, K, trees)
    for (let c = 0; c < K; c++) expect(masses[c]).toBeCloseTo(wanted.masses[c]!, 12)
    sums.forEach((sum, i) => {
      expect(sum).toBeCloseTo(wanted.sums[i]!, 12)
    })
  })
})

/** By the definition: every row of the first leaf, and every row of the leaf that it leads to. */
function referenceMoments(
  { columns }: Model,
  { columns: sequence }: Order,
  cells: Int32Array,
  K: number,
  [first, second]: readonly WeightedTree[],
) {
  const D = cells.length / K
  const r = second === undefined ? 1 : 2
  const masses = new Float64Array(K)
  const sums = new Float64Array(K * r)
  const row = new Int32Array(columns.length)
  const rowsOf = ({ tree }: WeightedTree): Uint16Array => {
    const leaf = leafOf(tree, row)
    return tree.codes.subarray(tree.start[leaf], tree.end[leaf])
  }
  for (let c = 0; c < K; c++) {
    for (let d = 0; d < D; d++) row[sequence[d]!] = cells[c * D + d]!
    const ofFirst = rowsOf(first!)
    for (const code of ofFirst) {
      row[first!.tree.target] = code
      const weight = first!.fractions[code]! / ofFirst.length
      const ofSecond = second === undefined ? [0] : rowsOf(second)
      for (const other of ofSecond) {
        const both = (weight * (second?.fractions[other] ?? 1)) / ofSecond.length
        masses[c]! += both
        sums[c * r]! += both * first!.numbers[code]!
        if (second !== undefined) sums[c * r + 1]! += both * second.numbers[other]!
      }
    }
  }
  return { masses, sums }
}
