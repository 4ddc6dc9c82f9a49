import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Predictor } from '../../../src/engine/trees/row-cells.ts'
import { SplitSearch } from '../../../src/engine/trees/split-search.ts'
import { referenceBestSplit } from './reference-split.ts'

const node = fc.integer({ min: 4, max: 120 }).chain((n) =>
  fc.record({
    classCount: fc.integer({ min: 2, max: 16 }),
    classes: fc.array(fc.nat(15), { minLength: n, maxLength: n }),
    ordinal: fc.boolean(),
    leaf: fc.integer({ min: 1, max: 5 }),
    predictors: fc.array(
      fc.record({
        binCount: fc.constantFrom(2, 3, 9, 128, 256),
        ordered: fc.boolean(),
        seeds: fc.array(fc.nat(255), { minLength: n, maxLength: n }),
      }),
      { minLength: 1, maxLength: 7 },
    ),
  }),
)

describe('the search for splits', () => {
  it('finds the same splits with the same gain as the reference implementation', () => {
    fc.assert(
      fc.property(node, ({ classCount, classes: raw, ordinal, leaf, predictors: specs }) => {
        const n = raw.length
        const classes = raw.map((c) => c % classCount)
        const predictors: Predictor[] = specs.map(({ binCount, ordered, seeds }) => ({
          bins: Uint8Array.from(seeds, (s) => s % binCount),
          binCount,
          ordered,
          missing: 0,
          gainPerBin: ordered ? 0 : 0.3,
        }))
        const rows = Array.from({ length: n }, (_, i) => i)
        const expected = referenceBestSplit(predictors, rows, classes, ordinal, leaf, 1e-6)
        const search = new SplitSearch(predictors, n)
        const found = search.search(
          Int32Array.from(rows),
          0,
          n,
          Uint8Array.from(classes),
          classCount,
          ordinal,
          leaf,
          1e-6,
        )
        expect(found).toBe(expected !== null)
        if (!expected) return
        // The tables add up in another order: equal but for rounding, and ties may fall either way.
        expect(search.gain).toBeCloseTo(expected.gain, 8)
        const predictor = predictors[search.feature]!
        const left = rows.filter((row) => search.leftBins[predictor.bins[row]!] === 1)
        expect(left.length).toBeGreaterThanOrEqual(leaf)
        expect(n - left.length).toBeGreaterThanOrEqual(leaf)
        const present = new Set(predictor.bins).size
        const byChance = predictor.gainPerBin * Math.max(0, present - 2)
        const again = referenceBestSplit(
          [
            {
              ...predictor,
              gainPerBin: 0,
              bins: Uint8Array.from(rows, (row) => (left.includes(row) ? 0 : 1)),
              binCount: 2,
            },
          ],
          rows,
          classes,
          ordinal,
          leaf,
          1e-6,
        )
        expect(again!.gain - byChance).toBeCloseTo(expected.gain, 8)
      }),
      { numRuns: 300 },
    )
  })

  it('gives the same answer for a node inside a larger table', () => {
    const bins = Uint8Array.from({ length: 200 }, (_, i) => (i * 7) % 10)
    const classes = Uint8Array.from({ length: 60 }, (_, i) => (((100 + i) * 7) % 10 < 4 ? 1 : 0))
    const rows = Int32Array.from({ length: 200 }, (_, i) => i)
    const search = new SplitSearch([{ bins, binCount: 10, ordered: true, missing: 0, gainPerBin: 0 }], 200)
    expect(search.search(rows, 100, 160, classes, 2, false, 5, 4)).toBe(true)
    expect(search.threshold).toBe(3)
    expect(search.gain).toBeCloseTo(-(24 * Math.log(24 / 60) + 36 * Math.log(36 / 60)), 9)
  })

  it('separates values that the node lacks from missing', () => {
    const bins = Uint8Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 100))
    const classes = Uint8Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 1))
    const rows = Int32Array.from({ length: 40 }, (_, i) => i)
    const run = (missing: 0 | 1) => {
      const search = new SplitSearch([{ bins, binCount: 128, ordered: true, missing, gainPerBin: 0 }], 40)
      search.search(rows, 0, 40, classes, 2, false, 5, 4)
      return search.threshold
    }
    expect(run(1)).toBe(0)
    expect(run(0)).toBe(50)
  })

  it('sends levels that the node lacks to the larger child', () => {
    const bins = Uint8Array.from({ length: 60 }, (_, i) => (i < 20 ? 3 : 5))
    const classes = Uint8Array.from({ length: 60 }, (_, i) => (i < 20 ? 0 : 1))
    const rows = Int32Array.from({ length: 60 }, (_, i) => i)
    const search = new SplitSearch([{ bins, binCount: 8, ordered: false, missing: 0, gainPerBin: 0 }], 60)
    search.search(rows, 0, 60, classes, 2, false, 5, 4)
    const side = (bin: number) => search.leftBins[bin]
    expect(side(3)).not.toBe(side(5))
    for (const absent of [0, 1, 2, 4, 6, 7]) expect(side(absent)).toBe(side(5))
  })

  it('prefers the first of two equal predictors', () => {
    const bins = Uint8Array.from({ length: 40 }, (_, i) => i % 2)
    const classes = bins
    const rows = Int32Array.from({ length: 40 }, (_, i) => i)
    const twin: Predictor = { bins, binCount: 2, ordered: true, missing: 0, gainPerBin: 0 }
    const search = new SplitSearch([twin, twin], 40)
    search.search(rows, 0, 40, classes, 2, false, 5, 4)
    expect(search.feature).toBe(0)
  })
})
