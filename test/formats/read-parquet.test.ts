import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { COLUMNS, makeBlock, rowValues } from './blocks.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
let files = 0

/** Writes what a query gives. */
async function parquet(query: string, settings = ''): Promise<string> {
  const path = join(folder.path, `made-${files++}.parquet`)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet${settings})`)
  connection.closeSync()
  instance.closeSync()
  return path
}

async function read(path: string, maxSampleRows = 200_000): Promise<RawTable> {
  const table = await readTable(path, { tempDir: folder.path, maxSampleRows })
  checkConsistency(table)
  return table
}

async function values(...rows: string[]): Promise<RawTable> {
  return read(
    await parquet(
      `SELECT v, i FROM (VALUES ${rows.map((row, i) => `(${row}, ${i})`).join(', ')}) AS t(v, i) ORDER BY i`,
    ),
  )
}

it('times that RFC 3339 cannot express are missing, with a note', async () => {
  const table = await values(
    "TIMESTAMP '290000-01-01 00:00:00'",
    "TIMESTAMP '9999-12-31 23:59:59'",
    "TIMESTAMP '0001-01-01 00:00:00'",
    "TIMESTAMP '0044-03-15 (BC) 12:00:00'",
    "'infinity'::TIMESTAMP",
  )
  expect(readColumn(table, 'v')).toEqual([null, '9999-12-31T23:59:59', '0001-01-01T00:00:00', null, null])
  expect(table.notes).toEqual([
    'Column "v" has times before the year 1 or after the year 9999, which were taken as missing.',
  ])
})

describe('types are read as declared', () => {
  it.each([
    ['integers', ['1::INTEGER', 'NULL', '-3'], 'number', [1, null, -3]],
    ['unsigned integers', ['255::UTINYINT', 'NULL', '0'], 'number', [255, null, 0]],
    ['integers beyond 2^53', ['9007199254740993::BIGINT', 'NULL', '5'], 'text', ['9007199254740993', null, '5']],
    ['decimals', ['1.50::DECIMAL(6,2)', 'NULL', '2.25'], 'number', [1.5, null, 2.25]],
    ['floats of 32 bits', ['0.1::FLOAT', 'NULL', '2.5'], 'number', [0.1, null, 2.5]],
    ['doubles that are not finite', ["'nan'::DOUBLE", "'inf'::DOUBLE", '2.5'], 'number', [null, null, 2.5]],
    ['booleans', ['true', 'NULL', 'false'], 'boolean', ['true', null, 'false']],
    ['dates', ["DATE '2024-02-29'", 'NULL', "DATE '1969-12-31'"], 'date', ['2024-02-29', null, '1969-12-31']],
    [
      'timestamps',
      ["TIMESTAMP '2024-02-29 10:20:30'", 'NULL', "TIMESTAMP '1969-12-31 00:00:00'"],
      'date-time',
      ['2024-02-29T10:20:30', null, '1969-12-31T00:00:00'],
    ],
    [
      'timestamps at midnight',
      ["TIMESTAMP '2024-02-29'", 'NULL', "TIMESTAMP '2024-03-01'"],
      'date',
      ['2024-02-29', null, '2024-03-01'],
    ],
    [
      'timestamps with a zone',
      ["TIMESTAMPTZ '2024-02-29 10:20:30+02'", 'NULL', "TIMESTAMPTZ '2024-02-29 10:20:30Z'"],
      'date-time',
      ['2024-02-29T08:20:30', null, '2024-02-29T10:20:30'],
    ],
    ['texts that say missing', ["'NA'", "''", "' x '"], 'text', [null, null, 'x']],
    ['enumerations', ["'b'::ENUM('a', 'b')", 'NULL', "'a'"], 'text', ['b', null, 'a']],
    ['bytes that are text', ["'abc'::BLOB", 'NULL', "'d'::BLOB"], 'text', ['abc', null, 'd']],
    ['times of day', ["TIME '10:30:00'", 'NULL', "TIME '11:00:00'"], 'number', [37_800, null, 39_600]],
  ] as const)('%s', async (_, rows, type, expected) => {
    const table = await values(...rows)
    expect(columnOf(table, 'v').type).toBe(type)
    expect(readColumn(table, 'v')).toEqual(expected)
  })

  it('decimals have the digits of the values, not of the declaration', async () => {
    expect(columnOf(await values('1.50::DECIMAL(9,4)', '2.25'), 'v')).toMatchObject({
      decimals: 2,
      min: 1.5,
      max: 2.25,
    })
  })
})

describe('texts with missing values from a dictionary', () => {
  it('are grouped correctly: a null is no text', async () => {
    const path = await parquet(
      "SELECT CASE WHEN i % 21 = 0 THEN NULL ELSE 'id' || lpad((i * 7919 % 95)::VARCHAR, 3, '0') END AS v, i FROM range(10001) r(i)",
    )
    const table = await read(path)
    const expected = Array.from({ length: 10_001 }, (_, i) =>
      i % 21 === 0 ? null : `id${String((i * 7919) % 95).padStart(3, '0')}`,
    )
    expect(readColumn(table, 'v')).toEqual(expected)
    expect(columnOf(table, 'v')).toMatchObject({ distinct: 95, missing: 477 })
  })
})

describe('columns', () => {
  it('of structures become one per field; lists and binary data are left out and named', async () => {
    const path = await parquet(
      `SELECT 1 AS a, {'street': 'x', 'geo': {'lat': 1.5}} AS home, [0.1, 0.2] AS place, MAP {'k': 1} AS m, '\\xFF'::BLOB AS photo`,
    )
    const table = await read(path)
    expect(table.columns.map((column) => column.name)).toEqual(['a', 'home.street', 'home.geo.lat'])
    expect(table.skippedColumns).toEqual([
      { name: 'place', detail: 'The column holds lists of values; to use them, write a column for each.' },
      { name: 'm', detail: 'The column holds lists of values; to use them, write a column for each.' },
      { name: 'photo', detail: 'The column holds binary data.' },
    ])
    expect(table.notes).toEqual([
      'Structured columns were split into one column per field.',
      'Column "place" was left out. The column holds lists of values; to use them, write a column for each.',
      'Column "m" was left out. The column holds lists of values; to use them, write a column for each.',
      'Column "photo" was left out. The column holds binary data.',
    ])
  })

  it('of lists of texts or whole numbers become several answers in a cell', async () => {
    const path = await parquet(
      `SELECT * FROM (VALUES (['tea', 'milk'], [1, 30]), (['say "hi"', NULL], [2]), ([], NULL), (NULL, [3])) AS t(drinks, codes)`,
    )
    const table = await read(path)
    expect(readColumn(table, 'drinks')).toEqual(['["tea","milk"]', `["say 'hi'"]`, '[]', null])
    expect(readColumn(table, 'codes')).toEqual(['["1","30"]', '["2"]', null, '["3"]'])
    expect(table.notes).toContain('Column "drinks" holds lists, which were read as several answers in a cell.')
  })

  it('of other lists only make the file unreadable', async () => {
    await expect(read(await parquet('SELECT [1.5] AS a'))).rejects.toThrow(/no usable column/)
  })

  it('keep names with a meaning in SQL', async () => {
    const table = await read(await parquet(`SELECT 1 AS "a""b", 'x' AS "select", 2 AS "c'; DROP TABLE x"`))
    expect(table.columns.map((column) => column.name)).toEqual(['a"b', 'select', "c'; DROP TABLE x"])
  })
})

describe('rows', () => {
  it('are left out and counted if all their values are null', async () => {
    const table = await read(await parquet("SELECT * FROM (VALUES (1, 'x'), (NULL, NULL), (3, NULL)) AS t(a, b)"))
    expect(readColumn(table, 'a')).toEqual([1, 3])
    expect(table).toMatchObject({ rowCount: 2, droppedRows: { empty: 1, repeatedHeader: 0 } })
  })

  it('stay if there is a single column', async () => {
    expect(readColumn(await read(await parquet('SELECT * FROM (VALUES (1), (NULL)) AS t(a)')), 'a')).toEqual([1, null])
  })

  it('of many row groups are sampled in the sequence of the file', async () => {
    const path = await parquet("SELECT i AS id, 'k' || (i % 3) AS k FROM range(30000) r(i)", ', ROW_GROUP_SIZE 2048')
    const table = await read(path, 1_000)
    expect(table).toMatchObject({ rowCount: 30_000, sampleRows: 1_000 })
    const ids = readColumn(table, 'id') as number[]
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(readColumn(table, 'k')).toEqual(ids.map((id) => `k${id % 3}`))
    expect(columnOf(table, 'k')).toMatchObject({ counts: Float64Array.of(10_000, 10_000, 10_000) })
  })
})

describe('texts without a declaration', () => {
  it.each([
    ['numbers', ["'1'", 'NULL', "'2.5'"], 'number', [1, null, 2.5]],
    ['numbers with blanks and words for missing', ["' 7 '", "'NA'", "'8'"], 'number', [7, null, 8]],
    ['numbers with decimal commas', ["'1,5'", "'2,25'", "'3'"], 'number', [1.5, 2.25, 3]],
    ['amounts', ["'$1,200'", "'-$3.50'", "'$9'"], 'number', [1200, -3.5, 9]],
    ['dates', ["'31/12/2024'", "'01/02/2023'", 'NULL'], 'date', ['2024-12-31', '2023-02-01', null]],
    ['truth values', ["'TRUE'", "'false'", "'true'"], 'boolean', ['true', 'false', 'true']],
    ['codes with leading zeros', ["'007'", "'012'", "'100'"], 'text', ['007', '012', '100']],
    ['codes of classes', ["'1E1'", "'2E2'", "'3E1'"], 'text', ['1E1', '2E2', '3E1']],
    ['several answers', ["'1,2'", "'2'", "'1,3,4'"], 'text', ['1,2', '2', '1,3,4']],
    ['numbers among words', ["'1'", "'many'", "'2'"], 'text', ['1', 'many', '2']],
  ] as const)('are read as in a CSV file: %s', async (_, rows, type, expected) => {
    const table = await values(...rows)
    expect([columnOf(table, 'v').type, readColumn(table, 'v')]).toEqual([type, expected])
  })

  it.each([
    ['a text', "'x'"],
    ['a number', '1'],
  ])('or nothing are boxes, as in a CSV file: %s', async (_, tick) => {
    const table = await values(tick, 'NULL', tick, 'NULL')
    expect(readColumn(table, 'v')).toEqual([1, 0, 1, 0])
    expect(table.notes).toContain('Column "v" has one answer or none, which were read as 1 and 0.')
    expect(readColumn(await values("'x'", "'NA'", "'x'", 'NULL'), 'v')).toEqual(['x', null, 'x', null])
  })

  it('say how "NA" among codes of two letters is kept', async () => {
    const codes = ["'RM'", "'MI'", "'NA'", "'TO'", "'FI'"]
    expect((await values(...codes)).notes.join()).toContain('name all of them under "levels" in the study')
    expect((await values(...codes, "'Lyon'")).notes.join()).not.toContain('under "levels"')
  })

  it('are counted in the whole file where its rows are sampled', async () => {
    const path = await parquet('SELECT CASE WHEN i % 2 = 0 THEN (i % 900)::VARCHAR END AS v FROM range(20000) r(i)')
    const table = await read(path, 500)
    expect(columnOf(table, 'v')).toMatchObject({ type: 'number', missing: 10_000, min: 0, max: 898, distinct: 450 })
    expect(table.sampleRows).toBe(500)
  })

  it('have a note where a few are no numbers, and stay where a study names their levels', async () => {
    const path = await parquet(
      "SELECT CASE WHEN i = 9 THEN 'lost' ELSE (i % 40)::VARCHAR END AS v, i FROM range(400) r(i)",
    )
    expect((await read(path)).notes).toContain(
      'Column "v" has 1 value that is not a number, which was read as missing.',
    )
    const options = { tempDir: folder.path, textColumns: new Set(['v']) }
    expect(columnOf(await readTable(path, options), 'v').type).toBe('text')
  })

  it('stay texts in a file whose texts have been read', async () => {
    const path = join(folder.path, 'read.parquet')
    const columns = [{ name: 'code', kind: 'categorical', levels: ['1', '2'], integer: false }] as const
    const writer = await openTableWriter(path, 'parquet', columns, {
      tempDir: folder.path,
      metadata: new Map([['whatif:texts', '{}']]),
    })
    await writer.write({ rowCount: 2, columns: [{ codes: Int32Array.of(0, 1) }] })
    await writer.close()
    expect(columnOf(await read(path), 'code').type).toBe('text')
  })
})

describe('a damaged file', () => {
  it.each(['snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw', 'uncompressed'])(
    'compressed with %s is read when whole, and refused when cut',
    async (codec) => {
      const path = await parquet('SELECT i AS a, md5(i::VARCHAR) AS b FROM range(3000) r(i)', `, COMPRESSION ${codec}`)
      expect((await read(path)).rowCount).toBe(3_000)
      const cut = folder.write('cut.parquet', readFileSync(path).subarray(0, 20_000))
      const error = await read(cut).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnreadableFileError)
      expect((error as UnreadableFileError).detail).toMatch(/damaged|cut short/)
      expect((error as UnreadableFileError).detail).not.toContain(folder.path)
    },
  )
})

describe('artifacts used as seed files', () => {
  it.each(['parquet', 'csv'] as const)('in %s are read value by value', async (format) => {
    const path = join(folder.path, `artifact.${format}`)
    const writer = await openTableWriter(path, format, COLUMNS, { tempDir: folder.path })
    await writer.write(makeBlock(0, 2_500))
    await writer.close()
    const table = await read(path)
    expect(table.columns.map((column) => column.type)).toEqual([
      ...['text', 'number', 'number', 'number', 'number', 'date', 'date-time'],
    ])
    for (const [c, { name }] of COLUMNS.entries()) {
      const expected = Array.from({ length: 2_500 }, (_, i) => rowValues(i)[c] ?? null)
      const trimmed = expected.map((cell) => (typeof cell === 'string' ? cell.trim().replace('.000', '') : cell))
      expect(readColumn(table, name)).toEqual(trimmed)
    }
  })
})
