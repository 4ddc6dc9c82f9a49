import { describe, expect, it } from 'vitest'
import { layersOf } from '../../../src/engine/disclosure/asked-group.ts'
import { CountTeller } from '../../../src/engine/disclosure/noisy-counts.ts'
import { RowKeys } from '../../../src/engine/disclosure/row-keys.ts'
import { kindsOfRows } from '../../../src/engine/disclosure/row-kinds.ts'
import { rowKeysOf } from '../row-keys-of.ts'

const N = 20_000
const keys = rowKeysOf({ rowCount: N })
const drawsOf = (of: RowKeys, purpose: string): Float64Array => {
  const draws = new Float64Array(N)
  of.addDraws(purpose, 1, draws)
  return draws
}
const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
const ofRow = (row: number): string => keys.keyOf((one) => one === row)

describe('the keys of rows', () => {
  it('are the same for the same secret, and unrelated for another one', () => {
    const again = rowKeysOf({ rowCount: N })
    const other = rowKeysOf({ rowCount: N }, 'a secret of another installation')
    expect(again.keyOf((row) => row < 100)).toBe(keys.keyOf((row) => row < 100))
    expect(other.keyOf((row) => row < 100)).not.toBe(keys.keyOf((row) => row < 100))
    expect(drawsOf(again, 'this')).toEqual(drawsOf(keys, 'this'))
    expect(again.draw('this')).toBe(keys.draw('this'))
    expect(Math.abs(correlation(drawsOf(other, 'this'), drawsOf(keys, 'this')))).toBeLessThan(0.03)
  })

  it('differ between rows, whatever these say', () => {
    expect(new Set(Array.from({ length: 300 }, (_, row) => ofRow(row))).size).toBe(300)
  })

  it('add up to the key of a group, which one row changes', () => {
    const group = keys.keyOf((row) => row % 3 === 0)
    expect(keys.keyOf((row) => row % 3 === 0 || row === 1)).not.toBe(group)
    expect(keys.keyOf((row) => row % 3 === 0 && row !== 3)).not.toBe(group)
  })

  it('give each purpose draws of its own, of mean 0 and variance 1', () => {
    const [one, other] = [drawsOf(keys, 'one'), drawsOf(keys, 'other')]
    expect(Math.abs(meanOf(one))).toBeLessThan(0.03)
    expect(meanOf(one.map((draw) => draw * draw))).toBeCloseTo(1, 1)
    expect(Math.max(...one.map(Math.abs))).toBeLessThanOrEqual(Math.sqrt(3))
    expect(Math.abs(correlation(one, other))).toBeLessThan(0.03)
  })

  it('add up over the rows of a kind to the draws of these rows', () => {
    const draws = drawsOf(keys, 'this')
    const kinds = kindsOfRows(
      { ofRow: Int32Array.from({ length: N }, (_, row) => row % 3), first: [0, 1, 2] },
      Uint8Array.from({ length: N }, (_, row) => (row % 5 === 0 ? 0 : 1)),
      N,
    )
    const sums = keys.sumsOfDraws('this', kinds.ofRow, kinds.rows.length)
    expect(kinds.first).toEqual([1, 2, 3])
    kinds.first.forEach((like, kind) => {
      const own = draws.filter((_, row) => row % 3 === like % 3 && row % 5 !== 0)
      expect(kinds.rows[kind]).toBe(own.length)
      expect(sums[kind]).toBeCloseTo(
        own.reduce((sum, draw) => sum + draw, 0),
        8,
      )
    })
  })

  it('refuse a secret that could be tried', () => {
    expect(() => new RowKeys(new Uint8Array(8), 10)).toThrow('at least 16 bytes')
  })
})

function correlation(one: Float64Array, other: Float64Array): number {
  return meanOf(one.map((draw, row) => draw * other[row]!))
}

describe('counts with noise', () => {
  const part = { name: 'from 30', isFine: true }
  const countsOf = (teller: CountTeller, size: number) =>
    Array.from({ length: 200 }, (_, g) => {
      const inside = new Float64Array(N)
      inside.fill(1, g * size, (g + 1) * size)
      return teller.told(teller.count(inside))
    })

  it('are within their bound of the true ones, and differ from group to group', () => {
    const told = countsOf(new CountTeller(keys, [part]), 80)
    for (const rows of told) expect(Math.abs(rows! - 80)).toBeLessThanOrEqual(15)
    const deviation = Math.sqrt(told.reduce<number>((sum, rows) => sum + (rows! - 80) ** 2, 0) / told.length)
    expect(deviation).toBeGreaterThan(5.5)
    expect(deviation).toBeLessThan(9)
  })

  it.each([
    [9, 0, 0],
    [25, 60, 140],
    [41, 200, 200],
  ])('are told of %i rows in %i to %i of 200 groups', (size, fewest, most) => {
    const told = countsOf(new CountTeller(keys, [part]), size).filter((rows) => rows !== null)
    expect(told.length).toBeGreaterThanOrEqual(fewest)
    expect(told.length).toBeLessThanOrEqual(most)
  })

  it('of everybody have less, and those of the owner none', () => {
    const told = countsOf(new CountTeller(keys, []), 80)
    for (const rows of told) expect(Math.abs(rows! - 80)).toBeLessThanOrEqual(3)
    expect(countsOf(new CountTeller('exact', []), 5)).toEqual(Array(200).fill(5))
  })
})

it('a part has the same draws whatever else is asked', () => {
  const [one, other] = ['from 30', 'to 60'].map((name) => ({ name, isFine: true }))
  expect(layersOf([one!, other!])).toEqual([...layersOf([one!]), ...layersOf([other!])])
})
