import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import { leafOf, type Tree } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { ScoreFitting } from '../../../src/engine/scores/fit-scores.ts'
import { groupLevels } from '../../../src/engine/scores/level-order.ts'
import { type TrainingData, trainingData } from '../../../src/engine/scores/training-data.ts'
import { growTree } from '../../../src/engine/trees/grow-tree.ts'
import { leafRows, leastGain } from '../../../src/engine/trees/growth-limits.ts'
import { mostClasses, orderedClasses } from '../../../src/engine/trees/target-classes.ts'
import { fittedScores } from '../scores/fitted-scores.ts'
import { categorical, numeric, scalesTable, surveyTable, tableOf } from '../survey-table.ts'

const dataOf = (table: Table): TrainingData => {
  const parts = table.columns.map(encodeColumn)
  return trainingData(
    parts.map((part) => part.column),
    parts.map((part) => part.codes),
  )
}

const sorted = (codes: Iterable<number>) => [...codes].sort((a, b) => a - b)

/** Everything that Tree promises about its arrays. */
function expectSound(tree: Tree, data: TrainingData): void {
  const n = data.rowCount
  expect(tree.start[0]).toBe(0)
  expect(tree.end[0]).toBe(n)
  expect(tree.parent[0]).toBe(-1)
  const leafCodes = new Map<number, number[]>()
  for (let row = 0; row < n; row++) {
    const leaf = leafOf(
      tree,
      data.codes.map((codes) => codes[row]!),
    )
    leafCodes.set(leaf, [...(leafCodes.get(leaf) ?? []), data.codes[tree.target]![row]!])
  }
  for (let node = 0; node < tree.feature.length; node++) {
    const [start, end] = [tree.start[node]!, tree.end[node]!]
    if (tree.feature[node]! >= 0) {
      const left = tree.left[node]!
      expect(left).toBeGreaterThan(node)
      expect([tree.parent[left], tree.parent[left + 1]]).toEqual([node, node])
      expect([tree.start[left], tree.end[left], tree.start[left + 1], tree.end[left + 1]]).toEqual([
        start,
        tree.start[left + 1],
        tree.end[left],
        end,
      ])
      expect(Math.min(tree.end[left]! - start, end - tree.end[left]!)).toBeGreaterThanOrEqual(leafRows(n))
    } else {
      // Routing the training rows leads to the leaf that holds their codes, in ascending order.
      expect([...tree.codes.subarray(start, end)]).toEqual(sorted(leafCodes.get(node) ?? []))
    }
  }
}

describe('a grown tree', () => {
  const table = surveyTable(1500)
  const data = dataOf(table)

  it.each(table.columns.map((column, target) => ({ name: column.name, target })))(
    'routes every training row to the leaf that holds its code: $name',
    ({ target }) => {
      const candidates = Int32Array.from(table.columns.keys()).filter((c) => c !== target)
      const tree = growTree(data, target, candidates)
      expect(tree.feature.length).toBeGreaterThan(1)
      expectSound(tree, data)
      expectSound(growTree(data, target, candidates, fittedScores(new ScoreFitting(data), target, candidates)), data)
    },
  )

  it('is valid for small random tables', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), fc.nat(), (n, seed) => {
        const random = new RandomStream(seed, PURPOSE.value)
        const any = () => Array.from({ length: n }, () => (random.real() < 0.1 ? null : random.below(12)))
        const small = dataOf(
          tableOf([
            numeric('x', any()),
            categorical(
              'y',
              any().map((value) => (value === null ? null : `level ${value}`)),
            ),
            numeric('z', any()),
          ]),
        )
        for (const target of [1, 2]) expectSound(growTree(small, target, Int32Array.of(0)), small)
      }),
      { numRuns: 60 },
    )
  })

  it('routes by the codes of a predictor with more codes than bins', () => {
    const random = new RandomStream(3, PURPOSE.value)
    // Sixty heaps, each a bin of its own, cut the quantiles between them in two.
    const x = Array.from({ length: 4000 }, (_, i) =>
      i % 50 === 0 ? null : i < 1200 ? 150 * (i % 60) : random.below(9000),
    )
    const y = x.map((value) => (value === null ? 7 : Math.floor(value / 700)))
    const fine = dataOf(tableOf([numeric('x', x), numeric('y', y)]))
    expect(fine.columns[0]!.codeCount).toBeGreaterThan(256)
    expect(fine.bins[0]!.binCount).toBeLessThanOrEqual(256)
    const tree = growTree(fine, 1, Int32Array.of(0))
    expect(tree.feature.length).toBeGreaterThan(15)
    expectSound(tree, fine)
  })

  it('is a single leaf if nothing predicts, all values are equal, or there are too few rows', () => {
    expect(growTree(data, 0, Int32Array.of()).feature).toEqual(Int16Array.of(-1))
    const equal = dataOf(
      tableOf([
        numeric('x', Array(50).fill(1)),
        numeric(
          'y',
          Array.from({ length: 50 }, (_, i) => i),
        ),
      ]),
    )
    expect(growTree(equal, 0, Int32Array.of(1)).feature).toEqual(Int16Array.of(-1))
    const few = dataOf(tableOf([numeric('x', [1, 2, 1, 2]), numeric('y', [1, 2, 1, 2])]))
    expect(growTree(few, 0, Int32Array.of(1)).feature).toEqual(Int16Array.of(-1))
  })

  it.each([0, 1, 2, 3])('splits where the gain is large enough for its strictness: %i', (strictness) => {
    const table = dataOf(scalesTable(3000))
    const target = 5
    const tree = growTree(table, target, Int32Array.of(0, 1, 2, 3, 4), [], strictness)
    const countsOf = (node: number) => {
      const codes = [...tree.codes.subarray(tree.start[node]!, tree.end[node]!)]
      return [...new Set(codes)].map((code) => codes.filter((other) => other === code).length)
    }
    const likelihood = (node: number) => {
      const counts = countsOf(node)
      const rows = counts.reduce((total, count) => total + count, 0)
      return counts.reduce((total, count) => total + count * Math.log(count / rows), 0)
    }
    const overLeast = [...tree.left].flatMap((left, node) => {
      if (tree.feature[node]! < 0) return []
      const gain = likelihood(left) + likelihood(left + 1) - likelihood(node)
      const rows = tree.end[node]! - tree.start[node]!
      return [gain / leastGain(rows, 3000, countsOf(node).length, strictness)]
    })
    expect(Math.min(...overLeast)).toBeGreaterThanOrEqual(1 - 1e-9)
    expect(Math.min(...overLeast)).toBeLessThan(2)
  })

  it('separates levels by membership, whatever their numbers', () => {
    const odd = Array.from({ length: 400 }, (_, i) => (i % 8) % 2)
    const parity = dataOf(
      tableOf([
        categorical(
          'digit',
          odd.map((_, i) => `${i % 8}`),
        ),
        categorical(
          'parity',
          odd.map((o) => (o ? 'odd' : 'even')),
        ),
      ]),
    )
    const tree = growTree(parity, 1, Int32Array.of(0))
    expect(tree.feature.length).toBe(3)
    expectSound(tree, parity)
  })

  it('uses a predictor with more than 256 levels through groups of its levels', () => {
    const tree = growTree(data, 0, Int32Array.of(1))
    expect(tree.groups[0]).toBeInstanceOf(Uint16Array)
    // A district decides the region: leaves are nearly pure but for the 5 % missing.
    let pure = 0
    for (let node = 0; node < tree.feature.length; node++) {
      if (tree.feature[node]! >= 0) continue
      const counts = new Map<number, number>()
      for (const code of tree.codes.subarray(tree.start[node], tree.end[node]))
        counts.set(code, (counts.get(code) ?? 0) + 1)
      pure += Math.max(...counts.values())
    }
    expect(pure / data.rowCount).toBeGreaterThan(0.85)
  })
})

describe('levels in the order of a target', () => {
  it('are adjacent if their targets are alike', () => {
    const k = 400
    const n = 20 * k
    const codes = Uint16Array.from({ length: n }, (_, i) => i % k)
    const classes = Uint8Array.from(codes, (code) => code % 2)
    const groups = groupLevels(codes, k, classes, 2, 128)
    const even = sorted(Array.from(groups).filter((_, code) => code % 2 === 0))
    const odd = sorted(Array.from(groups).filter((_, code) => code % 2 === 1))
    expect(even.at(-1)! < odd[0]! || odd.at(-1)! < even[0]!).toBe(true)
    expect(new Set(groups).size).toBe(128)
  })

  it('keep the order of the codes if there is no association', () => {
    const codes = Uint16Array.from({ length: 1200 }, (_, i) => i % 300)
    expect(sorted(groupLevels(codes, 300, new Uint8Array(1200), 1, 100))).toEqual([
      ...groupLevels(codes, 300, new Uint8Array(1200), 1, 100),
    ])
  })
})

describe('the classes of an ordered target', () => {
  it('are fewer in smaller nodes, from 16 down to 3', () => {
    const most = Array.from({ length: 5_000 }, (_, n) => mostClasses(n + 1))
    expect(most).toEqual(most.toSorted((a, b) => a - b))
    expect([most[0], most.at(-1)]).toEqual([3, 16])
  })

  it('respect the maximum, ascend, and keep frequent codes and missing alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.nat(5), fc.nat(300)), { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0 as const, 1 as const),
        fc.integer({ min: 3, max: 16 }),
        (list, missing, most) => {
          const counts = Int32Array.from(list)
          const rows = list.reduce((sum, count) => sum + count, 0)
          fc.pre(rows > 0)
          const out = new Uint8Array(counts.length)
          const g = orderedClasses(counts, counts.length, rows, missing, most, out)
          expect(g).toBeLessThanOrEqual(most)
          const members = new Map<number, number[]>()
          list.forEach((count, code) => {
            if (count > 0) members.set(out[code]!, [...(members.get(out[code]!) ?? []), code])
          })
          expect(sorted(members.keys())).toEqual(Array.from({ length: g }, (_, i) => i))
          list.forEach((count, code) => {
            const alone = count * (most - 1) > rows || (code === 0 && missing === 1 && count > 0)
            if (alone) expect(members.get(out[code]!)).toEqual([code])
          })
          const firsts = [...members].sort((a, b) => a[0] - b[0]).map(([, codes]) => codes[0]!)
          expect(firsts).toEqual(sorted(firsts))
        },
      ),
    )
  })
})
