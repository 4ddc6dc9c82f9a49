import { readdirSync, readFileSync, statSync } from 'node:fs'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { carryOut, type DeclaredFile } from '../../../src/data/declare/carry-out.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { openTableWriter } from '../../../src/formats/open-table-writer.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { columnOf, readColumn } from '../../formats/read-column.ts'
import { savBytes } from '../../formats/sav-bytes.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()

/** 60 respondents: often in turn never, often, always; score 1 to 3; zip with leading zeros; two codes in age. */
const CSV = `respondent,often,score,zip,age,visited,secret,channel\n${Array.from({ length: 60 }, (_, i) =>
  [
    `r${i}`,
    ['never', 'often', 'always'][i % 3],
    1 + (i % 3),
    i % 2 === 0 ? '08001' : '28013',
    i === 7 ? 99 : 20 + (i % 30),
    `0${1 + (i % 9)}/0${1 + (i % 4)}/2024`,
    'geheim',
    i % 2 === 0 ? 'mail, post' : 'post',
  ]
    .join(',')
    .replace('mail, post', '"mail, post"'),
).join('\n')}\n`

const DECLARED: Declarations = {
  drop: ['respondent', 'secret'],
  missing: { age: [99] },
  types: { often: 'ordinal', score: 'numeric', zip: 'text', channel: 'categorical' },
  levels: { often: ['never', 'sometimes', 'often', 'always'] },
  bands: { 'age.band': { of: 'age', at: [30, 40] } },
  dates: { visited: 'DD/MM/YYYY' },
}

/** Folders that were made for files to be sent. */
const leftovers = (): string[] => readdirSync(folder.path).filter((name) => name.startsWith('whatif-declared-'))

const tempDir = folder.path

async function withFile<T>(
  path: string,
  declarations: Declarations,
  use: (file: DeclaredFile) => Promise<T>,
): Promise<T> {
  const file = await carryOut(path, declarations, { tempDir })
  try {
    return await use(file)
  } finally {
    await file.remove()
  }
}

const readBack = (path: string) => readTable(path, { tempDir: folder.path })

describe('the file that is sent in place of a seed file', () => {
  it('fills the groups of a table in which a label stands once, without a note that they are empty', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i % 10 === 0 ? `shop ${i / 10}` : ''},${i % 7}`)
    const path = folder.write('groups.csv', ['Shop name,visits', ...rows].join('\n'))
    expect((await readBack(path)).notes.join()).toContain('as pivot tables show groups')
    await withFile(path, { columns: { shop: 'Shop name' }, fillDown: ['shop'] }, async ({ path: made, remarks }) => {
      expect(readColumn(await readBack(made), 'shop').slice(8, 12)).toEqual(['shop 0', 'shop 0', 'shop 1', 'shop 1'])
      expect(remarks.map(({ text }) => text)).toEqual([
        '"shop" is "Shop name" in the file.',
        '"shop": 54 empty cells took the value above them.',
      ])
    })
  })

  it('holds the sheet of a workbook that the study names, also a hidden one', async () => {
    const sheets = ['Wave 1', 'Wave 2'].map((name, at) => ({
      name,
      rows: [['mood', 'n'], ...Array.from({ length: 20 }, (_, i) => [i % 2 === 0 ? 'well' : 'ill', i % (3 + at)])],
      hidden: at === 1,
    }))
    const book = folder.write('waves.xlsx', await writeXlsx({ sheets }))
    await withFile(book, { sheet: 'Wave 2' }, async ({ path, remarks }) => {
      expect(columnOf(await readBack(path), 'n')).toMatchObject({ distinct: 4 })
      expect(remarks).toEqual([
        { key: 'file', text: '1 other sheet was not read: "Wave 1".' },
        { key: 'sheet', text: 'Sheet "Wave 2" was read.' },
      ])
    })
    const faults = async (path: string, declarations: Declarations) =>
      await carryOut(path, declarations, { tempDir }).catch((error: DeclarationError) => error.texts)
    expect(await faults(book, { sheet: 'Wave 3' })).toEqual([
      'The workbook has no sheet "Wave 3". Its sheets are "Wave 1", "Wave 2".',
    ])
    expect(await faults(book, { sheet: 'Wave 2', drop: ['age'] })).toEqual([
      '`drop` of "age": sheet "Wave 2" has no such column; the columns are "mood", "n"',
    ])
    expect(await faults(folder.write('waves.csv', CSV), { sheet: 'Wave 2' })).toEqual([
      'A sheet is named, but the file is no Excel workbook and holds one table. Remove "sheet" from the dataset\'s entry of the study, or --sheet.',
    ])
  })

  it('has numbers in place of strata and clusters, and replicate weights as they are', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const w = 1 + (i % 7) / 3
      return [
        `Landkreis ${String.fromCharCode(65 + (i % 3))}`,
        `Dorf-${i % 12}`,
        w,
        w * (i % 2 === 0 ? 2 : 0),
        w * (i % 2),
      ]
    })
    const csv = `kreis,dorf,w,rw1,rw2\n${rows.map((row) => row.join(',')).join('\n')}\n`
    const design = { strata: 'kreis', clusters: 'dorf' }
    await withFile(folder.write('design.csv', csv), { design, weight: 'w' }, async ({ path, remarks }) => {
      const table = await readBack(path)
      expect(table.columns.map(({ name }) => name)).toEqual(['kreis', 'dorf', 'w', 'rw1', 'rw2'])
      expect(readColumn(table, 'kreis')).toEqual(rows.map((_, i) => i % 3))
      expect(readColumn(table, 'dorf')).toEqual(rows.map((_, i) => i % 12))
      // Files have 12 decimals at most.
      expect(readColumn(table, 'rw1')).toEqual(rows.map((row) => Number((row[3] as number).toFixed(12))))
      const bytes = readFileSync(path).toString('latin1')
      for (const gone of ['Landkreis', 'Dorf-']) expect(bytes).not.toContain(gone)
      expect(remarks.map(({ key }) => key)).toContain('design')
    })
  })

  it('has the declared columns and values and no others', async () => {
    await withFile(folder.write('a.csv', CSV), DECLARED, async ({ path, remarks }) => {
      const table = await readBack(path)
      expect(table.columns.map(({ name }) => name)).toEqual([
        'often',
        'score',
        'zip',
        'age',
        'age.band',
        'visited',
        'channel',
      ])
      expect(table.rowCount).toBe(60)
      expect(readColumn(table, 'zip').slice(0, 2)).toEqual(['08001', '28013'])
      expect(readColumn(table, 'age')[7]).toBeNull()
      expect(columnOf(table, 'visited').type).toBe('date')
      expect(readColumn(table, 'visited')[1]).toBe('2024-02-02')
      const bytes = readFileSync(path).toString('latin1')
      for (const gone of ['respondent', 'secret']) expect(bytes).not.toContain(gone)
      expect(remarks.map(({ key }) => key)).toEqual([
        ...['drop', 'missing', 'types', 'types', 'types', 'types', 'levels', 'bands', 'dates'],
      ])
    })
  })

  it('comes with what the reader of the file noted, which no service sees', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `${i === 7 ? 'old' : 20 + (i % 50)},0${1 + (i % 9)}/01/2024,x`)
    const path = folder.write('noted.csv', `A title,,\nage,visited,secret\n${rows.join('\n')}\n`)
    const remarks = await withFile(path, { drop: ['secret'] }, async (file) => file.remarks)
    const plain = await readBack(path)
    expect(plain.notes).toHaveLength(3)
    expect(remarks).toEqual([
      ...plain.notes.map((text) => ({ key: 'file', text })),
      { key: 'drop', text: 'Not sent: "secret".' },
    ])
  })

  it('has no ticked boxes where the only answer stands for none', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 3 ? 'NS/NR' : ''},${i % 3 ? 'x' : ''},${i % 3 ? 1 : ''},${i}`,
    )
    const path = folder.write('ticked.csv', `none,ticked,code,n\n${rows.join('\n')}\n`)
    await withFile(path, { missing: { '*': ['NS/NR'], code: [1] } }, async ({ path: made, remarks }) => {
      const table = await readBack(made)
      expect(columnOf(table, 'none').missing).toBe(60)
      expect(columnOf(table, 'code').missing).toBe(60)
      expect(readColumn(table, 'ticked').slice(0, 3)).toEqual([0, 1, 1])
      expect(remarks.map(({ text }) => text)).toContain('"NS/NR" became missing in 1 column (40 values).')
    })
  })

  it('keeps texts as they are written where their order is declared, also without their codes', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${['1.50', '2.00', 'none'][i % 3]},${i % 5}`)
    const path = folder.write('written.csv', `dose,x\n${rows.join('\n')}\n`)
    const declarations: Declarations = { missing: { dose: ['none'] }, levels: { dose: ['1.50', '2.00'] } }
    await withFile(path, declarations, async ({ path: made, remarks }) => {
      const table = await readBack(made)
      expect(readColumn(table, 'dose').slice(0, 3)).toEqual(['1.50', '2.00', null])
      expect(remarks.map(({ text }) => text)).not.toContain('Without its codes "dose" holds numbers alone.')
    })
  })

  it('has the same bytes for the same file and declarations, and other bytes for other declarations', async () => {
    const path = folder.write('b.csv', CSV)
    const first = await withFile(
      path,
      DECLARED,
      async ({ sha256, path: made }) => [sha256, readFileSync(made)] as const,
    )
    const again = await withFile(
      path,
      DECLARED,
      async ({ sha256, path: made }) => [sha256, readFileSync(made)] as const,
    )
    expect(again[0]).toBe(first[0])
    expect(again[1].equals(first[1])).toBe(true)
    const levels = { often: ['always', 'often', 'sometimes', 'never'] }
    const other = await withFile(path, { ...DECLARED, levels }, async ({ sha256 }) => sha256)
    expect(other).not.toBe(first[0])
  })

  it('is readable by this user only, and is removed after use', async () => {
    const file = await carryOut(folder.write('c.csv', CSV), DECLARED, { tempDir })
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    expect(file.sizeBytes).toBe(statSync(file.path).size)
    expect(leftovers()).not.toEqual([])
    await file.remove()
    expect(leftovers()).toEqual([])
  })

  it('is removed when the data contradict the declarations, and when the work is interrupted', async () => {
    const path = folder.write('d.csv', CSV)
    await expect(carryOut(path, { drop: ['zipp'] }, { tempDir })).rejects.toThrow(DeclarationError)
    await expect(carryOut(path, DECLARED, { signal: AbortSignal.abort(new Error('stop')), tempDir })).rejects.toThrow(
      'stop',
    )
    await expect(carryOut(folder.write('e.csv', 'a\n'), { drop: ['a'] }, { tempDir })).rejects.toThrow('no rows')
    expect(leftovers()).toEqual([])
  })

  it('passes the declared types and orders on to the cleaning', async () => {
    const { schema, report } = await withFile(folder.write('f.csv', CSV), DECLARED, async ({ path }) =>
      cleanTable(await readBack(path), { autoClean: true }),
    )
    const entry = (name: string) => schema.find((column) => column.name === name)
    expect(entry('often')).toMatchObject({
      type: 'categorical',
      ordered: { from: 'declared', levels: ['never', 'often', 'always'], apart: [] },
    })
    expect(entry('age.band')).toMatchObject({ ordered: { levels: ['under 30', '30-39', '40 and over'] } })
    // Without its declaration, 1 to 3 would be codes, and two channels two columns.
    expect(entry('score')).toMatchObject({ type: 'numeric', integer: true })
    expect(entry('channel')).toMatchObject({ levels: ['mail, post', 'post'] })
    expect(report.splitColumns).toEqual([])
  })

  it('holds the table of an SPSS file with its value labels', async () => {
    const path = folder.write(
      'g.sav',
      savBytes({
        variables: [
          {
            name: 'SEXE',
            labels: [
              [1, 'Home'],
              [2, 'Dona'],
            ],
          },
          { name: 'EDAT' },
          { name: 'PONDERA' },
        ],
        rows: Array.from({ length: 60 }, (_, i) => [1 + (i % 2), i === 3 ? 98 : 18 + i, 0.5 + (i % 3)]),
      }),
    )
    const declarations: Declarations = {
      weight: 'PONDERA',
      missing: { EDAT: [98] },
      levels: { SEXE: ['Home', 'Dona'] },
    }
    await withFile(path, declarations, async ({ path: made, remarks }) => {
      const table = await readBack(made)
      expect(readColumn(table, 'SEXE').slice(0, 2)).toEqual(['Home', 'Dona'])
      expect(readColumn(table, 'EDAT').slice(2, 5)).toEqual([20, null, 22])
      expect(readColumn(table, 'PONDERA').slice(0, 3)).toEqual([0.5, 1.5, 2.5])
      expect(remarks[0]?.text).toBe('Column "PONDERA" weights the rows, from 0.5 to 2.5, 1.5 on average.')
    })
  })

  it('holds the table of an Excel file', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [
      i,
      ['low', 'mid', 'high'][i % 3]!,
      i % 5 === 0 ? 'NS/NR' : 10 + i,
    ])
    const path = folder.write(
      'h.xlsx',
      await writeXlsx({ sheets: [{ name: 'Data', rows: [['id', 'level', 'hours'], ...rows] }] }),
    )
    const declarations: Declarations = {
      drop: ['id'],
      missing: { '*': ['NS/NR'] },
      levels: { level: ['low', 'mid', 'high'] },
    }
    await withFile(path, declarations, async ({ path: made }) => {
      const table = await readBack(made)
      expect(columnOf(table, 'level').declaredOrder).toEqual(['low', 'mid', 'high'])
      expect(columnOf(table, 'hours')).toMatchObject({ type: 'number', missing: 12 })
    })
  })

  it('keeps names that differ in case only, and the sequence of names that are numbers', async () => {
    const lines = Array.from({ length: 4 }, (_, i) => `a${i},b${i},c${i},d${i}`)
    const path = folder.write('i.csv', `x,X,2,1\n${lines.join('\n')}\n`)
    await withFile(
      path,
      { types: { x: 'text', X: 'categorical', '2': 'text', '1': 'text' } },
      async ({ path: made }) => {
        const table = await readBack(made)
        expect(table.columns.map(({ name, declaredType }) => [name, declaredType])).toEqual([
          ['x', 'text'],
          ['X', 'categorical'],
          ['2', 'text'],
          ['1', 'text'],
        ])
      },
    )
  })
})

describe('a word for missing values that a study names as a level', () => {
  const PROVINCES = ['NA', 'RM', 'MI', 'BA']
  const rows = Array.from({ length: 60 }, (_, i) => ({ province: PROVINCES[i % 4]!, note: i % 2 === 0 ? 'NA' : 'ok' }))
  const csv = `province,note\n${rows.map(({ province, note }) => `${province},${note}`).join('\n')}\n`
  const levels = { province: ['BA', 'MI', 'NA', 'RM'] }

  async function parquetFile(): Promise<string> {
    const texts = await readTable(folder.write('provinces.csv', csv.replaceAll('NA', 'Napoli')), { tempDir })
    const path = `${folder.path}/provinces.parquet`
    const columns = texts.columns.map((column) => ({
      name: column.name,
      kind: 'categorical' as const,
      levels: ('codes' in column ? column.dictionary : []).map((text) => text.replace('Napoli', 'NA')),
      integer: false,
    }))
    const writer = await openTableWriter(path, 'parquet', columns, { tempDir })
    await writer.write({
      rowCount: 60,
      columns: texts.columns.map((column) => ({ codes: 'codes' in column ? column.codes : new Int32Array() })),
    })
    await writer.close()
    return path
  }

  const savFile = (): string =>
    folder.write(
      'provinces.sav',
      savBytes({
        variables: [
          { name: 'province', labels: PROVINCES.map((label, i) => [i, label] as const) },
          { name: 'note', width: 8 },
        ],
        rows: rows.map(({ province, note }) => [PROVINCES.indexOf(province), note]),
      }),
    )

  it.each([
    ['CSV', async () => folder.write('provinces.csv', csv)],
    [
      'Excel',
      async () =>
        folder.write(
          'provinces.xlsx',
          await writeXlsx({
            sheets: [
              { name: 'a', rows: [['province', 'note'], ...rows.map(({ province, note }) => [province, note])] },
            ],
          }),
        ),
    ],
    ['Parquet', parquetFile],
    ['SPSS', async () => savFile()],
  ])('is kept, and is missing in other columns: %s', async (_, made) => {
    await withFile(await made(), { levels }, async ({ path, remarks }) => {
      const table = await readBack(path)
      expect(columnOf(table, 'province')).toMatchObject({ missing: 0, dictionary: ['BA', 'MI', 'NA', 'RM'] })
      expect(columnOf(table, 'note').missing).toBe(30)
      expect(remarks.map(({ text }) => text).join()).not.toContain('no row has "NA"')
    })
  })

  it('is kept beside nulls of a Parquet file, which stay missing', async () => {
    const path = `${folder.path}/nulls.parquet`
    const words = ['NA', 'RM', 'MI', 'BA']
    const columns = [{ name: 'province', kind: 'categorical', levels: words, integer: false }] as const
    const writer = await openTableWriter(path, 'parquet', columns, { tempDir })
    await writer.write({ rowCount: 60, columns: [{ codes: Int32Array.from({ length: 60 }, (_, i) => (i % 5) - 1) }] })
    await writer.close()
    await withFile(path, { levels }, async ({ path: declared }) => {
      const column = columnOf(await readBack(declared), 'province')
      expect(column).toMatchObject({ missing: 12, dictionary: ['BA', 'MI', 'NA', 'RM'] })
    })
  })

  it('can get another word', async () => {
    const recode = { province: { NA: 'Napoli' } }
    await withFile(folder.write('provinces.csv', csv), { recode }, async ({ path }) => {
      expect(columnOf(await readBack(path), 'province')).toMatchObject({ dictionary: ['BA', 'MI', 'Napoli', 'RM'] })
    })
  })
})
