import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { ReadTableOptions } from '../../../src/formats/reading/row-sample.ts'
import { UnreadableFileError } from '../../../src/formats/reading/unreadable-file-error.ts'
import { readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
let files = 0

async function read(content: string, options: Partial<ReadTableOptions> = {}): Promise<RawTable> {
  return readTable(folder.write(`text-${files++}`, content), { tempDir: folder.path, ...options })
}

async function refusal(content: string): Promise<string> {
  const error = await read(content).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

const names = (table: RawTable) => table.columns.map(({ name }) => name)
const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i))
const text = (...parts: readonly (string | readonly string[])[]) => `${parts.flat().join('\n')}\n`
const towns = ['Lyon', 'Nice', 'Metz']
/** Of three columns: a number, another one, a word. */
const people = (count: number, from = 0) =>
  lines(count, (i) => `${from + i},${150 + ((7 * i + from) % 40)},${towns[i % 3]}`)
const HEADER = 'member,height,town'

describe('separators at the ends of the rows alone', () => {
  it.each([
    ['one', ','],
    ['three', ',,,'],
  ])('are no column, so every name keeps its values: %s', async (_, end) => {
    const table = await read(
      text(
        HEADER,
        people(12).map((line) => `${line}${end}`),
      ),
    )
    expect(names(table)).toEqual(['member', 'height', 'town'])
    expect(readColumn(table, 'member').slice(0, 3)).toEqual([0, 1, 2])
    expect(readColumn(table, 'town').slice(0, 3)).toEqual(towns)
    expect(table.notes).toEqual([
      '12 rows with empty fields beyond the 3 of the header; these were removed (lines 2, 3, 4, 5, 6 …).',
    ])
  })

  it('make no title of a header above rows of words', async () => {
    const columns = lines(12, (i) => `q${i}`)
    const rows = lines(9, (row) => `${columns.map((_, i) => `${'abcdefghi'[(row + i) % 9]}w${i}`).join(';')};`)
    const table = await read(text(columns.join(';'), rows))
    expect(names(table)).toEqual(columns)
    expect(table.rowCount).toBe(9)
  })

  it('leave a table below a title as it is', async () => {
    const table = await read(
      text(
        'Panel of spring',
        HEADER,
        people(8).map((line) => `${line},`),
      ),
    )
    expect(names(table)).toEqual(['member', 'height', 'town'])
    expect(table.rowCount).toBe(8)
  })

  it('are refused when a field behind one is filled further down', async () => {
    const rows = people(3_000).map((line, i) => `${line},${i === 2_500 ? 'late' : ''}`)
    expect(await refusal(text(HEADER, rows))).toBe(
      'The header has 3 names, and the field behind them is empty in the first rows but filled in line 2502, ' +
        'so the column of each value cannot be determined. Give every column a name in the header.',
    )
  })

  it.each([
    ['repeats its first field', lines(9, (i) => `${20 + (i % 4)},${150 + i},Lyon,note ${i}`)],
    ['has a last field that is mostly empty', lines(9, (i) => `${i},${150 + i},Lyon,${i === 4 ? 'late' : ''}`)],
  ])('are not told from a name that is missing in a table that %s', async (_, rows) => {
    expect(await refusal(text(HEADER, rows))).toMatch(/^The header has 3 names, but the rows have 4 fields/)
  })

  it('are left out of a header that alone has them', async () => {
    const table = await read(text(`${HEADER},,`, people(8)))
    expect(names(table)).toEqual(['member', 'height', 'town'])
    expect(readColumn(table, 'town').slice(0, 3)).toEqual(towns)
  })

  it('are not assumed where R left out the name of its row names', async () => {
    const rows = lines(9, (i) => `"car ${i}",${i % 3},${20 + i},${towns[i % 3]}`)
    const table = await read(text(HEADER, rows))
    expect(names(table)).toEqual(['column.1', 'member', 'height', 'town'])
    expect(readColumn(table, 'town').slice(0, 3)).toEqual(towns)
    expect(table.notes).toContain(
      'The header has one name fewer than the rows have fields. The first column was taken for row names, as R writes them.',
    )
  })

  it('are a column where the header has them too', async () => {
    const table = await read(
      text(
        `${HEADER},`,
        people(8).map((line) => `${line},`),
      ),
    )
    expect(names(table)).toEqual(['member', 'height', 'town', 'column.4'])
  })
})

describe('a declared header of one row', () => {
  const rows = lines(9, (i) => `${['unknown', 'none'][i] ?? 30 + i},${['many', 'few'][i] ?? i},Lyon,a${i},b${i}`)

  it('overrules the guess that a row of names is a title', async () => {
    expect(names(await read(text('age,children,town', rows)))).not.toContain('age')
    const declared = await read(text('age,children,town', rows), { headerRows: 1 })
    expect(names(declared)).toEqual(['age', 'children', 'town', 'column.4', 'column.5'])
    expect(declared.rowCount).toBe(9)
  })

  it('overrules the guess that a file has none', async () => {
    const numbers = text('1,2,3', people(6))
    expect(names(await read(numbers))).toEqual(['column.1', 'column.2', 'column.3'])
    expect(names(await read(numbers, { headerRows: 1 }))).toEqual(['1', '2', '3'])
  })

  it('overrules the guess that the row below belongs to it', async () => {
    const units = text(
      'height,weight,pulse',
      'in cm,in kg,per minute',
      lines(6, (i) => `${150 + i},${50 + i},60`),
    )
    expect((await read(units)).rowCount).toBe(6)
    expect((await read(units, { headerRows: 1 })).rowCount).toBe(7)
  })

  it('still lies below a title of few cells', async () => {
    const table = await read(text('Panel,,by us,,', 'age,children,town,car,bus', rows.slice(2)), { headerRows: 1 })
    expect(names(table)).toEqual(['age', 'children', 'town', 'car', 'bus'])
  })
})

describe('another table below the first one', () => {
  const far = people(1_500)
  const pairsOf = (words: readonly string[], count: number) => lines(count, (i) => `${words[i % words.length]},${i}`)
  const pairs = (count: number) => lines(count, (i) => `${'mf'[i % 2]},${['yes', 'no', 'both'][i % 3]},${towns[i % 3]}`)

  it.each<[string, string, line: number]>([
    ['narrower', text(HEADER, people(20), '', 'region,people', 'North,120', 'South,80'), 23],
    ['wider', text(HEADER, people(20), '', 'region,people,share,since', 'North,120,0.5,1990', 'South,80,0.5,1991'), 23],
    ['far down', text(HEADER, far, '', 'region,people,kind', 'North,120,x', 'South,80,y'), 1503],
    [
      'below rows of words alone',
      text(
        'name,town',
        lines(9, (i) => `p${i},${towns[i % 3]}`),
        '',
        'region,people',
        'North,120',
        'South,80',
      ),
      12,
    ],
    [
      'of words below words that repeat',
      text('sex,answer,town', pairs(30), '', 'brand,colour,form', 'A,red,round', 'B,red,flat'),
      33,
    ],
    [
      'far down without a blank line',
      text(
        'age,height,score',
        lines(1_500, (i) => `${20 + (i % 41)},${150 + (i % 37)},${i % 11}`),
        'region,people,since',
        'North,120,1990',
      ),
      1502,
    ],
    [
      'below two columns of numbers, without a blank line',
      text(HEADER, people(40), 'brand,rank,price', 'A,1,4.5', 'B,2,3'),
      42,
    ],
    [
      'below two columns of numbers, without a blank line, of words in their places',
      text(HEADER, people(40), 'region,answer,people', 'North,yes,120', 'South,no,80', 'East,yes,40'),
      42,
    ],
    [
      'of the same kinds of cells, without a blank line',
      text(HEADER, people(40), 'wave,weight,region', '1,60,North', '2,71,South', '1,58,East'),
      42,
    ],
    [
      'of a name and a number below another one',
      text('town,people', pairsOf(towns, 30), '', 'brand,price', 'A,3', 'B,5', 'C,4'),
      33,
    ],
    [
      'with the same name for its numbers',
      text(
        'town,N',
        lines(9, (i) => `t${i},${i}`),
        '',
        'sex,N',
        'f,30',
      ),
      12,
    ],
    ['behind a row of separators', text(HEADER, people(20), ',,', 'region,people,', 'North,120,', 'South,80,'), 23],
  ])('is refused with its line: %s', async (_, content, line) => {
    expect(await refusal(content)).toBe(
      `Another table begins in line ${line}, below the one that begins in line 1. Put each table into a file of its own.`,
    )
  })

  it.each([
    ['behind a blank line', ['']],
    ['directly', []],
  ])('is refused where it is wider and has more rows: %s', async (_, between) => {
    const first = text(
      'age,town',
      lines(30, (i) => `${20 + i},Nice`),
      between,
    )
    const second = lines(60, (i) => `Tea,${i},${5 * i}`)
    expect(await refusal(`${first}${text('product,price,stock', second)}`)).toBe(
      'Another table begins below the first one: 2 columns, and then 3 under the header "product", "price", "stock". Put each table into a file of its own.',
    )
    expect(await refusal(`${first}${text(second)}`)).toMatch(/^The header has 2 names, but the rows have 3 fields/)
  })

  it.each([
    ['somebody who wrote words for numbers', ['unknown,refused,Kiel', ...people(5)]],
    ['two who wrote words for numbers', ['unknown,refused,Kiel', 'none,small,Bonn', ...people(5)]],
    [
      'somebody who wrote words for numbers, above one from another new town',
      ['no,refused,Kiel', '3,160,Bonn', ...people(5)],
    ],
    ['somebody who wrote the same word twice', ['refused,refused,Kiel', '3,refused,12']],
  ])('is not assumed without a blank line for %s', async (_, below) => {
    expect((await read(text(HEADER, people(100), below))).rowCount).toBe(100 + below.length)
  })

  it('is refused when a title stands above the same header', async () => {
    const table = (title: string) => text(title, HEADER, people(8))
    expect(await refusal(`${table('Wave of May')}${table('Wave of June')}`)).toMatch(
      /^Another table begins in line 11, below the one that begins in line 2/,
    )
  })

  it.each([
    ['an answer of words', 'p20,unknown,Lyon'],
    ['a short row of answers', 'Ann,unknown'],
    ['a row of new words and no number of a new kind below', 'left,gone,moved'],
  ])('is not assumed behind a blank line for %s', async (_, row) => {
    const rows = lines(20, (i) => `p${i},${20 + i},${towns[i % 3]}`)
    expect((await read(text('name,age,town', rows, '', row, 'p21,41,Nice'))).rowCount).toBe(22)
  })

  it.each([
    ['new towns, of which one has no number', ['Kiel,unknown', 'Ulm,4']],
    ['towns of which one is new and has no number', ['Kiel,unknown', 'Lyon,4', 'Metz,2']],
  ])('is not assumed behind a blank line for %s', async (_, below) => {
    expect((await read(text('town,people', pairsOf(towns, 30), '', below))).rowCount).toBe(30 + below.length)
  })

  it.each([
    ['one person', ['x,perhaps,Kiel']],
    ['two people, of whom one answered as others did', ['x,perhaps,Kiel', 'y,no,Bonn', 'm,never,Bonn']],
  ])('is not assumed behind a blank line for new answers of %s', async (_, below) => {
    expect((await read(text('sex,answer,town', pairs(30), '', below))).rowCount).toBe(30 + below.length)
  })

  it('is not assumed in a table with a blank line behind every row', async () => {
    const rows = [...people(20), 'unknown,refused,Kiel', ...people(5)]
    const table = await read(rows.reduce((all, line) => `${all}${line}\n\n`, `${HEADER}\n\n`))
    expect(table.rowCount).toBe(26)
  })
})

describe('notes below a table', () => {
  it.each<[string, string, count: number, line: number, quoted: string]>([
    ['behind a blank line', text(HEADER, people(20), '', 'Source: own survey'), 1, 23, 'Source: own survey'],
    ['without blanks between words', text(HEADER, people(20), '', '出典：総務省'), 1, 23, '出典：総務省'],
    [
      'with commas of their own',
      text(HEADER, people(20), '', 'Note: weighted, n = 20, July 2024, see below'),
      1,
      23,
      'Note: weighted, n = 20, July 2024, see below',
    ],
    ['in a column of numbers', text(HEADER, people(20), 'Source: own survey'), 1, 22, 'Source: own survey'],
    [
      'padded with separators',
      text(HEADER, people(20), ',,', 'Source: own survey,,', '* not weighted,,'),
      2,
      23,
      'Source: own survey',
    ],
    ['of two columns', text('town,people', 'Lyon,3', 'Nice,5', 'Metz,2', '', 'Base: all'), 1, 6, 'Base: all'],
  ])('are left out: %s', async (_, content, count, line, quoted) => {
    const table = await read(content)
    expect(table.rowCount).toBe(content.startsWith('town') ? 3 : 20)
    expect(table.notes).toEqual([
      `${count === 1 ? '1 row below the table was' : `${count} rows below the table were`} left out as notes, ` +
        `from line ${line} on ("${quoted}").`,
    ])
  })

  it('are left out of a file of several pieces', async () => {
    const table = await read(text(HEADER, people(150_000), '', 'Source: own survey', '', 'Note: not weighted'))
    expect(table.rowCount).toBe(150_000)
    expect(readColumn(table, 'member').every((value) => typeof value === 'number')).toBe(true)
  })

  it.each([
    ['an id alone behind a blank line', ['id,a,b', lines(9, (i) => `p${i},1,${i}`), '', 'p9']],
    ['a sentence in a column of texts', ['remark,a,b', lines(9, (i) => `very good ${i},1,${i}`), 'not so good,,']],
    ['a number', [HEADER, people(9), '', '9']],
    ['a row whose separators have blanks behind', ['a, b, c', lines(9, (i) => `w${i}, ${i}, x`), '', 'w9, 9, y']],
  ])('are not assumed for %s', async (_, parts) => {
    expect((await read(text(...parts))).rowCount).toBe(10)
  })

  it('that may be answers are kept, with a note', async () => {
    const table = await read(
      text(
        'remark,a,b',
        lines(9, (i) => `very good ${i},1,${i}`),
        'not so good,,',
      ),
    )
    expect(table.notes).toContain(
      'The last row has little more than one text and was kept as data; remove it from the file if it is a note.',
    )
  })
})

describe('a header that comes again', () => {
  const NOTE = '1 line repeats the header and was left out (line 10).'

  it.each([
    ['as it was', HEADER],
    ['behind the mark of another file', `\ufeff${HEADER}`],
    ['in quotes behind such a mark', `\ufeff"member","height","town"`],
  ])('is no row, with a note: %s', async (_, again) => {
    const table = await read(text(HEADER, people(8), again, people(8, 100)))
    expect(table.rowCount).toBe(16)
    expect(readColumn(table, 'member').slice(7, 9)).toEqual([7, 100])
    expect(table.notes).toEqual([NOTE])
  })

  it.each([
    ['directly', [] as string[], 10],
    ['behind a blank line', [''], 11],
  ])('above the same rows is a copy, which is refused: %s', async (_, between, line) => {
    expect(await refusal(text(HEADER, people(8), between, HEADER, people(8)))).toBe(
      `The table comes a second time, row for row the same, from line ${line} on. Every answer would count twice. Remove the copy.`,
    )
  })

  it.each([
    ['in another sequence', 'town,member,height', (i: number) => `Nice,${i},${150 + i}`],
    ['with another name for a column', 'member,height,city', (i: number) => `${i},${150 + i},Nice`],
    ['with one column more', 'member,height,town,car', (i: number) => `${i},${150 + i},Nice,yes`],
  ])('%s begins another table, which is refused, also far down', async (_, again, row) => {
    expect(await refusal(text(HEADER, people(2_000), again, lines(9, row)))).toMatch(
      /^Another table begins in line 2002, below the one that begins in line 1\./,
    )
  })

  it('is not assumed where ticked boxes have the names of their columns', async () => {
    const boxes = lines(12, (i) =>
      [i % 2 === 0 ? 'car' : '', i % 3 === 0 ? 'bus' : '', i % 4 === 0 ? 'tram' : 'none'].join(),
    )
    expect(
      (
        await read(
          text(
            'car,bus,tram',
            boxes.filter((line) => line !== 'car,bus,tram'),
          ),
        )
      ).rowCount,
    ).toBe(11)
  })

  it('above a few rows that are the same by chance is no copy', async () => {
    expect((await read(text('a,b', 'yes,no', 'a,b', 'yes,no'))).rowCount).toBe(2)
  })
})

describe('a line of dashes below the header', () => {
  const RULE = 'The line of dashes below the header was left out.'

  it.each([
    [
      'psql',
      text(
        ' member | height | town',
        '--------+--------+------',
        lines(12, (i) => ` ${i} | ${150 + i} | ${towns[i % 3]}`),
        '(12 rows)',
      ),
    ],
    ['sqlcmd', text(HEADER, '------,------,----', people(12), '', '(12 rows affected)')],
    [
      'Markdown',
      text(
        '| member | height | town |',
        '| ---: | :--- | :-: |',
        lines(12, (i) => `| ${i} | ${150 + i} | ${towns[i % 3]} |`),
      ),
    ],
    [
      'a title and tabs',
      text(
        'People of 2026',
        'member\theight\ttown',
        '======\t======\t====',
        lines(12, (i) => `${i}\t${150 + i}\t${towns[i % 3]}`),
      ),
    ],
  ])('is no row, as %s writes it', async (_, content) => {
    const table = await read(content)
    expect(table.rowCount).toBe(12)
    expect(readColumn(table, 'member')).toEqual(lines(12, String).map(Number))
    expect(table.notes).toContain(RULE)
  })

  it.each([
    [
      'dashes are a value of other rows, too',
      text(
        'town,mood',
        '--,--',
        lines(12, (i) => (i % 4 === 0 ? '--,--' : `${towns[i % 3]},x`)),
      ),
      13,
    ],
    ['a cell has another value', text(HEADER, '--,150,--', people(12)), 13],
    ['single dashes stand for missing values', text(HEADER, '-,-,-', people(12)), 13],
    ['it stands further down', text(HEADER, people(6), '--,--,--', people(6, 6)), 13],
  ])('is a row where %s', async (_, content, rows) => {
    const table = await read(content)
    expect(table.rowCount).toBe(rows)
    expect(table.notes).not.toContain(RULE)
  })
})
