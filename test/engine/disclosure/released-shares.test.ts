import { expect, it } from 'vitest'
import { releasedShares } from '../../../src/engine/disclosure/released-shares.ts'

/** The code of each row, -1 for the missing ones. */
const rows = (counts: readonly number[], missing = 0): Int32Array =>
  Int32Array.from([
    ...counts.flatMap((n, code) => new Array<number>(n).fill(code)),
    ...new Array<number>(missing).fill(-1),
  ])

it('shares are of all rows, to three decimals', () => {
  expect(releasedShares(2, rows([650, 350]))).toEqual([0.65, 0.35])
  expect(releasedShares(2, rows([400, 200], 300))).toEqual([0.444, 0.222])
})

it('a level of fewer than ten rows has no share', () => {
  expect(releasedShares(4, rows([500, 480, 6, 5]))).toEqual([0.505, 0.484, null, null])
})

it('the sum of the other shares does not reveal such a level', () => {
  expect(releasedShares(4, rows([500, 300, 40, 4]))).toEqual([0.592, 0.355, null, null])
  expect(releasedShares(2, rows([500, 9]))).toEqual([null, null])
})

it('a level without rows hides no other level', () => {
  expect(releasedShares(3, rows([500, 300, 0]))).toEqual([0.625, 0.375, null])
})

it('weights determine the shares, and the number of people determines what is released', () => {
  const codes = rows([20, 20, 5, 5])
  const weights = Float64Array.from(codes, (code) => (code === 0 ? 2 : code === 1 ? 0.4 : 0.2))
  expect(releasedShares(4, codes, weights)).toEqual([0.8, 0.16, null, null])
})
