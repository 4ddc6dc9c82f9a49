import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

async function read(...lines: readonly string[]): Promise<RawTable> {
  const path = folder.write(`totals-${files++}`, `${lines.join('\n')}\n`)
  const table = await readTable(path, { tempDir: folder.path })
  checkConsistency(table)
  return table
}

const notesOn = (table: RawTable) => table.notes.filter((note) => note.includes('otals'))

/** Visits to shops: what was paid adds up to 1,258.50, and the mean age is 42.25. */
const header = 'shop;age;paid'
const visits = ['Lidl;20;40,25', 'Spar;31;99,00', 'Spar;58;1.018,75', 'Aldi;60;100,50']

describe('a row of totals in a text file', () => {
  it.each([
    ['sums', ['Total;169;1.258,50'], 6],
    ['a mean and a sum', ['Insgesamt;42,25;1.258,50'], 6],
    ['a label that nobody knows', ['I alt;169;1.258,50'], 6],
    ['no label', [';;1.258,50'], 6],
    ['a blank line above it, and notes below', ['', 'Summe;;1.258,50', '', 'Source: till receipts of 2024'], 7],
  ])('at the end is no respondent, with %s', async (_, below, line) => {
    const table = await read(header, ...visits, ...below)
    expect(readColumn(table, 'paid')).toEqual([40.25, 99, 1018.75, 100.5])
    expect(readColumn(table, 'shop')).toEqual(['Lidl', 'Spar', 'Spar', 'Aldi'])
    expect(notesOn(table)[0]).toContain(`A row of totals is no data and was left out: line ${line}`)
  })

  it('has one sum that is no chance, beside a label that nobody knows', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `${['Lidl', 'Spar', 'Aldi'][i % 3]};${20 + i};${5 + ((i * 7) % 90)}`,
    )
    const paid = rows.reduce((sum, row) => sum + Number(row.split(';')[2]), 0)
    const table = await read(header, ...rows, `All shops together;;${paid}`)
    expect(table.rowCount).toBe(40)
    expect(notesOn(table)).toEqual(['A row of totals is no data and was left out: line 42 ("All shops together").'])
    // Another number, or one that a shop may have, is an answer.
    expect((await read(header, ...rows, `Rewe;;${paid + 1}`)).rowCount).toBe(41)
    const zeros = rows.map((row, i) => row.replace(/\d+$/, i < 3 ? '2' : '0'))
    expect((await read(header, ...zeros, 'Rewe;;6')).rowCount).toBe(40)
    expect(
      (await read(header, ...zeros.map((row, i) => (i === 3 ? row.replace(/0$/, '5') : row)), 'Rewe;;11')).rowCount,
    ).toBe(41)
  })

  it('is known by minima and maxima, deviations, and means or shares rounded to whole numbers', async () => {
    for (const below of [
      ['Min;20;40,25', 'Max;60;1.018,75'],
      ['Average;42;315'],
      ['SD;20;470'],
      ['Median;45;70', 'Standardabweichung;19,9;470,3'],
    ]) {
      const table = await read(header, ...visits, ...below)
      expect([below[0], table.rowCount]).toEqual([below[0], visits.length])
    }
    const boxes = ['id;tv;web', ...Array.from({ length: 40 }, (_, i) => `p${i};${i % 2};${i % 4 === 0 ? 1 : 0}`)]
    expect((await read(...boxes, '%;50;25')).rowCount).toBe(40)
    expect((await read(...boxes, '%;0,5;0,25')).rowCount).toBe(40)
    for (const answer of ['Min;21;40,25', 'Average;45;315', 'Max;60;1.018,00', 'SD;20;99'])
      expect([answer, (await read(header, ...visits, answer)).rowCount]).toEqual([answer, visits.length + 1])
    expect((await read(...boxes, '%;1;0')).rowCount).toBe(41)
  })

  it('needs no text beside it where it has several sums, far beyond all numbers', async () => {
    const boxes = Array.from({ length: 40 }, (_, i) => `${i % 2},${i % 4 === 0 ? 1 : 0},${i % 5 === 0 ? 1 : 0}`)
    const table = await read('tv,web,radio', ...boxes, '20,10,8')
    expect(table.rowCount).toBe(40)
    expect(notesOn(table)).toEqual(['A row of totals is no data and was left out: line 42.'])
    expect((await read('tv,web,radio', ...boxes, '20,10,7')).rowCount).toBe(41)
    expect((await read('tv,web,radio', ...boxes, '1,1,1')).rowCount).toBe(41)
  })

  it('stands below the header, and between groups of rows', async () => {
    const top = await read(header, 'Total;169;1.258,50', ...visits)
    expect(readColumn(top, 'age')).toEqual([20, 31, 58, 60])
    expect(notesOn(top)).toEqual(['A row of totals is no data and was left out: line 2 ("Total").'])
    const groups = ['North,Mon,4,10.5', 'North,Tue,5,20', 'North total,,9,30.5']
    const more = ['South,Mon,7,1.5', 'South,Wed,2,3', 'South total,,9,4.5', 'Grand total,,18,35']
    const within = await read('area,day,visits,paid', ...groups, ...more)
    expect(readColumn(within, 'visits')).toEqual([4, 5, 7, 2])
    expect(notesOn(within)).toEqual(['Rows of totals are no data and were left out: lines 4, 7, 8 ("North total").'])
  })

  it('is found at the end of a long file', async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `place ${i % 40},${i % 97},${(i * 7919) % 100_003}`)
    const sum = (column: number) => rows.reduce((total, row) => total + Number(row.split(',')[column]), 0)
    const table = await read('place,age,steps', ...rows, `Total,${sum(1)},${sum(2)}`)
    expect(table.rowCount).toBe(30_000)
    expect(columnOf(table, 'age')).toMatchObject({ max: 96 })
  })

  it('with other figures is kept, with a note', async () => {
    const table = await read(header, ...visits, 'Total;44;61,50')
    expect(table.rowCount).toBe(5)
    expect(table.notes).toContain(
      'A row at the end begins with "Total", but its figures are not those of the rows above, so it was kept as data. Remove it from the file if it is no answer.',
    )
  })

  it.each([
    ['with a label that is a value of its column', ['Total;25;12,00', 'Spar;30;15,00', 'Total;224;1.285,50']],
    ['with a value that only adds up', ['Esso;33;1.258,50']],
    ['with a label far from the end', ['Total;169;1.258,50', 'Spar;30;15,00', 'Lidl;21;3,10']],
  ])('is no row %s, and has no note', async (_, below) => {
    const table = await read(header, ...visits, ...below)
    expect(table.rowCount).toBe(visits.length + below.length)
    expect(table.notes.filter((note) => note.includes('Total'))).toEqual([])
  })
})
