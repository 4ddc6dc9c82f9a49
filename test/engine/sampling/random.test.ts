import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PURPOSE, RandomStream, threefry2x32 } from '../../../src/engine/sampling/random.ts'

describe('random numbers', () => {
  // Known answers of the Random123 distribution (kat_vectors, threefry2x32).
  it.each([
    { rounds: 13 as const, counter: [0, 0], key: [0, 0], result: [0x9d1c5ec6, 0x8bd50731] },
    { rounds: 20 as const, counter: [0, 0], key: [0, 0], result: [0x6b200159, 0x99ba4efe] },
    { rounds: 13 as const, counter: [-1, -1], key: [-1, -1], result: [0xfd36d048, 0x2d17272c] },
    { rounds: 20 as const, counter: [-1, -1], key: [-1, -1], result: [0x1cb996fc, 0xbb002be7] },
    {
      rounds: 13 as const,
      counter: [0x243f6a88, 0x85a308d3],
      key: [0x13198a2e, 0x03707344],
      result: [0xba3e4725, 0xf27d669e],
    },
    {
      rounds: 20 as const,
      counter: [0x243f6a88, 0x85a308d3],
      key: [0x13198a2e, 0x03707344],
      result: [0xc4923a9c, 0x483df7a0],
    },
  ])('equal the published vectors ($rounds rounds, counter $counter)', ({ rounds, counter, key, result }) => {
    const io = new Uint32Array(counter)
    threefry2x32(io, key[0]!, key[1]!, rounds)
    expect([...io]).toEqual(result)
  })

  it('are the same one by one and in an array', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(40), fc.nat(9), (seed, count, before) => {
        const one = new RandomStream(seed, PURPOSE.leaf, 7, 3)
        const many = new RandomStream(seed, PURPOSE.leaf, 7, 3)
        for (let i = 0; i < before; i++) expect(one.word()).toBe(many.word())
        const filled = new Uint32Array(count)
        many.fill(filled, count)
        expect([...filled]).toEqual(Array.from({ length: count }, () => one.word()))
        expect(many.word()).toBe(one.word())
      }),
    )
  })

  it('differ between seeds that share their low or high bits, and between purposes, blocks and columns', () => {
    const first = (seed: number, purpose: (typeof PURPOSE)[keyof typeof PURPOSE], block: number, column: number) => {
      const stream = new RandomStream(seed, purpose, block, column)
      return `${stream.word()} ${stream.word()}`
    }
    const streams = [
      first(1, PURPOSE.leaf, 0, 0),
      first(-1, PURPOSE.leaf, 0, 0),
      first(1 + 2 ** 32, PURPOSE.leaf, 0, 0),
      first(2, PURPOSE.leaf, 0, 0),
      first(1, PURPOSE.value, 0, 0),
      first(1, PURPOSE.leaf, 1, 0),
      first(1, PURPOSE.leaf, 0, 1),
      first(Number.MAX_SAFE_INTEGER, PURPOSE.leaf, 0, 0),
      first(Number.MIN_SAFE_INTEGER, PURPOSE.leaf, 0, 0),
    ]
    expect(new Set(streams).size).toBe(streams.length)
  })

  it('are uniform: chi-squared of 256 cells stays within five standard deviations of its mean', () => {
    const stream = new RandomStream(11, PURPOSE.leaf)
    const cells = 256
    const draws = 256 * 400
    const counts = new Float64Array(cells)
    for (let i = 0; i < draws; i++) {
      const cell = stream.below(cells)
      counts[cell] = counts[cell]! + 1
    }
    const expected = draws / cells
    const chi = counts.reduce((sum, c) => sum + (c - expected) ** 2 / expected, 0)
    expect(Math.abs(chi - (cells - 1))).toBeLessThan(5 * Math.sqrt(2 * (cells - 1)))
  })

  it('stay inside any bounds', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 2 ** 53 - 1 }), (seed, n) => {
        const stream = new RandomStream(seed, PURPOSE.value)
        for (let i = 0; i < 20; i++) {
          const value = stream.below(n)
          expect(Number.isInteger(value) && value >= 0 && value < n).toBe(true)
          expect(stream.real()).toBeLessThan(1)
          expect(stream.fineReal()).toBeLessThan(1)
        }
      }),
    )
  })

  it.each([
    { what: 'a seed that is not a safe integer', make: () => new RandomStream(2 ** 53, PURPOSE.leaf) },
    { what: 'a fractional seed', make: () => new RandomStream(0.5, PURPOSE.leaf) },
    { what: 'a negative block', make: () => new RandomStream(1, PURPOSE.leaf, -1) },
    { what: 'a column beyond 24 bits', make: () => new RandomStream(1, PURPOSE.leaf, 0, 2 ** 24) },
  ])('refuse $what', ({ make }) => {
    expect(make).toThrow(RangeError)
  })
})
