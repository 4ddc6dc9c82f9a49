import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CsvDialect } from '../../src/formats/csv/csv-dialect.ts'
import type { ParsedRecords } from '../../src/formats/csv/parsed-records.ts'
import { readRecords } from '../../src/formats/csv/read-records.ts'
import { MAX_RECORD_BYTES, RecordParser } from '../../src/formats/csv/record-parser.ts'
import { splitRecords } from '../../src/formats/csv/split-records.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const DIALECT = { delimiter: ',', quote: '"', escape: '"' }

/** Keeps rows as texts, where the reader keeps ids. */
class Rows {
  readonly rows: string[][] = []
  readonly #width: number
  #row: string[]

  constructor(width: number) {
    this.#width = width
    this.#row = this.#empty()
  }

  field(column: number, bytes: Uint8Array, start: number, end: number): void {
    expect(end).toBeGreaterThan(start)
    this.#row[column] = Buffer.from(bytes).toString('utf8', start, end)
  }

  endRecord(): void {
    this.rows.push(this.#row)
    this.dropRecord()
  }

  dropRecord(): void {
    this.#row = this.#empty()
  }

  #empty(): string[] {
    return new Array<string>(this.#width).fill('')
  }
}

interface Parsed {
  readonly rows: readonly (readonly string[])[]
  readonly found: ParsedRecords
}

/** Parses pieces as a file gives them: what was not taken comes again, in front of the next piece. */
function parseText(
  text: string,
  width: number,
  { pieceBytes = 1_000, skipRecords = 0, dialect = DIALECT as CsvDialect } = {},
): Parsed {
  const sink = new Rows(width)
  const parser = new RecordParser({ dialect, skipRecords, width }, sink)
  const bytes = Buffer.from(text)
  let kept = Buffer.alloc(0)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = Buffer.concat([kept, bytes.subarray(at, at + pieceBytes), Buffer.alloc(1)])
    const end = piece.length - 1
    kept = piece.subarray(parser.parse(piece, end, false), end)
  }
  const rest = Buffer.concat([kept, Buffer.alloc(1)])
  expect(parser.parse(rest, kept.length, true)).toBe(kept.length)
  return { rows: sink.rows, found: parser.result() }
}

const piece = fc.constantFrom(
  'a',
  'bc',
  ',',
  ',',
  '"',
  '"',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  'é',
  '🦆',
  '""',
  "'",
  '\\',
  ';',
)
const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

describe('the parser of records', () => {
  it.each<CsvDialect>([
    DIALECT,
    { delimiter: ';', quote: "'", escape: "'" },
    { delimiter: ',', quote: '"', escape: '\\' },
    { delimiter: '\t', quote: '', escape: '' },
  ])('finds the same in any text, whatever the pieces ($delimiter $quote $escape)', (dialect) => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }), (text, width, pieceBytes) => {
        const whole = parseText(text, width, { dialect })
        const pieces = parseText(text, width, { dialect, pieceBytes })
        expect(pieces).toEqual(whole)
        // The beginning of a file is split by the same grammar: every field of every record is in it.
        const { records, openQuote, ...found } = splitRecords(text, dialect, true, Number.POSITIVE_INFINITY)
        expect(whole.found).toMatchObject({ records: records.length, ...found })
        expect(whole.found.openQuoteLine !== null).toBe(openQuote)
        const narrow = records.filter((record) => record.slice(width).every((field) => /^[ \t]*$/.test(field)))
        expect(whole.rows).toEqual(narrow.map((record) => Array.from({ length: width }, (_, i) => record[i] ?? '')))
      }),
      { numRuns: 1_500 },
    )
  })

  const BACKSLASH = { delimiter: ',', quote: '"', escape: '\\' }
  it.each<[string, string, CsvDialect, string[][], number]>([
    [
      'line feeds, carriage returns and both',
      'a,b\nc,d\re,f\r\ng,h',
      DIALECT,
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h'],
      ],
      0,
    ],
    ['lines of blanks, which are no records', '\n  \na,b\n \t\n\r\n', DIALECT, [['a', 'b']], 0],
    ['a quoted blank, which is a record', '" "\n', DIALECT, [[' ', '']], 0],
    ['an empty field in quotes, which is a record', '""\n', DIALECT, [['', '']], 0],
    ['doubled quotes', '"say ""hi""",b\n', DIALECT, [['say "hi"', 'b']], 0],
    ['line ends and delimiters in quotes', '"a\r\nb,c",d\n', DIALECT, [['a\r\nb,c', 'd']], 0],
    ['a quote within an unquoted field, which is text', '6" pipe,x""y\n', DIALECT, [['6" pipe', 'x""y']], 3],
    ['a quote behind a blank, which is text', 'a, "b"\n', DIALECT, [['a', ' "b"']], 2],
    ['text behind a closing quote, which is kept', '"a"b,"c" \n', DIALECT, [['ab', 'c ']], 2],
    ['an escaped quote', '"say \\"hi\\"",b\n', BACKSLASH, [['say "hi"', 'b']], 0],
    ['an escaped backslash before the closing quote', '"a\\\\",b\n', BACKSLASH, [['a\\', 'b']], 0],
    ['a backslash outside of quotes, which is text', 'a\\,b\n', BACKSLASH, [['a\\', 'b']], 0],
    [
      'apostrophes among single quotes',
      "'it''s',don't\n",
      { delimiter: ',', quote: "'", escape: "'" },
      [["it's", "don't"]],
      1,
    ],
    ['quotes without a meaning', '"a\t"b"\n', { delimiter: '\t', quote: '', escape: '' }, [['"a', '"b"']], 0],
    ['another delimiter', 'a,b;c\n', { delimiter: ';', quote: '"', escape: '"' }, [['a,b', 'c']], 0],
    [
      'no line end behind the last record',
      'a,b\nc,',
      DIALECT,
      [
        ['a', 'b'],
        ['c', ''],
      ],
      0,
    ],
  ])('reads %s', (_, text, dialect, rows, strayQuotes) => {
    for (const pieceBytes of [1, 2, 3, 1_000]) {
      const parsed = parseText(text, 2, { dialect, pieceBytes })
      expect(parsed.rows).toEqual(rows)
      expect(parsed.found.strayQuotes).toBe(strayQuotes)
    }
  })

  it('finds the same records as csv-parse, with a piece ending at every byte', () => {
    const field = fc.constantFrom('', 'x', '"q"', '"a,b"', '"a\nb"', '"a""b"', '"\r\n"', '1.5', '"é"')
    const tables = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
    fc.assert(
      fc.property(tables, fc.constantFrom('\n', '\r\n'), (table, lineEnd) => {
        const text = table.map((row) => row.join(',') + lineEnd).join('')
        const expected = parse(text, { recordDelimiter: lineEnd }) as string[][]
        expect(splitRecords(text, DIALECT, true).records).toEqual(expected)
        const bytes = Buffer.byteLength(text)
        for (let pieceBytes = 1; pieceBytes <= bytes; pieceBytes++) {
          expect(parseText(text, table[0]!.length, { pieceBytes }).rows).toEqual(expected)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('skips records that are not data, drops NULs, and reports corrected lines', () => {
    const text = 'title\r\nx,y\r\n1,2\r\n\r\n"3\n",4,\r\n5\r\n6,7,8\r\n\0 9,1\0'
    const { rows, found } = parseText(text, 2, { skipRecords: 2 })
    expect(rows).toEqual([
      ['1', '2'],
      ['3\n', '4'],
      ['5', ''],
      [' 9', '1'],
    ])
    expect(found).toEqual({
      records: 7,
      gaps: 1,
      widths: new Map([
        [1, 2],
        [2, 3],
        [3, 2],
      ]),
      openQuoteLine: null,
      straddlingQuoteLine: null,
      quotedFields: 1,
      quotedWords: new Map(),
      strayQuotes: 0,
      nulBytes: 2,
      trimmed: { count: 1, lines: [5] },
      short: { count: 1, lines: [7] },
      leftOut: { count: 1, lines: [8] },
    })
  })

  it('names the line of an unclosed quote', () => {
    expect(parseText('a,b\n1,"x\ny"\n2,"z\n\n', 2).found.openQuoteLine).toBe(4)
  })
})

describe('the first records of a file', () => {
  const split = (text: string, complete: boolean, most?: number) => splitRecords(text, DIALECT, complete, most)

  it('do not include the last one when the text continues', () => {
    expect(split('a,b\n1,"x', false)).toMatchObject({ records: [['a', 'b']], openQuote: false })
    expect(split('a,b\n1,2', false).records).toEqual([['a', 'b']])
    expect(split('a,b\n1,"x', true)).toMatchObject({
      records: [
        ['a', 'b'],
        ['1', 'x'],
      ],
      openQuote: true,
    })
  })

  it('number as many as requested', () => {
    expect(split('a\n\nb\nc\n"', true, 2)).toEqual({
      records: [['a'], ['b']],
      quotedFields: 0,
      strayQuotes: 0,
      openQuote: false,
    })
  })

  it('have as many fields as in the file', () => {
    expect(split('a\n,,\n"b",\n', true)).toMatchObject({ records: [['a'], ['', '', ''], ['b', '']], quotedFields: 1 })
  })
})

describe('reading records from a file', () => {
  const options = { dialect: DIALECT, skipRecords: 1, width: 2, bomBytes: 0, onPiece: () => Promise.resolve() }

  it('accepts fields and characters that are cut between pieces of the file', async () => {
    // Each longer than a piece, of characters that no piece ends with.
    const fields = ['ä', '🦆', '"a""€"'].map((text) => text.repeat(500_000))
    const sink = new Rows(2)
    const path = folder.write(
      'long.csv',
      `h,k\n${fields.map((text) => `x,"${text.replaceAll('"', '""')}"`).join('\n')}`,
    )
    expect(await readRecords(path, sink, options)).toMatchObject({ records: 4, openQuoteLine: null })
    expect(sink.rows.map((row) => row[1] === fields[sink.rows.indexOf(row)])).toEqual([true, true, true])
  })

  it('stops at bytes that are not UTF-8', async () => {
    const path = folder.write('latin.csv', Buffer.concat([Buffer.from('h,k\n1,'), Buffer.from([0xe9, 0x0a])]))
    expect(await readRecords(path, new Rows(2), options)).toBeNull()
    const cut = folder.write('cut.csv', Buffer.concat([Buffer.from('h,k\n1,'), Buffer.from([0xc3])]))
    expect(await readRecords(cut, new Rows(2), options)).toBeNull()
  })

  it.each([
    ['one field', `1,"${'x'.repeat(MAX_RECORD_BYTES)}`],
    ['many fields', `1${',x'.repeat(MAX_RECORD_BYTES / 2)}`],
  ])('refuses a record that is too long in %s, with its place', async (_, record) => {
    const path = folder.write('too-long.csv', `h,k\n1,2\n${record}\n`)
    await expect(readRecords(path, new Rows(2), options)).rejects.toThrow('The record that begins on line 3 is longer')
  })
})
