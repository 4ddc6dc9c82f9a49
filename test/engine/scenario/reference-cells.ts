/** The reference implementation of cells.ts: every combination of codes, one after the other. Cost: all combinations. */
import { leafOf, type Model, type Order } from '../../../src/engine/model/model.ts'
import type { Margins } from '../../../src/engine/scenario/margins.ts'

/** The allowed cells of positive probability in lexicographic order: their codes, and the products of leaf frequencies. */
export function referenceCells(
  model: Model,
  order: Order,
  margins: Margins,
): { codes: number[][]; probabilities: number[] } {
  let codes: number[][] = [[]]
  let probabilities = [1]
  margins.ofCode.forEach((ofCode, d) => {
    const tree = order.trees[d]!
    const longer: number[][] = []
    const products: number[] = []
    codes.forEach((cell, c) => {
      const row = new Array<number>(model.columns.length).fill(0)
      cell.forEach((code, e) => {
        row[order.columns[e]!] = code
      })
      const leaf = leafOf(tree, row)
      const held = tree.codes.slice(tree.start[leaf]!, tree.end[leaf]!)
      ofCode.forEach((margin, code) => {
        const rows = held.filter((one) => one === code).length
        if (margin < 0 || rows === 0) return
        longer.push([...cell, code])
        products.push(probabilities[c]! * (rows / held.length))
      })
    })
    codes = longer
    probabilities = products
  })
  return { codes, probabilities }
}
