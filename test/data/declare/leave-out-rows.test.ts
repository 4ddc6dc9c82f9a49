import { describe, expect, it } from 'vitest'
import { carryOut } from '../../../src/data/declare/carry-out.ts'
import type { LeftOutRows } from '../../../src/data/declare/leave-out-rows.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { columnOf } from '../../formats/read-column.ts'
import { savBytes } from '../../formats/sav-bytes.ts'
import { tempFolder } from '../../formats/temp-folder.ts'

const folder = tempFolder()
const tempDir = folder.path

/** Sixty people of three waves; the age of the last wave alone has decimals. */
const CSV = `my wave,age,channel\n${Array.from({ length: 60 }, (_, i) => {
  const wave = 1 + (i % 3)
  return `${wave},${wave === 3 ? 20.5 + i : i === 0 ? '' : 20 + i},${i % 2 === 0 ? 'mail' : 'post'}`
}).join('\n')}\n`

const leftOut = (column: string, level: string, sourceName: string | null = null): LeftOutRows => ({
  column,
  sourceName,
  level,
})

async function carriedOut(path: string, rows: LeftOutRows, declarations: Declarations = {}) {
  const file = await carryOut(path, declarations, { tempDir, leftOut: rows })
  try {
    return await readTable(file.path, { tempDir })
  } finally {
    await file.remove()
  }
}

describe('the rows of a level are left out', () => {
  const csv = () => folder.write('panel.csv', CSV)

  it('of a column under its name in the file or in the cleaned schema', async () => {
    for (const rows of [leftOut('my.wave', '2'), leftOut('my.wave', '2', 'my wave')]) {
      const table = await carriedOut(csv(), rows)
      expect(table.rowCount).toBe(40)
      const waves = columnOf(table, 'my wave')
      expect('values' in waves && [...new Set(waves.values)]).toEqual([1, 3])
    }
  })

  it('and the others keep values and gaps, with a profile of their own', async () => {
    const age = columnOf(await carriedOut(csv(), leftOut('my.wave', '3')), 'age')
    expect(age).toMatchObject({ missing: 1, min: 21, max: 78, decimals: 0 })
    expect('values' in age && [...age.values].slice(0, 4)).toEqual([0, 21, 23, 24])
    expect('values' in age && [...age.valid].slice(0, 2)).toEqual([0, 1])
  })

  it('of bands and other columns that declarations make', async () => {
    const declarations = { bands: { 'age.band': { of: 'age', at: [40, 60] } } }
    const { rowCount, columns } = await carriedOut(csv(), leftOut('age.band', 'under 40'), declarations)
    const bands = columns.find(({ name }) => name === 'age.band')!
    expect('codes' in bands && bands.dictionary).not.toContain('under 40')
    expect(bands.declaredOrder).toHaveLength(3)
    expect(rowCount).toBeLessThan(60)
  })

  it('of an SPSS file by its labels', async () => {
    const sav = savBytes({
      variables: [
        {
          name: 'region',
          labels: [
            [1, 'North'],
            [2, 'South'],
          ],
        },
        { name: 'score' },
      ],
      rows: Array.from({ length: 20 }, (_, i) => [1 + (i % 2), i]),
    })
    const table = await carriedOut(folder.write('panel.sav', sav), leftOut('region', 'South'))
    expect(table.rowCount).toBe(10)
  })

  it.each([
    [leftOut('my.wave', '9'), 'no row of the file has "9" in "my wave"'],
    [leftOut('wave', '1'), 'no column of the file is "wave" alone'],
  ])('but %j is refused', async (rows, message) => {
    await expect(carriedOut(csv(), rows)).rejects.toThrow(message)
  })
})
