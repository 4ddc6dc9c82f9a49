import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeTable, CodeTables } from '../../../src/engine/trees/code-tables.ts'
import { RowCells } from '../../../src/engine/trees/row-cells.ts'

const parent = fc.integer({ min: 60, max: 200 }).chain((n) =>
  fc.record({
    k: fc.integer({ min: 2, max: 16 }),
    codes: fc.array(fc.nat(15), { minLength: n, maxLength: n }),
    middle: fc.integer({ min: 1, max: n - 1 }),
    predictors: fc.array(
      fc.record({
        binCount: fc.constantFrom(1, 2, 5, 16, 40, 256),
        seeds: fc.array(fc.nat(255), { minLength: n, maxLength: n }),
      }),
      { minLength: 1, maxLength: 9 },
    ),
  }),
)

describe('the counts by code in a node', () => {
  it('equal those of its rows, in both children of each split at every depth', () => {
    fc.assert(
      fc.property(parent, ({ k, codes: raw, middle, predictors: specs }) => {
        const n = raw.length
        const codes = Uint16Array.from(raw, (code) => code % k)
        const predictors = specs.map(({ binCount, seeds }) => ({
          bins: Uint8Array.from(seeds, (s) => s % binCount),
          binCount,
        }))
        const cells = new RowCells(predictors, n)
        // Odd codes are one class, even ones another.
        const classOf = Uint8Array.from({ length: k }, (_, code) => code & 1)
        const tables = new CodeTables(cells, codes, k, classOf)
        const rows = Int32Array.from({ length: n }, (_, i) => n - 1 - i)

        const check = (table: CodeTable | null, start: number, end: number) => {
          if (table === null) return
          const grouped = new Int32Array(cells.binCount * 2)
          table.groupInto(grouped, 2)
          const counted = predictors.filter((_, f) => cells.rank[f]! < table.counted)
          const bins = counted.reduce((sum, { binCount }) => sum + binCount, 0)
          const byCode = new Array(bins * k).fill(0)
          const byClass = new Array(bins * 2).fill(0)
          for (const row of rows.subarray(start, end)) {
            for (const predictor of counted) {
              const bin = cells.firstBin[predictors.indexOf(predictor)]! + predictor.bins[row]!
              byCode[bin * k + codes[row]!]++
              byClass[bin * 2 + (codes[row]! & 1)]++
            }
          }
          expect([...table.values.subarray(0, bins * k)]).toEqual(byCode)
          expect([...grouped.subarray(0, bins * 2)]).toEqual(byClass)
        }
        const descend = (table: CodeTable | null, start: number, cut: number, end: number) => {
          check(table, start, end)
          if (table === null || cut <= start || cut >= end) return
          const [from, to] = cut - start <= end - cut ? [start, cut] : [cut, end]
          const small = tables.split(table, rows, from, to, end - start)
          check(small, from, to)
          const [restFrom, restTo] = from === start ? [cut, end] : [start, cut]
          descend(table, restFrom, (restFrom + restTo) >> 1, restTo)
          tables.giveBack(small)
        }
        descend(tables.of(rows, 0, n), 0, middle, n)
      }),
      { numRuns: 60 },
    )
  })

  it('are not made for a node with too few rows for its bins', () => {
    const cells = new RowCells([{ bins: new Uint8Array(20), binCount: 256 }], 20)
    const rows = Int32Array.from({ length: 20 }, (_, i) => i)
    expect(new CodeTables(cells, new Uint16Array(20), 2, new Uint8Array(2)).of(rows, 0, 20)).toBeNull()
  })
})
