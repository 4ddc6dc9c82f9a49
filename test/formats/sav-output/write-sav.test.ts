import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { Block, OutputColumn } from '../../../src/base/output-table.ts'
import { openTableWriter } from '../../../src/formats/open-table-writer.ts'
import { readSavLabels } from '../../../src/formats/read-sav-labels.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { SavColumn } from '../../../src/formats/sav-output/plan-variables.ts'
import { writeSav } from '../../../src/formats/write-sav.ts'
import { readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()
const hasPspp = spawnSync('pspp-convert', ['--version']).status === 0
const DAY_MS = 86_400_000
let files = 0

const COLUMNS: readonly OutputColumn[] = [
  { name: 'sat', kind: 'categorical', levels: ['High', 'Low', 'Größe <ß>'], integer: false },
  { name: 'ticked', kind: 'categorical', levels: ['0', '1'], integer: true },
  { name: 'age', kind: 'numeric', integer: true, decimals: 0 },
  { name: 'spend', kind: 'numeric', integer: false, decimals: 2 },
  { name: 'how.many people?', kind: 'numeric', integer: true, decimals: 0 },
  { name: 'day', kind: 'date' },
  { name: 'moment', kind: 'date-time' },
]

/** Row i is missing in column i modulo 8, so that each column has missing values. */
function block(rows: number): Block {
  const valid = (column: number) => Uint8Array.from({ length: rows }, (_, row) => (row % 8 === column ? 0 : 1))
  const values = (column: number, of: (row: number) => number) => ({
    values: Float64Array.from({ length: rows }, (_, row) => of(row)),
    valid: valid(column),
  })
  const codes = (column: number, levels: number) => ({
    codes: Int32Array.from({ length: rows }, (_, row) => (row % 8 === column ? -1 : row % levels)),
  })
  return {
    rowCount: rows,
    columns: [
      codes(0, 3),
      codes(1, 2),
      values(2, (row) => ((row * 37) % 400) - 120),
      values(3, (row) => ((row * 7919) % 100_000) / 100),
      values(4, (row) => row * 1_000_003),
      values(5, (row) => Date.UTC(1899, 11, 31) + row * 101 * DAY_MS),
      values(6, (row) => Date.UTC(2026, 0, 1) + row * 61_000),
    ],
  }
}

async function parquet(columns: readonly OutputColumn[], rows: Block): Promise<string> {
  const path = join(folder.path, `rows-${files++}.parquet`)
  const writer = await openTableWriter(path, 'parquet', columns, { tempDir: folder.path })
  await writer.write(rows)
  await writer.close()
  return path
}

const known = (name: string, column: Partial<SavColumn> = {}): readonly [string, SavColumn] => [
  name,
  { name, label: null, levels: [], seedCodes: null, isOrdered: false, isCategorical: false, ...column },
]

const KNOWN = new Map([
  known('sat', { label: 'Wie zufrieden?', levels: ['Low', 'High'], isOrdered: true, isCategorical: true }),
  known('ticked', { isCategorical: true }),
  known('age', { label: 'Age in years' }),
])

async function sav(source: string, columns: ReadonlyMap<string, SavColumn> = KNOWN): Promise<string> {
  const target = join(folder.path, `rows-${files++}.sav`)
  const { notes } = await writeSav(source, target, columns, { tempDir: folder.path })
  expect(notes).toEqual([])
  return target
}

describe('an SPSS file made from Parquet', () => {
  it('has the same rows, dates and missing values when our reader reads it', async () => {
    const source = await parquet(COLUMNS, block(5_000))
    const [before, after] = [
      await readTable(source, { tempDir: folder.path }),
      await readTable(await sav(source), { tempDir: folder.path }),
    ]
    expect(after.rowCount).toBe(5_000)
    expect(after.columns.map(({ name }) => name)).toEqual([
      'sat',
      'ticked',
      'age',
      'spend',
      'how.many_people',
      'day',
      'moment',
    ])
    for (const [i, { name }] of before.columns.entries()) {
      expect(readColumn(after, after.columns[i]!.name)).toEqual(readColumn(before, name))
    }
  })

  it('labels its variables, and codes levels in the order of the schema', async () => {
    const labels = await readSavLabels(await sav(await parquet(COLUMNS, block(100))))
    expect(labels.get('sat')?.label).toBe('Wie zufrieden?')
    expect(labels.get('age')?.label).toBe('Age in years')
    // A name that SPSS does not take.
    expect(labels.get('how.many_people')?.label).toBe('how.many people?')
    const codes = [...(labels.get('sat')?.codes ?? [])].filter(([text]) => !/ \(\d\)$/.test(text))
    expect(codes).toEqual([
      ['Low', 1],
      ['High', 2],
      ['Größe <ß>', 3],
    ])
    expect(labels.get('ticked')?.codes).toBeNull()
  })

  it('keeps the labels of the ends of a scale whose levels are numbers', async () => {
    const columns: OutputColumn[] = [{ name: 'scale', kind: 'categorical', levels: ['0', '10', '5'], integer: false }]
    const rows = { rowCount: 3, columns: [{ codes: Int32Array.from([0, 1, 2]) }] }
    const seedCodes = new Map([
      ['Not at all', 0],
      ['Fully', 10],
    ])
    const column = known('scale', { levels: ['0', '5', '10'], seedCodes, isOrdered: true, isCategorical: true })
    const path = await sav(await parquet(columns, rows), new Map([column]))
    const table = await readTable(path, { tempDir: folder.path })
    expect(readColumn(table, 'scale')).toEqual([0, 10, 5])
    const codes = (await readSavLabels(path)).get('scale')?.codes
    expect([codes?.get('Not at all'), codes?.get('Fully')]).toEqual([0, 10])
  })

  it('has the same bytes each time', async () => {
    const source = await parquet(COLUMNS, block(3_000))
    expect(readFileSync(await sav(source)).equals(readFileSync(await sav(source)))).toBe(true)
  })

  it('keeps texts that are no levels, with segments for very long ones', async () => {
    const levels = Array.from({ length: 20_001 }, (_, i) => `${i} ${'é'.repeat(i === 7 ? 300 : 3)}`)
    const columns: OutputColumn[] = [{ name: 'text', kind: 'categorical', levels, integer: false }]
    const codes = Int32Array.from({ length: 20_002 }, (_, i) => (i === 20_001 ? -1 : i))
    const source = await parquet(columns, { rowCount: codes.length, columns: [{ codes }] })
    const table = await readTable(await sav(source, new Map()), { tempDir: folder.path })
    expect(readColumn(table, 'text')).toEqual([...levels, null])
  })

  it('reports which labels of levels were cut', async () => {
    const levels = ['x'.repeat(121), 'short']
    const columns: OutputColumn[] = [{ name: 'q', kind: 'categorical', levels, integer: false }]
    const source = await parquet(columns, { rowCount: 2, columns: [{ codes: Int32Array.of(0, 1) }] })
    const target = join(folder.path, 'cut.sav')
    const { notes } = await writeSav(source, target, new Map(), { tempDir: folder.path })
    expect(notes).toEqual([`Column "q": the label of 2 is cut to 120 bytes: "${'x'.repeat(120)}".`])
  })

  it('is not made from a damaged file', async () => {
    const source = await parquet(COLUMNS, block(100))
    const bytes = readFileSync(source)
    const torn = folder.write('torn.parquet', bytes.subarray(0, bytes.length - 200))
    await expect(writeSav(torn, join(folder.path, 'torn.sav'), KNOWN, { tempDir: folder.path })).rejects.toMatchObject({
      name: 'UnreadableFileError',
    })
  })
})

describe.skipIf(!hasPspp)('an SPSS file made from Parquet, read by PSPP', () => {
  it('has the same values and labels', async () => {
    const source = await parquet(COLUMNS, block(2_500))
    const path = await sav(source)
    const target = join(folder.path, 'pspp.csv')
    const { status, stderr } = spawnSync('pspp-convert', ['--labels', path, target])
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
    const [header, ...rows] = parse(readFileSync(target)) as string[][]
    expect(header).toEqual(['sat', 'ticked', 'age', 'spend', 'how.many_people', 'day', 'moment'])
    expect(rows).toHaveLength(2_500)
    const before = await readTable(source, { tempDir: folder.path })
    const columns = before.columns.map(({ name }) => readColumn(before, name))
    for (const [row, cells] of rows.entries()) {
      for (const [i, cell] of cells.entries()) {
        const value = columns[i]![row]!
        if (value === null) expect(cell.trim()).toBe('')
        else if (i >= 5) expect(Date.parse(`${cell} UTC`)).toBe(Date.parse(i === 5 ? `${value}` : `${value}Z`))
        else if (typeof value === 'number') expect(Number(cell)).toBe(value)
        else expect(cell).toBe(value)
      }
    }
  })

  it('has measurement levels, formats and labels', async () => {
    const path = await sav(await parquet(COLUMNS, block(50)))
    const syntax = folder.write('show.sps', `GET FILE='${path}'.\nDISPLAY DICTIONARY.\n`)
    const listing = join(folder.path, 'show.csv')
    const { status } = spawnSync('pspp', ['-O', 'format=csv', '-o', listing, syntax])
    expect(status).toBe(0)
    const text = readFileSync(listing, 'utf8')
    const line = (name: string) => text.split('\n').find((one) => one.startsWith(`${name},`)) ?? ''
    expect(line('sat')).toBe('sat,1,Wie zufrieden?,Ordinal,Input,8,Right,F1.0,F1.0')
    expect(line('ticked')).toMatch(/^ticked,2,(ticked)?,Nominal,/)
    expect(line('age')).toMatch(/^age,3,Age in years,Scale,.*,F8\.0,F8\.0$/)
    expect(line('spend')).toMatch(/^spend,4,.*,Scale,.*,F8\.2,F8\.2$/)
    expect(line('day')).toMatch(/,DATE11,DATE11$/)
    expect(line('moment')).toMatch(/,DATETIME20(\.0)?,DATETIME20(\.0)?$/)
    expect(text).toContain('Größe <ß>')
  })
})
