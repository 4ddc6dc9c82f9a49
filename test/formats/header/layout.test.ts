import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../../src/formats/reading/unreadable-file-error.ts'
import { columnOf, readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'
import { csvBytes, qualtricsRows, type Row, xlsxBytes } from './survey-bytes.ts'

const folder = tempFolder()
let files = 0

async function read(content: string | Uint8Array): Promise<RawTable> {
  return readTable(folder.write(`layout-${files++}`, content), { tempDir: folder.path })
}

async function refusal(content: string | Uint8Array): Promise<string> {
  const error = await read(content).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

const names = (table: RawTable) => table.columns.map(({ name }) => name)
const body = (rows: number, row: (i: number) => Row): Row[] => Array.from({ length: rows }, (_, i) => row(i))

describe('a title padded with separators', () => {
  const data = body(6, (i) => [i, 20 + i, i % 2 === 0 ? 'Bonn' : 'Ulm', 1.5 * i])

  it.each<[string, Row[], string[]]>([
    [
      'of one text',
      [
        ['Panel 2024', '', '', ''],
        ['id', 'age', 'town', 'score'],
      ],
      ['id', 'age', 'town', 'score'],
    ],
    [
      'of two texts',
      [
        ['Panel 2024', '', 'by us', ''],
        ['id', 'age', 'town', 'score'],
      ],
      ['id', 'age', 'town', 'score'],
    ],
    [
      'with a date',
      [
        ['Exported', '2024-05-01', '', ''],
        ['id', 'age', 'town', 'score'],
      ],
      ['id', 'age', 'town', 'score'],
    ],
    [
      'above names that are numbers',
      [
        ['Panel 2024', '', '', ''],
        ['id', '1', '2', '3'],
      ],
      ['id', '1', '2', '3'],
    ],
    [
      'twice, with a row of separators between',
      [
        ['Panel 2024', '', '', ''],
        ['', '', '', ''],
        ['Wave 3', '', '', ''],
        ['id', 'age', 'town', 'score'],
      ],
      ['id', 'age', 'town', 'score'],
    ],
  ])('%s is skipped', async (_, head, expected) => {
    const table = await read(csvBytes([...head, ...data]))
    expect(names(table)).toEqual(expected)
    expect(table.rowCount).toBe(6)
    expect(columnOf(table, expected[1]!).type).toBe('number')
    expect(table.notes).toEqual([
      head.length === 2
        ? '1 line above the header was skipped.'
        : `${head.length - 1} lines above the header were skipped.`,
    ])
  })

  it('is not assumed in a header with columns without a name', async () => {
    const table = await read(csvBytes([['id', '', 'town', ''], ...data]))
    expect(names(table)).toEqual(['id', 'column.2', 'town', 'column.4'])
    expect(table.rowCount).toBe(6)
  })

  it('is not assumed in a header above a first row of texts', async () => {
    const table = await read(
      csvBytes([
        ['name', 'age', '', 'town'],
        ['Ann', 'unknown', 'red', 'Bonn'],
        ...body(9, (i) => [`n${i}`, 20 + i, 'blue', 'Ulm']),
      ]),
    )
    expect(names(table)).toEqual(['name', 'age', 'column.3', 'town'])
    expect(table.rowCount).toBe(10)
  })
})

describe('two tables, one below the other', () => {
  const first: Row[] = [['id', 'age', 'score', 'town'], ...body(8, (i) => [i, 20 + i, 1.5 * i, 'Bonn'])]
  const gap: Row[] = [[], []]

  it.each<[string, Row[], row: number]>([
    ['with an empty row between', [...first, ...gap, ['town', 'people', 'share', 'since'], ['Ulm', 5, 0.5, 1990]], 12],
    [
      'with a title between',
      [...first, ...gap, ['Towns'], ['town', 'people', 'share', 'since'], ['Ulm', 5, 0.5, 1990]],
      13,
    ],
    ['without a row between', [...first, ['town', 'people', 'share', 'since'], ['Ulm', 5, 0.5, 1990]], 10],
    [
      'of a name and a number each',
      [
        ['town', 'people'],
        ...body(16, (i) => [['Bonn', 'Ulm'][i % 2]!, i]),
        [],
        ['brand', 'price'],
        ['A', 3],
        ['B', 5],
      ],
      19,
    ],
    ['of which the second is narrower', [...first, ...gap, ['town', 'people'], ['Ulm', 5], ['Kiel', 7]], 12],
  ])('in a sheet are refused with the row and the remedy: %s', async (_, rows, row) => {
    expect(await refusal(await xlsxBytes(rows))).toBe(
      `Another table begins in row ${row} of sheet "Sheet0", below the one that begins in row 1. ` +
        'Move each table to a sheet of its own, the one to read first.',
    )
  })

  it('in a text file are refused as well', async () => {
    const rows = [...first, ['', '', '', ''], ['town', 'people', 'share', 'since'], ['Ulm', 5, 0.5, 1990]]
    expect(await refusal(csvBytes(rows))).toBe(
      'Another table begins in line 11, below the one that begins in line 1. Put each table into a file of its own.',
    )
  })

  it('are refused when one export with its header rows follows another', async () => {
    const rows = qualtricsRows()
    expect(await refusal(csvBytes([...rows, ...rows]))).toMatch(/^Another table begins in line 18, below the one/)
  })

  it.each<[string, Row[]]>([
    ['whose header is repeated below an empty row', [...first, [], first[0]!, ...first.slice(1).reverse()]],
    ['with answers of words below an empty row', [...first, [], [9, 'unknown', 'refused', 'Ulm'], [10, 30, 5, 'Kiel']]],
    ['with a row of the same word', [...first, [], ['n/a', 'none', 'none', 'none'], [10, 30, 5, 'Kiel']]],
    ['with a note of two cells at its end', [...first, [], ['Source:', 'own survey']]],
  ])('are not assumed in a table %s', async (_, rows) => {
    const table = await read(await xlsxBytes(rows))
    expect(names(table)).toEqual(['id', 'age', 'score', 'town'])
    expect(table.rowCount).toBeGreaterThanOrEqual(8)
  })
})

describe('lines that are wrapped as a whole in quotes', () => {
  const note = 'Each line was in quotation marks as a whole, which were removed.'
  const wrap = (line: string) => `"${line.replaceAll('"', '""')}"`
  const lines = ['id,name,age', '1,"Ann, the first",34', '2,Bob,28', '3,"Cem ""C""",51', '4,Dora,']

  it.each([
    ['all of them', lines.map(wrap)],
    ['only those with something to quote', lines.map((line) => (line.includes('"') ? wrap(line) : line))],
    ['with separators behind', lines.map((line) => `${wrap(line)};;;`)],
  ])('are unwrapped: %s', async (_, wrapped) => {
    for (const [mark, end] of [
      ['', '\n'],
      ['\ufeff', '\r\n'],
    ] as const) {
      const table = await read(`${mark}${wrapped.join(end)}${end}`)
      expect(names(table)).toEqual(['id', 'name', 'age'])
      expect(readColumn(table, 'name')).toEqual(['Ann, the first', 'Bob', 'Cem "C"', 'Dora'])
      expect(readColumn(table, 'age')).toEqual([34, 28, 51, null])
      expect(table.notes).toContain(note)
    }
  })

  it('are unwrapped after the first megabyte, in any encoding', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => wrap(`${i},"Größe für Müller ${i}",${i % 90}`))
    const table = await read(Buffer.from(`${wrap('id,name,age')}\n${many.join('\n')}\n`, 'latin1'))
    expect(table.rowCount).toBe(60_000)
    expect(columnOf(table, 'age')).toMatchObject({ type: 'number', max: 89, missing: 0 })
    expect(readColumn(table, 'name').at(-1)).toBe('Größe für Müller 59999')
  })

  it('are unwrapped in a Qualtrics export with its line breaks and header rows', async () => {
    const wrapped = csvBytes(qualtricsRows())
      .toString()
      .trimEnd()
      .split(/\n(?=[^i])/)
      .map(wrap)
    const table = await read(`${wrapped.join('\n')}\n`)
    expect(table.rowCount).toBe(12)
    expect(columnOf(table, 'Q1')).toMatchObject({ type: 'number', label: 'How old are you, in full years?' })
  })

  it.each([
    ['sentences', 'remark\n"good, but slow"\n"very good, really"\n"bad, and slow"\n'],
    ['names', '"Name, First"\n"Smith, John"\n"Miller, Ann"\n'],
    ['amounts', 'amount\n"1,234"\n"2,345"\n'],
  ])('are not assumed in a column of quoted %s', async (_, text) => {
    const table = await read(text)
    expect(table.columns).toHaveLength(1)
    expect(table.notes).not.toContain(note)
  })
})

describe('a quote that is never closed', () => {
  const advice = 'Close it where its text ends, or write it twice ("") if it belongs to the text.'

  it.each([
    ['in the last column', 'a,b\n1,"x\n2,y\n', 2],
    ['in the header', '"a,b\n1,x\n2,y\n3,z\n', 1],
    ['in the last line', 'a;b\n1;x\n2;y\n3;"z', 4],
    ['behind texts of several lines', 'a,b\n1,"x\ny"\n2,z\n3,"w\n4,v\n', 5],
  ])('is refused with its line: %s', async (_, text, line) => {
    expect(await refusal(text)).toBe(`The quotation mark opened on line ${line} is never closed. ${advice}`)
  })

  it.each([
    ['takes the lines up to the next quote', 'id,name,age\n1,Ann,34\n2,"Bob,28\n3,Cem,51\n4,"Dora",19\n5,Eva,33\n', 3],
    ['is the last one but one', '"id","name"\n"1","Ann\n"2","Bob"\n"3","Cem"\n', 2],
  ])('is refused when it %s', async (_, text, line) => {
    expect(await refusal(text)).toBe(
      `The quotation mark opened on line ${line} is not closed where its text ends: the next one, on a later line, is in the middle ` +
        'of a text, so the lines between would be lost. Close it, or write it twice ("") if it belongs to the text.',
    )
  })

  it('is not assumed in texts of several lines with quotes', async () => {
    const table = await read('id,remark\n1,"first\n""second"" line"\n2,plain\n3,"5"" screen"\n')
    expect(readColumn(table, 'remark')).toEqual(['first\n"second" line', 'plain', '5" screen'])
  })

  it('is kept as text with a note in a file of one column', async () => {
    const table = await read('remark\n"good\nbad\nnone of it\n')
    expect(readColumn(table, 'remark')).toEqual(['"good', 'bad', 'none of it'])
    expect(table.notes).toContain('Quotation marks in the file do not quote anything and were kept as text.')
  })
})
