import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** A column of these cells beside one of texts. */
async function read(cells: readonly (number | string | Date)[]) {
  const rows = [['g', 'v'], ...cells.map((cell, i) => [i % 2 === 0 ? 'f' : 'm', cell])]
  const path = folder.write(`mixed-${files++}.xlsx`, await writeXlsx({ sheets: [{ name: 'A', rows }] }))
  const table = await readTable(path, { tempDir: folder.path })
  return { values: readColumn(table, 'v'), notes: table.notes }
}

describe('durations in a workbook', () => {
  /** A cell with the duration `[h]:mm:ss` of so many seconds. */
  const duration = (seconds: number) => new Date(Date.UTC(1899, 11, 31) + 1_000 * seconds)

  it('of more than a day are durations, and no times of 1900', async () => {
    // Excel counts a 29 February in 1900, and a writer leaves it out of later days.
    const late = duration(60 * 86_400 + 3_600)
    const { values, notes } = await read([duration(59), duration(86_399), duration(90_000), late])
    expect(values).toEqual([59, 86_399, 90_000, 61 * 86_400 + 3_600])
    expect(notes).toContain('Column "v" has durations, which were read as seconds.')
  })

  it('are none where dates are meant: a birthday, and the first day that Excel knows', async () => {
    const { values } = await read([new Date('1900-01-01'), new Date('1931-05-02'), new Date('1900-12-24')])
    expect(values).toEqual(['1900-01-01', '1931-05-02', '1900-12-24'])
  })
})

describe('numbers in a workbook beside texts that look like numbers', () => {
  it('are numbers where the commas of the texts can only be decimal', async () => {
    const { values, notes } = await read([61.9, '78,6', 60.4, '50,85', 71])
    expect(values).toEqual([61.9, 78.6, 60.4, 50.85, 71])
    expect(notes).toContain('Column "v" has commas and points, which were both read as decimal marks.')
  })

  it('are kept as text where commas stand before three digits', async () => {
    const { values, notes } = await read([1.5, '1,250', 3.25, '2,500'])
    expect(values).toEqual(['1.5', '1,250', '3.25', '2,500'])
    expect(notes).toContain(
      'Column "v" has both numbers and texts such as "1,250", which may be 1.25 or 1250, and was kept as text; make numbers of these texts in the workbook.',
    )
  })

  it('have a note where points of the texts may separate thousands', async () => {
    const note =
      'Column "v" has both numbers and texts such as "1.250", whose points were read as decimal points; where they separate thousands, make numbers of these texts in the workbook.'
    const { values, notes } = await read([1250, '1.875', 9814, '2.500'])
    expect(values).toEqual([1250, 1.875, 9814, 2.5])
    expect(notes).toContain(note)
    expect((await read([1250, '1.85', 9814, '2.5'])).notes).not.toContain(note)
  })

  it('stay several answers where whole numbers are joined', async () => {
    const cells = Array.from({ length: 60 }, (_, i) => [1, '1,2', '2,3', 3, '1,3', 2, '1,2,3'][i % 7]!)
    expect((await read(cells)).values).toEqual(cells.map(String))
  })
})
