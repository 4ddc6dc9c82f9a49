import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodedRows } from '../../src/formats/coded/coded-rows.ts'
import { CodedSample, NO_TEXT } from '../../src/formats/coded/coded-sample.ts'
import { HashedTexts } from '../../src/formats/columns/compact-texts.ts'
import { TextCounts } from '../../src/formats/columns/text-counts.ts'
import { sampleRowIndexes } from '../../src/formats/reading/row-sample.ts'

/** Texts of all lengths about those at which they are held in another way, alike but for one byte. */
const text = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', 'abc', 'abcd', 'abcde', 'é', '🦆', 'xxxxxxxxxxxxxxxxxxxx', 'xxxxxxxxxxxxxxxxxxxxx'),
  fc.integer({ min: 1, max: 44 }).map((length) => 'x'.repeat(length)),
  fc.tuple(fc.integer({ min: 1, max: 44 }), fc.nat(43)).map(([length, at]) => {
    return `${'x'.repeat(Math.min(at, length - 1))}y${'x'.repeat(Math.max(0, length - at - 1))}`
  }),
  fc.integer({ min: -500, max: 500 }).map(String),
)

function placeOf(texts: TextCounts, value: string): number {
  // In the middle of other bytes, as in a file.
  const bytes = Buffer.from(`,${value},zzz`)
  return texts.placeOf(bytes, 1, 1 + Buffer.byteLength(value))
}

describe('counts of texts', () => {
  it('equal those of a map, in the order of first appearance', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 300 }), (values) => {
        const texts = new TextCounts()
        const expected = new Map<string, number>()
        for (const value of values) {
          const place = placeOf(texts, value)
          texts.count(place)
          expected.set(value, (expected.get(value) ?? 0) + 1)
          expect(texts.textOf(texts.idAt(place))).toBe(value)
        }
        const held = Array.from(texts.counts(), (count, id) => [texts.textOf(id), count])
        expect(held).toEqual([...expected])
      }),
      { numRuns: 200 },
    )
  })

  it('hold many texts, each once', () => {
    const texts = new TextCounts()
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 100_000; i++) texts.count(placeOf(texts, i % 3 === 0 ? `a text of number ${i}` : String(i)))
    }
    expect(texts.size).toBe(100_000)
    expect(texts.counts().every((count) => count === 2)).toBe(true)
    expect(texts.textOf(99_999)).toBe('a text of number 99999')
    expect(texts.textOf(99_998)).toBe('99998')
  })

  it('hold a text that was only looked up with a count of 0', () => {
    const texts = new TextCounts()
    placeOf(texts, 'never')
    texts.count(placeOf(texts, 'once'))
    expect([...texts.counts()]).toEqual([0, 1])
  })
})

describe('a sample of streamed rows', () => {
  it('equals a sample chosen among all rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 2_500 }), (rowCount, wanted) => {
        const sample = new CodedSample(wanted, 2)
        for (let row = 0; row < rowCount; row++) sample.add()?.set([row, -row])
        const [first, second] = sample.columns()
        const expected = Array.from(sampleRowIndexes(rowCount, wanted))
        expect(Array.from(first!)).toEqual(expected)
        expect(Array.from(second!)).toEqual(expected.map((row) => 0 - row))
      }),
      { numRuns: 60 },
    )
  })
})

describe('rows coded as ids', () => {
  const cell = fc.constantFrom('', '', 'h0', 'h1', 'a', 'b', ' ', '\u00a0', 'a longer text than is held in a place')
  const tables = fc
    .integer({ min: 1, max: 3 })
    .chain((width) =>
      fc.tuple(
        fc.constant(width),
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 60 }),
        fc.boolean(),
      ),
    )

  it('leave out empty rows and repeats of the header, even if texts are forgotten meanwhile', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 9 }), ([width, table, hasHeader], every) => {
        const header = hasHeader ? ['h0', 'h1', ''].slice(0, width) : null
        const rows = new CodedRows({ width, header, maxSampleRows: 1_000 })
        let fields = 0
        for (const row of table) {
          for (const [column, value] of row.entries()) {
            const bytes = Buffer.from(value)
            if (bytes.length > 0) rows.field(column, bytes, 0, bytes.length)
            // Within a row, too.
            if (++fields % every === 0) rows.shrink(0)
          }
          rows.endRecord()
        }
        const ids = rows.sampledIds()

        const isEmpty = (row: string[]) => row.every((value) => /^[ \u00a0]*$/.test(value))
        const isHeader = (row: string[]) => row.every((value, i) => value === header?.[i])
        const expected = table.filter((row) => !isEmpty(row) && !isHeader(row))
        expect(rows.rowCount).toBe(expected.length)
        const empty = table.filter(isEmpty).length
        expect(rows.dropped).toEqual({ empty, repeatedHeader: table.length - empty - expected.length })
        expect(rows.mistaken()).toEqual(new Map())
        for (let column = 0; column < width; column++) {
          const texts = rows.columns[column]!
          const textOf = (id: number) => {
            if (id === NO_TEXT) return ''
            return (
              (texts instanceof HashedTexts ? texts.presentText(id) : (texts as TextCounts).textOf(id).trim()) ?? ''
            )
          }
          expect(Array.from(ids[column]!, textOf)).toEqual(expected.map((row) => row[column]!.trim()))
          const counts = texts instanceof HashedTexts ? texts.keys.counts : (texts as TextCounts).counts()
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
            expected.filter((row) => row[column] !== '').length,
          )
        }
      }),
      { numRuns: 300 },
    )
  })
})
