import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { summarizeSmallCsv } from '../../src/formats/csv/summarize-small-csv.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeSmallParquet } from '../../src/formats/parquet/summarize-small-parquet.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import type { ArtifactRequest, ArtifactSummary } from '../../src/formats/reading/artifact-summary.ts'
import { ReadOtherwiseError, UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { summarizeTable } from '../../src/formats/summarize-table.ts'
import { COLUMNS, makeBlock } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const options = { tempDir: folder.path }
const NOTHING: ArtifactRequest = { shares: [], ranges: new Map(), numeric: [] }
const ROWS = 1_000

const summarizeSmall = async (format: 'parquet' | 'csv', path: string, request: ArtifactRequest) => {
  const bytes = readFileSync(path)
  return format === 'csv' ? summarizeSmallCsv(bytes, request) : summarizeSmallParquet(bytes, request)
}

/** With as many digits as a manifest could ever hold: sums in another order differ in the last bits. */
function rounded({ numeric, segments = new Map(), ...rest }: ArtifactSummary): object {
  const digits = (value: number | null) => (value === null ? null : Number(value.toPrecision(12)))
  return {
    ...rest,
    segments: [...segments].map(([by, levels]) => [
      by,
      [...levels].map(([level, counts]) => [level, rounded({ ...counts, columns: [], ranges: new Map() })]),
    ]),
    numeric: [...numeric].map(([name, { mean, sd, quantiles, ...counts }]) => [
      name,
      { ...counts, mean: digits(mean), sd: digits(sd), quantiles: quantiles?.map(digits) },
    ]),
  }
}

async function expectSame(format: 'parquet' | 'csv', path: string, request: ArtifactRequest): Promise<void> {
  const small = await summarizeSmall(format, path, request)
  expect(rounded(small)).toEqual(rounded(await summarizeTable(path, format, request, options)))
}

it('numbers whose squares no double holds have a mean and a spread', async () => {
  const path = join(folder.path, 'huge.parquet')
  const writer = await openTableWriter(
    path,
    'parquet',
    [{ name: 'x', kind: 'numeric', integer: false, decimals: 1 }],
    options,
  )
  await writer.write({ rowCount: 3, columns: [{ values: Float64Array.of(1e300, 3e300, -1e300), valid: null }] })
  await writer.close()
  const request = { ...NOTHING, numeric: ['x'] }
  await expectSame('parquet', path, request)
  const { mean, sd } = (await summarizeSmall('parquet', path, request)).numeric.get('x')!
  expect(mean! / 1e300).toBeCloseTo(1, 12)
  expect(sd! / 1e300).toBeCloseTo(2, 12)
})

describe.each(['parquet', 'csv'] as const)('a small %s file is counted as DuckDB counts it', (format) => {
  const path = join(folder.path, `small.${format}`)

  beforeAll(async () => {
    const writer = await openTableWriter(path, format, COLUMNS, options)
    await writer.write(makeBlock(0, ROWS))
    await writer.close()
    // Among carriage returns a line feed of its own is a matter for DuckDB.
    if (format === 'csv') writeFileSync(path, readFileSync(path, 'utf8').replaceAll('🦆\nline', '🦆 line'))
  })

  it.each(['región', 'q1', 'big', 'visits'])('by the levels of "%s"', async (name) => {
    await expectSame(format, path, { ...NOTHING, shares: [name] })
  })

  it.each(['q1', 'big', 'visits', 'spend'])('by the numbers of "%s", with and without a range', async (name) => {
    await expectSame(format, path, { ...NOTHING, numeric: [name] })
    await expectSame(format, path, { ...NOTHING, numeric: [name], ranges: new Map([[name, { min: 2, max: 40 }]]) })
  })

  it('inside the levels of a column', async () => {
    const segments = [
      { by: 'región', shares: ['q1', 'big'], numeric: ['spend', 'visits'] },
      { by: 'q1', shares: ['región'], numeric: ['spend'] },
    ]
    await expectSame(format, path, { ...NOTHING, segments })
  })

  it('and a request for a missing column', async () => {
    const request = { ...NOTHING, shares: ['region'] }
    await expect(summarizeSmall(format, path, request)).rejects.toBeInstanceOf(UnreadableFileError)
  })
})

describe('a small Parquet file', () => {
  const path = join(folder.path, 'small.parquet')

  it.each(['born', 'seen'])('has its dates counted as numbers ("%s")', async (name) => {
    await expectSame('parquet', path, { ...NOTHING, numeric: [name] })
  })

  it.each([
    ['dates as levels', { ...NOTHING, shares: ['born'] }],
    ['times as levels', { ...NOTHING, shares: ['seen'] }],
    ['words as numbers', { ...NOTHING, numeric: ['región'] }],
  ])('is left to DuckDB with %s', async (_, request) => {
    await expect(summarizeSmall('parquet', path, request)).rejects.toBeInstanceOf(ReadOtherwiseError)
    expect((await summarizeArtifact(path, 'parquet', request, options)).rows).toBe(ROWS)
  })

  it('that unpacks to millions of values is left to DuckDB, which spills', async () => {
    const many = join(folder.path, 'many.parquet')
    const columns = [{ name: 'x', kind: 'numeric', integer: true, decimals: 0 }] as const
    const writer = await openTableWriter(many, 'parquet', columns, options)
    const block = { rowCount: 1_000_000, columns: [{ values: new Float64Array(1_000_000), valid: null }] }
    for (let i = 0; i < 3; i++) await writer.write(block)
    await writer.close()
    expect(readFileSync(many).length).toBeLessThan(256 * 1024)
    await expect(summarizeSmall('parquet', many, NOTHING)).rejects.toBeInstanceOf(ReadOtherwiseError)
    expect((await summarizeArtifact(many, 'parquet', NOTHING, options)).rows).toBe(3_000_000)
  })
})

describe('a small CSV file', () => {
  const request = (text: string) => ({ ...NOTHING, shares: text.startsWith('a,') ? ['a'] : [], numeric: ['b'] })

  it.each([
    ['quoted fields', 'a,b\n"x, y",1\n"say ""hi""",-2.50\n'],
    ['line feeds within quotes', 'a,b\n"two\nlines",1\n'],
    ['missing values of every form', 'a,b\n,\nNA,NaN\nnull,na\nx,7\n'],
    ['carriage returns', 'a,b\r\nx,1\r\ny,2\r\n'],
    ['no line feed at its end', 'a,b\nx,1\ny,2'],
    ['a mark at its beginning', '\ufeffa,b\nx,1\n'],
    ['leading zeros and long numbers', 'a,b\n01,007\n1,12345678901234567.25\n'],
    ['no rows', 'a,b\n'],
  ])('with %s is counted as DuckDB counts it', async (_, text) => {
    await expectSame('csv', folder.write('form.csv', text), request(text))
  })

  it.each([
    ['one column', 'b\n1\n'],
    ['blank lines', 'a,b\nx,1\n\ny,2\n'],
    ['a blank line at its end', 'a,b\nx,1\n\n'],
    ['uneven rows', 'a,b\nx,1\ny\n'],
    ['an open quote', 'a,b\n"x,1\n'],
    ['text behind a quote', 'a,b\n"x"y,1\n'],
    ['both kinds of line ends', 'a,b\r\nx,1\ny,2\r\n'],
    ['a line feed within quotes among carriage returns', 'a,b\r\n"two\nlines",1\r\n'],
    ['carriage returns alone', 'a,b\rx,1\r'],
    ['dates', 'a,b\nx,2024-12-31\n'],
    ['exponents', 'a,b\nx,1e5\n'],
    ['words among numbers', 'a,b\nx,ten\n'],
    ['zero bytes', 'a,b\nx\0,1\n'],
  ])('with %s is left to DuckDB', (_, text) => {
    expect(() => summarizeSmallCsv(Buffer.from(text), request(text))).toThrow(ReadOtherwiseError)
  })
})
