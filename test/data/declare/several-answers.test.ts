import { describe, expect, it } from 'vitest'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { carryOut } from '../../../src/data/declare/carry-out.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { readColumn } from '../../formats/read-column.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()
let files = 0

function write(rows: readonly string[]): string {
  return folder.write(`several-${files++}.csv`, `${rows.join('\n')}\n`)
}

async function declared(rows: readonly string[], declarations: Declarations) {
  const textColumns = new Set(Object.keys(declarations.multiple ?? {}))
  const table = await readTable(write(rows), { tempDir: folder.path, textColumns })
  return await applyDeclarations(table, declarations)
}

const BRANDS = ['id;brands', '1;7/12', '2;12', '3;', '4;12/7/99', '5;7/']

describe('`multiple`', () => {
  it('makes one column of 0 and 1 for each answer, missing where there is none', async () => {
    const { table, remarks } = await declared(BRANDS, { multiple: { brands: '/' } })
    expect(table.columns.map(({ name }) => name)).toEqual(['id', 'brands 12', 'brands 7', 'brands 99'])
    expect(readColumn(table, 'brands 12')).toEqual([1, 1, null, 1, 0])
    expect(readColumn(table, 'brands 7')).toEqual([1, 0, null, 1, 1])
    expect(readColumn(table, 'brands 99')).toEqual([0, 0, null, 1, 0])
    expect(remarks).toEqual([
      {
        key: 'multiple',
        text: '"brands" has become 3 columns of 0 and 1, one for each answer: "12", "7", "99".',
      },
    ])
  })

  it('gives each answer of a cell its word, also where it stands among others', async () => {
    const recode = { brands: { '7': 'Aurora', '12': 'Bluefin' } }
    const { table, remarks } = await declared(BRANDS, { multiple: { brands: '/' }, recode })
    expect(table.columns.map(({ name }) => name)).toEqual(['id', 'brands Aurora', 'brands Bluefin', 'brands 99'])
    expect(readColumn(table, 'brands Aurora')).toEqual([1, 0, null, 1, 1])
    expect(readColumn(table, 'brands Bluefin')).toEqual([1, 1, null, 1, 0])
    expect(remarks[0]?.text).toBe('Values of "brands": "7" became "Aurora" (3), "12" became "Bluefin" (3).')
  })

  it('gives a whole cell a word where the study names all of it', async () => {
    const recode = { brands: { '12/7/99': 'all' } }
    const { table } = await declared(BRANDS, { multiple: { brands: '/' }, recode })
    expect(readColumn(table, 'brands all')).toEqual([0, 0, null, 1, 0])
    expect(readColumn(table, 'brands 12')).toEqual([1, 1, null, 0, 0])
  })

  it('takes codes for no answer out first', async () => {
    const { table } = await declared([...BRANDS, '6;99'], { multiple: { brands: '/' }, missing: { brands: ['99'] } })
    expect(readColumn(table, 'brands 12')).toEqual([1, 1, null, 1, 0, null])
  })

  it.each([
    ['a separator that no cell has', BRANDS, { brands: ',' }, 'no cell has two answers with "," between them'],
    ['an unknown column', BRANDS, { brand: '/' }, 'the file has no such column; did you mean "brands"?'],
    [
      'a column of remarks',
      ['id;t', ...Array.from({ length: 150 }, (_, i) => `${i};word${i} text${i}`)],
      { t: ' ' },
      'it has 300 different answers, and at most 200 become columns',
    ],
    [
      'names that are taken',
      ['id;t;t a', '1;a b;x', '2;b;y'],
      { t: ' ' },
      'the file has a column "t a" already; rename it in the file, or drop one',
    ],
  ])('refuses %s', async (_, rows, multiple, message) => {
    await expect(declared(rows, { multiple })).rejects.toThrow(message)
  })
})

describe('`decimal`', () => {
  const ROWS = ['visitors;rate', '2.155;1', '9.834;2', '3.932;3']

  async function visitors(decimal: Declarations['decimal']) {
    const { path, remarks, remove } = await carryOut(
      write(ROWS),
      { ...(decimal && { decimal }) },
      { tempDir: folder.path },
    )
    const table = await readTable(path, { tempDir: folder.path })
    await remove()
    return { values: readColumn(table, 'visitors'), texts: remarks.map(({ text }) => text) }
  }

  it('decides what a point before three digits is, for all columns or for one', async () => {
    expect((await visitors(',')).values).toEqual([2155, 9834, 3932])
    expect((await visitors({ visitors: ',' })).values).toEqual([2155, 9834, 3932])
    expect((await visitors('.')).values).toEqual([2.155, 9.834, 3.932])
    expect((await visitors({ rate: ',' })).values).toEqual([2.155, 9.834, 3.932])
  })

  it('is among the notes on how the file was read', async () => {
    expect((await visitors(',')).texts).toContain('The decimal mark of numbers is ",".')
  })

  it('that a column contradicts is named, and the column keeps its numbers', async () => {
    const path = write(['v;w', '2.15;a', '9.8;b'])
    const table = await readTable(path, { tempDir: folder.path, decimalMark: () => ',' })
    expect(readColumn(table, 'v')).toEqual([2.15, 9.8])
    expect(table.notes).toContain('Column "v" has decimal points, although "," is declared to be the decimal mark.')
  })
})

describe('`types: numeric`', () => {
  it.each([
    ['losses in parentheses', ['(3)', '5', '(12)', 'ref', 'dk'], [-3, 5, -12, null, null]],
    ['guards', ["'-3", '5', "'-12", 'ref', 'dk'], [-3, 5, -12, null, null]],
    ['minus signs', ['\u22123', '5', '\u221212', 'ref', 'dk'], [-3, 5, -12, null, null]],
    ['durations', ['34:52:59', '0:00:30', '1:00:00', 'ref', 'dk'], [125579, 30, 3600, null, null]],
    ['decimal commas', ['1,25', '5', '112,5', 'ref', 'dk'], [1.25, 5, 112.5, null, null]],
  ])('accepts %s', async (_, cells, numbers) => {
    const rows = ['v;w', ...cells.map((cell, i) => `${cell};${i}`)]
    const { table } = await declared(rows, { types: { v: 'numeric' }, missing: { v: ['ref', 'dk'] } })
    expect(readColumn(table, 'v')).toEqual(numbers)
  })

  it.each([
    ['with blanks', ['70 kg', '58,5 kg', '102 kg', 'ref', 'dk'], 'kg', [70, 58.5, 102, null, null]],
    ['without', ['1.75m', '1.8m', '2m', 'ref', 'dk'], 'm', [1.75, 1.8, 2, null, null]],
    ['shortened', ['12 Std.', '8 Std.', '0 Std.', 'ref', 'dk'], 'Std.', [12, 8, 0, null, null]],
  ])('leaves out the unit that all numbers have: %s', async (_, cells, unit, numbers) => {
    const rows = ['v;w', ...cells.map((cell, i) => `${cell};${i}`)]
    const { table, remarks } = await declared(rows, { types: { v: 'numeric' }, missing: { v: ['ref', 'dk'] } })
    expect(readColumn(table, 'v')).toEqual(numbers)
    expect(remarks.map(({ text }) => text)).toContain(`"v" has numbers with the unit "${unit}", which was left out.`)
  })

  it('refuses numbers of several units', async () => {
    const rows = ['v;w', '1.75 m;1', '180 cm;2']
    await expect(declared(rows, { types: { v: 'numeric' } })).rejects.toThrow('"1.75 m", "180 cm"')
  })

  it('names what is no number', async () => {
    const rows = ['v;w', '(3);1', '5;2', 'many;3', 'few;4']
    await expect(declared(rows, { types: { v: 'numeric' } })).rejects.toThrow(
      'no number is in 2 values (rows 3, 4): "few", "many"',
    )
  })
})
