import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { readFirstRows } from '../../src/formats/read-first-rows.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { COLUMNS, makeBlock, rowValues } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const request = (rows: number, columns: readonly string[] | null = null) => ({ rows, columns, tempDir: folder.path })
const place = (name: string) => join(folder.path, name)
const NAMES = COLUMNS.map(({ name }) => name)

describe.each(['parquet', 'csv', 'arrow'] as const)('the first rows of a %s file', (format) => {
  const path = place(`rows.${format}`)
  beforeAll(async () => {
    const writer = await openTableWriter(path, format, COLUMNS, { tempDir: folder.path })
    await writer.write(makeBlock(0, 40))
    await writer.write(makeBlock(40, 60))
    await writer.close()
  })

  it('are those of the file in its sequence, with missing values as null', async () => {
    const { columns, shown, rows } = await readFirstRows(path, format, request(50))
    expect(columns).toEqual(NAMES)
    expect(shown).toEqual(NAMES)
    expect(rows).toHaveLength(50)
    for (const [i, row] of rows.entries()) {
      const expected = rowValues(i)
      expect(row.map((cell) => cell === null)).toEqual(expected.map((value) => value === null))
      expect(row[0]).toBe(expected[0])
      for (const c of [1, 2, 3, 4]) expect(row[c] === null ? null : Number(row[c])).toBe(expected[c])
      expect(row[5]).toBe(expected[5])
      if (row[6] !== null) expect(Date.parse(`${row[6]!.replace(' ', 'T')}Z`)).toBe(Date.parse(`${expected[6]}Z`))
    }
  })

  it('are all rows of a shorter file', async () => {
    expect((await readFirstRows(path, format, request(1000))).rows).toHaveLength(100)
  })

  it('have only the requested columns in the requested sequence', async () => {
    const { shown, rows } = await readFirstRows(path, format, request(2, ['visits', 'q1']))
    expect(shown).toEqual(['visits', 'q1'])
    expect(rows).toEqual([
      ['-5000000000', '5'],
      [null, '1'],
    ])
  })

  it('are refused with the columns of the file if it lacks one', async () => {
    const refused = readFirstRows(path, format, request(2, ['vists']))
    await expect(refused).rejects.toThrow(/no column "vists"; it has: región, q1, big/)
  })

  it('are refused if the file begins with other bytes', async () => {
    writeFileSync(place(`noise.${format}`), format === 'csv' ? 'a,b\n1\n2,3,4\n' : 'PARK and ride')
    await expect(readFirstRows(place(`noise.${format}`), format, request(3))).rejects.toThrow(UnreadableFileError)
  })
})

describe('a CSV file', () => {
  it('is read only as far as its first rows', async () => {
    const path = place('damaged-later.csv')
    writeFileSync(path, `a,b\n${'1,2\n'.repeat(100_000)}1,2,3,"4\n`)
    expect((await readFirstRows(path, 'csv', request(3))).rows).toEqual(Array(3).fill(['1', '2']))
  })

  it('may have line ends inside its values, and no line end at its end', async () => {
    const path = place('lines.csv')
    writeFileSync(path, 'a,b\n"one\n\ntwo",x\n"",y')
    expect((await readFirstRows(path, 'csv', request(10))).rows).toEqual([
      ['one\n\ntwo', 'x'],
      [null, 'y'],
    ])
  })

  it('of one column may have an empty value in quotes', async () => {
    const path = place('one.csv')
    writeFileSync(path, 'a\n1\n""\n3\n')
    expect((await readFirstRows(path, 'csv', request(10))).rows).toEqual([['1'], [null], ['3']])
  })

  it('that ends inside a value is refused', async () => {
    const path = place('open.csv')
    writeFileSync(path, 'a,b\n1,"2')
    await expect(readFirstRows(path, 'csv', request(10))).rejects.toThrow(/damaged or was cut short/)
    writeFileSync(path, '')
    await expect(readFirstRows(path, 'csv', request(10))).rejects.toThrow(/no header/)
  })
})

it('a Parquet file that was cut short is refused', async () => {
  const whole = readFileSync(place('rows.parquet'))
  writeFileSync(place('cut.parquet'), whole.subarray(0, whole.length - 20))
  await expect(readFirstRows(place('cut.parquet'), 'parquet', request(3))).rejects.toThrow(/damaged or was cut short/)
})
