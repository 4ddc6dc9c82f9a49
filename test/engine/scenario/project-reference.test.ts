import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RandomStream } from '../../../src/engine/sampling/random.ts'
import { evidenceCaps } from '../../../src/engine/scenario/fill.ts'
import { cellMargins, marginsOf } from '../../../src/engine/scenario/margins.ts'
import { type ProjectionProblem, project } from '../../../src/engine/scenario/project.ts'
import { FITTING_TOLERANCE } from '../../../src/engine/scenario/proportional-fitting.ts'
import { roundToMargins } from '../../../src/engine/scenario/round-margins.ts'
import { DEFAULT_EVIDENCE_CAP } from '../../../src/engine/scenario/scenario.ts'
import { cellCodesOf, marginSums, problemOf, type RandomTable, randomTable } from './random-tables.ts'
import { divergence, leastDivergence } from './reference-divergence.ts'
import { referenceFill } from './reference-fill.ts'

/** One to four columns of one to four levels; the harder kinds of tables in turn. */
const TABLES = [
  { name: 'any shares', options: { zeros: true } },
  { name: 'round shares', options: { zeros: true, roundShares: true } },
  { name: 'round shares of a steep table', options: { zeros: true, roundShares: true, isSteep: true } },
].map(({ name, options }) => ({
  name,
  tables: randomTable({ columns: { min: 1, max: 4 }, levels: { min: 1, max: 4 }, ...options }),
}))

/** Iterative proportional fitting as in the textbook; null where it does not arrive. */
function fittedProportionally({ natural, cellMargins: of, margins }: ProjectionProblem): Float64Array | null {
  const D = margins.columnCount
  const q = natural.map((mass, c) => (of[c * D]! >= 0 ? mass : 0))
  for (let sweep = 0; sweep < 5_000; sweep++) {
    let worst = 0
    for (let d = 0; d < D; d++) {
      const sums = new Float64Array(margins.targets.length)
      q.forEach((mass, c) => {
        if (mass > 0) sums[of[c * D + d]!]! += mass
      })
      for (let m = margins.start[d]!; m < margins.start[d + 1]!; m++) {
        worst = Math.max(worst, Math.abs(sums[m]! - margins.targets[m]!))
      }
      q.forEach((mass, c) => {
        if (mass > 0) q[c] = (mass * margins.targets[of[c * D + d]!]!) / sums[of[c * D + d]!]!
      })
    }
    if (worst < 1e-12) return q
  }
  return null
}

/** The same table with its columns in another order and the levels of each renamed; `cells` maps back to the original cells. */
function renamed(table: RandomTable, seed: number): { problem: ProjectionProblem; cells: Int32Array } {
  const stream = new RandomStream(seed, 8)
  const shuffled = (length: number) => {
    const items = Array.from({ length }, (_, i) => i)
    for (let i = length - 1; i > 0; i--) {
      const j = stream.below(i + 1)
      ;[items[i], items[j]] = [items[j]!, items[i]!]
    }
    return items
  }
  const D = table.sizes.length
  const order = shuffled(D)
  const names = table.sizes.map((size) => shuffled(size))
  const codes = cellCodesOf(table.sizes)
  const old = problemOf(table)
  const K = old.natural.length
  const cells = Int32Array.from(shuffled(K))
  const newCodes = Int32Array.from({ length: K * D }, (_, o) => {
    const d = order[o % D]!
    return names[d]![codes[cells[Math.floor(o / D)]! * D + d]!]!
  })
  const columns = order.map((d) => {
    const listed = new Map<number, number>()
    const sum = table.targets[d]!.reduce((a, b) => a + b, 0)
    names[d]!.forEach((name, code) => {
      if (code < table.listedCounts[d]!) listed.set(name, table.targets[d]![code]! / sum)
    })
    return { codeCount: table.sizes[d]!, listed }
  })
  const margins = marginsOf(columns)
  const problem = {
    natural: Float64Array.from(cells, (c) => old.natural[c]!),
    cap: Float64Array.from(cells, (c) => old.cap[c]!),
    cellMargins: cellMargins(newCodes, margins),
    margins,
    rowCount: table.rowCount,
  }
  return { problem, cells }
}

/** Level 0 of the first column, 0.1 of the rows, is all that level 1 of the second is of, which gets 1 - 0.9: not quite 0.1. */
const ROUNDED_SHARES: RandomTable = {
  sizes: [4, 2, 1],
  weights: [0, 199, 0, 0, 348, 482, 1, 0],
  seedRows: [1, 1, 1, 1, 1, 0, 0, 0],
  targets: [[1, 0, 0, 9], [9, 1], [10]],
  listedCounts: [1, 1, 1],
  rowCount: 1,
}

describe.each(TABLES)('projection of random tables with $name', ({ tables }) => {
  it('finds the largest possible fill, and loses no row of it', async () => {
    const seen = { full: 0, partial: 0, none: 0 }
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const problem = problemOf(table)
        const { fill, rows } = await project(problem)
        const most = referenceFill(problem)
        expect(Math.abs(fill - most)).toBeLessThan(1e-9)
        expect(rows).toBe(most > 1 - 1e-9 ? table.rowCount : Math.floor(table.rowCount * most + 1e-3))
        seen[rows === 0 ? 'none' : rows < table.rowCount ? 'partial' : 'full']++
      }),
      { numRuns: 50, seed: 11, examples: [[ROUNDED_SHARES]] },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1)
  })

  it('meets margins, zeros and caps, and no other mix with these margins is closer to the model', async () => {
    const seen = { fitted: 0, capped: 0 }
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const problem = problemOf(table)
        const { fill, rows, masses, converged, proof } = await project(problem)
        if (rows === 0) return
        seen[proof ? 'capped' : 'fitted']++
        expect(converged).toBe(true)
        const sums = marginSums(masses, problem)
        const tolerance = proof ? 0.1001 / table.rowCount : FITTING_TOLERANCE
        sums.forEach((sum, m) => {
          expect(Math.abs(sum - fill * problem.margins.targets[m]!)).toBeLessThanOrEqual(tolerance)
        })
        const D = problem.margins.columnCount
        masses.forEach((mass, c) => {
          expect(mass).toBeLessThanOrEqual(problem.cap[c]! * (1 + 1e-12))
          if (problem.natural[c] === 0 || problem.cellMargins[c * D] === -1) expect(mass).toBe(0)
        })
        expect(divergence(masses, problem.natural) - leastDivergence(problem, sums)).toBeLessThan(1e-8)
      }),
      { numRuns: 120, seed: 12 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
  })

  it('gives cells of few rows no more than their limit of the mix, in the largest fill that allows', async () => {
    const seen = { full: 0, partial: 0, none: 0, limited: 0 }
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const problem = problemOf(table)
        const limit = Float64Array.from(table.seedRows, (rows) => (rows < 5 ? 0.2 : 1))
        const { fill, rows, masses, converged, proof } = await project({ ...problem, limit })
        const most = referenceFill({ ...problem, limit })
        expect(Math.abs(fill - most) * table.rowCount).toBeLessThan(rows === 0 ? 1 : 1e-9 * table.rowCount)
        expect(rows).toBe(most > 1 - 1e-9 ? table.rowCount : Math.floor(table.rowCount * most + 1e-3))
        seen[rows === 0 ? 'none' : rows < table.rowCount ? 'partial' : 'full']++
        if (rows === 0) return
        expect(converged).toBe(true)
        masses.forEach((mass, c) => {
          expect(mass).toBeLessThanOrEqual(Math.min(problem.cap[c]!, limit[c]! * fill) * (1 + 1e-9))
        })
        if (proof?.limited.some((is) => is === 1)) seen.limited++
        const cap = problem.cap.map((most, c) => Math.min(most, limit[c]! * fill))
        const sums = marginSums(masses, problem)
        expect(divergence(masses, problem.natural) - leastDivergence({ ...problem, cap }, sums)).toBeLessThan(1e-8)
      }),
      { numRuns: 150, seed: 15 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(4)
  })

  it('equals proportional fitting where that result is within the caps', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const problem = problemOf({ ...table, rowCount: 1_000_000 })
        const expected = fittedProportionally(problem)
        if (expected === null || expected.some((mass, c) => mass > problem.cap[c]!)) return
        compared++
        const { fill, rows, masses, proof } = await project(problem)
        expect({ fill, rows }).toEqual({ fill: 1, rows: 1_000_000 })
        // Where fitting is slow the capped projection may have finished it, to a tenth of a row.
        const tolerance = proof ? 1e-5 : 1e-6
        masses.forEach((mass, c) => {
          expect(Math.abs(mass - expected[c]!)).toBeLessThan(tolerance)
        })
      }),
      { numRuns: 120, seed: 13 },
    )
    expect(compared).toBeGreaterThan(10)
  })

  it('does not depend on the names of levels or on the order of columns and cells', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.integer(), async (table, seed) => {
        const first = await project(problemOf(table))
        const { problem, cells } = renamed(table, seed)
        const other = await project(problem)
        expect(other.rows).toBe(first.rows)
        expect(Math.abs(other.fill - first.fill)).toBeLessThan(1e-9)
        // Sweeps stop within a tenth of a row of the margins, on a path that depends on the order.
        const tolerance = first.proof || other.proof ? 5 / table.rowCount : 1e-6
        other.masses.forEach((mass, i) => {
          expect(Math.abs(mass - first.masses[cells[i]!]!)).toBeLessThanOrEqual(tolerance)
        })
      }),
      { numRuns: 80, seed: 14 },
    )
  })
})

/** Two columns of two levels each, the first levels of both never together. */
function exclusive(first: number, second: number, rowCount: number): ProjectionProblem {
  const natural = Float64Array.of(0, 0.3, 0.2, 0.5)
  const columns = [
    { codeCount: 2, listed: new Map([[0, first]]) },
    { codeCount: 2, listed: new Map([[0, second]]) },
  ]
  const margins = marginsOf(columns)
  const cap = new Float64Array(4).fill(1)
  return { natural, cap, cellMargins: cellMargins(cellCodesOf([2, 2]), margins), margins, rowCount }
}

describe('projection where there is little or no freedom', () => {
  it('gives no mass to rows of neither level if two exclusive levels take everything', async () => {
    const { masses, ...found } = await project(exclusive(0.5, 0.5, 1_000_000))
    expect(found).toMatchObject({ fill: 1, rows: 1_000_000, converged: true })
    expect(found.sweeps).toBeLessThan(10)
    expect([...masses]).toEqual([0, expect.closeTo(0.5, 9), expect.closeTo(0.5, 9), 0])
  })

  it('fills a cell up to its cap if nothing less is possible', async () => {
    const problem = { ...exclusive(0.5, 0.8, 1_000_000), natural: Float64Array.of(0.001, 0.299, 0.2, 0.5) }
    // 0.5 + 0.8 - 1 of the rows have to be both, and exactly so many may.
    const { masses, ...found } = await project({ ...problem, cap: Float64Array.of(0.3, 1, 1, 1) })
    expect(found).toMatchObject({ fill: 1, rows: 1_000_000, converged: true })
    expect(found.sweeps).toBeLessThan(10)
    expect([...masses]).toEqual([0.3, 0.2, 0.5, 0].map((mass) => expect.closeTo(mass, 6)))
  })

  it.each([
    [1, 333],
    [3, 1000],
    [6, 2000],
    [9, 3000],
    [21, 7000],
  ])('fills every row that %i seed rows may support', async (seedRows, expected) => {
    const problem = { ...exclusive(0.5, 0.8, 10_000), natural: Float64Array.of(0.001, 0.299, 0.2, 0.5) }
    // The fill is short of the whole row by the solver's rounding as often as not.
    const { rows } = await project({ ...problem, cap: Float64Array.of(seedRows / 100, 1, 1, 1) })
    expect(rows).toBe(expected)
  })

  it('stops after a bounded number of sweeps, reports it, and still meets the margins in whole rows', async () => {
    const problem = exclusive(0.5, 0.5 - 2e-6, 10_000_000)
    const { masses, ...found } = await project(problem)
    expect(found).toMatchObject({ fill: 1, rows: 10_000_000, converged: false, sweeps: 20_000 })
    expect(found.marginError).toBeLessThanOrEqual(0.1001 / problem.rowCount)
    expect(masses[0]).toBe(0)
    const { counts, deviation } = await roundToMargins({ ...problem, masses, rows: found.rows, uniform: () => 0.5 })
    expect(deviation).toBe(0)
    expect([...counts]).toEqual([0, 5_000_000, 4_999_980, 20])
  })

  it('projects 48,000 cells under caps', async () => {
    const sizes = [40, 40, 30]
    const stream = new RandomStream(5, 8)
    const codes = cellCodesOf(sizes)
    const weights = Float64Array.from({ length: 48_000 }, () => (stream.real() < 0.3 ? 0 : stream.real() ** 4))
    const total = weights.reduce((a, b) => a + b, 0)
    const natural = weights.map((weight) => weight / total)
    const margins = marginsOf(
      sizes.map((codeCount) => ({
        codeCount,
        listed: new Map([
          [0, 0.4],
          [1, 0.2],
          [2, 0.2],
        ]),
      })),
    )
    const evidence = natural.map((mass) => Math.floor(mass * 32_561 + stream.real()))
    const cap = evidenceCaps(natural, evidence, 10_000, DEFAULT_EVIDENCE_CAP)
    const problem = { natural, cap, cellMargins: cellMargins(codes, margins), margins, rowCount: 10_000 }
    const { fill, rows, masses, converged } = await project(problem)
    expect(converged).toBe(true)
    expect(fill).toBeLessThan(1)
    expect(rows).toBe(Math.floor(10_000 * fill + 1e-3))
    marginSums(masses, problem).forEach((sum, m) => {
      expect(Math.abs(sum - fill * margins.targets[m]!)).toBeLessThan(0.1001 / 10_000)
    })
    expect(masses.every((mass, c) => mass <= cap[c]! * (1 + 1e-12))).toBe(true)
  })
})
