import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../src/base/raw-table.ts'
import { SavDecoder } from '../../src/formats/sav/sav-encoding.ts'
import { SavTexts } from '../../src/formats/sav/sav-texts.ts'
import type { SavTextVariable } from '../../src/formats/sav/sav-variables.ts'

const WIDTH = 16
const ROWS = 5_000
const VARIABLE: SavTextVariable = {
  kind: 'text',
  name: 'V',
  label: 'What it means',
  shortName: 'V',
  offset: 0,
  parts: [{ start: 0, length: WIDTH }],
  missingValues: new Set(),
  labels: null,
  hasUserMissing: false,
}

/** The column of a string variable whose texts take more memory than they may, and how often its cases were taken. */
async function read(textOf: (row: number) => string): Promise<{ column: RawColumn; passes: number }> {
  const decoder = await SavDecoder.open('utf-8', null)
  const texts = new SavTexts([VARIABLE], decoder, ROWS, { maxTextBytes: 50_000 })
  let passes = 0
  do {
    for (let row = 0; row < ROWS; row++) texts.add(Buffer.from(textOf(row).padEnd(WIDTH)), 0)
    passes++
  } while (texts.mustReadAgain())
  return { column: texts.finish().columns[0]!, passes }
}

describe('a string variable with more texts than fit in memory', () => {
  it('keeps its numbers', async () => {
    const { column, passes } = await read((row) => (row / 4).toFixed(2))
    expect(column).toMatchObject({ type: 'number', label: 'What it means', distinct: ROWS, min: 0, max: 1249.75 })
    expect(passes).toBe(1)
  })

  it('keeps its dates', async () => {
    const { column } = await read((row) => new Date(row * 86_400_000).toISOString().slice(0, 10))
    expect(column).toMatchObject({ type: 'date', distinct: ROWS, min: 0, max: (ROWS - 1) * 86_400_000 })
  })

  it('keeps the texts of the sampled rows', async () => {
    const { column, passes } = await read((row) => `text ${row}`)
    expect(column).toMatchObject({ type: 'text', distinct: ROWS, missing: 0 })
    expect('dictionary' in column && column.dictionary).toContain('text 4999')
    expect(passes).toBe(1)
  })

  it('is read a second time as texts if its numbers are ids of cases', async () => {
    const { column, passes } = await read((row) => String(100_000 + 7 * row))
    expect(column).toMatchObject({ type: 'text', distinct: ROWS })
    expect('dictionary' in column && column.dictionary).toContain('100007')
    expect(passes).toBe(2)
  })

  it('keeps whole numbers with thousands separators, which are no ids', async () => {
    const { column, passes } = await read((row) => (1_000_000 + 7 * row).toLocaleString('en'))
    expect(column).toMatchObject({ type: 'number', distinct: ROWS, min: 1_000_000, max: 1_000_000 + 7 * (ROWS - 1) })
    expect(passes).toBe(1)
  })

  it('is read a second time as texts if texts follow its numbers', async () => {
    const { column, passes } = await read((row) => (row < 4_000 ? (row / 4).toFixed(2) : `text ${row}`))
    expect(column).toMatchObject({ type: 'text', distinct: ROWS })
    expect('dictionary' in column && column.dictionary).toContain('0.25')
    expect(passes).toBe(2)
  })
})
