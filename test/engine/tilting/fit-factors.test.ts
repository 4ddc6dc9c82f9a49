import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exponential } from '../../../src/engine/tilting/exponential.ts'
import { FactorFit } from '../../../src/engine/tilting/fit-factors.ts'
import { LeafRuns } from '../../../src/engine/tilting/leaf-runs.ts'
import type { ColumnTilt } from '../../../src/engine/tilting/tilt.ts'

const CODES = 6
const EFFECTIVE_ROWS = 400
const MOST_FACTOR = 5

/** Leaves as lists of codes, with the rows that reach each. */
type Leaf = { readonly codes: readonly number[]; readonly rows: number }

function runsOf(leaves: readonly Leaf[]): LeafRuns {
  const runs = new LeafRuns()
  for (const { codes, rows } of leaves) {
    const sorted = Uint16Array.from(codes).sort()
    runs.add({ codes: sorted, start: Int32Array.of(0), end: Int32Array.of(sorted.length) }, 0, rows)
  }
  return runs
}

/** Expected sum over the rows of a number of each code, with every code of a leaf as likely as its factor. */
function expected(leaves: readonly Leaf[], factors: ArrayLike<number>, of: (code: number) => number): number {
  const all = leaves.reduce((sum, { rows }) => sum + rows, 0)
  return leaves.reduce((sum, { codes, rows }) => {
    const weight = codes.reduce((total, code) => total + factors[code]!, 0)
    return sum + (rows / all) * codes.reduce((part, code) => part + (factors[code]! / weight) * of(code), 0)
  }, 0)
}

const rowsOf = (leaves: readonly Leaf[]) => leaves.reduce((sum, { rows }) => sum + rows, 0)
const levels = (shares: readonly number[]): ColumnTilt => ({
  classOf: Uint8Array.from(shares, (_, code) => code),
  shares: Float64Array.from(shares),
  numbers: null,
})

/** Leaves of 5 to 40 codes, each of all codes in other proportions. */
const anyLeaves = fc.array(
  fc.record({
    codes: fc
      .array(fc.integer({ min: 0, max: CODES - 1 }), { minLength: 0, maxLength: 34 })
      .map((codes) => [...codes, ...Array.from({ length: CODES }, (_, code) => code)]),
    rows: fc.integer({ min: 1, max: 60 }),
  }),
  { minLength: 1, maxLength: 30 },
)
const sharesNear = (leaves: readonly Leaf[], changes: readonly number[]) => {
  const near = changes.map((change, code) => change * expected(leaves, new Array(CODES).fill(1), (c) => +(c === code)))
  const sum = near.reduce((a, b) => a + b, 0)
  return near.map((share) => share / sum)
}
const anyChanges = fc.array(fc.double({ min: 0.6, max: 1.6, noNaN: true }), { minLength: CODES, maxLength: CODES })

/** Here each class but one is near enough before the one is, which has to give what all others miss. */
const MISSED_TOGETHER: [Leaf[], number[]] = [
  [
    { codes: [4, 0, 1, 2, 3, 4, 5], rows: 5 },
    { codes: [4, 4, 1, 4, 1, 0, 1, 2, 3, 4, 5], rows: 22 },
    { codes: [0, 1, 2, 3, 4, 5], rows: 30 },
    { codes: [0, 0, 1, 2, 3, 4, 5], rows: 55 },
    { codes: [2, 2, 2, 2, 4, 0, 1, 2, 3, 4, 5], rows: 13 },
  ],
  [
    1.4539213438918317, 1.39966072936283, 1.5999999999990793, 1.5999999999999777, 0.6000000000000003,
    1.4467875665041796,
  ],
]

describe('the factors of a column', () => {
  it('give its leaves the wanted margin together, within a hundredth of a standard error', () => {
    fc.assert(
      fc.property(anyLeaves, anyChanges, (leaves, changes) => {
        const wanted = sharesNear(leaves, changes)
        const fit = new FactorFit()
        fit.fit(runsOf(leaves), levels(wanted), rowsOf(leaves), 1, EFFECTIVE_ROWS)
        for (let code = 0; code < CODES; code++) {
          const share = expected(leaves, fit.factors, (c) => +(c === code))
          expect(Math.abs(share - wanted[code]!)).toBeLessThan(0.01 * Math.sqrt(0.25 / EFFECTIVE_ROWS))
        }
      }),
      { examples: [MISSED_TOGETHER] },
    )
  })

  it('go the part of the way to the seed that its weight says', () => {
    fc.assert(
      fc.property(anyLeaves, anyChanges, fc.double({ min: 0.1, max: 1, noNaN: true }), (leaves, changes, lambda) => {
        const wanted = sharesNear(leaves, changes)
        const fit = new FactorFit()
        fit.fit(runsOf(leaves), levels(wanted), rowsOf(leaves), lambda, EFFECTIVE_ROWS)
        for (let code = 0; code < CODES; code++) {
          const own = expected(leaves, new Array(CODES).fill(1), (c) => +(c === code))
          const share = expected(leaves, fit.factors, (c) => +(c === code))
          expect(share).toBeCloseTo(own + lambda * (wanted[code]! - own), 3)
        }
      }),
    )
  })

  it('match the mean of numbers inside the classes as well', () => {
    const numbers = Float64Array.of(-1.2, -0.7, -0.1, 0.3, 0.9, 2.5)
    const classOf = Uint8Array.of(0, 0, 0, 1, 1, 1)
    fc.assert(
      fc.property(anyLeaves, anyChanges, (leaves, changes) => {
        const weights = sharesNear(
          leaves,
          changes.map((change) => 1 + (change - 1) / 4),
        )
        const mean = weights.reduce((sum, weight, code) => sum + weight * numbers[code]!, 0)
        // As the seed gives them: its mean is 0.
        const centred = numbers.map((x) => x - mean)
        const shares = Float64Array.of(
          weights.slice(0, 3).reduce((a, b) => a + b, 0),
          weights.slice(3).reduce((a, b) => a + b, 0),
        )
        const fit = new FactorFit()
        fit.fit(runsOf(leaves), { classOf, shares, numbers: centred }, rowsOf(leaves), 1, EFFECTIVE_ROWS)
        expect(expected(leaves, fit.factors, (code) => +(code < 3))).toBeCloseTo(shares[0]!, 3)
        const error = 0.05 / Math.sqrt(EFFECTIVE_ROWS)
        expect(Math.abs(expected(leaves, fit.factors, (code) => centred[code]!))).toBeLessThan(error)
      }),
    )
  })

  it('are 1 where the leaves have the margin already', () => {
    const leaves = [{ codes: [0, 0, 1, 2], rows: 40 }]
    const fit = new FactorFit()
    const tilt = levels([0.5, 0.25, 0.25])
    fit.fit(runsOf(leaves), tilt, 40, 1, EFFECTIVE_ROWS)
    expect([...fit.factors.subarray(0, 3)]).toEqual([1, 1, 1])
  })

  it('stay between a fifth and five, which leaves a part of the way', () => {
    const leaves = [{ codes: [...new Array(19).fill(0), 1], rows: 100 }]
    const fit = new FactorFit()
    fit.fit(runsOf(leaves), levels([0.2, 0.8]), 100, 1, EFFECTIVE_ROWS)
    expect(fit.factors[1]! / fit.factors[0]!).toBeCloseTo(MOST_FACTOR, 10)
    expect(expected(leaves, fit.factors, (code) => +(code === 1))).toBeCloseTo(5 / (19 + 5), 10)
  })

  it('change nothing where each leaf has a class wholly or not at all', () => {
    const leaves = [
      { codes: [0, 0, 0], rows: 60 },
      { codes: [1, 1, 1], rows: 40 },
    ]
    const fit = new FactorFit()
    fit.fit(runsOf(leaves), levels([0.5, 0.5]), 100, 1, EFFECTIVE_ROWS)
    expect([...fit.factors.subarray(0, 2)]).toEqual([1, 1])
  })
})

describe('the exponential of additions and multiplications', () => {
  it('is the exponential function', () => {
    for (let y = -4; y <= 4; y += 0.37) expect(Math.abs(exponential(y) / Math.exp(y) - 1)).toBeLessThan(1e-13)
  })
})
