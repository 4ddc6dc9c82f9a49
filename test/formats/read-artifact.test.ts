import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OutputFormat } from '../../src/base/result-formats.ts'
import { openTableWriter } from '../../src/formats/open-table-writer.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import type { ArtifactRequest } from '../../src/formats/reading/artifact-summary.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { COLUMNS, makeBlock, rowValues } from './blocks.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const FORMATS: readonly OutputFormat[] = ['parquet', 'csv', 'arrow']
const N = 4_000
const rows = Array.from({ length: N }, (_, i) => rowValues(i))
const options = { tempDir: folder.path }
const NOTHING: ArtifactRequest = { shares: [], ranges: new Map(), numeric: [] }

beforeAll(async () => {
  for (const format of FORMATS) {
    const writer = await openTableWriter(join(folder.path, `whole.${format}`), format, COLUMNS, options)
    for (let start = 0; start < N; start += 1_000) await writer.write(makeBlock(start, 1_000))
    await writer.close()
  }
})

/** Direct counting, to compare with. */
function countLevels(column: number): { counts: Map<string, number>; missing: number } {
  const counts = new Map<string, number>()
  let missing = 0
  for (const row of rows) {
    const cell = row[column] ?? null
    if (cell === null) missing++
    else counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1)
  }
  return { counts: new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1))), missing }
}

function valuesOf(column: number): number[] {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null)
  return cells.map((cell) => (typeof cell === 'number' ? cell : Date.parse(cell.length > 10 ? `${cell}Z` : cell)))
}

describe.each(FORMATS)('the summary of a %s file', (format) => {
  const path = join(folder.path, `whole.${format}`)

  it('counts rows and levels with missing values, and names columns', async () => {
    const request = { ...NOTHING, shares: ['región', 'q1', 'big'] }
    const summary = await summarizeArtifact(path, format, request, options)
    expect(summary.rows).toBe(N)
    expect(summary.columns).toEqual(COLUMNS.map((column) => column.name))
    expect([...summary.shares]).toEqual([
      ['región', countLevels(0)],
      ['q1', countLevels(1)],
      ['big', countLevels(2)],
    ])
    expect([...summary.shares.get('q1')!.counts.keys()]).toEqual(['1', '3', '5'])
  })

  it('counts levels and describes numbers inside the levels of a column', async () => {
    const segments = [{ by: 'región', shares: ['q1'], numeric: ['spend'] }]
    const summary = await summarizeArtifact(path, format, { ...NOTHING, segments }, options)
    const found = summary.segments?.get('región') ?? new Map()
    const levels = [...countLevels(0).counts.keys()]
    expect([...found.keys()]).toEqual(levels)
    for (const level of levels) {
      const inside = rows.filter((row) => row[0] === level)
      const { rows: count, shares, numeric } = found.get(level)!
      expect(count).toBe(inside.length)
      for (const [q1, n] of shares.get('q1')!.counts)
        expect(inside.filter((row) => String(row[1]) === q1)).toHaveLength(n)
      expect(shares.get('q1')!.missing).toBe(inside.filter((row) => (row[1] ?? null) === null).length)
      const spend = inside.flatMap((row) => (row[4] as number | null) ?? [])
      expect(numeric.get('spend')).toMatchObject({ count: spend.length, missing: inside.length - spend.length })
      const mean = spend.reduce((sum, value) => sum + value, 0) / spend.length
      if (spend.length === 0) expect(numeric.get('spend')!.mean).toBeNull()
      else expect(numeric.get('spend')!.mean).toBeCloseTo(mean, 9)
    }
  })

  it('counts combinations of levels', async () => {
    const tables = [
      ['región', 'q1'],
      ['q1', 'big', 'región'],
    ]
    const summary = await summarizeArtifact(path, format, { ...NOTHING, tables }, options)
    const places = { región: 0, q1: 1, big: 2 } as const
    for (const [i, columns] of tables.entries()) {
      const expected = new Map<string, number>()
      for (const row of rows) {
        const levels = columns.map((name) => row[places[name as keyof typeof places]] ?? null)
        if (levels.includes(null)) continue
        const key = JSON.stringify(levels.map(String))
        expected.set(key, (expected.get(key) ?? 0) + 1)
      }
      const found = summary.tables![i]!
      expect(found.columns).toEqual(columns)
      expect(found.counts.map(([levels, count]) => [JSON.stringify(levels), count])).toEqual(
        [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    }
  })

  it('refuses segments by a column of hundreds of levels', async () => {
    const segments = [{ by: 'spend', shares: ['q1'], numeric: [] }]
    const counting = summarizeArtifact(path, format, { ...NOTHING, segments }, options)
    await expect(counting).rejects.toThrow('Column "spend" has more than 50 levels, too many for segments.')
  })

  it('gives the smallest and largest values, and counts the values outside a range, whose ends are inside', async () => {
    const spend = valuesOf(4)
    const [min, max] = [spend[10]!, spend[2_000]!]
    const born = [Date.UTC(1960, 0, 1), Date.UTC(2000, 0, 1)] as const
    const ranges = new Map([
      ['spend', { min, max }],
      ['born', { min: born[0], max: born[1] }],
    ])
    const summary = await summarizeArtifact(path, format, { ...NOTHING, ranges }, options)
    expect(summary.ranges.get('spend')).toEqual({
      min: Math.min(...spend),
      max: Math.max(...spend),
      outside: spend.filter((x) => x < min || x > max).length,
      missing: N - spend.length,
    })
    const dates = valuesOf(5)
    expect(summary.ranges.get('born')).toEqual({
      min: Math.min(...dates),
      max: Math.max(...dates),
      outside: dates.filter((x) => x < born[0] || x > born[1]).length,
      missing: N - dates.length,
    })
  })

  it('describes the distribution of numbers', async () => {
    const summary = await summarizeArtifact(path, format, { ...NOTHING, numeric: ['spend', 'seen'] }, options)
    for (const [name, column] of [
      ['spend', 4],
      ['seen', 6],
    ] as const) {
      const values = valuesOf(column).sort((a, b) => a - b)
      const mean = values.reduce((sum, x) => sum + x, 0) / values.length
      const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1))
      const found = summary.numeric.get(name)!
      expect(found).toMatchObject({ count: values.length, missing: N - values.length })
      // Sums in another order differ in the last bits.
      expect(found.mean! / mean).toBeCloseTo(1, 12)
      expect(found.sd! / sd).toBeCloseTo(1, 12)
      const median = (values[Math.floor((values.length - 1) / 2)]! + values[Math.ceil((values.length - 1) / 2)]!) / 2
      expect(found.quantiles![2]).toBeCloseTo(median, 3)
      expect(found.quantiles).toEqual([...found.quantiles!].sort((a, b) => a - b))
    }
  })

  it('is the same to the last bit each time', async () => {
    const request: ArtifactRequest = {
      shares: ['región'],
      ranges: new Map([['visits', { min: 0, max: 1e9 }]]),
      numeric: ['spend'],
    }
    const first = await summarizeArtifact(path, format, request, options)
    expect(await summarizeArtifact(path, format, request, options)).toEqual(first)
    // The same holds for bytes in memory. The file is then read only if DuckDB is needed.
    expect(await summarizeArtifact(path, format, request, { ...options, content: readFileSync(path) })).toEqual(first)
  })

  it('refuses bytes in memory like the same file', async () => {
    const content = readFileSync(path)
    for (const bad of [Buffer.alloc(0), ...(format === 'csv' ? [] : [content.subarray(1), content.subarray(0, -1)])]) {
      const counting = summarizeArtifact(path, format, NOTHING, { ...options, content: bad })
      await expect(counting).rejects.toBeInstanceOf(UnreadableFileError)
    }
  })

  it('refuses a column that the file lacks', async () => {
    const request = { ...NOTHING, shares: ['region'] }
    await expect(summarizeArtifact(path, format, request, options)).rejects.toThrow(
      'The file has no column "region"; it has: región, q1, big, visits, spend, born, seen.',
    )
  })

  it('refuses a file of another format', async () => {
    const other = join(folder.path, format === 'parquet' ? 'whole.arrow' : 'whole.parquet')
    await expect(summarizeArtifact(other, format, NOTHING, options)).rejects.toBeInstanceOf(UnreadableFileError)
  })

  it.each([0, 1, 10, 50, 90, 99])('refuses a file cut at %i %', async (percent) => {
    const bytes = readFileSync(path)
    const cut = join(folder.path, `cut-${percent}.${format}`)
    // Between two rows a cut CSV file is whole; this cut is within one.
    const inRow = format === 'csv' && percent > 0 ? bytes.indexOf('\r\n', (bytes.length * percent) / 100) + 4 : null
    writeFileSync(cut, bytes)
    truncateSync(cut, inRow ?? Math.floor((bytes.length * percent) / 100))
    const request = { ...NOTHING, shares: ['región'] }
    await expect(summarizeArtifact(cut, format, request, options)).rejects.toBeInstanceOf(UnreadableFileError)
  })

  it('is empty for a file without rows', async () => {
    const empty = join(folder.path, `empty.${format}`)
    await (await openTableWriter(empty, format, COLUMNS, options)).close()
    const request: ArtifactRequest = {
      shares: ['q1'],
      ranges: new Map([['spend', { min: 0, max: 1 }]]),
      numeric: ['spend'],
    }
    const summary = await summarizeArtifact(empty, format, request, options)
    expect(summary.rows).toBe(0)
    expect(summary.shares.get('q1')).toEqual({ counts: new Map(), missing: 0 })
    expect(summary.ranges.get('spend')).toEqual({ min: null, max: null, outside: 0, missing: 0 })
    expect(summary.numeric.get('spend')).toEqual({ count: 0, missing: 0, mean: null, sd: null, quantiles: null })
  })
})

describe.each(['parquet', 'arrow'] as const)('damage within a %s file', (format) => {
  it('leads to a refusal or to figures, never to a crash', async () => {
    const bytes = readFileSync(join(folder.path, `whole.${format}`))
    const request = { ...NOTHING, shares: ['región', 'q1'], numeric: ['spend'] }
    const outcomes = { refused: 0, read: 0 }
    for (let i = 0; i < 12; i++) {
      const damaged = Buffer.from(bytes)
      const at = 8 + Math.floor(((bytes.length - 200) * i) / 12)
      damaged.fill(0xa5, at, at + 64)
      const path = folder.write(`damaged-${i}.${format}`, damaged)
      await summarizeArtifact(path, format, request, options).then(
        () => outcomes.read++,
        (error: unknown) => {
          expect(error).toBeInstanceOf(UnreadableFileError)
          outcomes.refused++
        },
      )
    }
    expect(outcomes.refused + outcomes.read).toBe(12)
    // Neither format has checksums over its values: damage to these is found by the sha256 of the download.
    if (format === 'parquet') expect(outcomes.refused).toBeGreaterThan(0)
  })
})

describe('a CSV file of another program', () => {
  const read = (text: string, request: Partial<ArtifactRequest>) =>
    summarizeArtifact(folder.write('other.csv', text), 'csv', { ...NOTHING, ...request }, options)

  it('keeps 01 apart from 1 and quoted texts whole', async () => {
    const { shares, rows: found } = await read('code,t\n01,"a,b"\n1,"two\nlines"\n01,\n', { shares: ['code', 't'] })
    expect(found).toBe(3)
    expect(shares.get('code')).toEqual({
      counts: new Map([
        ['01', 2],
        ['1', 1],
      ]),
      missing: 0,
    })
    expect(shares.get('t')).toEqual({
      counts: new Map([
        ['a,b', 1],
        ['two\nlines', 1],
      ]),
      missing: 1,
    })
  })

  it('counts words in a ranged column as outside, and missing words as missing', async () => {
    const { ranges } = await read('x,y\n5,a\nten,a\nNaN,a\n,a\n11,a\n', {
      ranges: new Map([['x', { min: 0, max: 10 }]]),
    })
    expect(ranges.get('x')).toEqual({ min: 5, max: 11, outside: 2, missing: 2 })
  })

  it('may have a byte order mark, and one column with missing values', async () => {
    const { shares, columns, rows: found } = await read('\ufeffa\r\nx\r\n""\r\n\r\nx\r\n', { shares: ['a'] })
    expect({ columns, found }).toEqual({ columns: ['a'], found: 4 })
    expect(shares.get('a')).toEqual({ counts: new Map([['x', 2]]), missing: 2 })
  })

  it.each([
    ['uneven rows', 'a,b\n1,2\n3\n'],
    ['an open quote', 'a,b\n1,"2\n3,4\n'],
    ['bytes that are not UTF-8', Buffer.from('a,b\n1,\xe9\n', 'latin1').toString('latin1')],
  ])('is refused with %s', async (_, text) => {
    const bytes = Buffer.from(text, 'latin1')
    const path = folder.write('bad.csv', bytes)
    await expect(summarizeArtifact(path, 'csv', NOTHING, options)).rejects.toBeInstanceOf(UnreadableFileError)
  })
})

it('the summary refuses a file with two columns of one name, small or large', async () => {
  for (const [name, count] of [
    ['small', 10],
    ['large', 100_000],
  ] as const) {
    const path = join(folder.path, `${name}-twice.csv`)
    writeFileSync(path, `a,b,a\n${'1,2,3\n'.repeat(count)}`)
    await expect(summarizeArtifact(path, 'csv', NOTHING, options)).rejects.toThrow('The file has two columns "a".')
  }
})
