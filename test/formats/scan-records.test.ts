import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordScanner, scanRecords } from '../../src/formats/csv/scan-records.ts'
import { splitRecords } from '../../src/formats/csv/split-records.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const DIALECT = { delimiter: ',', quote: '"', escape: '"' }

function scan(text: string, chunkBytes = 1_000) {
  const scanner = new RecordScanner(DIALECT)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes) scanner.push(bytes.subarray(at, at + chunkBytes))
  return scanner.end(null)
}

describe('the scan of records', () => {
  it('counts as csv-parse does, whatever the chunks', () => {
    const field = fc.constantFrom('', 'x', '"q"', '"a,b"', '"a\nb"', '"a""b"', '"\r\n"', '1.5')
    const file = fc.tuple(
      fc
        .integer({ min: 2, max: 4 })
        .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1 })),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 7 }),
    )
    fc.assert(
      fc.property(file, ([rows, lineEnd, chunkBytes]) => {
        const text = rows.map((row) => row.join(',') + lineEnd).join('')
        const expected = parse(text, { recordDelimiter: lineEnd }) as string[][]
        const { records, widths, strayQuotes, openQuoteLine } = scan(text, chunkBytes)
        expect({ records, widths: [...widths], strayQuotes, openQuoteLine }).toEqual({
          records: expected.length,
          widths: [[rows[0]!.length, expected.length]],
          strayQuotes: 0,
          openQuoteLine: null,
        })
        expect(splitRecords(text, DIALECT, true).records).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with the splitting of the head on any text', () => {
    const piece = fc.constantFrom('a', ',', '"', '\n', '\r', ' ', '\t', 'é', '""')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (pieces, chunkBytes) => {
        const text = pieces.join('')
        const found = scan(text, chunkBytes)
        const split = splitRecords(text, DIALECT, true)
        expect(found.records).toBe(split.records.length)
        expect(found.openQuoteLine !== null).toBe(split.openQuote)
        const widths = new Map<number, number>()
        for (const { length } of split.records) widths.set(length, (widths.get(length) ?? 0) + 1)
        expect(found.widths).toEqual(widths)
      }),
      { numRuns: 500 },
    )
  })

  it('reports line ends, stray quotes, NULs, blank lines and the longest record', () => {
    expect(scan('a,b\r\n1,x"y\n\n2,"p"q\r  \n3,\0\n')).toMatchObject({
      records: 4,
      blankLines: 2,
      lineEnds: { lf: 4, crlf: 1, cr: 1 },
      strayQuotes: 2,
      nulBytes: 1,
      longestRecordBytes: 6,
    })
  })

  it('names the line on which an open quote began', () => {
    expect(scan('a,b\n1,"x\ny"\n2,"z\n\n').openQuoteLine).toBe(4)
  })

  it('finds bytes that are not UTF-8, and no character cut by a chunk', async () => {
    const long = `${'ä'.repeat(700_000)}\n`
    const valid = folder.write('valid.csv', `x${long}`)
    expect((await scanRecords(valid, DIALECT, 0)).invalidUtf8).toBeNull()
    const invalid = folder.write('invalid.csv', Buffer.concat([Buffer.from(long), Buffer.from([0xe9, 0x41])]))
    expect((await scanRecords(invalid, DIALECT, 0)).invalidUtf8).toMatchObject({ invalid: 1 })
  })
})
