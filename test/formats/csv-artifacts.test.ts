import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { summarizeCsv } from '../../src/formats/csv/summarize-csv.ts'
import { summarizeArtifact } from '../../src/formats/read-artifact.ts'
import type { ArtifactRequest, ArtifactSummary } from '../../src/formats/reading/artifact-summary.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const NOTHING: ArtifactRequest = { shares: [], ranges: new Map(), numeric: [] }

/** Summarizes both the file and its bytes in memory. */
async function summarize(text: string | Buffer, request: Partial<ArtifactRequest>): Promise<ArtifactSummary> {
  const path = folder.write('artifact.csv', text)
  const found = await summarizeCsv(path, { ...NOTHING, ...request })
  expect(await summarizeCsv(Buffer.from(text), { ...NOTHING, ...request })).toEqual(found)
  return found
}

/** Levels of column `a`, missing ones as null, and the numbers of column `b`. */
async function read(text: string) {
  const { rows, shares, numeric } = await summarize(text, { shares: ['a'], numeric: ['b'] })
  const { counts, missing } = shares.get('a')!
  const { count, mean } = numeric.get('b')!
  return { rows, levels: Object.fromEntries(counts), missing, numbers: count, mean }
}

describe('a CSV file', () => {
  it.each([
    ['quoted fields', 'a,b\n"x, y",1\n"say ""hi""",-2.50\n', { levels: { 'x, y': 1, 'say "hi"': 1 }, mean: -0.75 }],
    ['line feeds within quotes', 'a,b\r\n"two\nlines",1\r\nx,2\r\n', { levels: { 'two\nlines': 1, x: 1 }, mean: 1.5 }],
    [
      'missing values of every form',
      'a,b\n,\nNA,NaN\nnull,na\nx,7\n',
      { levels: { NA: 1, null: 1, x: 1 }, missing: 1, numbers: 1, mean: 7 },
    ],
    ['carriage returns', 'a,b\r\nx,1\r\ny,2\r\n', { levels: { x: 1, y: 1 }, mean: 1.5 }],
    ['carriage returns alone', 'a,b\rx,1\ry,2\r', { levels: { x: 1, y: 1 }, mean: 1.5 }],
    ['different line ends', 'a,b\r\nx,1\ny,2\r', { levels: { x: 1, y: 1 }, mean: 1.5 }],
    ['no line feed at its end', 'a,b\nx,1\ny,2', { levels: { x: 1, y: 1 }, mean: 1.5 }],
    ['empty lines', '\na,b\nx,1\n\ny,2\n\n', { rows: 2, levels: { x: 1, y: 1 }, mean: 1.5 }],
    ['a mark at its beginning', '\ufeffa,b\nx,1\n', { levels: { x: 1 }, mean: 1 }],
    [
      'leading zeros and long numbers',
      'a,b\n01,007\n1,1234567890123.2500001\n',
      { levels: { '01': 1, 1: 1 }, mean: (7 + 1_234_567_890_123.25) / 2 },
    ],
    [
      'exponents, signs and blanks',
      'a,b\nx,1e5\nx,+.5\nx, 2 \n',
      { levels: { x: 3 }, numbers: 3, mean: 100_002.5 / 3 },
    ],
    ['words among numbers', 'a,b\nx,ten\nx,inf\nx,1e999\nx,4\n', { levels: { x: 4 }, numbers: 1, mean: 4 }],
    ['no rows', 'a,b\n', { rows: 0, levels: {}, numbers: 0, mean: null }],
  ])('with %s is counted', async (_, text, expected) => {
    expect(await read(text)).toMatchObject(expected)
  })

  it('has dates and times as milliseconds, in UTC or with an offset', async () => {
    const times = ['2024-12-31', '1969-12-31T23:59:59.5', '2024-01-01 02:00:00+02:00', '2024-13-01']
    const { ranges } = await summarize(`t\n${times.join('\n')}\n`, {
      ranges: new Map([['t', { min: -500, max: Date.UTC(2024, 0, 1) }]]),
    })
    expect(ranges.get('t')).toEqual({ min: -500, max: Date.UTC(2024, 11, 31), outside: 2, missing: 0 })
  })

  it('of one column has a row for each empty line below its header', async () => {
    const { rows, shares } = await summarize('\n\na\nx\n\n""\n  \n', { shares: ['a'] })
    expect(rows).toBe(4)
    expect(shares.get('a')).toEqual({
      counts: new Map([
        ['  ', 1],
        ['x', 1],
      ]),
      missing: 2,
    })
  })

  it('counts levels, range and distribution of one column at once', async () => {
    const { shares, ranges, numeric } = await summarize('a,b\n1,x\n3,y\n1,z\n,w\n', {
      shares: ['a'],
      ranges: new Map([['a', { min: 0, max: 2 }]]),
      numeric: ['a'],
    })
    expect(shares.get('a')).toEqual({
      counts: new Map([
        ['1', 2],
        ['3', 1],
      ]),
      missing: 1,
    })
    expect(ranges.get('a')).toEqual({ min: 1, max: 3, outside: 1, missing: 1 })
    expect(numeric.get('a')).toMatchObject({ count: 3, missing: 1, mean: 5 / 3, quantiles: [1, 1, 1, 2, 2.8] })
  })

  it.each([
    ['uneven rows', 'a,b\nx,1\ny\n'],
    ['a row with more fields than the header', 'a,b\nx,1,\n'],
    ['a line of blanks', 'a,b\nx,1\n  \n'],
    ['an open quote', 'a,b\nx,"1\n'],
    ['text behind a quote', 'a,b\n"x"y,1\n'],
    ['a quote within a text', 'a,b\nx"y,1\n'],
    ['zero bytes', 'a,b\nx\0,1\n'],
    ['bytes that are not UTF-8', Buffer.from('a,b\n\xe9,1\n', 'latin1')],
    ['nothing but empty lines', '\n\n'],
  ])('with %s is refused', async (_, text) => {
    for (const request of [NOTHING, { ...NOTHING, shares: ['a'] }]) {
      await expect(summarize(text, request)).rejects.toBeInstanceOf(UnreadableFileError)
    }
  })

  it('with a header that does not end in its first megabyte is refused', async () => {
    await expect(summarize(`a,${'b'.repeat(2 ** 20)}\n`, {})).rejects.toThrow('The CSV file has no header.')
  })

  it('with more levels than a schema can hold is refused before all of them are in memory', async () => {
    const rows = Array.from({ length: 300_000 }, (_, i) => `level ${i},1`)
    const text = `a,b\n${rows.join('\n')}\n`
    await expect(summarize(text, { shares: ['a'] })).rejects.toThrow('Column "a" has more than 100000 levels.')
    expect((await summarize(text, { numeric: ['b'] })).rows).toBe(300_000)
  })

  it('larger than the pieces in which it is read gives the same counts', async () => {
    // Levels with quotes and line feeds, of which some are cut by any piece.
    const levels = ['plain', '"with, comma"', '"two\r\nlines ""quoted"""', 'región', '"🦆"']
    const rows = Array.from({ length: 200_000 }, (_, i) => `${levels[i % 5]},${i / 8},${i % 10 === 0 ? '' : 'x'}`)
    const path = join(folder.path, 'large.csv')
    writeFileSync(path, `a,b,c\r\n${rows.join('\r\n')}\r\n`)
    const request = { shares: ['a', 'c'], ranges: new Map([['b', { min: 100, max: 20_000 }]]), numeric: ['b'] }
    const found = await summarizeArtifact(path, 'csv', request, { tempDir: folder.path })
    expect(found.rows).toBe(200_000)
    expect(Object.fromEntries(found.shares.get('a')!.counts)).toEqual({
      plain: 40_000,
      'with, comma': 40_000,
      'two\r\nlines "quoted"': 40_000,
      región: 40_000,
      '🦆': 40_000,
    })
    expect(found.shares.get('c')).toEqual({ counts: new Map([['x', 180_000]]), missing: 20_000 })
    expect(found.ranges.get('b')).toEqual({ min: 0, max: 199_999 / 8, outside: 800 + 39_999, missing: 0 })
    expect(found.numeric.get('b')).toMatchObject({ count: 200_000, mean: 199_999 / 16 })
  })
})
