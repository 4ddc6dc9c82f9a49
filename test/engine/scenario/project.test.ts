import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidenceCaps, maximalFill } from '../../../src/engine/scenario/fill.ts'
import { cellMargins, marginsOf } from '../../../src/engine/scenario/margins.ts'
import { project } from '../../../src/engine/scenario/project.ts'
import { FITTING_TOLERANCE } from '../../../src/engine/scenario/proportional-fitting.ts'
import { DEFAULT_EVIDENCE_CAP } from '../../../src/engine/scenario/scenario.ts'
import { marginSums, problemOf, type RandomTable, randomTable } from './random-tables.ts'

/** KL(q || p) of masses that both need not sum to 1; logarithms only here, in the test. */
function divergence(q: Float64Array, p: Float64Array): number {
  return q.reduce((sum, mass, c) => sum + (mass > 0 ? mass * Math.log(mass / p[c]!) : 0), 0)
}

function reorderings(table: RandomTable): (readonly number[])[] {
  const order = table.sizes.map((_, d) => d)
  return [order.toReversed(), [...order.slice(1), order[0]!]]
}

describe('projection onto margins', () => {
  it('keeps the odds ratio of a two-by-two table', async () => {
    const natural = Float64Array.of(0.4, 0.1, 0.2, 0.3)
    const column = (target: number) => ({ codeCount: 2, listed: new Map([[0, target]]) })
    const margins = marginsOf([column(0.3), column(0.8)])
    const result = await project({
      natural,
      cap: new Float64Array(4).fill(1),
      cellMargins: cellMargins(Int32Array.of(0, 0, 0, 1, 1, 0, 1, 1), margins),
      margins,
      rowCount: 1000,
    })
    const [a, b, c, d] = result.masses as unknown as [number, number, number, number]
    expect(result.proof).toBeNull()
    expect(a + b).toBeCloseTo(0.3, 9)
    expect(a + c).toBeCloseTo(0.8, 9)
    expect((a * d) / (b * c)).toBeCloseTo((0.4 * 0.3) / (0.1 * 0.2), 5)
  })

  it('meets every margin to 1e-9 by proportional fitting where nothing is zero and no cap binds', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable({ zeros: false }), async (table) => {
        const problem = problemOf(table, { capped: false })
        const result = await project(problem)
        expect(result).toMatchObject({ fill: 1, rows: table.rowCount, converged: true, proof: null })
        marginSums(result.masses, problem).forEach((sum, m) => {
          expect(Math.abs(sum - problem.margins.targets[m]!)).toBeLessThanOrEqual(FITTING_TOLERANCE)
        })
      }),
      { numRuns: 100, seed: 1 },
    )
  })

  it('finds the largest possible fill, which its prices prove', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable({ zeros: true }), async (table) => {
        const problem = problemOf(table)
        const cells = possible(problem)
        const { fill, masses, prices } = await maximalFill(cells, problem.margins)
        const { targets } = problem.margins
        const D = problem.margins.columnCount
        const sums = new Float64Array(targets.length)
        let proven = 0
        for (let c = 0; c < masses.length; c++) {
          expect(masses[c]).toBeLessThanOrEqual(cells.cap[c]!)
          let price = 0
          for (let d = 0; d < D; d++) {
            sums[cells.margins[c * D + d]!]! += masses[c]!
            price += prices[cells.margins[c * D + d]!]!
          }
          if (price > 0) proven += price * cells.cap[c]!
        }
        sums.forEach((sum, m) => {
          expect(sum).toBeCloseTo(fill * targets[m]!, 9)
        })
        if (fill < 1 - 1e-6) {
          // s = s * sum of t y <= sum over cells of cap * max(0, sum of y): weak duality, met with equality.
          expect(targets.reduce((sum, target, m) => sum + target * prices[m]!, 0)).toBeCloseTo(1, 6)
          expect(proven).toBeCloseTo(fill, 6)
        }
      }),
      { numRuns: 100, seed: 2 },
    )
  })

  it('keeps margins within a tenth of a row, and caps and zeros exactly, where caps bind', async () => {
    const met = { partial: 0, full: 0 }
    await fc.assert(
      fc.asyncProperty(randomTable({ zeros: true }), async (table) => {
        const problem = problemOf(table)
        const { fill, rows, masses, converged, proof } = await project(problem)
        if (rows === 0) {
          expect(fill * table.rowCount).toBeLessThan(1)
          expect(masses.every((mass) => mass === 0)).toBe(true)
          return
        }
        if (proof) met[fill < 1 ? 'partial' : 'full']++
        expect(converged).toBe(true)
        masses.forEach((mass, c) => {
          expect(mass).toBeLessThanOrEqual(problem.cap[c]! * (1 + 1e-12))
          if (problem.natural[c] === 0) expect(mass).toBe(0)
        })
        const tolerance = proof ? 0.1000001 / table.rowCount : FITTING_TOLERANCE
        marginSums(masses, problem).forEach((sum, m) => {
          expect(Math.abs(sum - fill * problem.margins.targets[m]!)).toBeLessThanOrEqual(tolerance)
        })
      }),
      { numRuns: 200, seed: 3 },
    )
    expect(met.partial).toBeGreaterThan(10)
    expect(met.full).toBeGreaterThan(10)
  })

  it('is closer to the model than any mix with the solver’s solution of the same fill', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable({ zeros: true }), async (table) => {
        const problem = problemOf({ ...table, rowCount: 1_000_000 })
        const { fill, rows, masses, proof } = await project(problem)
        if (rows === 0 || proof === null) return
        const vertex = await vertexOf(problem)
        if (vertex.fill < fill - 1e-9) return
        const ours = divergence(masses, problem.natural)
        for (const share of [0.01, 0.5, 1]) {
          const mixed = masses.map((mass, c) => (1 - share) * mass + share * vertex.masses[c]!)
          expect(ours).toBeLessThanOrEqual(divergence(mixed, problem.natural) + 1e-4)
        }
      }),
      { numRuns: 100, seed: 4 },
    )
  })

  it('gives the same masses whatever the order of the columns', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable({ zeros: true }), async (table) => {
        const first = await project(problemOf(table))
        for (const order of reorderings(table)) {
          const other = await project(problemOf(table, { order }))
          expect(other.rows).toBe(first.rows)
          expect(other.fill).toBeCloseTo(first.fill, 7)
          // Both are within a tenth of a row of the margins, on a path that depends on the order.
          const tolerance = first.proof ? 5 / table.rowCount : 1e-6
          other.masses.forEach((mass, c) => {
            expect(Math.abs(mass - first.masses[c]!)).toBeLessThanOrEqual(tolerance)
          })
        }
      }),
      { numRuns: 60, seed: 5 },
    )
  })

  it('allows a cell ten times its natural share, or a hundred rows for each seed row', () => {
    const cap = evidenceCaps(Float64Array.of(0.001, 0.02, 0), Float64Array.of(3, 1, 0), 1000, DEFAULT_EVIDENCE_CAP)
    expect([...cap]).toEqual([0.3, 0.2, 0])
  })

  it.each([
    { rowCount: 10_000, rows: 666 },
    { rowCount: 100, rows: 100 },
    { rowCount: 666, rows: 666 },
    { rowCount: 668, rows: 666 },
  ])('fills $rows of $rowCount rows of 0.5 Wife with 0.8 Male', async ({ rowCount, rows }) => {
    const seed = Float64Array.of(2, 1566, 21_788, 9_205)
    const natural = seed.map((count) => count / 32_561)
    const columns = [
      { codeCount: 2, listed: new Map([[0, 0.5]]) },
      { codeCount: 2, listed: new Map([[0, 0.8]]) },
    ]
    const margins = marginsOf(columns)
    const result = await project({
      natural,
      cap: evidenceCaps(natural, seed, rowCount, DEFAULT_EVIDENCE_CAP),
      cellMargins: cellMargins(Int32Array.of(0, 0, 0, 1, 1, 0, 1, 1), margins),
      margins,
      rowCount,
    })
    expect(result).toMatchObject({ rows, converged: true })
  })

  it('leaves everything to the model if no column is conditioned', async () => {
    const result = await project({
      natural: Float64Array.of(1),
      cap: Float64Array.of(10),
      cellMargins: new Int32Array(0),
      margins: marginsOf([]),
      rowCount: 5,
    })
    expect(result).toMatchObject({ fill: 1, rows: 5, masses: Float64Array.of(1) })
  })

  it('fills no rows if a target has no cell', async () => {
    const margins = marginsOf([{ codeCount: 2, listed: new Map([[0, 0.5]]) }])
    const result = await project({
      natural: Float64Array.of(1),
      cap: Float64Array.of(10),
      cellMargins: cellMargins(Int32Array.of(0), margins),
      margins,
      rowCount: 5,
    })
    expect(result).toMatchObject({ fill: 0, rows: 0 })
    expect(result.proof).not.toBeNull()
  })

  it('refuses arrays of different lengths', async () => {
    const margins = marginsOf([])
    const problem = { natural: Float64Array.of(1), cap: new Float64Array(2), cellMargins: new Int32Array(0), margins }
    await expect(project({ ...problem, rowCount: 1 })).rejects.toThrow('1 cells, 2 caps and 0 margins do not match')
  })
})

/** The cells that may occur, as the solver takes them. */
function possible(problem: ReturnType<typeof problemOf>): { cap: Float64Array; margins: Int32Array; index: number[] } {
  const D = problem.margins.columnCount
  const index = [...problem.natural.keys()].filter((c) => problem.natural[c]! > 0 && problem.cellMargins[c * D]! >= 0)
  return {
    index,
    cap: Float64Array.from(index, (c) => problem.cap[c]!),
    margins: Int32Array.from(index.flatMap((c) => [...problem.cellMargins.subarray(c * D, (c + 1) * D)])),
  }
}

async function vertexOf(problem: ReturnType<typeof problemOf>) {
  const cells = possible(problem)
  const { fill, masses } = await maximalFill(cells, problem.margins)
  const all = new Float64Array(problem.natural.length)
  cells.index.forEach((c, i) => {
    all[c] = masses[i]!
  })
  return { fill, masses: all }
}
