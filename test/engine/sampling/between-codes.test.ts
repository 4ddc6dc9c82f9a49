import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import { denseCodes, movedCode } from '../../../src/engine/sampling/between-codes.ts'
import { categorical, numeric } from '../survey-table.ts'

const allDense = new Uint8Array(256).fill(1)
const leaf = fc.array(fc.nat(255), { minLength: 1, maxLength: 40 }).map((codes) => Uint16Array.from(codes).sort())
const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })

/** Moves from every position of a leaf, for evenly spread random words. */
function movesOf(codes: Uint16Array, dense = allDense): { from: number; to: number }[] {
  return Array.from(codes).flatMap((from, position) =>
    Array.from({ length: 64 }, (_, i) => ({
      from,
      to: movedCode(codes, 0, codes.length, position, dense, (i + 0.5) * 2 ** 26),
    })),
  )
}

describe('a code of a leaf', () => {
  it('moves at most half the way to the next code on either side', () => {
    fc.assert(
      fc.property(leaf, word, (codes, random) => {
        codes.forEach((code, position) => {
          const moved = movedCode(codes, 0, codes.length, position, allDense, random)
          const before = codes[position - 1] ?? code
          const behind = codes[position + 1] ?? code
          expect(moved).toBeGreaterThanOrEqual(Math.floor((before + code) / 2))
          expect(moved).toBeLessThanOrEqual(Math.ceil((code + behind) / 2))
        })
      }),
    )
  })

  it('moves equally far to both sides where the gaps are equal', () => {
    const codes = Uint16Array.of(0, 10, 20, 30, 40)
    const inner = movesOf(codes).filter(({ from }) => from > 0 && from < 40)
    expect(new Set(inner.map(({ to }) => to)).size).toBeGreaterThan(20)
    expect(inner.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(0)
  })

  it('stays inside the leaf', () => {
    const moved = movesOf(Uint16Array.of(3, 9, 15)).map(({ to }) => to)
    expect([Math.min(...moved), Math.max(...moved)]).toEqual([3, 15])
  })

  it('does not move across a wide gap, nor if it or its target represents a single value', () => {
    const stays = (codes: Uint16Array, dense = allDense) => movesOf(codes, dense).every(({ from, to }) => from === to)
    expect(stays(Uint16Array.of(0, 100, 200))).toBe(true)
    expect(stays(Uint16Array.of(0, 10, 20), new Uint8Array(256))).toBe(true)
    expect(stays(Uint16Array.of(0, 10, 20))).toBe(false)
  })
})

describe('codes that move', () => {
  const values = Array.from({ length: 2_000 }, (_, i) => (i % 4 === 0 ? 7 : i / 3))

  it('belong to columns of many values, except frequent values, missing and both ends of the column', () => {
    const { column } = encodeColumn(numeric('income', [null, ...values]))
    const dense = denseCodes(column)!
    expect(dense).toHaveLength(column.codeCount)
    expect([dense[0], dense[1], dense.at(-1)]).toEqual([0, 0, 0])
    const often = dense.indexOf(0, 2)
    expect(column.kind === 'numeric' && column.values[column.binStart[often - 1]!]).toBe(7)
  })

  it('do not belong to levels, nor to numbers that are all frequent', () => {
    expect(denseCodes(encodeColumn(categorical('x', ['a', 'b', 'a'])).column)).toBeNull()
    expect(
      denseCodes(
        encodeColumn(
          numeric(
            'age',
            values.map((_, i) => 18 + (i % 60)),
          ),
        ).column,
      ),
    ).toBeNull()
  })
})
