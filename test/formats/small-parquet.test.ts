import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeParquet } from '../../src/formats/parquet/summarize-parquet.ts'
import { summarizeSmallParquet } from '../../src/formats/parquet/summarize-small-parquet.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import type { ArtifactRequest, ArtifactSummary } from '../../src/formats/reading/artifact-summary.ts'
import { ReadOtherwiseError, UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { COLUMNS, makeBlock } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const options = { tempDir: folder.path }
const NOTHING: ArtifactRequest = { shares: [], ranges: new Map(), numeric: [] }
const ROWS = 1_000

const summarizeSmall = (path: string, request: ArtifactRequest) => summarizeSmallParquet(readFileSync(path), request)

/** Rounded to the most digits that a manifest has, because sums in another sequence differ in the last bits. */
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

async function expectSame(path: string, request: ArtifactRequest): Promise<void> {
  const small = await summarizeSmall(path, request)
  expect(rounded(small)).toEqual(rounded(await summarizeParquet(path, request, options)))
}

it('numbers whose squares exceed a double have a mean and a spread', async () => {
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
  await expectSame(path, request)
  const { mean, sd } = (await summarizeSmall(path, request)).numeric.get('x')!
  expect(mean! / 1e300).toBeCloseTo(1, 12)
  expect(sd! / 1e300).toBeCloseTo(2, 12)
})

describe('the counts of a small Parquet file equal those of DuckDB', () => {
  const path = join(folder.path, 'small.parquet')

  beforeAll(async () => {
    const writer = await openTableWriter(path, 'parquet', COLUMNS, options)
    await writer.write(makeBlock(0, ROWS))
    await writer.close()
  })

  it.each(['región', 'q1', 'big', 'visits'])('for the levels of "%s"', async (name) => {
    await expectSame(path, { ...NOTHING, shares: [name] })
  })

  it.each(['q1', 'big', 'visits', 'spend'])('for the numbers of "%s", with and without a range', async (name) => {
    await expectSame(path, { ...NOTHING, numeric: [name] })
    await expectSame(path, { ...NOTHING, numeric: [name], ranges: new Map([[name, { min: 2, max: 40 }]]) })
  })

  it('for values inside the levels of a column', async () => {
    const segments = [
      { by: 'región', shares: ['q1', 'big'], numeric: ['spend', 'visits'] },
      { by: 'q1', shares: ['región'], numeric: ['spend'] },
    ]
    await expectSame(path, { ...NOTHING, segments })
  })

  it('for combinations of levels', async () => {
    await expectSame(path, {
      ...NOTHING,
      tables: [
        ['región', 'q1'],
        ['big', 'q1', 'región'],
      ],
    })
  })

  it('for a request for a missing column', async () => {
    const request = { ...NOTHING, shares: ['region'] }
    await expect(summarizeSmall(path, request)).rejects.toBeInstanceOf(UnreadableFileError)
  })
})

describe('a small Parquet file', () => {
  const path = join(folder.path, 'small.parquet')

  it.each(['born', 'seen'])('counts its dates as numbers ("%s")', async (name) => {
    await expectSame(path, { ...NOTHING, numeric: [name] })
  })

  it.each([
    ['dates as levels', { ...NOTHING, shares: ['born'] }],
    ['times as levels', { ...NOTHING, shares: ['seen'] }],
    ['words as numbers', { ...NOTHING, numeric: ['región'] }],
  ])('is left to DuckDB with %s', async (_, request) => {
    await expect(summarizeSmall(path, request)).rejects.toBeInstanceOf(ReadOtherwiseError)
    expect((await summarizeArtifact(path, 'parquet', request, options)).rows).toBe(ROWS)
  })

  it('that unpacks to millions of values is left to DuckDB, which uses temporary files', async () => {
    const many = join(folder.path, 'many.parquet')
    const columns = [{ name: 'x', kind: 'numeric', integer: true, decimals: 0 }] as const
    const writer = await openTableWriter(many, 'parquet', columns, options)
    const block = { rowCount: 1_000_000, columns: [{ values: new Float64Array(1_000_000), valid: null }] }
    for (let i = 0; i < 3; i++) await writer.write(block)
    await writer.close()
    expect(readFileSync(many).length).toBeLessThan(256 * 1024)
    await expect(summarizeSmall(many, NOTHING)).rejects.toBeInstanceOf(ReadOtherwiseError)
    expect((await summarizeArtifact(many, 'parquet', NOTHING, options)).rows).toBe(3_000_000)
  })
})
