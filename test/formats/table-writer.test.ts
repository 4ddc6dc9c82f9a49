import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from '@uwdata/flechette'
import { parse } from 'csv-parse/sync'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, it } from 'vitest'
import type { Block, OutputColumn } from '../../src/base/output-table.ts'
import type { OutputFormat } from '../../src/base/result-formats.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeParquet } from '../../src/formats/parquet/summarize-parquet.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import { COLUMNS, makeBlock, type RowValues, rowValues } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const FORMATS: readonly OutputFormat[] = ['parquet', 'csv', 'arrow']
let files = 0

async function write(
  format: OutputFormat,
  columns: readonly OutputColumn[],
  blocks: readonly Block[],
  { into = folder.path, isSmall = false } = {},
) {
  const path = join(into, `written-${files++}.${format}`)
  const writer = await openTableWriter(path, format, columns, { tempDir: folder.path, memoryLimitMb: 512, isSmall })
  for (const block of blocks) await writer.write(block)
  await writer.close()
  return path
}

interface ReadBack {
  readonly names: readonly string[]
  readonly rows: readonly RowValues[]
}

/** Independent readers: none of them is used by the writers. */
const READERS: Readonly<Record<OutputFormat, (path: string, columns: readonly OutputColumn[]) => Promise<ReadBack>>> = {
  async parquet(path, columns) {
    const file = await asyncBufferFromFile(path)
    const { schema } = await parquetMetadataAsync(file)
    const objects = await parquetReadObjects({ file, compressors })
    const names = schema.slice(1).map((element) => element.name)
    return { names, rows: objects.map((row) => columns.map((column) => plain(row[column.name], column))) }
  },
  async csv(path, columns) {
    const [names, ...rows] = parse(readFileSync(path), { recordDelimiter: '\r\n' }) as string[][]
    const cell = (text: string, column: OutputColumn) => {
      if (text === '') return null
      const isText =
        column.kind === 'date' || column.kind === 'date-time' || (column.kind === 'categorical' && !column.integer)
      if (column.kind === 'date-time') return text.length === 19 ? `${text}.000` : text
      return isText ? text : Number(text)
    }
    return { names: names!, rows: rows.map((row) => row.map((text, i) => cell(text, columns[i]!))) }
  },
  async arrow(path, columns) {
    const table = tableFromIPC(readFileSync(path))
    const rows = Array.from({ length: table.numRows }, (_, row) =>
      columns.map((column) => plain(table.getChild(column.name).at(row), column)),
    )
    return { names: table.names.map(String), rows }
  },
}

function plain(value: unknown, column: OutputColumn): string | number | null {
  if (value === null || value === undefined) return null
  if (column.kind === 'date' || column.kind === 'date-time') {
    const text = new Date(value as number | Date).toISOString()
    return column.kind === 'date' ? text.slice(0, 10) : text.replace('Z', '')
  }
  return typeof value === 'bigint' ? Number(value) : (value as string | number)
}

describe.each(FORMATS)('a table written as %s', (format) => {
  it('gives the same values in another reader', async () => {
    const path = await write(format, COLUMNS, [makeBlock(0, 5_000), makeBlock(5_000, 1), makeBlock(5_001, 2_999)])
    const { names, rows } = await READERS[format](path, COLUMNS)
    expect(names).toEqual(COLUMNS.map((column) => column.name))
    expect(rows).toEqual(Array.from({ length: 8_000 }, (_, i) => rowValues(i)))
  })

  it('has the same bytes each time, with or without empty blocks', async () => {
    const first = await write(format, COLUMNS, [makeBlock(0, 3_000), makeBlock(3_000, 3_000)])
    const second = await write(format, COLUMNS, [makeBlock(0, 3_000), makeBlock(0, 0), makeBlock(3_000, 3_000)])
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
  })

  it('keeps names apart that differ only in capital letters', async () => {
    const long = 'Wie zufrieden sind Sie, alles in allem, mit Ihrem Leben? '.repeat(4)
    const names = ['a', 'A', 'A_1', 'ä', 'Ä', long, long.toUpperCase()]
    const columns = names.map(
      (name): OutputColumn => ({ name, kind: 'categorical', levels: ['x', 'y'], integer: false }),
    )
    const codes = (i: number) => Int32Array.from({ length: 300 }, (_, row) => ((row >> i) & 1 ? 1 : 0))
    const block: Block = { rowCount: 300, columns: names.map((_, i) => ({ codes: codes(i) })) }
    const path = await write(format, columns, [block])
    const { names: found, rows } = await READERS[format](path, columns)
    expect(found).toEqual(names)
    expect(rows[37]).toEqual(['y', 'x', 'y', 'x', 'x', 'y', 'x'])
    expect(readFileSync(path).equals(readFileSync(await write(format, columns, [block])))).toBe(true)
    const asked = { shares: names, ranges: new Map(), numeric: [] }
    const options = { tempDir: folder.path, memoryLimitMb: 512 }
    const small = await summarizeArtifact(path, format, asked, options)
    expect(small.shares.get('A')?.counts).toEqual(
      new Map([
        ['x', 150],
        ['y', 150],
      ]),
    )
    if (format === 'parquet') expect(await summarizeParquet(path, asked, options)).toEqual(small)
  })

  it('does not round numbers whose counted decimals say little', async () => {
    const columns: OutputColumn[] = [
      { name: 'p', kind: 'numeric', integer: false, decimals: 12 },
      { name: 'share', kind: 'numeric', integer: false, decimals: 11 },
    ]
    const p = [3.25e-18, -2.5e-13, 4.56789e-9, 0.1 + 0.2, 5e-12, 0]
    const share = p.map(() => 1.23e-13)
    const block: Block = {
      rowCount: p.length,
      columns: [p, share].map((values) => ({ values: Float64Array.from(values), valid: null })),
    }
    const { rows } = await READERS[format](await write(format, columns, [block]), columns)
    expect(rows).toEqual([3.25e-18, -2.5e-13, 4.56789e-9, 0.3, 5e-12, 0].map((value) => [value, 0]))
  })

  it('may have no rows', async () => {
    const path = await write(format, COLUMNS, [])
    expect(await READERS[format](path, COLUMNS)).toEqual({ names: COLUMNS.map((column) => column.name), rows: [] })
  })

  it('may have columns without a level or a value', async () => {
    const columns: OutputColumn[] = [
      { name: 'nothing', kind: 'categorical', levels: [], integer: false },
      { name: 'none', kind: 'numeric', integer: true, decimals: 0 },
      { name: 'some', kind: 'numeric', integer: false, decimals: 1 },
    ]
    const block: Block = {
      rowCount: 2,
      columns: [
        { codes: Int32Array.of(-1, -1) },
        { values: new Float64Array(2), valid: new Uint8Array(2) },
        { values: Float64Array.of(0.5, -0), valid: null },
      ],
    }
    const { rows } = await READERS[format](await write(format, columns, [block]), columns)
    expect(rows).toEqual([
      [null, null, 0.5],
      [null, null, 0],
    ])
  })

  it('has decimals rounded to the decimals of the column', async () => {
    const columns: OutputColumn[] = [{ name: 'x', kind: 'numeric', integer: false, decimals: 2 }]
    const block: Block = {
      rowCount: 4,
      columns: [{ values: Float64Array.of(0.1 + 0.2, 1.005, -2.344999, 12345678.125), valid: null }],
    }
    const { rows } = await READERS[format](await write(format, columns, [block]), columns)
    expect(rows).toEqual([[0.3], [1], [-2.34], [12345678.13]])
  })

  it('does not depend on memory that the caller reuses', async () => {
    const path = join(folder.path, `reused.${format}`)
    const writer = await openTableWriter(path, format, [COLUMNS[3]!], { tempDir: folder.path })
    const values = new Float64Array(4)
    for (const start of [0, 4, 8]) {
      for (let i = 0; i < 4; i++) values[i] = start + i
      await writer.write({ rowCount: 4, columns: [{ values, valid: null }] })
    }
    values.fill(-1)
    await writer.close()
    const { rows } = await READERS[format](path, [COLUMNS[3]!])
    expect(rows.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('is removed without a trace on abort, before and after blocks', async () => {
    for (const blocks of [0, 1]) {
      const path = join(folder.path, `aborted.${format}`)
      const writer = await openTableWriter(path, format, COLUMNS, { tempDir: folder.path })
      if (blocks > 0) await writer.write(makeBlock(0, 100))
      await writer.abort()
      expect(existsSync(path)).toBe(false)
    }
    expect(readdirSync(folder.path).filter((name) => name.startsWith('tables-'))).toEqual([])
  })

  it('replaces an existing file', async () => {
    const path = folder.write(`old.${format}`, 'x'.repeat(100_000))
    const writer = await openTableWriter(path, format, COLUMNS, { tempDir: folder.path })
    await writer.write(makeBlock(0, 10))
    await writer.close()
    expect((await READERS[format](path, COLUMNS)).rows).toHaveLength(10)
  })

  it.each([
    ['without columns', [], /at least one column/],
    ['with two columns of one name', [COLUMNS[3]!, COLUMNS[3]!], /same name/],
  ])('is refused %s', async (_, columns, message) => {
    await expect(openTableWriter(join(folder.path, 'x'), format, columns, { tempDir: folder.path })).rejects.toThrow(
      message,
    )
  })

  it('refuses blocks of another shape', async () => {
    const writer = await openTableWriter(join(folder.path, `shape.${format}`), format, COLUMNS.slice(0, 1), {
      tempDir: folder.path,
    })
    await expect(writer.write(makeBlock(0, 1))).rejects.toThrow('a block of 1 columns was expected, not of 7')
    await expect(writer.write({ rowCount: 1, columns: [{ values: Float64Array.of(1), valid: null }] })).rejects.toThrow(
      'column "región" is categorical, and its block holds values',
    )
    await expect(writer.write({ rowCount: 2, columns: [{ codes: Int32Array.of(0) }] })).rejects.toThrow(
      'has 1 rows of 2',
    )
    await writer.abort()
  })
})

describe.each(['parquet', 'arrow'] as const)('%s', (format) => {
  it('stores whole numbers of more than 32 bits', async () => {
    const columns: OutputColumn[] = [{ name: 'n', kind: 'numeric', integer: true, decimals: 0 }]
    const numbers = [2 ** 53 - 1, 1 - 2 ** 53, 2 ** 32 + 1, 2 ** 32, -(2 ** 32), 2 ** 31, -1, 0]
    const path = await write(format, columns, [
      { rowCount: numbers.length, columns: [{ values: Float64Array.from(numbers), valid: null }] },
    ])
    expect((await READERS[format](path, columns)).rows.flat()).toEqual(numbers)
  })

  it('refuses whole numbers that it cannot store', async () => {
    const columns: OutputColumn[] = [{ name: 'n', kind: 'numeric', integer: true, decimals: 0 }]
    const path = join(folder.path, `beyond.${format}`)
    const writer = await openTableWriter(path, format, columns, { tempDir: folder.path })
    const block = { rowCount: 1, columns: [{ values: Float64Array.of(2 ** 63), valid: null }] }
    await expect(writer.write(block)).rejects.toThrow('9223372036854776000 is no whole number of 64 bits')
    await writer.abort()
  })

  it('stores missing values that occur in some blocks only', async () => {
    const columns: OutputColumn[] = [
      { name: 'few', kind: 'categorical', levels: ['a', 'b'], integer: false },
      {
        name: 'many',
        kind: 'categorical',
        levels: Array.from({ length: 300 }, (_, i) => `level ${i}`),
        integer: false,
      },
      { name: 'x', kind: 'numeric', integer: false, decimals: 1 },
    ]
    const rows = 3 * 2_048
    const isMissing = (i: number) => i >= 2_048 && i < 4_096 && i % 3 === 0
    const codes = (levels: number) => Int32Array.from({ length: rows }, (_, i) => (isMissing(i) ? -1 : i % levels))
    const block: Block = {
      rowCount: rows,
      columns: [
        { codes: codes(2) },
        { codes: codes(300) },
        {
          values: Float64Array.from({ length: rows }, (_, i) => i / 10),
          valid: Uint8Array.from({ length: rows }, (_, i) => (isMissing(i) ? 0 : 1)),
        },
      ],
    }
    const read = await READERS[format](await write(format, columns, [block]), columns)
    expect(read.rows).toEqual(
      Array.from({ length: rows }, (_, i) =>
        isMissing(i) ? [null, null, null] : [['a', 'b'][i % 2], `level ${i % 300}`, i / 10],
      ),
    )
  })
})

describe('Parquet', () => {
  it('of a small table has the bytes of any other, also where several are written at once and to several folders', async () => {
    const other = join(folder.path, 'other')
    mkdirSync(other)
    const long: OutputColumn = {
      kind: 'categorical',
      name: 'long',
      integer: false,
      levels: Array.from({ length: 300 }, (_, i) => `level ${i} '`),
    }
    const blocks = (shift: number): Block[] => {
      const codes = Int32Array.from({ length: 200 }, (_, i) => (i * 7 + shift) % 300)
      const { rowCount, columns } = makeBlock(shift, 200)
      return [{ rowCount, columns: [...columns, { codes }] }]
    }
    const columns = [...COLUMNS, long]
    const read = async (path: Promise<string>) => readFileSync(await path)
    const shifts = [0, 200, 400]
    const expected = await Promise.all(shifts.map(async (at) => await read(write('parquet', columns, blocks(at)))))
    for (const into of [folder.path, other, folder.path]) {
      const small = shifts.map(async (at) => await read(write('parquet', columns, blocks(at), { into, isSmall: true })))
      expect(await Promise.all(small)).toEqual(expected)
    }
    expect(readdirSync(other)).toHaveLength(shifts.length)
  })

  it('has typed columns compressed with zstd', async () => {
    const path = await write('parquet', COLUMNS, [makeBlock(0, 1_000)])
    const { schema, row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(path))
    expect(schema.slice(1).map((e) => `${e.name} ${e.type} ${e.converted_type ?? ''}`.trim())).toEqual([
      'región BYTE_ARRAY UTF8',
      'q1 INT32 INT_32',
      'big INT64 INT_64',
      'visits INT64 INT_64',
      'spend DOUBLE',
      'born INT32 DATE',
      'seen INT64 TIMESTAMP_MICROS',
    ])
    expect(groups.flatMap((group) => group.columns.map((column) => column.meta_data?.codec))).toEqual(
      Array.from({ length: 7 }, () => 'ZSTD'),
    )
  })
})

describe('CSV', () => {
  it('quotes where necessary, keeps formulas as they are and ends lines with CRLF', async () => {
    const path = await write('csv', COLUMNS.slice(0, 5), [
      { rowCount: 5, columns: makeBlock(0, 5).columns.slice(0, 5) },
    ])
    expect(readFileSync(path, 'utf8')).toBe(
      [
        'región,q1,big,visits,spend',
        'North,5,9007199254740991,-5000000000,-1.00',
        '"Süd, ""old""",1,-3000000000,,-0.87',
        '=1+1,3,9007199254740991,-4997999994,',
        ',5,-3000000000,-4996999991,-0.62',
        '" edge ",,9007199254740991,-4995999988,-0.50',
        '',
      ].join('\r\n'),
    )
  })

  it('of one column writes missing values so that readers do not skip them', async () => {
    const columns: OutputColumn[] = [{ name: 'a', kind: 'categorical', levels: ['x'], integer: false }]
    const path = await write('csv', columns, [{ rowCount: 3, columns: [{ codes: Int32Array.of(0, -1, 0) }] }])
    expect(readFileSync(path, 'utf8')).toBe('a\r\nx\r\n""\r\nx\r\n')
  })
})

describe('Arrow', () => {
  it('has one dictionary for all batches', async () => {
    const path = await write(
      'arrow',
      COLUMNS.slice(0, 1),
      [0, 1, 2].map((i) => ({ rowCount: 10, columns: makeBlock(i * 10, 10).columns.slice(0, 1) })),
    )
    const bytes = readFileSync(path)
    const needle = Buffer.from('Süd, "old"')
    expect(bytes.indexOf(needle)).toBeGreaterThan(0)
    expect(bytes.indexOf(needle)).toBe(bytes.lastIndexOf(needle))
  })
})
