import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { sampleRowIndexes } from '../../src/formats/reading/row-sample.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

async function read(content: string | Uint8Array, maxSampleRows = 200_000): Promise<RawTable> {
  const path = folder.write(`table-${files++}.csv`, content)
  return readTable(path, { tempDir: folder.path, maxSampleRows })
}

async function refusal(content: string | Uint8Array): Promise<string> {
  const error = await read(content).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

const WINDOWS_1252 =
  'The text is in Windows-1252, recognized by its letters. If letters look wrong, declare another encoding ' +
  `in the dataset's entry of the study, such as "encoding: windows-1250".`

describe('the encoding', () => {
  const text = 'name;town\nJosé;Málaga\nZoë;Köln\n'
  it.each([
    ['UTF-8', Buffer.from(text), []],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), []],
    ['UTF-16, little end first', Buffer.from(`\ufeff${text}`, 'utf16le'), ['The text is in UTF-16.']],
    ['UTF-16, big end first', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), ['The text is in UTF-16.']],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), ['The text is in UTF-16.']],
    ['Windows-1252', Buffer.from(text, 'latin1'), [WINDOWS_1252]],
  ])('%s is found', async (_, bytes, notes) => {
    const table = await read(bytes)
    expect(table.columns.map((column) => column.name)).toEqual(['name', 'town'])
    expect(readColumn(table, 'town')).toEqual(['Málaga', 'Köln'])
    expect(table.notes).toEqual([...notes, 'Columns are separated by: semicolon.'])
  })

  it('is Windows-1252 where the text has characters that ISO 8859-1 lacks', async () => {
    const table = await read(
      Buffer.concat([
        Buffer.from('price,note\n1,it'),
        Buffer.from([0x92]),
        Buffer.from('s 5 '),
        Buffer.from([0x80, 0x0a]),
      ]),
    )
    expect(readColumn(table, 'note')).toEqual(['it’s 5 €'])
  })

  it('is inferred from the whole file when only its end is not UTF-8', async () => {
    const lines = Array.from({ length: 120_000 }, (_, i) => `${i},plain`).join('\n')
    const table = await read(Buffer.concat([Buffer.from(`id,word\n${lines}\n120000,caf`), Buffer.from([0xe9, 0x0a])]))
    expect(table.rowCount).toBe(120_001)
    expect(table.notes).toContainEqual(expect.stringMatching(/^The text (is in|was read as) Windows-1252/))
    expect(columnOf(table, 'word')).toMatchObject({ dictionary: ['café', 'plain'] })
  })

  it('stays UTF-8 with a note when a single byte is damaged', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i},Größe`).join('\n')
    const table = await read(Buffer.concat([Buffer.from(`id,word\n${lines}\n31,x`), Buffer.from([0xff, 0x0a])]))
    expect(readColumn(table, 'word').slice(-2)).toEqual(['Größe', 'x\ufffd'])
    expect(table.notes).toContain('1 character was not readable and became "\ufffd".')
  })
})

describe('dialect and layout', () => {
  it.each([
    [',', 'a,b\n1,x\n2,y\n'],
    [';', 'a;b\n1;x\n2;y\n'],
    ['tab', 'a\tb\n1\tx\n2\ty\n'],
    ['vertical bar', 'a|b\n1|x\n2|y\n'],
    ['semicolon and decimal commas', 'a;b\n1,0;x\n2,0;y\n'],
    ['named by Excel', 'sep=;\na;b\n1;x\n2;y\n'],
    ['bare CR', 'a,b\r1,x\r2,y\r'],
    ['mixed line ends', 'a,b\r\n1,x\n2,y\r'],
    ['no line end at the end', 'a,b\n1,x\n2,y'],
    ['single quotes', "a,b\n1,'x'\n2,'y'\n"],
    ['titles above', 'Survey 2024\n\na,b\n1,x\n2,y\n'],
    ['blank lines between', 'a,b\n\n1,x\n   \n2,y\n\n'],
  ])('%s', async (_, content) => {
    const table = await read(content)
    expect(table.columns.map((column) => column.name)).toEqual(['a', 'b'])
    expect(readColumn(table, 'a')).toEqual([1, 2])
    expect(readColumn(table, 'b')).toEqual(['x', 'y'])
  })

  it('keeps delimiters, line ends and quotes inside quoted fields', async () => {
    const table = await read('a,b\n1,"x, ""y""\nand z"\n2,"\r\n"\n')
    expect(readColumn(table, 'b')).toEqual(['x, "y"\nand z', null])
  })

  it('reads quotes escaped by backslashes', async () => {
    const table = await read('a,b\n1,"he said \\"no, no\\""\n2,"plain"\n')
    expect(readColumn(table, 'b')).toEqual(['he said "no, no"', 'plain'])
  })

  it('reads quotes between tabs as text if they quote nothing', async () => {
    const table = await read('a\tb\n1\t"x\n2\tplain\n')
    expect(readColumn(table, 'b')).toEqual(['"x', 'plain'])
    expect(table.notes).toContain('Quotation marks in the file do not quote anything and were kept as text.')
  })

  it('reads a file of one column, with or without commas', async () => {
    const table = await read('remark\ngood\nvery good, really\nbad\nnone\n')
    expect(readColumn(table, 'remark')).toEqual(['good', 'very good, really', 'bad', 'none'])
  })

  it('reads a file without a header from its first line', async () => {
    const table = await read('2024-01-01,4,red\n2024-01-02,5,blue\n')
    expect(table.columns.map((column) => column.name)).toEqual(['column.1', 'column.2', 'column.3'])
    expect(table.rowCount).toBe(2)
    expect(table.notes[0]).toMatch(/no header line/)
  })

  it('accepts years as names of columns', async () => {
    const table = await read('country,2019,2020\nFR,1.5,2.5\nDE,3.5,4.5\n')
    expect(table.columns.map((column) => column.name)).toEqual(['country', '2019', '2020'])
  })

  it('names empty and repeated headers, and trims the blanks around headers', async () => {
    const table = await read('a, a ,,a.1,\n1,2,3,4,5\n')
    expect(table.columns.map((column) => column.name)).toEqual(['a', 'a.2', 'column.3', 'a.1', 'column.5'])
  })

  it('adds the column of row names that R leaves out of its header', async () => {
    const table = await read('"x","y"\n"1",2.5,a\n"2",3.5,b\n')
    expect(table.columns.map((column) => column.name)).toEqual(['column.1', 'x', 'y'])
    expect(readColumn(table, 'x')).toEqual([2.5, 3.5])
  })

  it('leaves other names unchanged', async () => {
    const table = await read('purchase_intent,Größe (m²)\n1,2\n')
    expect(table.columns.map((column) => column.name)).toEqual(['purchase_intent', 'Größe (m²)'])
  })

  it('reads a file whose path looks like a pattern', async () => {
    const path = folder.write('a[1]*?.csv', 'a,b\n1,x\n')
    expect((await readTable(path, { tempDir: folder.path })).rowCount).toBe(1)
  })
})

describe('rows', () => {
  it('are dropped and counted if they repeat the header or are empty', async () => {
    const table = await read('a,b\n1,x\n,\na,b\n  ,\n2,y\na,b\n')
    expect(readColumn(table, 'a')).toEqual([1, 2])
    expect(table).toMatchObject({ rowCount: 2, droppedRows: { empty: 2, repeatedHeader: 2 } })
  })

  it('are filled with missing values if they are short, with a note', async () => {
    const table = await read('a,b,c\n1,x,p\n2\n3,y,q\n4,z\n')
    expect(readColumn(table, 'c')).toEqual(['p', null, 'q', null])
    expect(table.notes).toEqual([
      '2 rows with fewer than 3 fields; the absent fields were read as missing (lines 3, 5).',
    ])
  })

  it('lose empty fields beyond the header, with a note', async () => {
    const table = await read('a,b\n1,x,,\n2,y\n3,z\n')
    expect(readColumn(table, 'b')).toEqual(['x', 'y', 'z'])
    expect(table.notes).toEqual(['1 row with empty fields beyond the 2 of the header; these were removed (line 2).'])
  })

  it('are left out with a note if they are rare and have too many values', async () => {
    const lines = Array.from({ length: 150 }, (_, i) => (i === 70 ? '70,x,oops' : `${i},x`))
    const table = await read(`a,b\n${lines.join('\n')}\n`)
    expect(table.rowCount).toBe(149)
    expect(table.notes).toEqual(['1 row with more than 2 fields left out (line 72).'])
  })

  it.each([
    [
      'many rows with too many values',
      'a,b\n1,x,y\n2,x\n3,x,y\n4,x\n5,x\n',
      /^2 rows of 6 have more fields than the 2 of the header \(lines 2, 4\)/,
    ],
    ['rows of every length', 'a,b,c\n1\n1,2\n1,2,3,4\n1,2,3,4,5\n', /different numbers of fields/],
    ['a quote that is never closed', 'a,b\n1,"x\n2,y\n', /opened on line 2 is never closed/],
    ['no rows', 'a,b\n', /no rows/],
    ['no bytes', '', /no bytes/],
    ['blanks alone', ' \n\n', /blanks/],
  ])('are refused if there are %s', async (_, content, detail) => {
    expect(await refusal(content)).toMatch(detail)
  })

  it('lose NUL bytes, with a note', async () => {
    const table = await read(`a,b\n1,x\0y\n2,${'z'.repeat(200)}\n`)
    expect(readColumn(table, 'b')[0]).toBe('xy')
    expect(table.notes).toEqual(['1 NUL byte was removed.'])
  })
})

describe('values', () => {
  it('are missing when empty, blank, or a word for missing', async () => {
    const words = ['', '  ', 'NA', 'na', 'N/A', 'n/a', 'NaN', 'nan', 'null', 'NULL', '""', ' NA ']
    const table = await read(`id,v\n${words.map((word, i) => `${i},${word}`).join('\n')}\n99,None\n`)
    expect(readColumn(table, 'v')).toEqual([...words.map(() => null), 'None'])
    expect(columnOf(table, 'v')).toMatchObject({ missing: words.length, distinct: 1 })
  })

  it.each([
    ['whole numbers', ['1', '-2', '+3'], 'number', [1, -2, 3], 0],
    ['decimals', ['1.50', '2.25', '3'], 'number', [1.5, 2.25, 3], 2],
    ['whole numbers written as decimals', ['1.0', '2.0', ''], 'number', [1, 2, null], 0],
    ['exponents', ['1.5e3', '2E-2', '7'], 'number', [1500, 0.02, 7], 2],
    ['codes of classes', ['1E1', '2E2', '1E10'], 'text', ['1E1', '2E2', '1E10'], null],
    ['large numbers without a sign', ['1e12', '25e12', '3E10'], 'number', [1e12, 25e12, 3e10], 0],
    ['codes of rooms beside numbers', ['1e1', '2E2', '30', '40'], 'text', ['1e1', '2E2', '30', '40'], null],
    ['powers of ten with a sign', ['1E+05', '2E2', '3E1'], 'number', [100_000, 200, 30], 0],
    ['codes of products among digits', ['12E05', '44210', '13877'], 'text', ['12E05', '44210', '13877'], null],
    [
      'codes of several lengths with a zero behind the letter',
      ['7E02', '12E05', '120'],
      'text',
      ['7E02', '12E05', '120'],
      null,
    ],
    ['a power of ten by hand among numbers', ['1500', '12E5', '0.5', '-3'], 'number', [1500, 1_200_000, 0.5, -3], 1],
    ['powers of ten with a fraction', ['1.0E7', '2E2', '3E1'], 'number', [10_000_000, 200, 30], 0],
    ['one power of ten among numbers', ['1E5', '20', '30'], 'number', [100_000, 20, 30], 0],
    ['decimal commas', ['"1,5"', '"2,25"', '3'], 'number', [1.5, 2.25, 3], 2],
    ['grouped thousands', ['"1,234"', '"12,345,678"', '9'], 'number', [1234, 12345678, 9], 0],
    ['grouped thousands with decimals', ['"1,234.5"', '"2,345.25"', '9'], 'number', [1234.5, 2345.25, 9], 2],
    ['thousands grouped by points', ['"1.234,5"', '"2.345.678,25"', '9'], 'number', [1234.5, 2345678.25, 9], 2],
    ['a dash for nothing', ['1', '-', '3'], 'number', [1, null, 3], 0],
    ['booleans', ['TRUE', 'False', 'true'], 'boolean', ['true', 'false', 'true'], null],
    ['yes and no', ['yes', 'no', 'yes'], 'text', ['yes', 'no', 'yes'], null],
    ['codes with leading zeros', ['007', '012', '100'], 'text', ['007', '012', '100'], null],
    ['integers beyond 2^53', ['9007199254740993', '1', '2'], 'text', ['9007199254740993', '1', '2'], null],
    ['numbers and words', ['1', '2', 'x'], 'text', ['1', '2', 'x'], null],
    ['times of day', ['10:30', '9:00:05', '00:15'], 'number', [37_800, 32_405, 900], 0],
    ['times of a clock with twelve hours', ['12:30 AM', '12:15pm', '5:30 PM'], 'number', [1_800, 44_100, 63_000], 0],
    [
      'times as Spanish has them',
      ['12:30 a. m.', '12:15\u00a0p.\u00a0m.', '5:30 p.m.'],
      'number',
      [1_800, 44_100, 63_000],
      0,
    ],
    ['times as French has them', ['10h30', '9h00', '-'], 'number', [37_800, 32_400, null], 0],
    ['times with parts of seconds', ['10:30:00.25', '9:00:05', '-'], 'number', [37_800.25, 32_405, null], 2],
    ['hours that no clock has', ['24:30', '11:00', '12:15'], 'text', ['24:30', '11:00', '12:15'], null],
    ['percentages', ['12%', '-3.5 %', ''], 'number', [12, -3.5, null], 1],
    ['percentages and plain numbers', ['12%', '0.12', ''], 'text', ['12%', '0.12', null], null],
    ['dollars', ['"$1,200"', '-$3.50', '"$9"'], 'number', [1200, -3.5, 9], 1],
    ['dollars in thousands', ['"$1,200"', '"$3,000"', ''], 'number', [1200, 3000, null], 0],
    ['euros after the number', ['"1.200,50 €"', '"3,00 €"', '-'], 'number', [1200.5, 3, null], 1],
    ['currencies by their codes', ['USD 12', 'USD -3.5', 'USD 1'], 'number', [12, -3.5, 1], 1],
    ['two currencies', ['$5', '€5', '$6'], 'text', ['$5', '€5', '$6'], null],
    ['ranges of amounts', ['$20-$40', '$40-$60', '<$20'], 'text', ['$20-$40', '$40-$60', '<$20'], null],
    ['dates with two-digit years', ['31/12/24', '01/02/30', ''], 'date', ['2024-12-31', '1930-02-01', null], 0],
    [
      'dates month first with two-digit years',
      ['4/16/15', '12/1/15', '-'],
      'date',
      ['2015-04-16', '2015-12-01', null],
      0,
    ],
    [
      'dates with names of months between',
      ['21apr2023', '3May2023', ''],
      'date',
      ['2023-04-21', '2023-05-03', null],
      0,
    ],
    ['dates as spreadsheets show them', ['21-Apr-23', '3-May-98', ''], 'date', ['2023-04-21', '1998-05-03', null], 0],
    [
      'two-digit years before or after the month',
      ['24-12-11', '01-02-03', ''],
      'text',
      ['24-12-11', '01-02-03', null],
      null,
    ],
    ['months that no year has', ['21abc2023', '3May2023', ''], 'text', ['21abc2023', '3May2023', null], null],
    ['telephone numbers', ['+44 20 7946', '020 7946', ''], 'text', ['+44 20 7946', '020 7946', null], null],
    ['postcodes', ['01067', '10115', ''], 'text', ['01067', '10115', null], null],
    ['ISO dates', ['2024-01-31', '2023-02-28', ''], 'date', ['2024-01-31', '2023-02-28', null], 0],
    [
      'ISO date-times',
      ['2024-01-31T10:20:30', '2024-01-31 00:00', 'NA'],
      'date-time',
      ['2024-01-31T10:20:30', '2024-01-31T00:00:00', null],
      0,
    ],
    [
      'date-times with offsets',
      ['2024-01-31T10:20:30+02:00', '2024-01-31T10:20:30Z', ''],
      'date-time',
      ['2024-01-31T08:20:30', '2024-01-31T10:20:30', null],
      0,
    ],
    ['German dates', ['31.1.2024', '01.02.2024', ''], 'date', ['2024-01-31', '2024-02-01', null], 0],
    ['day first, by the whole column', ['31/1/2024', '01/02/2024', ''], 'date', ['2024-01-31', '2024-02-01', null], 0],
    [
      'month first, by the whole column',
      ['1/31/2024', '02/01/2024', ''],
      'date',
      ['2024-01-31', '2024-02-01', null],
      0,
    ],
    [
      'day or month first is unknown',
      ['01/02/2024', '03/04/2024', ''],
      'text',
      ['01/02/2024', '03/04/2024', null],
      null,
    ],
    [
      'dates with midnights',
      ['5/19/2006 0:00:00', '12/1/2006 0:00:00', ''],
      'date',
      ['2006-05-19', '2006-12-01', null],
      0,
    ],
    ['dates with month names', ['05-Mar-2020', '17-DEC-2021', ''], 'date', ['2020-03-05', '2021-12-17', null], 0],
    ['days that do not exist', ['2024-02-30', '2024-01-01', ''], 'text', ['2024-02-30', '2024-01-01', null], null],
    ['texts with blanks around them', [' x', 'x ', '\u00a0x'], 'text', ['x', 'x', 'x'], null],
    ['cells that look like formulas', ['=1+1', '@x', '-x'], 'text', ['=1+1', '@x', '-x'], null],
  ] as const)('%s', async (_, cells, type, expected, decimals) => {
    const table = await read(`id,v\n${cells.map((cell, i) => `r${i},${cell}`).join('\n')}\n`)
    const column = columnOf(table, 'v')
    expect(column.type).toBe(type)
    expect(readColumn(table, 'v')).toEqual(expected)
    if ('decimals' in column) expect(column.decimals).toBe(decimals)
  })

  it('are typed by the whole column, however late the exceptions', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => String(i))
    const others = Array.from({ length: 200 }, (_, i) => `person ${i}`)
    const table = await read(`n\n${[...lines, ...others].join('\n')}\n`)
    expect(columnOf(table, 'n')).toMatchObject({ type: 'text', distinct: 30_200 })
  })

  it('with commas are decimals if the delimiter is a semicolon', async () => {
    expect(readColumn(await read('a;b\n1,234;x\n2,345;y\n'), 'a')).toEqual([1.234, 2.345])
  })

  it('that may be day or month first follow a column that decides', async () => {
    const table = await read('a,b\n01/02/2024,31/01/2024\n03/04/2024,15/06/2024\n')
    expect(readColumn(table, 'a')).toEqual(['2024-02-01', '2024-04-03'])
  })

  it.each([
    ['how commas were read', 'id,v,w\na,"1,5",x\n', ['Column "v" has commas, which were read as decimal commas.']],
    [
      'how thousands were read, for all columns together',
      'id,v,w\na,"1,234","2,345,678"\n',
      ['Columns "v" and "w" have commas, which were read as thousands separators.'],
    ],
    [
      'what stood at the numbers',
      'id,v,w\na,$3,5%\n',
      [
        'Column "v" has amounts in "$", which were read as numbers.',
        'Column "w" has percentages, which were read as numbers ("12%" as 12).',
      ],
    ],
    [
      'that a code may look like a word for missing',
      'id,v,w\na,NA,NA\nb,GH,gh\nc,KE,KE\nd,TZ,TZ\ne,UG,UG\n',
      [
        'Column "v" has codes of two letters, and "NA" among them was read as missing; to keep it as a code, name all of them under "levels" in the study.',
        '"NA" was read as missing in 2 columns (2 values): "v" and "w".',
      ],
    ],
    [
      'no code among two answers',
      'id,v\na,NA\nb,OK\nc,NO\nd,OK\n',
      ['Column "v": "NA" was read as missing (1 value).'],
    ],
    [
      'the order of dates, and whence it is known',
      'id,v,w\na,31/12/2024,1/2/2024\n',
      [
        'Column "v" has dates, which were read day first (31/12/2024).',
        'Column "w" has dates, which were read day first (31/12/2024), as in other columns.',
      ],
    ],
    [
      'dates that could be read in two orders',
      'id,v\na,1/2/2024\n',
      [
        'Column "v" has dates that could be day first or month first, which were kept as text; ' +
          'write them as 2024-12-31, or declare their form under "dates" in the study.',
      ],
    ],
    [
      'years of two digits',
      'id,v\na,31/12/24\n',
      [
        'Column "v" has dates, which were read day first (31/12/2024).',
        'Column "v" has dates with two-digit years, which were read as years from 1930 to 2029.',
      ],
    ],
    [
      'words that were missing, but not empty cells',
      'id,v,w\na,NA,x\nb,1,NA\nc,,NA\n',
      ['"NA" was read as missing in 2 columns (3 values): "v" and "w".'],
    ],
    ['marks that were missing', 'id,v\na,1\nb,-\n', ['Column "v": "-" was read as missing (1 value).']],
  ])('have notes on %s', async (_, content, notes) => {
    expect((await read(content)).notes).toEqual(notes)
  })

  it('have counts of each text', async () => {
    const table = await read('a,b\n3,x\n1,y\n3,x\n,x\n')
    expect(columnOf(table, 'a')).toMatchObject({
      counts: new Map([
        [1, 1],
        [3, 2],
      ]),
      min: 1,
      max: 3,
      missing: 1,
      distinct: 2,
    })
    expect(columnOf(table, 'b')).toMatchObject({ dictionary: ['x', 'y'], counts: Float64Array.of(3, 1), meanWords: 1 })
  })
})

describe('rows beyond the sample', () => {
  it('are sampled the same way each time, in the sequence of the file, and all are in the profile', async () => {
    const content = `id,kind\n${Array.from({ length: 9_000 }, (_, i) => `${i},${i % 3 === 0 ? 'a' : 'b'}`).join('\n')}\n`
    const [first, second] = [await read(content, 500), await read(content, 500)]
    expect(first).toMatchObject({ rowCount: 9_000, sampleRows: 500 })
    const ids = readColumn(first, 'id') as number[]
    expect(ids).toEqual(readColumn(second, 'id'))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(readColumn(first, 'kind')).toEqual(ids.map((id) => (id % 3 === 0 ? 'a' : 'b')))
    expect(columnOf(first, 'id')).toMatchObject({ min: 0, max: 8_999, distinct: 9_000, counts: null })
    expect(columnOf(first, 'kind')).toMatchObject({ counts: Float64Array.of(3_000, 6_000) })
  })

  it('are counted without dropped rows', async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => (i % 4 === 1 ? ',' : `${i},x`))
    const table = await read(`id,kind\n${lines.join('\n')}\n`, 100)
    expect(table).toMatchObject({ rowCount: 2_250, sampleRows: 100, droppedRows: { empty: 750 } })
    const kept = Array.from({ length: 3_000 }, (_, i) => i).filter((i) => i % 4 !== 1)
    expect(readColumn(table, 'id')).toEqual([...sampleRowIndexes(2_250, 100)].map((row) => kept[row]))
  })

  it('leave no files in the folder for intermediate files', async () => {
    const { readdirSync } = await import('node:fs')
    const before = readdirSync(folder.path).filter((name) => name.startsWith('tables-'))
    expect(before).toEqual([])
  })
})
