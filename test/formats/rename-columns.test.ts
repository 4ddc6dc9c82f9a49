import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OutputFormat } from '../../src/base/result-formats.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import { renameColumns } from '../../src/formats/rename-columns.ts'
import { readIndependently } from '../e2e/read-independently.ts'
import { COLUMNS, makeBlock } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const options = { tempDir: folder.path }
const FORMATS: readonly OutputFormat[] = ['parquet', 'csv', 'arrow']
let files = 0

async function write(format: OutputFormat, rows: number): Promise<string> {
  const path = join(folder.path, `before-${files++}.${format}`)
  const writer = await openTableWriter(path, format, COLUMNS, { tempDir: folder.path })
  for (let block = 0; block < 3; block++) await writer.write(makeBlock(block * rows, rows))
  await writer.close()
  return path
}

/** A comma, a quote, letters of other alphabets, blanks, two lines. */
const ODD = ['say "yes", or no', 'Größe', '回答', ' blank ', 'two\nlines']
const NAMES = new Map(COLUMNS.map(({ name }, i) => [name, ODD[i] ?? `Column ${i}`]))

describe.each(FORMATS)('a table in %s with renamed columns', (format) => {
  it('has the same rows in the same sequence, as other readers show', async () => {
    const source = await write(format, 700)
    const target = join(folder.path, `after-${files++}.${format}`)
    await renameColumns(source, format, target, NAMES, options)
    const [before, after] = [await readIndependently(source), await readIndependently(target)]
    expect(after.rowCount).toBe(before.rowCount)
    expect(after.columns).toEqual(COLUMNS.map(({ name }) => NAMES.get(name)))
    for (const { name } of COLUMNS) {
      const renamed = NAMES.get(name)!
      expect(after.values[renamed]).toEqual(before.values[name])
      expect(after.types[renamed]).toBe(before.types[name])
    }
  })

  it('has the same bytes each time, and can be measured', async () => {
    const source = await write(format, 100)
    const targets = [0, 1].map(() => join(folder.path, `after-${files++}.${format}`))
    for (const target of targets) await renameColumns(source, format, target, NAMES, options)
    const [one, other] = targets.map((path) => readFileSync(path))
    expect(one!.equals(other!)).toBe(true)
    const request = { shares: [], ranges: new Map(), numeric: [] }
    const summary = await summarizeArtifact(targets[0]!, format, request, options)
    expect(summary).toMatchObject({ rows: 300, columns: [...NAMES.values()] })
  })

  it('never has two columns of one name, with or without regard to case', async () => {
    const source = await write(format, 10)
    const target = join(folder.path, `after-${files++}.${format}`)
    const [first, second, third, ...others] = COLUMNS.map(({ name }) => name)
    const clashing = new Map([
      [first!, third!.toUpperCase()],
      [second!, 'free'],
      [others[0]!, '  '],
    ])
    await renameColumns(source, format, target, clashing, options)
    expect((await readIndependently(target)).columns).toEqual([first, 'free', third, ...others])
  })

  it('keeps the columns that have no other name', async () => {
    const source = await write(format, 10)
    const target = join(folder.path, `after-${files++}.${format}`)
    await renameColumns(source, format, target, new Map([['absent', 'x']]), options)
    expect((await readIndependently(target)).columns).toEqual(COLUMNS.map(({ name }) => name))
  })
})

describe('a damaged table', () => {
  it.each(['parquet', 'arrow'] as const)('in %s is refused', async (format) => {
    const source = await write(format, 500)
    const bytes = readFileSync(source)
    const torn = folder.write(`torn.${format}`, bytes.subarray(0, Math.floor(bytes.length / 2)))
    await expect(
      renameColumns(torn, format, join(folder.path, `torn-after.${format}`), NAMES, options),
    ).rejects.toMatchObject({ name: 'UnreadableFileError' })
  })

  it('in CSV without a header is refused', async () => {
    const empty = folder.write('empty.csv', '')
    await expect(
      renameColumns(empty, 'csv', join(folder.path, 'empty-after.csv'), NAMES, options),
    ).rejects.toMatchObject({ name: 'UnreadableFileError' })
  })
})
