import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { coversBins, coversColumns, measure } from '../../src/manifest/measure.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whatif-measure-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const columns = {
  shares: ['region'],
  numbers: ['age'],
  ranges: new Map([['age', { min: 20, max: 40 }]]),
  bins: new Map([['age', [20, 30, 40]]]),
}

async function write(format: 'parquet' | 'csv' | 'arrow'): Promise<string> {
  const path = join(folder, `a.${format}.part`)
  const written = [
    { name: 'region', kind: 'categorical', levels: ['North', 'South'], integer: false },
    { name: 'age', kind: 'numeric', integer: true, decimals: 0 },
  ] as const
  const writer = await openTableWriter(path, format, written, { tempDir: folder })
  await writer.write({
    rowCount: 5,
    columns: [
      { codes: Int32Array.of(0, 1, 1, 0, -1) },
      { values: Float64Array.of(20, 30, 41, 40, 0), valid: Uint8Array.of(1, 1, 1, 1, 0) },
    ],
  })
  await writer.close()
  return path
}

describe.each(['parquet', 'csv', 'arrow'] as const)('a %s artifact', (format) => {
  it('is counted whole: levels, numbers, and what lies outside a range or is missing in it', async () => {
    const path = await write(format)
    const found = await measure({ path, format, tempDir: join(folder, 'tmp'), ...columns })
    expect(found).toMatchObject({
      rows: 5,
      shares: [
        [
          'region',
          {
            levels: [
              ['North', 2],
              ['South', 2],
            ],
            missing: 1,
          },
        ],
      ],
      outside: [['age', 2]],
      absent: [],
    })
    // An edge belongs to the bin that it begins; the last edge to the last bin.
    const bins = { edges: [20, 30, 40], counts: [1, 2], below: 0, above: 1 }
    expect(found.numbers[0]?.[1]).toMatchObject({ n: 4, missing: 1, min: 20, max: 41, mean: 32.75, bins })
    expect(coversColumns(found, columns)).toBe(true)
    expect(coversColumns(found, { shares: ['region', 'income'], numbers: [] })).toBe(false)
    expect(coversBins(found, columns)).toBe(true)
    expect(coversBins(found, { bins: new Map([['age', [20, 30, 50]]]) })).toBe(false)
    expect(coversBins({ ...found, numbers: [] }, columns)).toBe(false)
    expect(await readdir(join(folder, 'tmp')).catch(() => [])).toEqual([])
  })

  it('without a requested column says so and counts the rest', async () => {
    const path = await write(format)
    const asked = { ...columns, shares: ['region', 'income'], numbers: ['age', 'size'] }
    const found = await measure({ path, format, tempDir: join(folder, 'tmp'), ...asked })
    expect(found.absent).toEqual(['income', 'size'])
    expect(found.rows).toBe(5)
    expect(found.shares.map(([c]) => c)).toEqual(['region'])
  })
})

it('refuses a file that is not an artifact', async () => {
  const path = join(folder, 'bad.parquet')
  await writeFile(path, '<html>')
  await expect(measure({ path, format: 'parquet', tempDir: join(folder, 'tmp'), ...columns })).rejects.toThrow(
    'not parquet',
  )
})
