import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { readingProcess } from './reading-process.ts'
import { savBytes } from './sav-bytes.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const { read } = readingProcess({ memoryBytes: 900 * 2 ** 20, cpuMs: 30_000 })
const shared = resolve(import.meta.dirname, '../../../shared/data/formats')
const ROWS = 40

const rows = Array.from({ length: ROWS }, (_, i) => [i + 0.5, ['north', 'south', 'west'][i % 3] as string, i % 5])

async function parquet(codec: string): Promise<Buffer> {
  const path = join(folder.path, `small-${codec}.parquet`)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(
    `COPY (SELECT i + 0.5 AS a, ['north', 'south', 'west'][i % 3 + 1] AS b, i % 5 AS c, {'x': i, 'y': md5(i::VARCHAR)} AS d
       FROM range(${ROWS}) r(i)) TO '${path}' (FORMAT parquet, COMPRESSION ${codec})`,
  )
  connection.closeSync()
  instance.closeSync()
  return readFileSync(path)
}

const sav = (compression: 0 | 1 | 2) =>
  savBytes({
    variables: [
      { name: 'A', labels: [[1, 'one']] },
      { name: 'B', width: 8 },
      { name: 'C', missing: { count: 1, values: [4] } },
    ],
    rows,
    compression,
  })

/** Small files of every kind, all of 40 rows but those that others wrote. */
const FILES: readonly (readonly [string, () => Promise<Buffer> | Buffer])[] = [
  ['CSV', () => Buffer.from(`a,b,c\n${rows.map((row) => row.join(',')).join('\n')}\n`)],
  [
    'CSV in UTF-16',
    () => Buffer.from(`\ufeffa;b;c\r\n${rows.map((row) => row.join(';')).join('\r\n')}\r\n`, 'utf16le'),
  ],
  ['Parquet, uncompressed', () => parquet('uncompressed')],
  ['Parquet, zstd', () => parquet('zstd')],
  ['xlsx', async () => Buffer.from(await writeXlsx({ sheets: [{ name: 'Data', rows: [['a', 'b', 'c'], ...rows] }] }))],
  ['sav, uncompressed', () => sav(0)],
  ['sav, bytecode', () => sav(1)],
  ['zsav', () => sav(2)],
  ...(existsSync(shared)
    ? ([
        ['xls', () => readFileSync(join(shared, 'excel/vietnamese-utf8.xls'))],
        ['xlsb', () => readFileSync(join(shared, 'excel/any_sheets.xlsb'))],
      ] as const)
    : []),
]

let files = 0
async function outcome(bytes: Uint8Array) {
  const result = await read(folder.write(`damaged-${files++}`, bytes), folder.path)
  // Whatever is wrong with a file, its reader does not die of it, and says in a sentence what it found.
  expect(result).not.toHaveProperty('died')
  if ('refused' in result) expect(result.refused).toMatch(/^[A-Z\d].*\.$/s)
  return result
}

describe.each(FILES)('%s', (name, make) => {
  it('is read when it is whole, and wherever it is cut it is refused or shorter', async () => {
    const bytes = await make()
    const whole = await outcome(bytes)
    if (!name.startsWith('xls')) expect(whole).toMatchObject({ rows: ROWS })
    else expect(whole).toHaveProperty('rows')
    for (let cut = 0; cut < 16; cut++) {
      const result = await outcome(bytes.subarray(0, Math.floor((cut / 16) * bytes.length)))
      // Text has no end by which a reader could know that more was to come; all others are refused.
      if (!name.startsWith('CSV')) expect(result).toHaveProperty('refused')
    }
  })

  it('with any byte changed gives a table or a refusal in words, never a crash', async () => {
    const bytes = await make()
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(changes, async (wrong) => {
        const damaged = Buffer.from(bytes)
        for (const [at, byte] of wrong) damaged[at] = byte
        const result = await outcome(damaged)
        if ('rows' in result) expect(result.columns.length).toBeGreaterThan(0)
      }),
      { numRuns: 20 },
    )
  })
})
