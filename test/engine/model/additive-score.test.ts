import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import { CutTable, scoreBin, scoreBins, scoreValues } from '../../../src/engine/model/additive-score.ts'
import { leafOf, type Model } from '../../../src/engine/model/model.ts'
import { encodeModel } from '../../../src/engine/model/model-file.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { BatchSampler } from '../../../src/engine/sampling/sample-tree.ts'
import { CrossProducts } from '../../../src/engine/scores/cross-products.ts'
import { ScoreFitting } from '../../../src/engine/scores/fit-scores.ts'
import { solveRidge } from '../../../src/engine/scores/ridge-regression.ts'
import { type TrainingData, trainingData } from '../../../src/engine/scores/training-data.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { growTree } from '../../../src/engine/trees/grow-tree.ts'
import { fittedScores } from '../scores/fitted-scores.ts'
import { referenceRidge } from '../scores/reference-ridge.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'

const dataOf = (table: Table): TrainingData => {
  const parts = table.columns.map(encodeColumn)
  return trainingData(
    parts.map((part) => part.column),
    parts.map((part) => part.codes),
  )
}

const others = (data: TrainingData, target: number) =>
  Int32Array.from(data.columns.keys()).filter((column) => column !== target)

const codesOf = (data: TrainingData, row: number) => data.codes.map((codes) => codes[row]!)

describe('the cross products and the solver', () => {
  const table = fc.record({
    rows: fc.integer({ min: 5, max: 60 }),
    seed: fc.nat(),
    missingShare: fc.constantFrom(0, 0.2, 0.8),
    excludedShare: fc.constantFrom(0, 0.3, 0.7, 1),
    levels: fc.constantFrom(1, 2, 24),
  })

  it('equal ridge regression by definition, also with missing values, constant and equal columns, and excluded rows', () => {
    fc.assert(
      fc.property(table, ({ rows, seed, missingShare, excludedShare, levels }) => {
        const random = new RandomStream(seed, PURPOSE.value)
        const list = <T>(of: () => T) =>
          Array.from({ length: rows }, () => (random.real() < missingShare ? null : of()))
        const level = () => `level ${random.below(7)}`
        const repeated = list(() => random.below(9) - 2)
        const data = dataOf(
          tableOf([
            categorical('x', list(level)),
            numeric('positive', list(() => 1 + random.below(1000)) as (number | null)[]),
            numeric('once', repeated),
            numeric('again', repeated),
            numeric('constant', Array(rows).fill(4)),
            categorical('y', list(level)),
          ]),
        )
        const products = new CrossProducts(
          data,
          Int32Array.from({ length: rows }, (_, i) => i),
          null,
        )
        let first = 1
        const terms = data.columns.map(({ kind }, column) => {
          const all = products.column(column).features.count
          const count = kind === 'categorical' ? Math.min(levels, all) : all
          first += count
          return { column, first: first - count, count }
        })
        const p = first
        // One row at least stays.
        const excluded = Uint8Array.from({ length: rows }, (_, i) => (i > 0 && random.real() < excludedShare ? 1 : 0))
        const y = Array.from({ length: rows }, () => random.real() - 0.5)

        const dense = Array.from({ length: rows }, (_, row) => {
          const x = Array<number>(p).fill(0)
          x[0] = 1
          for (const term of terms) {
            const { codes, features } = products.column(term.column)
            for (let e = features.at[codes[row]!]!; e < features.at[codes[row]! + 1]!; e++) {
              if (features.feature[e]! < term.count) x[term.first + features.feature[e]!] = features.value[e]!
            }
          }
          return x
        })
        const keptRows = Array.from(dense.keys()).filter((row) => excluded[row] === 0)
        const x = keptRows.map((row) => dense[row]!)
        const keptY = keptRows.map((row) => y[row]!)
        const product = Float64Array.from({ length: p }, (_, f) =>
          x.reduce((sum, row, i) => sum + row[f]! * keptY[i]!, 0),
        )
        const [weights] = solveRidge(products.matrix(terms, p, excluded.includes(1) ? excluded : null), [product], 3)
        const expected = referenceRidge(x, keptY, 3)
        for (let f = 0; f < p; f++) expect(Math.abs(weights![f]! - expected[f]!)).toBeLessThan(1e-9)
      }),
      { numRuns: 150 },
    )
  })
})

describe('bins of a score', () => {
  it('count the cuts below a score, whatever the distances of the cuts', () => {
    const number = fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constantFrom(0, 1, 1 + 2 ** -52, 1e300))
    fc.assert(
      fc.property(fc.uniqueArray(number, { maxLength: 255 }), fc.array(number, { maxLength: 50 }), (list, values) => {
        const cuts = Float64Array.from(list).sort()
        const z = Float64Array.from([...values, ...list])
        const bins = new Uint8Array(z.length)
        new CutTable(cuts).write(z, z.length, bins, 0)
        z.forEach((value, i) => {
          expect(bins[i]).toBe(cuts.filter((cut) => cut < value).length)
        })
      }),
    )
  })

  it('are the same row by row, for a whole table and for a block', async () => {
    const table = surveyTable(1200)
    const data = dataOf(table)
    const [score] = fittedScores(new ScoreFitting(data), 5, others(data, 5))
    const bins = scoreBins(score!, data)
    for (let row = 0; row < data.rowCount; row++) expect(scoreBin(score!, codesOf(data, row))).toBe(bins[row])
    expect(new Set(bins).size).toBeGreaterThan(20)
  })
})

/** Pearson's r */
function correlation(x: Float64Array, y: readonly number[]): number {
  const mean = (list: Iterable<number>) => [...list].reduce((sum, v) => sum + v, 0) / x.length
  const [mx, my] = [mean(x), mean(y)]
  const cov = (a: ArrayLike<number>, ma: number, b: ArrayLike<number>, mb: number) =>
    Array.from(a).reduce((sum, v, i) => sum + (v - ma) * (b[i]! - mb), 0)
  return cov(x, mx, y, my) / Math.sqrt(cov(x, mx, x, mx) * cov(y, my, y, my))
}

describe('the scores of a target', () => {
  const rows = 1500
  const random = new RandomStream(8, PURPOSE.value)
  const draw = <T>(of: () => T) => Array.from({ length: rows }, of)
  const a = draw(() => 1 + 99 * random.real())
  const b = draw(() => 1 + 49 * random.real())
  const services = draw(() => Array.from({ length: 12 }, () => random.below(2)))
  const round = (list: readonly number[], decimals: number) => list.map((v) => Number(v.toFixed(decimals)))
  const noise = draw(() => random.real() - 0.5)
  const sum = round(
    a.map((v, i) => v + b[i]! + noise[i]!),
    2,
  )
  const product = round(
    a.map((v, i) => v * b[i]!),
    2,
  )
  const bill = services.map((list, i) => 20 + list.reduce((total, on, s) => total + on * (3 + 2 * s), noise[i]!))

  it.each([
    { what: 'a sum', target: sum, columns: [numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2)], limit: 0.4 },
    {
      what: 'a product',
      target: product,
      columns: [numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2)],
      limit: 0.6,
    },
    {
      what: 'a bill made of services',
      target: round(bill, 2),
      columns: Array.from({ length: 12 }, (_, s) =>
        categorical(
          `s${s}`,
          services.map((list) => (list[s] ? 'yes' : 'no')),
        ),
      ),
      limit: 0.5,
    },
  ])('resolve $what, which a tree alone blurs', ({ target, columns, limit }) => {
    const data = dataOf(tableOf([...columns, numeric('y', target, 2)]))
    const y = columns.length
    const candidates = others(data, y)
    const median = (withScores: boolean) => {
      const tree = growTree(data, y, candidates, withScores ? fittedScores(new ScoreFitting(data), y, candidates) : [])
      const centers = data.centers[y]!
      // The error of a draw from the leaf, relative to the value.
      const errors = target.map((value, row) => {
        const leaf = leafOf(tree, codesOf(data, row))
        const [start, end] = [tree.start[leaf]!, tree.end[leaf]!]
        const drawn = centers[tree.codes[start + (row % (end - start))]!]!
        return Math.abs(drawn - value) / value
      })
      return errors.sort((one, two) => one - two)[rows >> 1]!
    }
    expect(median(true)).toBeLessThan(limit * median(false))
  })

  it('follow a target that changes over the whole column', () => {
    const data = dataOf(tableOf([numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2), numeric('y', product, 2)]))
    const scores = fittedScores(new ScoreFitting(data), 2, Int32Array.of(0, 1))
    expect(scores).toHaveLength(2)
    // The second is for the logarithm of a product: the sum of the logarithms of its factors.
    expect(correlation(scoreValues(scores[1]!, data), product.map(Math.log))).toBeGreaterThan(0.999)
  })

  it('ignore rows without a value of the target', () => {
    // Values are missing wherever b is large. If those rows counted as zeros or any other value, they would distort the score.
    const holes = sum.map((value, i) => (b[i]! > 20 ? null : value))
    const columns = [numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2)]
    const data = dataOf(tableOf([...columns, numeric('y', holes, 2)]))
    const [score] = fittedScores(new ScoreFitting(data), 2, Int32Array.of(0, 1))
    const present = Int32Array.from(holes.keys()).filter((row) => holes[row] !== null)
    expect(
      correlation(
        scoreValues(score!, data, present),
        [...present].map((row) => sum[row]!),
      ),
    ).toBeGreaterThan(0.999)
  })

  it.each([
    { what: 'a single candidate', columns: [numeric('a', round(a, 2), 2)], target: sum },
    {
      what: 'candidates that are constant',
      columns: [numeric('a', Array(rows).fill(3)), categorical('b', Array(rows).fill('same'))],
      target: sum,
    },
    {
      what: 'candidates that say nothing of the target',
      columns: [numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2)],
      target: noise.map((v) => Math.round(1000 * v)),
    },
    {
      what: 'a constant target',
      columns: [numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2)],
      target: Array(rows).fill(1),
    },
    {
      what: 'a target that is never there',
      columns: [numeric('a', round(a, 2), 2), numeric('b', round(b, 2), 2)],
      target: Array(rows).fill(null),
    },
    {
      what: 'few rows',
      columns: [numeric('a', a.slice(0, 40), 2), numeric('b', b.slice(0, 40), 2)],
      target: sum.slice(0, 40),
    },
  ])('are absent for $what', ({ columns, target }) => {
    const data = dataOf(tableOf([...columns, numeric('y', target, 2)]))
    expect(fittedScores(new ScoreFitting(data), columns.length, others(data, columns.length))).toEqual([])
  })

  it('leave out columns without effect', () => {
    const constant = numeric('c', Array(rows).fill(3))
    const data = dataOf(
      tableOf([numeric('a', round(a, 2), 2), constant, numeric('b', round(b, 2), 2), numeric('y', sum, 2)]),
    )
    const [score] = fittedScores(new ScoreFitting(data), 3, Int32Array.of(0, 1, 2))
    expect([...score!.columns]).toEqual([0, 2])
  })

  it('are fitted to the same sums, whichever thread made the sums', () => {
    const data = dataOf(surveyTable(500))
    const fitAll = (of: TrainingData) => {
      const fitting = new ScoreFitting(of)
      return of.columns.map((_, target) => fittedScores(fitting, target, others(of, target)))
    }
    const alone = fitAll({ ...data, products: null })
    expect(fitAll(data)).toEqual(alone)
    // A table keeps its sums for later fits, so a change of the sums changes their scores.
    data.products!.values.fill(0)
    expect(fitAll(data)).not.toEqual(alone)
  })

  it('are fitted although one thread never finishes its sums', () => {
    const data = dataOf(surveyTable(500))
    const states = data.products!.states
    const columns = data.columns.length
    // The pair of the last two columns, begun by somebody who has gone.
    states[(columns * (columns - 1)) / 2 + columns - 2] = 1
    const candidates = Int32Array.of(1, columns - 2, columns - 1)
    const scores = fittedScores(new ScoreFitting(data), 0, candidates)
    expect(scores).toEqual(fittedScores(new ScoreFitting({ ...data, products: null }), 0, candidates))
    expect(Array.from(states)).toContain(1)
  })

  it('use separate sums in tables too wide to keep all sums', () => {
    const wide = tableOf(Array.from({ length: 300 }, (_, c) => numeric(`x${c}`, [c, 1, 2, 3])))
    expect(dataOf(wide).products).toBeNull()
  })

  it('do not depend on earlier fits', () => {
    const data = dataOf(surveyTable(900))
    const fresh = data.columns.map((_, target) => fittedScores(new ScoreFitting(data), target, others(data, target)))
    const shared = new ScoreFitting(data)
    for (const target of [...data.columns.keys()].reverse()) {
      expect(fittedScores(shared, target, others(data, target))).toEqual(fresh[target])
    }
    expect(fresh.flat().length).toBeGreaterThan(2)
  })
})

describe('a trained model with scores', () => {
  const table = surveyTable(2000)
  const train = (threads: number) => trainModel(table, { threads })
  const scoresOf = (model: Model) => model.base.trees.flatMap((tree) => tree.scores)

  it('keeps the scores that some split uses, with their used cuts', async () => {
    const { base } = await train(1)
    const used = base.trees.flatMap((tree) => {
      const tests = tree.scores.map(() => new Set<number>())
      tree.feature.forEach((feature, node) => {
        if (feature >= tree.predictors.length) tests[feature - tree.predictors.length]!.add(tree.test[node]!)
      })
      return tree.scores.map((score, s) => ({ cuts: score.cuts.length, tests: [...tests[s]!].sort((x, y) => x - y) }))
    })
    expect(used.length).toBeGreaterThan(0)
    for (const { cuts, tests } of used) expect(tests).toEqual(Array.from({ length: cuts }, (_, i) => i))
  })

  it('is the same for any number of threads and when trained again', async () => {
    const first = await train(1)
    expect(scoresOf(first).length).toBeGreaterThan(0)
    const bytes = encodeModel(first)
    for (const threads of [1, 2]) expect(Buffer.compare(encodeModel(await train(threads)), bytes)).toBe(0)
  })

  it('samples every row from the leaf to which its codes lead, in the base order and in the orders of scenarios', async () => {
    const model = await train(1)
    const orders = [model.base, await trainOrder(model, [5, 3], { threads: 1 })]
    expect(orders.every((order) => order.trees.some((tree) => tree.scores.length > 0))).toBe(true)
    for (const order of orders) {
      const sampler = new BatchSampler(order)
      let strays = 0
      sampler.sample(7, 0, 1024, 0)
      const d = model.columns.length
      for (let row = 0; row < 1024; row++) {
        const codes = Array.from({ length: d }, (_, c) => sampler.codes[c * 1024 + row]!)
        for (const tree of order.trees) {
          const leaf = leafOf(tree, codes)
          const held = tree.codes.subarray(tree.start[leaf], tree.end[leaf])
          if (!held.includes(codes[tree.target]!)) strays++
        }
      }
      expect(strays).toBe(0)
    }
  })

  it('has scores of its candidates only', async () => {
    for (const tree of (await train(1)).base.trees) {
      for (const { columns } of tree.scores) for (const column of columns) expect(tree.candidates).toContain(column)
    }
  })
})
