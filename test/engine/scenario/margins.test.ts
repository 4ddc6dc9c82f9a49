import { describe, expect, it } from 'vitest'
import { integerMargins, largestRemainder } from '../../../src/engine/scenario/integer-margins.ts'
import { cellMargins, marginsOf } from '../../../src/engine/scenario/margins.ts'

describe('margins of a conditioned column', () => {
  it('give all unlisted codes together what the listed ones leave', () => {
    const margins = marginsOf([{ codeCount: 4, listed: new Map([[3, 0.7]]) }])
    expect([...margins.codes]).toEqual([3, -1])
    expect([...margins.ofCode[0]!]).toEqual([1, 1, 1, 0])
    expect(margins.targets[0]).toBe(0.7)
    expect(margins.targets[1]).toBeCloseTo(0.3, 12)
  })

  it('exclude listed codes of share 0, and all unlisted codes when the shares sum to 1', () => {
    const listed = new Map([
      [0, 0],
      [1, 0.1],
      [2, 0.2],
    ])
    expect([...marginsOf([{ codeCount: 4, listed }]).ofCode[0]!]).toEqual([-1, 0, 1, 2])
    listed.set(0, 0.7)
    expect([...marginsOf([{ codeCount: 4, listed }]).ofCode[0]!]).toEqual([0, 1, 2, -1])
  })

  it('treat a sum within 1e-9 of 1 as 1', () => {
    const listed = new Map([
      [0, 0.6],
      [1, 0.4 - 5e-10],
    ])
    const { targets } = marginsOf([{ codeCount: 4, listed }])
    expect(targets.length).toBe(2)
    expect(targets[0]! + targets[1]!).toBeCloseTo(1, 15)
  })

  it.each([
    ['a share above 1', new Map([[0, 1.2]]), 'share 1.2 is not in [0, 1]'],
    ['a share that is not a number', new Map([[0, Number.NaN]]), 'share NaN is not in [0, 1]'],
    ['a code that the column does not have', new Map([[4, 0.2]]), 'code 4 is not one of 4'],
    [
      'shares that sum to more than 1',
      new Map([
        [0, 0.8],
        [1, 0.3],
      ]),
      'shares sum to 1.1, more than 1',
    ],
  ])('refuse %s', (_, listed, message) => {
    expect(() => marginsOf([{ codeCount: 4, listed }])).toThrow(message)
  })

  it('refuse a remaining share that no code can take', () => {
    const column = { codeCount: 1, listed: new Map([[0, 0.5]]) }
    expect(() => marginsOf([column])).toThrow('there is no other level to take the remainder')
  })

  it('drop a cell as a whole when one of its codes must not occur', () => {
    const margins = marginsOf([
      { codeCount: 2, listed: new Map([[0, 1]]) },
      { codeCount: 2, listed: new Map([[0, 0.5]]) },
    ])
    expect([...cellMargins(Int32Array.of(0, 0, 0, 1, 1, 0), margins)]).toEqual([0, 1, 0, 2, -1, -1])
  })
})

describe('whole rows of the margins', () => {
  it.each([
    [[0.5, 0.3, 0.2], 10, [5, 3, 2]],
    [[1 / 3, 1 / 3, 1 / 3], 10, [4, 3, 3]],
    [[0.29, 0.71], 100, [29, 71]],
    [[0.45, 0.45, 0.1], 1, [1, 0, 0]],
    [[0, 1], 3, [0, 3]],
    [[0.2, 0.8], 0, [0, 0]],
  ])('divide %j of %i rows into %j', (weights, total, expected) => {
    expect([...largestRemainder(Float64Array.from(weights), total)]).toEqual(expected)
  })

  it('meet listed shares to the nearest row, however many unlisted levels there are', () => {
    const margins = marginsOf([{ codeCount: 41, listed: new Map([[0, 0.504]]) }])
    const counts = integerMargins(margins, 100)
    expect(counts[0]).toBe(50)
    expect(counts.reduce((a, b) => a + b, 0)).toBe(100)
  })

  it('cannot divide rows among margins of 0', () => {
    expect(() => largestRemainder(new Float64Array(2), 3)).toThrow(RangeError)
  })
})
