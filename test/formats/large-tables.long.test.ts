import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/base/output-table.ts'
import type { RawTable } from '../../src/base/raw-table.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { sampleRowIndexes } from '../../src/formats/reading/row-sample.ts'
import { COLUMNS, makeBlock } from './blocks.ts'
import { type TextsParquet, textsParquet } from './parquet-bytes.ts'
import { checkConsistency, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

async function read(path: string): Promise<RawTable> {
  const table = await readTable(path, { tempDir: folder.path, maxSampleRows: 200_000 })
  checkConsistency(table)
  return table
}

/** The bytes of a Parquet file. */
async function write(blocks: readonly Block[], memoryLimitMb: number): Promise<Buffer> {
  const path = join(folder.path, `written-${files++}.parquet`)
  const writer = await openTableWriter(path, 'parquet', COLUMNS, { tempDir: folder.path, memoryLimitMb })
  for (const block of blocks) await writer.write(block)
  await writer.close()
  return readFileSync(path)
}

describe('a large table', () => {
  it('gives the same rows to a sample whatever the number of threads', async () => {
    const content = `id,kind\n${Array.from({ length: 400_000 }, (_, i) => `${i},k${i % 7}`).join('\n')}\n`
    const path = folder.write('threads.csv', content)
    const expected = [...sampleRowIndexes(400_000, 150_000)]
    for (const threads of [1, 2, 4]) {
      const table = await readTable(path, { tempDir: folder.path, maxSampleRows: 150_000, threads })
      // Compared as one text: a difference in so many rows would be printed row by row.
      expect(String(readColumn(table, 'id')) === String(expected)).toBe(true)
      expect(String(readColumn(table, 'kind')) === String(expected.map((id) => `k${id % 7}`))).toBe(true)
    }
  })

  it('written in little memory has the same bytes as in much', async () => {
    const blocks = Array.from({ length: 6 }, (_, i) => makeBlock(i * 20_000, 20_000))
    const [little, much] = [await write(blocks, 40), await write(blocks, 512)]
    expect(little.equals(much)).toBe(true)
  })
})

describe('a file that unpacks to far more than its size', () => {
  const LEVELS = ['a', 'b', 'c'].map((c) => c.padEnd(8e6))

  it.each<[string, TextsParquet, string]>([
    ['of one text of 30 MB in 3,000 rows', { columns: [['x'.repeat(3e7)]], rows: 3_000 }, '90 GB'],
    [
      'of ten columns with three texts of 8 MB',
      { columns: Array.from({ length: 10 }, () => LEVELS), rows: 30 },
      '2.4 GB',
    ],
    ['of short texts', { columns: [['x'.repeat(1_000)]], rows: 90_000_000 }, '90.7 GB'],
    ['of a text of 30 MB in each row group', { columns: [['x'.repeat(3e7)]], rows: 1, groups: 50 }, '1.5 GB'],
  ])('%s is refused', async (_, spec, size) => {
    const path = folder.write(`unpacks-${files++}.parquet`, textsParquet(spec))
    await expect(read(path)).rejects.toThrow(`The file unpacks to ${size} of values`)
  })

  it('is read within the limits of any file', async () => {
    const texts = ['a', 'b'].map((c) => c.padEnd(1_000_000, '.'))
    const file = textsParquet({ columns: [texts, texts], rows: 40 })
    const table = await read(folder.write(`unpacks-${files++}.parquet`, file))
    const isSame = readColumn(table, 'c1').map((text, row) => text === texts[Math.floor(row / 20)])
    expect(isSame).toEqual(Array.from({ length: 40 }, () => true))
  })
})
