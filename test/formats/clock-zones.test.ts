import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

async function read(cells: readonly string[]) {
  const lines = cells.map((cell, i) => `${cell},${i % 2 === 0 ? 'a' : 'b'}`)
  const path = folder.write(`times-${files++}.csv`, `${['at,w', ...lines].join('\n')}\n`)
  const table = await readTable(path, { tempDir: folder.path })
  return { at: readColumn(table, 'at'), notes: table.notes }
}

it('times of day with a point and a word are read', async () => {
  expect((await read(['10.30 Uhr', '7.05 Uhr', '23.59 Uhr'])).at).toEqual([37_800, 25_500, 86_340])
})

describe('times of day with a zone', () => {
  it.each([
    ['names behind AM and PM', ['12:40:46 AM AST', '3:05:00 PM EDT']],
    ['offsets', ['00:40:46+02:00', '15:05:00-0400']],
    ['offsets from Greenwich', ['0:40:46 GMT-3', '15:05 UTC+5']],
    ['a Z', ['00:40:46Z', '15:05:00Z']],
    ['cities', ['00:40:46 Europe/Berlin', '15:05:00 America/New_York']],
  ])('are read as they stand, with a note: %s', async (_, cells) => {
    const { at, notes } = await read(cells)
    expect(at).toEqual([2446, 54_300])
    expect(notes).toContain(
      'Column "at" has times with zones or offsets, which were left out: they are read as they stand.',
    )
  })

  it('are levels where the letters name something else: a group and its time', async () => {
    const cells = ['10:30 ABC', '14:00 XYZ', '10:30 XYZ']
    expect((await read(cells)).at).toEqual(cells)
  })
})
