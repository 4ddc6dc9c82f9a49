import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runParquet, textsParquet } from './parquet-bytes.ts'
import { readingProcess } from './reading-process.ts'
import { savBytes } from './sav-bytes.ts'
import { tempFolder } from './temp-folder.ts'
import { sheetXml, textCell, workbookParts, zipBytes } from './zip-bytes.ts'

const MIB = 2 ** 20
const folder = tempFolder()
const LIMITS = { memoryBytes: 900 * MIB, cpuMs: 60_000 }
const reading = readingProcess(LIMITS)
const hasty = readingProcess({ ...LIMITS, cpuMs: LIMITS.cpuMs / 10 })
let files = 0

async function read(content: string | Uint8Array) {
  return await reading.read(folder.write(`hostile-${files++}`, content), folder.path)
}

/** A file too large to be held: the same piece over and over. */
function repeated(head: string, piece: Buffer, times: number): string {
  const path = join(folder.path, `hostile-${files++}`)
  const file = openSync(path, 'w')
  writeSync(file, head)
  for (let i = 0; i < times; i++) writeSync(file, piece)
  closeSync(file)
  return path
}

const aTable = [
  `${textCell('id')}${textCell('town')}`,
  `<c><v>1</v></c>${textCell('Bonn')}`,
  `<c><v>2</v></c>${textCell('Ulm')}`,
]
const row = '<row><c><v>1</v></c><c><v>2</v></c></row>'
const megabyte = Buffer.from(`<sheetData>${row.repeat(Math.floor(MIB / row.length))}`)
const laughs =
  '<!DOCTYPE x [<!ENTITY a0 "ha">' +
  Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('') +
  ']>'

describe('a workbook', () => {
  it.each<[string, () => Buffer, RegExp]>([
    ['1 GB of rows', () => zipBytes(workbookParts({ content: megabyte, times: 1_024 })), /more rows than Excel allows/],
    [
      '1 GB of empty elements',
      () => zipBytes(workbookParts({ content: Buffer.alloc(MIB, '<aa/>'), times: 1_024 })),
      /unpacks to/,
    ],
    [
      '1 GB of blanks',
      () => zipBytes(workbookParts({ content: Buffer.alloc(MIB, ' '), times: 1_024 })),
      /far more text|unpacks to/,
    ],
    [
      '1 GB of shared texts',
      () =>
        zipBytes(workbookParts(sheetXml(aTable), { content: Buffer.alloc(MIB, '<si><t>a</t></si>'), times: 1_024 })),
      /unpacks to/,
    ],
    [
      'an entity of a thousand billion letters',
      () => zipBytes(workbookParts(sheetXml([...aTable, `<c><v>3</v></c>${textCell('&a12;')}`], laughs))),
      /entities/,
    ],
    [
      '25,000 entries',
      () =>
        zipBytes(
          Array.from({ length: 25_000 }, (_, i) => ({ name: `xl/_rels/${i}`, content: '' })),
          { entries: 25_000 },
        ),
      /damaged/,
    ],
    [
      'a zip64 directory beyond the file',
      () => zipBytes(workbookParts(sheetXml(aTable)), { zip64: 2n ** 63n }),
      /damaged/,
    ],
    ['a zip64 directory within itself', () => zipBytes(workbookParts(sheetXml(aTable)), { zip64: 10n }), /damaged/],
    [
      'a workbook inside of another archive',
      () => zipBytes([{ name: 'book.xlsx', content: zipBytes(workbookParts(sheetXml(aTable))) }]),
      /zip archive; unpack it first|damaged/,
    ],
  ])('with %s is refused in words, within its limits', async (_, make, words) => {
    expect(await read(make())).toMatchObject({ refused: expect.stringMatching(words) })
  })

  it.each([0, 1, 2 ** 31])(
    'whose directory gives %d bytes for its sheet is read as it is, or refused',
    async (claimedBytes) => {
      const result = await read(zipBytes(workbookParts({ content: sheetXml(aTable), claimedBytes })))
      if ('rows' in result) expect(result).toMatchObject({ rows: 2, columns: ['id', 'town'] })
      else expect(result).toMatchObject({ refused: expect.stringMatching(/damaged|exceeds/) })
    },
  )

  it('with one text of 30,000 letters in 2,000 cells is read', async () => {
    const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${'x'.repeat(30_000)}</t></si><si><t>h</t></si><si><t>k</t></si></sst>`
    const cell = '<c t="s"><v>0</v></c>'
    const rows = [
      '<c t="s"><v>1</v></c><c t="s"><v>2</v></c>',
      ...Array.from({ length: 2_000 }, (_, i) => `<c><v>${i}</v></c>${cell}`),
    ]
    expect(await read(zipBytes(workbookParts(sheetXml(rows), strings)))).toMatchObject({ rows: 2_000 })
  })
})

describe('a Parquet file', () => {
  it('written by hand is read', async () => {
    expect(await read(runParquet({ valuesPerPage: 1_000, pages: 3 }))).toMatchObject({ rows: 3_000, columns: ['v'] })
    expect(await read(runParquet({ valuesPerPage: 10, pages: 1, depth: 3 }))).toMatchObject({
      rows: 10,
      columns: ['g.g.g.v'],
    })
  })

  it.each<[string, Parameters<typeof runParquet>[0], RegExp]>([
    ['billions of values in one run', { valuesPerPage: 2_000_000_000, pages: 4 }, /8,000,000,000 values/],
    [
      'rows that are not there',
      { valuesPerPage: 1_000, pages: 1, claimedRows: 1_000_000_000 },
      /damaged|cut short|values/,
    ],
    ['more rows than can be counted', { valuesPerPage: 1_000, pages: 1, claimedRows: 2 ** 53 }, /values/],
    ['fewer rows than its pages hold', { valuesPerPage: 1_000, pages: 1, claimedRows: -1 }, /damaged|no rows/],
    ['a page that claims 2 GB', { valuesPerPage: 1_000, pages: 1, claimedPageBytes: 2 ** 31 - 1 }, /damaged|memory/],
    ['structures nested 200 deep', { valuesPerPage: 10, pages: 1, depth: 200 }, /nested/],
  ])('with %s is refused in words, within its limits', async (_, spec, words) => {
    expect(await read(runParquet(spec))).toMatchObject({ refused: expect.stringMatching(words) })
  })
})

describe('a Parquet file of kilobytes that unpacks to 90 GB', () => {
  it('is refused within its time limit', async () => {
    const spec = { columns: [['x'.repeat(30 * MIB)]], rows: 3_000 }
    expect(await hasty.read(folder.write('texts', textsParquet(spec)), folder.path)).toMatchObject({
      refused: expect.stringMatching(/unpacks to 94\.4 GB/),
    })
  })
})

describe('a Parquet file that makes DuckDB overflow its stack', () => {
  it('ends its process and no other', async () => {
    expect(await read(runParquet({ valuesPerPage: 10, pages: 1, depth: 20_000 }))).toEqual({ died: 'crash' })
    expect(await read('a,b\n1,2\n3,4\n')).toMatchObject({ rows: 2 })
  })
})

describe('delimited text', () => {
  it.each<[string, () => string, RegExp]>([
    ['of one line of 500 MB', () => repeated('', Buffer.alloc(MIB, 'a'), 500), /first line is longer than 1 MB/],
    [
      'with a line of 200 MB below its header',
      () => repeated('a,b\n1,2\n', Buffer.alloc(MIB, 'x'), 200),
      /longer than 16 MB/,
    ],
    [
      'with a quotation mark that is never closed',
      () => repeated('a,b\n1,2\n3,"', Buffer.alloc(MIB, 'x,y\n'), 100),
      /opened on line 3 is never closed|longer than 16 MB/,
    ],
    ['of a million columns', () => repeated('', Buffer.from(`${'a,'.repeat(1_000_000)}\n`), 3), /longer than 1 MB/],
    [
      'of 300,000 columns',
      () => repeated('', Buffer.from(`${'a,'.repeat(300_000)}\n`), 2),
      /columns; at most 5000|different numbers/,
    ],
    [
      'of 100 MB of NUL bytes',
      () => repeated('a,b\n', Buffer.alloc(MIB), 100),
      /neither text|different numbers|no rows|no table/,
    ],
  ])('%s is refused in words, within its limits', async (_, make, words) => {
    expect(await reading.read(make(), folder.path)).toMatchObject({ refused: expect.stringMatching(words) })
  })
})

describe('an SPSS file', () => {
  const variables = [{ name: 'A' }, { name: 'B' }]

  it('with blocks that unpack to a thousand times their size is refused in words, within its limits', async () => {
    const whole = savBytes({ variables, rows: [[1, 2]], compression: 2 })
    const start = whole.indexOf(Buffer.from([0xe7, 3, 0, 0, 0, 0, 0, 0])) + 8
    expect(await read(zsavOf(whole.subarray(0, start), 400))).toMatchObject({
      refused: expect.stringMatching(/more data once unpacked|unpacks to|cut short/),
    })
  })

  it.each([2_147_483_647, 1_000_000])(
    'that claims %i rows is refused with the number of rows found',
    async (caseCount) => {
      expect(await read(savBytes({ variables, rows: [[1, 2]], caseCount }))).toMatchObject({
        refused: expect.stringContaining('1 complete row was found'),
      })
    },
  )

  it('with texts wider than the format allows is refused', async () => {
    const bytes = savBytes({ variables: [{ name: 'A', width: 8 }], rows: [['x']] })
    bytes.writeInt32LE(2_000_000_000, 176 + 4)
    expect(await read(bytes)).toMatchObject({ refused: expect.stringMatching(/damaged/) })
  })

  /** `blocks` blocks of 4 MB of bytecode, each code a whole number. */
  function zsavOf(dictionary: Buffer, blocks: number): Buffer {
    const block = deflateSync(Buffer.alloc(4 * MIB, 101), { level: 9 })
    const start = dictionary.length
    const header = Buffer.alloc(24)
    header.writeBigInt64LE(BigInt(start))
    header.writeBigInt64LE(BigInt(start + 24 + blocks * block.length), 8)
    header.writeBigInt64LE(BigInt(24 + blocks * 24), 16)
    const trailer = Buffer.alloc(24)
    trailer.writeBigInt64LE(-100n)
    trailer.writeInt32LE(0x3ff000, 16)
    trailer.writeInt32LE(blocks, 20)
    const entries = Array.from({ length: blocks }, (_, i) => {
      const entry = Buffer.alloc(24)
      entry.writeBigInt64LE(BigInt(start + i * 4 * MIB))
      entry.writeBigInt64LE(BigInt(start + 24 + i * block.length), 8)
      entry.writeInt32LE(4 * MIB, 16)
      entry.writeInt32LE(block.length, 20)
      return entry
    })
    const head = Buffer.from(dictionary)
    head.writeInt32LE(-1, 80)
    return Buffer.concat([head, header, ...Array.from({ length: blocks }, () => block), trailer, ...entries])
  }
})

describe('the reader after all these files', () => {
  it('reads the next file', async () => {
    expect(await read('a,b\n1,2\n3,4\n')).toMatchObject({ rows: 2, columns: ['a', 'b'] })
  })
})
