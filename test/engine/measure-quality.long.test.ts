import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MIN_MEASURED_ROWS, measureQuality } from '../../src/engine/measure-quality.ts'
import { splitTable } from '../../src/engine/quality/held-out-split.ts'
import type { Estimate } from '../../src/engine/quality/quality.ts'
import { range } from './quality/compared-parts.ts'
import { itemsTable } from './quality/item-tables.ts'
import { numeric, surveyTable, tableOf } from './survey-table.ts'

/** Threads run compiled code; `npm test` builds it first. */
const built = existsSync(new URL('../../dist/engine/thread-worker.js', import.meta.url))

describe('the held-out rows', () => {
  const numbered = (n: number, d = 1) =>
    tableOf(range(0, d).map((c) => numeric(`c${c}`, c === 0 ? range(0, n) : new Array<number>(n).fill(1))))
  const firstColumn = (table: ReturnType<typeof numbered>) => {
    const column = table.columns[0]!
    return column.kind === 'numeric' ? [...column.values] : []
  }

  it('are a fifth of the rows, the same each time, and apart from the training rows', () => {
    const { training, heldOut } = splitTable(numbered(1000))
    expect([training.rowCount, heldOut.rowCount]).toEqual([800, 200])
    expect([...firstColumn(training), ...firstColumn(heldOut)].sort((a, b) => a - b)).toEqual(range(0, 1000))
    expect(firstColumn(splitTable(numbered(1000)).heldOut)).toEqual(firstColumn(heldOut))
  })

  it.each([
    { rows: 60_000, columns: 1, training: 55_000, heldOut: 5_000 },
    { rows: 60_000, columns: 20, training: 4_800, heldOut: 1_200 },
    { rows: 3_000, columns: 400, training: 800, heldOut: 200 },
  ])(
    'number $heldOut of $rows rows with $columns columns, beside $training training rows',
    ({ rows, columns, ...parts }) => {
      const split = splitTable(numbered(rows, columns))
      expect({ training: split.training.rowCount, heldOut: split.heldOut.rowCount }).toEqual(parts)
    },
  )
})

describe('the quality of a model', () => {
  const table = surveyTable(4000)

  it('is measured on held-out rows, with a reference for each figure', async () => {
    const quality = await measureQuality(table, { threads: 1 })
    expect(quality).toMatchObject({ trainingRows: 3200, heldOutRows: 800, syntheticRows: 3200, pairs: { pairs: 21 } })
    const { columnShapes, worstColumns, pairs, twoSampleTest, copies, nearestRows } = quality!
    // The floor is what chance does to two real samples; a good model is near it, on both sides.
    for (const { synthetic, training } of [columnShapes!, pairs!]) {
      expect(training).toBeGreaterThan(0.7)
      expect(training).toBeLessThan(1)
      expect(Math.abs(synthetic - training)).toBeLessThan(0.05)
    }
    const below = worstColumns.map(({ synthetic, training }) => synthetic - training)
    expect(below).toEqual([...below].sort((a, b) => a - b))
    expect(new Set(worstColumns.map(({ column }) => column)).size).toBe(3)
    expect(twoSampleTest.auc).toBeGreaterThan(0.4)
    expect(twoSampleTest.auc).toBeLessThan(0.7)
    expect(twoSampleTest).toMatchObject({ rows: 800, chance: expect.closeTo(0.0289, 4) })
    // 1.96 + 0.84 standard errors of 0.0144.
    expect(twoSampleTest.detectable).toBeCloseTo(0.5405, 3)
    expect(copies.synthetic).toBeLessThanOrEqual(0.01)
    expect(nearestRows).toMatchObject({ queries: 2000, rows: 800, ofCopies: 0.625 })
    expect(Math.abs(nearestRows.nearerTraining - 0.5)).toBeLessThan(0.1)
    const { correlations, differences, propensity, membership, itemBlocks } = quality!
    expect(correlations).toMatchObject({ pairs: expect.any(Number), value: expect.any(Number) })
    expect(differences).toMatchObject({ value: expect.any(Number), lowest: expect.any(Array) })
    expect(propensity).toMatchObject({ pmse: expect.any(Number), parameters: expect.any(Number) })
    expect(itemBlocks).toEqual({ unmeasured: expect.any(String) })
    expect(membership.attacks.map(({ multiple }) => multiple)).toEqual([1, 10, 20])
  })

  it('has slopes of about 1 for a model that keeps the relations between columns', async () => {
    const quality = await measureQuality(itemsTable(4000), { threads: 1 })
    const { correlations, itemBlocks, differences } = quality as unknown as {
      readonly [Figure in 'correlations' | 'differences']: Estimate
    } & { readonly itemBlocks: readonly Estimate[] }
    for (const { value, low, high } of [correlations, itemBlocks[0]!, differences]) {
      expect(value).toBeGreaterThan(0.85)
      expect(value).toBeLessThan(1.15)
      expect(high - low).toBeLessThan(0.3)
    }
  })

  it.skipIf(!built).each([2, 4])('is the same with %i threads as with one', async (threads) => {
    expect(await measureQuality(table, { threads })).toEqual(await measureQuality(table, { threads: 1 }))
  })

  it('is not measured on a table in which every figure would be due to chance', async () => {
    expect(await measureQuality(surveyTable(MIN_MEASURED_ROWS - 1), { threads: 1 })).toBeNull()
    expect(await measureQuality(surveyTable(MIN_MEASURED_ROWS), { threads: 1 })).not.toBeNull()
  })

  it('is measured on a single column, without pairs', async () => {
    const one = { ...table, columns: [table.columns[3]!] }
    expect(await measureQuality(one, { threads: 1 })).toMatchObject({ pairs: null, columnShapes: {} })
  })

  it('reports its progress to the end', async () => {
    const reported: number[] = []
    await measureQuality(surveyTable(600), { threads: 1, onProgress: (fraction) => reported.push(fraction) })
    expect(reported).toEqual([...reported].sort((a, b) => a - b))
    expect(reported.at(-1)).toBe(1)
  })

  it('stops at any step when its signal aborts', async () => {
    const reason = new Error('enough')
    for (const stopAt of [0, 0.5, 0.7]) {
      const abort = new AbortController()
      const onProgress = (fraction: number) => {
        if (fraction >= stopAt) abort.abort(reason)
      }
      await expect(measureQuality(table, { threads: 1, signal: abort.signal, onProgress })).rejects.toBe(reason)
    }
  })
})
