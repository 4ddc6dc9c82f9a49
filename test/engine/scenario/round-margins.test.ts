import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RandomStream } from '../../../src/engine/sampling/random.ts'
import { cellMargins, type Margins, marginsOf } from '../../../src/engine/scenario/margins.ts'
import { type ProjectionProblem, project } from '../../../src/engine/scenario/project.ts'
import { roundToMargins, systematic } from '../../../src/engine/scenario/round-margins.ts'
import { marginSums, problemOf, type RandomTable, randomTable } from './random-tables.ts'

function uniformFrom(seed: number): () => number {
  const stream = new RandomStream(seed, 8)
  return () => stream.real()
}

/** Every listed level, and the rest as a whole, is within one row of its share. */
function expectNearest(wanted: Int32Array, { targets }: Margins, rows: number): void {
  wanted.forEach((count, m) => {
    expect(Math.abs(count - rows * targets[m]!)).toBeLessThan(1)
  })
}

/** Whether rows on cells of positive mass can have these margins of two columns (Gale 1957): no levels want more than they reach. */
function hasTable(wanted: Int32Array, masses: Float64Array, { cellMargins: of, margins }: ProjectionProblem): boolean {
  const cells = Array.from(masses.keys(), (c) => [of[2 * c]!, of[2 * c + 1]!] as const).filter((_, c) => masses[c]! > 0)
  const sum = (chosen: Iterable<number>) => [...chosen].reduce((total, m) => total + wanted[m]!, 0)
  const levels = Array.from({ length: margins.start[1]! }, (_, m) => m)
  return Array.from({ length: 2 ** levels.length }, (_, set) => levels.filter((m) => (set >> m) % 2 === 1)).every(
    (some) => sum(some) <= sum(new Set(cells.filter(([m]) => some.includes(m)).map(([, reached]) => reached))),
  )
}

/** The one row is for the fourth level of both columns, which no cell has. */
const ONE_ROW_IN_NO_CELL: RandomTable = {
  sizes: [4, 5],
  weights: [1, 0, 31, 977, 0, 1, 0, 1, 0, 99, 1, 1, 1, 118, 0, 1, 1, 0, 0, 120],
  seedRows: [1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0],
  targets: [
    [20, 20, 20, 40],
    [20, 20, 10, 40, 10],
  ],
  listedCounts: [4, 5],
  rowCount: 1,
}

describe('controlled rounding', () => {
  it('gives whole rows that sum to the total, lie in possible cells only, and keep every margin within one row', async () => {
    const seen = { exact: 0, off: 0 }
    await fc.assert(
      fc.asyncProperty(randomTable({ zeros: true }), fc.integer(), async (table, seed) => {
        const problem = problemOf(table)
        const { masses, rows } = await project(problem)
        if (rows === 0) return
        const { counts, wanted, deviation } = await roundToMargins({
          masses,
          cellMargins: problem.cellMargins,
          margins: problem.margins,
          rows,
          uniform: uniformFrom(seed),
        })
        expect(counts.reduce((a, b) => a + b, 0)).toBe(rows)
        expect(counts.every((count, c) => (masses[c] === 0 ? count === 0 : count >= 0))).toBe(true)
        const sums = marginSums(counts, problem)
        const worst = sums.reduce((most, sum, m) => Math.max(most, Math.abs(sum - wanted[m]!)), 0)
        expect(deviation).toBe(worst)
        expect(deviation).toBeLessThanOrEqual(1)
        seen[deviation === 0 ? 'exact' : 'off']++
        expectNearest(wanted, problem.margins, rows)
      }),
      { numRuns: 150, seed: 6 },
    )
    expect(seen.exact).toBeGreaterThan(80)
    expect(seen.off).toBeLessThan(0.03 * seen.exact)
  })

  it('meets the margins of two columns exactly whenever that is possible', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable({ columns: { min: 2, max: 2 }, zeros: true }), fc.integer(), async (table, seed) => {
        const problem = problemOf(table)
        const { masses, rows } = await project(problem)
        if (rows === 0) return
        const { wanted, deviation } = await roundToMargins({ ...problem, masses, rows, uniform: uniformFrom(seed) })
        expect(deviation === 0).toBe(hasTable(wanted, masses, problem))
      }),
      { numRuns: 200, seed: 7, examples: [[ONE_ROW_IN_NO_CELL, 0]] },
    )
  })

  it('gives every cell its rows on average, however small its mass', async () => {
    const K = 40
    const margins = marginsOf([{ codeCount: K, listed: new Map([[0, 0.5]]) }])
    const masses = new Float64Array(K).fill(0.5 / (K - 1))
    masses[0] = 0.5
    const codes = Int32Array.from(masses.keys())
    const totals = new Int32Array(K)
    const runs = 400
    for (let run = 0; run < runs; run++) {
      const cells = cellMargins(codes, margins)
      const { counts } = await roundToMargins({
        masses,
        cellMargins: cells,
        margins,
        rows: 20,
        uniform: uniformFrom(run),
      })
      counts.forEach((count, c) => {
        totals[c]! += count
      })
    }
    expect(totals[0]).toBe(10 * runs)
    // 10 rows over 39 cells: each gets one with chance 10/39; five standard errors.
    const chance = 10 / 39
    for (let c = 1; c < K; c++) {
      expect(Math.abs(totals[c]! / runs - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / runs))
    }
  })

  it('rounds a three-way table with structural zeros that moves within one column cannot correct', async () => {
    // Even-parity cells of 2 x 2 x 2 only: every pair of possible cells differs in two columns.
    const codes = Int32Array.of(0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0)
    const column = { codeCount: 2, listed: new Map([[0, 0.5]]) }
    const margins = marginsOf([column, column, column])
    const cells = cellMargins(codes, margins)
    for (let seed = 0; seed < 20; seed++) {
      const masses = new Float64Array(4).fill(0.25)
      const { counts, deviation } = await roundToMargins({
        masses,
        cellMargins: cells,
        margins,
        rows: 6,
        uniform: uniformFrom(seed),
      })
      expect(counts.reduce((a, b) => a + b, 0)).toBe(6)
      // Three rows of each level in every column: a + b = a + c = a + d = 3 and a + b + c + d = 6, so 2 a = 3.
      expect(deviation).toBe(1)
      const even = await roundToMargins({ masses, cellMargins: cells, margins, rows: 8, uniform: uniformFrom(seed) })
      expect(even).toMatchObject({ deviation: 0, counts: Int32Array.of(2, 2, 2, 2) })
    }
  })

  it('refuses to place rows without mass', async () => {
    const margins = marginsOf([])
    const problem = { masses: new Float64Array(1), cellMargins: new Int32Array(0), margins, uniform: () => 0 }
    await expect(roundToMargins({ ...problem, rows: 1 })).rejects.toThrow(
      'cannot distribute 1 rows over cells of mass 0',
    )
    expect((await roundToMargins({ ...problem, rows: 0 })).counts).toEqual(Int32Array.of(0))
  })
})

describe('systematic sampling', () => {
  it('gives every weight its quota rounded down or up, and all rows in total', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (weights, total, offset) => {
          const sum = weights.reduce((a, b) => a + b, 0)
          fc.pre(sum > 0)
          const counts = new Int32Array(weights.length)
          systematic(weights, 0, weights.length, total, offset, counts)
          expect(counts.reduce((a, b) => a + b, 0)).toBe(total)
          counts.forEach((count, i) => {
            const quota = (weights[i]! / sum) * total
            expect(count).toBeGreaterThanOrEqual(Math.floor(quota - 1e-9))
            expect(count).toBeLessThanOrEqual(Math.ceil(quota + 1e-9))
          })
        },
      ),
      { seed: 8 },
    )
  })
})
