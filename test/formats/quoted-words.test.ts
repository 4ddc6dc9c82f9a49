import { expect, it } from 'vitest'
import { readTable } from '../../src/formats/read-table.ts'
import { columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** A table of numbered rows with these cells as they stand in the file. */
async function read(cells: readonly string[], delimiter = ',') {
  const lines = cells.map((cell, i) => `${i + 1}${delimiter}${cell}${delimiter}x\n`)
  const path = folder.write(`table-${files++}.csv`, `id${delimiter}v${delimiter}w\n${lines.join('')}`)
  return readTable(path, { tempDir: folder.path })
}

const NOTE =
  'Column "v": "NA" in quotation marks was kept as a level (2 values), and NA without them was read as missing (1 value).'

it.each([
  ['R writes it: all texts in quotes', ['"RM"', '"NA"', 'NA', '"MI"', '"NA"'], ','],
  ['other programs write it: quotes where they are needed', ['RM', '"NA"', 'NA', 'MI', '"NA"'], ','],
  ['other programs write it, between semicolons', ['RM', '"NA"', 'NA', 'MI', '"NA"'], ';'],
])('NA in quotes is a level beside NA without them, as %s', async (_, cells, delimiter) => {
  const table = await read(cells, delimiter)
  expect(readColumn(table, 'v')).toEqual(['RM', 'NA', null, 'MI', 'NA'])
  expect(columnOf(table, 'v')).toMatchObject({ missing: 1, distinct: 3 })
  expect(table.notes.filter((note) => note.includes('NA'))).toEqual([NOTE])
})

it('texts that have to be in quotes do not matter', async () => {
  const cells = ['RM', '"Reggio, C."', '"say ""RC"""', '"NA"', 'NA', '"NA"']
  const table = await read(cells)
  expect(readColumn(table, 'v')).toEqual(['RM', 'Reggio, C.', 'say "RC"', 'NA', null, 'NA'])
  expect(table.notes).toContain(NOTE)
})

it('other words for missing values are told apart alike', async () => {
  const table = await read(['"a"', '"NULL"', 'NULL', '"b"', '"NULL"', '"N/A"', '', 'null'])
  expect(readColumn(table, 'v')).toEqual(['a', 'NULL', null, 'b', 'NULL', 'N/A', null, null])
})

it.each([
  ['among texts in quotes and bare numbers', ['"RM"', '"NA"', '"MI"', '"NA"']],
  ['among bare texts', ['RM', '"NA"', 'MI', '"NA"']],
])('NA is a level where it is always in quotes, %s', async (_, cells) => {
  const table = await read(cells)
  expect(readColumn(table, 'v')).toEqual(cells.map((cell) => cell.replaceAll('"', '')))
  expect(table.notes).toContain(
    'Column "v": "NA" in quotation marks was kept as a level (2 values); if it means no answer, declare it under "missing".',
  )
})

it('NA is missing where all fields of the file are in quotes', async () => {
  const path = folder.write('all-quoted.csv', '"id","v"\n"1","RM"\n"2","NA"\n"3","MI"\n')
  expect(readColumn(await readTable(path, { tempDir: folder.path }), 'v')).toEqual(['RM', null, 'MI'])
})

it.each([
  ['all of them bare', ['RM', 'NA', 'MI', 'NA']],
  ['bare among texts in quotes', ['"RM"', 'NA', '"MI"', 'NA']],
  ['both among texts that are quoted at random', ['"RM"', '"NA"', 'RM', 'NA']],
])('NA is missing where it is %s', async (_, cells) => {
  const table = await read(cells)
  expect(readColumn(table, 'v')).toEqual(cells.map((cell) => (cell.includes('NA') ? null : cell.replaceAll('"', ''))))
  expect(table.notes.filter((note) => note.includes('level'))).toEqual([])
})

it('is missing among numbers, whatever its quotes', async () => {
  const table = await read(['1', '"NA"', 'NA', '2'])
  expect(readColumn(table, 'v')).toEqual([1, null, null, 2])
})

it('is found in a file of several pieces, whichever row it is in', async () => {
  const cells = Array.from({ length: 150_000 }, (_, i) => (i % 5 === 0 ? '"NA"' : i % 7 === 0 ? 'NA' : 'Roma'))
  const values = readColumn(await read(cells), 'v')
  expect(values.every((value, i) => value === (i % 5 === 0 ? 'NA' : i % 7 === 0 ? null : 'Roma'))).toBe(true)
})

it.each([
  ['may be an answer', '"id","v"\n"1","RM"\n"2","NA"\n"3","MI"\n', 1],
  ['is none where numbers are missing alike', '"id","v"\n"1","RM"\n"NA","NA"\n"3","MI"\n', 0],
  ['is none where it is bare', '"id","v"\n"1","RM"\n"2",NA\n"3","MI"\n', 0],
])('NA in a file whose fields are all in quotes %s', async (_, content, found) => {
  const { notes } = await readTable(folder.write(`doubt-${files++}.csv`, content), { tempDir: folder.path })
  const note =
    'Column "v": "NA" is in quotation marks as all of the column is, and was read as missing (1 value); if it is an answer, name it among the "levels" of the column in the study.'
  expect(notes.filter((text) => text === note)).toHaveLength(found)
})

it('NA that a study names among the levels is no doubt', async () => {
  const path = folder.write('named.csv', '"id","v"\n"1","RM"\n"2","NA"\n"3","MI"\n')
  const levelsOf = (name: string) => (name === 'v' ? new Set(['NA', 'RM']) : undefined)
  const table = await readTable(path, { tempDir: folder.path, levelsOf })
  expect(readColumn(table, 'v')).toEqual(['RM', 'NA', 'MI'])
  expect(table.notes).toEqual([])
})
