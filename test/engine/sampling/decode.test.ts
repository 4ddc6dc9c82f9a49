import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeColumn } from '../../../src/engine/encoding/encode.ts'
import { BLOCK_ROWS, type EncodedNumeric } from '../../../src/engine/model/model.ts'
import { NumericDecoder, rangeFractions } from '../../../src/engine/sampling/decode.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { ValueRange } from '../../../src/engine/sampling/value-cells.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { sampleTable } from '../sampled-table.ts'
import { numeric, tableOf } from '../survey-table.ts'

const encode = (source: readonly (number | null)[], decimals = 0) =>
  encodeColumn(numeric('x', source, decimals)).column as EncodedNumeric

/** `rows` values drawn for the same code. */
function draw(column: EncodedNumeric, code: number, rows: number, range: ValueRange | null = null, seed = 1) {
  const decoder = new NumericDecoder(column, range)
  const values = new Float64Array(rows)
  const valid = new Uint8Array(rows)
  const codes = new Uint16Array(BLOCK_ROWS).fill(code)
  for (let block = 0; block * BLOCK_ROWS < rows; block++) {
    const count = Math.min(BLOCK_ROWS, rows - block * BLOCK_ROWS)
    const stream = new RandomStream(seed, PURPOSE.value, block, 0)
    decoder.decode(codes, 0, count, stream, values, valid, block * BLOCK_ROWS)
  }
  return { values: [...values], valid: [...valid] }
}

/** Continuous, in tenths: every value once, but a spike of 40 at 50. */
const height = encode(
  [...Array.from({ length: 600 }, (_, i) => (400 + i + Math.round((i * i) / 300)) / 10), ...Array(40).fill(50)],
  1,
)
const manyIntegers = Array.from({ length: 400 }, (_, i) => 1000 + 30 * i + (i % 7))

describe('decoding', () => {
  it('gives the value of a bin with one value', () => {
    const column = encode([5, 5, 5, 9, 9, 9])
    expect(draw(column, 1, 20).values).toEqual(Array(20).fill(9))
  })

  it('gives missing for code 0 of a column with missing values', () => {
    const { values, valid } = draw(encode([5, null]), 0, 3)
    expect(valid).toEqual([0, 0, 0])
    expect(values).toEqual([0, 0, 0])
  })

  it('never repeats a whole number that few rows have among very many possible ones', () => {
    const documents = Array.from({ length: 12 }, (_, i) => 20_000_000 + 417_013 * i + i * i)
    const column = encode([...Array(300).fill(0), ...documents, ...documents.slice(0, 4), ...documents.slice(0, 2)])
    const drawn = Array.from({ length: column.codeCount }, (_, code) => draw(column, code, 200).values)
    expect(new Set(drawn[0])).toEqual(new Set([0]))
    const others = new Set(drawn.slice(1).flat())
    expect(others.size).toBeGreaterThan(1_000)
    expect(documents.filter((document) => others.has(document))).toEqual([])
  })

  it('keeps the values of a scale in which some are rare', () => {
    const scale = [...Array.from({ length: 300 }, (_, i) => 5 * (i % 20)), 110, 115]
    const column = encode(scale)
    const drawn = Array.from({ length: column.codeCount }, (_, code) => draw(column, code, 50).values).flat()
    expect(drawn.every((value) => scale.includes(value))).toBe(true)
  })

  it('draws the values of a bin as often as they occur in the seed', () => {
    // 100,000 rows make bins of 390: 0 … 999 with 100 rows each share bins, three or four to a bin.
    const column = encode(Array.from({ length: 100_000 }, (_, i) => i % 1000))
    const first = column.binStart[10]!
    const inBin = [...column.values.subarray(first, column.binStart[11])]
    const { values } = draw(column, 10, 4000)
    for (const value of inBin) {
      const share = values.filter((v) => v === value).length / 4000
      // Binomial: five standard deviations of a share of 1/3 in 4,000 draws are 0.037.
      expect(Math.abs(share - 1 / inBin.length)).toBeLessThan(0.037)
    }
  })

  it('moves rare values within their gap at the column’s decimals, and keeps frequent values', () => {
    const all = Array.from({ length: height.codeCount }, (_, code) => draw(height, code, 200).values).flat()
    expect(all.every((value) => Math.round(value * 10) / 10 === value)).toBe(true)
    const observed = new Set(height.values)
    expect(all.some((value) => !observed.has(value))).toBe(true)
    const spike = height.values.indexOf(50)
    const code = height.binStart.indexOf(spike)
    expect(new Set(draw(height, code, 500).values)).toEqual(new Set([50]))
  })

  it('generates only observed values in a column of few values', () => {
    const bracket = encode(Array.from({ length: 900 }, (_, i) => [0, 594, 3103, 15_024][i % 4]!).concat(99_999))
    expect(bracket.jitter).toBe(false)
    for (let code = 0; code < bracket.codeCount; code++) {
      for (const value of draw(bracket, code, 50).values) expect(bracket.values).toContain(value)
    }
  })

  it('stays on the lattice of the observed values', () => {
    const hundreds = encode(Array.from({ length: 500 }, (_, i) => 100 * (i + (i % 3) * 40) + 50))
    for (let code = 0; code < hundreds.codeCount; code++) {
      for (const value of draw(hundreds, code, 30).values) expect(value % 100).toBe(50)
    }
  })

  it('stays within the observed extremes and within the gaps to the neighbouring bins', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1, maxLength: 700 }),
        fc.constantFrom(0, 2, 14),
        fc.nat(),
        (units, decimals, seed) => {
          const column = encode(
            units.map((unit) => unit / 10 ** Math.min(2, decimals)),
            decimals,
          )
          for (let code = column.missing; code < column.codeCount; code += 1 + Math.floor(column.codeCount / 20)) {
            const bin = code - column.missing
            const low = column.values[Math.max(0, column.binStart[bin]! - 1)]!
            const high = column.values[Math.min(column.values.length - 1, column.binStart[bin + 1]!)]!
            for (const value of draw(column, code, 20, null, seed).values) {
              expect(value).toBeGreaterThanOrEqual(low)
              expect(value).toBeLessThanOrEqual(high)
            }
          }
        },
      ),
      { numRuns: 80 },
    )
  })
})

describe('extremes', () => {
  /** Long tails on both sides, in whole numbers: the outermost values are far from their neighbours. */
  const tailed = Array.from({ length: 3_000 }, (_, i) => Math.round(((i - 1_500) / 100) ** 3 * 30))
    .concat([-400_000, 900_000])
    .sort((a, b) => a - b)
  const least = tailed[0]!
  const most = tailed.at(-1)!

  it('are approached, but not repeated, by every file as long as the seed', async () => {
    const model = await trainModel(tableOf([numeric('x', tailed, 0)]), { threads: 1 })
    for (let seed = 1; seed <= 20; seed++) {
      const drawn = (await sampleTable(model, { rowCount: tailed.length, seed })).numbers('x') as number[]
      const reach = (most - least) / 64
      expect(Math.max(...drawn)).toBeGreaterThanOrEqual(most - reach)
      expect(Math.max(...drawn)).toBeLessThan(most)
      expect(Math.min(...drawn)).toBeLessThanOrEqual(least + reach)
      expect(Math.min(...drawn)).toBeGreaterThan(least)
    }
  })

  it('occur as often as in the seed, in short and in long files', async () => {
    const model = await trainModel(tableOf([numeric('x', tailed, 0)]), { threads: 1 })
    const isFar = (value: number | null) => value! >= most - (most - least) / 64
    let far = 0
    for (let seed = 1; seed <= 400; seed++) {
      far += (await sampleTable(model, { rowCount: 300, seed })).numbers('x').filter(isFar).length
    }
    // A tenth of the seed's rows 400 times: 40 of independent draws, a third more while the first round lasts.
    expect(far).toBeGreaterThan(25)
    expect(far).toBeLessThan(85)
    const long = (await sampleTable(model, { rowCount: 20 * tailed.length, seed: 1 })).numbers('x').filter(isFar)
    expect(long.length).toBeGreaterThanOrEqual(18)
    expect(long.length).toBeLessThanOrEqual(22)
  })

  it('stay as they are if many rows have them or the column has few values', () => {
    const column = encode([...Array(50).fill(0), ...Array.from({ length: 600 }, (_, i) => 7 + 3 * i)])
    expect(new Set(draw(column, 0, 200).values)).toEqual(new Set([0]))
    const scale = encode(Array.from({ length: 900 }, (_, i) => (i === 0 ? 90 : 10 + (i % 8))))
    expect(new Set(draw(scale, scale.codeCount - 1, 50).values)).toEqual(new Set([90]))
  })

  it('that fill more than half of their bin leave the other values their share', () => {
    // 602 rows make bins of three: the smallest value twice, and the next one.
    const column = encode([10, 10, ...Array.from({ length: 600 }, (_, i) => 11 + 7 * i + (i % 3))])
    expect([...column.values.subarray(0, column.binStart[1])]).toEqual([10, 11])
    const least = draw(column, 0, 3000).values.filter((value) => value === 10)
    // Binomial: five standard deviations of a share of 2/3 in 3,000 draws are 0.043.
    expect(Math.abs(least.length / 3000 - 2 / 3)).toBeLessThan(0.043)
  })

  it('are drawn unchanged if the lattice has no room next to them', () => {
    const column = encode(Array.from({ length: 700 }, (_, i) => i))
    const all = Array.from({ length: column.codeCount }, (_, code) => draw(column, code, 400).values).flat()
    expect(Math.min(...all)).toBe(0)
    expect(Math.max(...all)).toBe(699)
  })
})

describe('ranges', () => {
  it('contain all of the bins inside, none of the bins outside, and no missing values', () => {
    const column = encode([null, 1, 2, 3, 4])
    expect([...rangeFractions(column, { min: 2, max: 3 })]).toEqual([0, 0, 1, 1, 0])
    expect([...rangeFractions(column, { min: -9, max: 9 })]).toEqual([0, 1, 1, 1, 1])
    expect([...rangeFractions(column, { min: 5, max: 9 })]).toEqual([0, 0, 0, 0, 0])
  })

  it('between two observed values of a continuous column contain part of the rows', () => {
    const column = encode(manyIntegers)
    const [a, b] = [column.values[200]!, column.values[201]!]
    const fractions = rangeFractions(column, { min: a + 5, max: b - 5 })
    const rows = fractions.reduce(
      (sum, f, code) =>
        sum + f * (column.cumulative[column.binStart[code + 1]!]! - column.cumulative[column.binStart[code]!]!),
      0,
    )
    // The gap belongs to two values, one row each; the range covers most of two half cells.
    expect(rows).toBeGreaterThan(0.4)
    expect(rows).toBeLessThan(1)
  })

  it('between two values of a column of few values contain no rows', () => {
    const column = encode(Array.from({ length: 900 }, (_, i) => (i % 3) * 1000))
    expect([...rangeFractions(column, { min: 10, max: 900 })]).toEqual([0, 0, 0])
  })

  it('contain a lattice point at their end, and nothing between two lattice points', () => {
    const column = encode(manyIntegers)
    const total = (range: ValueRange) => rangeFractions(column, range).reduce((sum, f) => sum + f, 0)
    expect(total({ min: 1500, max: 1500 })).toBeGreaterThan(0)
    expect(total({ min: 1500.1, max: 1500.9 })).toBe(0)
  })

  it('add up to the whole column when they are its parts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 900, max: 13_100 }), (cut) => {
        const column = encode(manyIntegers)
        const below = rangeFractions(column, { min: -1e9, max: cut })
        const above = rangeFractions(column, { min: cut + 1, max: 1e9 })
        below.forEach((f, code) => {
          expect(f + above[code]!).toBeCloseTo(1, 12)
        })
      }),
    )
  })

  it('contain every value drawn inside them, in the proportions of the whole', () => {
    fc.assert(
      fc.property(fc.nat(11_000), fc.integer({ min: 1, max: 3000 }), fc.nat(), (from, width, seed) => {
        const column = encode(manyIntegers)
        const range = { min: 1000 + from, max: 1000 + from + width }
        const fractions = rangeFractions(column, range)
        fractions.forEach((f, code) => {
          if (f === 0) expect(() => draw(column, code, 1, range)).toThrow(RangeError)
          else {
            for (const value of draw(column, code, 10, range, seed).values) {
              expect(value >= range.min && value <= range.max).toBe(true)
            }
          }
        })
      }),
      { numRuns: 30 },
    )
  })

  it('contain dates and unrounded numbers too', () => {
    const day = 86_400_000
    const dates = encode(Array.from({ length: 400 }, (_, i) => (i * 3 + (i % 2)) * day))
    const inside = { min: 100.5 * day, max: 200.5 * day }
    const rough = encode(
      Array.from({ length: 400 }, (_, i) => i + 1 / 3),
      14,
    )
    expect(rough.lattice).toBeNull()
    for (const { column, range } of [
      { column: dates, range: inside },
      { column: rough, range: { min: 20.4, max: 21.9 } },
    ]) {
      let drawn = 0
      rangeFractions(column, range).forEach((f, code) => {
        if (f === 0) return
        for (const value of draw(column, code, 50, range).values) {
          drawn++
          expect(value >= range.min && value <= range.max).toBe(true)
          if (column === dates) expect(value % day).toBe(0)
        }
      })
      expect(drawn).toBeGreaterThan(0)
    }
  })

  it('cannot be drawn from missing values', () => {
    expect(() => draw(encode([null, 1]), 0, 1, { min: 0, max: 2 })).toThrow('a missing value in the ranged column x')
  })
})
