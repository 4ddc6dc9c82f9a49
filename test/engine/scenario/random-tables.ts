import fc from 'fast-check'
import { evidenceCaps } from '../../../src/engine/scenario/fill.ts'
import { type ConditionedColumn, cellMargins, marginsOf } from '../../../src/engine/scenario/margins.ts'
import type { ProjectionProblem } from '../../../src/engine/scenario/project.ts'
import { DEFAULT_EVIDENCE_CAP } from '../../../src/engine/scenario/scenario.ts'

/** Two to four columns of two to five codes, cell weights with structural zeros, seed rows per cell, and shares. */
export interface RandomTable {
  readonly sizes: readonly number[]
  /** One per cell of the full product, row-major; 0 = the cell cannot occur. */
  readonly weights: readonly number[]
  readonly seedRows: readonly number[]
  /** Per column, one per code; the codes before its `listedCounts` are listed. */
  readonly targets: readonly (readonly number[])[]
  readonly listedCounts: readonly number[]
  readonly rowCount: number
}

export interface RandomTableOptions {
  readonly columns?: { min: number; max: number }
  readonly levels?: { min: number; max: number }
  readonly zeros: boolean
  /** Weights over seven orders of magnitude instead of three. */
  readonly isSteep?: boolean
  /** Tenths, 0 among them: shares as people write them, which often leave some cells nothing at all. */
  readonly roundShares?: boolean
}

export function randomTable({
  columns = { min: 2, max: 4 },
  levels = { min: 2, max: 5 },
  zeros,
  isSteep = false,
  roundShares = false,
}: RandomTableOptions): fc.Arbitrary<RandomTable> {
  const whole = fc.integer({ min: 1, max: 1000 })
  const weight = isSteep
    ? fc.tuple(whole, fc.integer({ min: 0, max: 4 })).map(([digits, exponent]) => digits / 10 ** exponent)
    : whole
  const cell = zeros ? fc.oneof({ arbitrary: weight, weight: 3 }, fc.constant(0)) : weight
  return fc.array(fc.integer(levels), { minLength: columns.min, maxLength: columns.max }).chain((sizes) => {
    const cells = sizes.reduce((a, b) => a * b, 1)
    return fc.record({
      sizes: fc.constant(sizes),
      weights: fc
        .array(cell, { minLength: cells, maxLength: cells })
        .filter((weights) => weights.some((value) => value > 0)),
      seedRows: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })), {
        minLength: cells,
        maxLength: cells,
      }),
      targets: fc.tuple(...sizes.map((size) => (roundShares ? tenths(size) : anyTargets(size)))),
      listedCounts: fc.tuple(...sizes.map((size) => fc.integer({ min: 1, max: size }))),
      rowCount: fc.constantFrom(1, 10, 137, 1_000, 10_000, 1_000_000),
    })
  })
}

function anyTargets(size: number): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({ min: 1, max: 100 }), { minLength: size, maxLength: size })
}

/** Whole numbers that sum to 10. */
function tenths(size: number): fc.Arbitrary<number[]> {
  return fc.array(fc.integer({ min: 0, max: 10 }), { minLength: size - 1, maxLength: size - 1 }).map((cuts) => {
    const ends = [...cuts.sort((a, b) => a - b), 10]
    return ends.map((end, i) => end - (ends[i - 1] ?? 0))
  })
}

export function cellCodesOf(sizes: readonly number[]): Int32Array {
  const D = sizes.length
  const cells = sizes.reduce((a, b) => a * b, 1)
  const codes = new Int32Array(cells * D)
  for (let c = 0; c < cells; c++) {
    let rest = c
    for (let d = D - 1; d >= 0; d--) {
      codes[c * D + d] = rest % sizes[d]!
      rest = Math.floor(rest / sizes[d]!)
    }
  }
  return codes
}

/** The projection that a table stands for, with the columns in the given order. */
export function problemOf(
  table: RandomTable,
  { order = table.sizes.map((_, d) => d), capped = true }: { order?: readonly number[]; capped?: boolean } = {},
): ProjectionProblem {
  const D = table.sizes.length
  const codes = cellCodesOf(table.sizes)
  const total = table.weights.reduce((a, b) => a + b, 0)
  const natural = Float64Array.from(table.weights, (weight) => weight / total)
  const columns = order.map((d): ConditionedColumn => {
    const targets = table.targets[d]!
    const sum = targets.reduce((a, b) => a + b, 0)
    const listed = new Map(targets.slice(0, table.listedCounts[d]!).map((target, code) => [code, target / sum]))
    return { codeCount: table.sizes[d]!, listed }
  })
  const margins = marginsOf(columns)
  const permuted = codes.map((_, o) => codes[Math.floor(o / D) * D + order[o % D]!]!)
  const evidence = Float64Array.from(table.seedRows, (rows, c) => (natural[c]! > 0 ? rows : 0))
  return {
    natural,
    cap: capped
      ? evidenceCaps(natural, evidence, table.rowCount, DEFAULT_EVIDENCE_CAP)
      : new Float64Array(natural.length).fill(1),
    cellMargins: cellMargins(permuted, margins),
    margins,
    rowCount: table.rowCount,
  }
}

/** Sum of the masses (or rows) over every margin. */
export function marginSums(values: ArrayLike<number>, { cellMargins: of, margins }: ProjectionProblem): Float64Array {
  const sums = new Float64Array(margins.targets.length)
  for (let o = 0; o < of.length; o++) if (of[o]! >= 0) sums[of[o]!]! += values[Math.floor(o / margins.columnCount)]!
  return sums
}
