import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import type { Model, Order } from '../../../src/engine/model/model.ts'
import { encodeModel } from '../../../src/engine/model/model-file.ts'
import { compareRows } from '../../../src/engine/quality/compared-rows.ts'
import { CopyLimit, rowCoverage } from '../../../src/engine/quality/copy-limit.ts'
import { copyShare } from '../../../src/engine/quality/exact-copies.ts'
import { sampleModel } from '../../../src/engine/sampling/sample.ts'
import { ScoreFitting } from '../../../src/engine/scores/fit-scores.ts'
import { trainingData } from '../../../src/engine/scores/training-data.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { growTree } from '../../../src/engine/trees/grow-tree.ts'
import { leafRows, MAX_STRICTNESS } from '../../../src/engine/trees/growth-limits.ts'
import { fittedScores } from '../scores/fitted-scores.ts'
import { categorical, numeric, scalesTable, surveyTable, tableOf } from '../survey-table.ts'
import { compareTables, range, rowsOf } from './compared-parts.ts'

/** Threads run compiled code; `npm test` builds it first. */
const built = existsSync(new URL('../../../dist/engine/thread-worker.js', import.meta.url))

const codesOf = (table: Table) => table.columns.map((column) => encodeColumn(column).codes)
const coverageOf = (table: Table) => rowCoverage(codesOf(table), table.rowCount)

describe('the coverage of a table', () => {
  it.each([
    { what: 'rows that are all different', rows: ['a', 'b', 'c', 'd'], share: 0, error: 0 },
    { what: 'rows that are all alike', rows: ['a', 'a', 'a'], share: 1, error: 0 },
    { what: 'a row that occurs twice', rows: ['a', 'b', 'c', 'c'], share: 0.5, error: Math.sqrt(2 * 0.5 + 2) / 4 },
    { what: 'a row that occurs thrice', rows: ['a', 'c', 'c', 'c'], share: 0.75, error: Math.sqrt(0.75) / 4 },
  ])('counts $what', ({ rows, share, error }) => {
    const { share: found, standardError } = coverageOf(tableOf([categorical('x', rows)]))
    expect(found).toBeCloseTo(share, 12)
    expect(standardError).toBeCloseTo(error, 12)
  })

  it('compares rows in every column', () => {
    const table = tableOf([
      categorical('x', ['a', 'a', 'b', 'b', 'a']),
      categorical('y', ['c', 'd', 'c', 'd', 'c']),
      numeric('z', [1, 1, 1, 1, 1]),
    ])
    expect(coverageOf(table).share).toBeCloseTo(2 / 5, 12)
  })

  it('distinguishes rows with equal hashes', () => {
    const prime = 0x01000193
    // The second column cancels what the value 1 of the first adds to the hash.
    const columns = [Int32Array.of(0, 1), Int32Array.of(0, prime ^ (prime >>> 15))]
    expect(rowCoverage(columns, 2).share).toBe(0)
  })

  it('is the share of new rows of the population that are in the table', () => {
    const table = scalesTable(20_000)
    for (const n of [300, 3_000]) {
      const seen = rowsOf(table, range(0, n))
      const { share, standardError } = coverageOf(seen)
      const fresh = copyShare(compareTables(seen, seen, rowsOf(table, range(n, 20_000))), 'synthetic')
      expect(Math.abs(share - fresh)).toBeLessThan(4 * standardError)
      expect(standardError).toBeLessThan(0.03)
    }
  })
})

describe('a model of few coarse columns', () => {
  const table = scalesTable(20_000, 3)
  const fresh = scalesTable(40_000, 9)
  const chance = copyShare(compareTables(table, fresh, fresh), 'heldOut')
  const copiesOf = async (of: Model) =>
    copyShare(compareRows(table, fresh, await sampleModel(of, { threads: 1 })), 'synthetic')
  const smallestLeaf = ({ trees }: Order) =>
    Math.min(
      ...trees.flatMap(({ feature, start, end }) =>
        Array.from(feature, (f, node) => (f < 0 ? end[node]! - start[node]! : Number.POSITIVE_INFINITY)),
      ),
    )
  let model: Model
  /** The model of the same table without a copy limit. */
  let lax: Model

  beforeAll(async () => {
    model = await trainModel(table, { threads: 1 })
    lax = grownAt(model, 0)
  })

  it('is just strict enough to copy about as many rows as new rows of the population do', async () => {
    expect(model.strictness).toBeGreaterThan(0)
    // Standard errors of the rows of a model and of the table's coverage, which limits the model.
    const error = Math.hypot(Math.sqrt((chance * (1 - chance)) / table.rowCount), coverageOf(table).standardError)
    expect(await copiesOf(lax)).toBeGreaterThan(chance + 2 * error)
    expect(await copiesOf(model)).toBeLessThan(chance + 2 * error)
  })

  it.each([
    { rows: 12_000, columns: 6, strictness: 2, seed: 1 },
    { rows: 12_000, columns: 5, strictness: 3, seed: 1 },
    { rows: 2_000, columns: 4, strictness: 3, seed: 2 },
  ])(
    'is not stricter than necessary: $rows rows, $columns columns, strictness $strictness',
    async ({ rows, columns, strictness, seed }) => {
      const few = tableOf(scalesTable(rows, seed).columns.slice(0, columns))
      const found = await trainModel(few, { threads: 1 })
      expect(found).toEqual(grownAt(found, strictness))
      const limit = CopyLimit.of(few, found.codes)!
      const isExceeded = (at: number) => limit.isExceeded(grownAt(found, at), { threads: 1 }, { surely: false })
      if (strictness < MAX_STRICTNESS) expect(await isExceeded(strictness)).toBe(false)
      expect(await isExceeded(strictness - 1)).toBe(true)
    },
  )

  it('is not stricter when the excess may be due to chance', async () => {
    const few = tableOf(scalesTable(2_000).columns.slice(0, 5))
    const found = await trainModel(few, { threads: 1 })
    expect(found.strictness).toBe(0)
    const isExceeded = (surely: boolean) =>
      CopyLimit.of(few, found.codes)!.isExceeded(found, { threads: 1 }, { surely })
    expect(await isExceeded(false)).toBe(true)
    expect(await isExceeded(true)).toBe(false)
  })

  it('has equally strict leaves in the orders of scenarios', async () => {
    expect(smallestLeaf(lax.base)).toBeLessThan(leafRows(table.rowCount, model.strictness))
    // If the last column comes first, no tree is shared with the base order.
    for (const order of [model.base, await trainOrder(model, [model.base.columns.at(-1)!], { threads: 1 })]) {
      expect(smallestLeaf(order)).toBeGreaterThanOrEqual(leafRows(table.rowCount, model.strictness))
    }
  })

  it('reports progress that rises to the end once', async () => {
    const reported: number[] = []
    await trainModel(table, { threads: 1, onProgress: (fraction) => reported.push(fraction) })
    expect(reported).toEqual([...reported].sort((a, b) => a - b))
    expect(reported.indexOf(1)).toBe(reported.length - 1)
    // Encoding, and every tree three times.
    expect(reported.length).toBe(4 * table.columns.length + 1)
  })

  it('stops when it is aborted while trees are grown again', async () => {
    const controller = new AbortController()
    const reason = new Error('the dataset was deleted')
    const onProgress = (fraction: number) => fraction > 0.8 && controller.abort(reason)
    await expect(trainModel(table, { threads: 1, signal: controller.signal, onProgress })).rejects.toBe(reason)
  })

  it.skipIf(!built).each([1, 2, 4])('is the same with %i threads', async (threads) => {
    expect(Buffer.compare(encodeModel(await trainModel(table, { threads })), encodeModel(model))).toBe(0)
  })
})

describe('the coverage limit', () => {
  const repeated = (rows: number) =>
    tableOf([
      categorical(
        'x',
        range(0, rows).map((i) => (i % 2 === 0 ? 'a' : 'b')),
      ),
    ])

  it.each([
    { what: 'has rows that are nearly all different', table: surveyTable(2_000), held: false },
    { what: 'is larger than 50,000 rows', table: repeated(50_001), held: false },
    { what: 'has 50,000 rows that repeat', table: repeated(50_000), held: true },
  ])('applies to a table that $what: $held', ({ table, held }) => {
    expect(CopyLimit.of(table, codesOf(table)) !== null).toBe(held)
  })

  it.each([
    { what: 'rows that are nearly all different', table: surveyTable(2_000) },
    { what: 'a single column, which no tree can learn by heart', table: scaleAlone(2_000) },
  ])('leaves training without strictness for $what', async ({ table }) => {
    expect((await trainModel(table, { threads: 1 })).strictness).toBe(0)
  })
})

/** A model of the same table with trees of another strictness. */
function grownAt(model: Model, strictness: number): Model {
  const data = trainingData(model.columns, model.codes)
  const fitting = new ScoreFitting(data)
  const trees = Array.from(model.base.columns, (target, i) => {
    const candidates = model.base.columns.slice(0, i).sort()
    return growTree(data, target, candidates, fittedScores(fitting, target, candidates), strictness)
  })
  return { ...model, strictness, base: { ...model.base, trees } }
}

function scaleAlone(rows: number): Table {
  const { columns } = scalesTable(rows)
  return tableOf(columns.slice(0, 1))
}
