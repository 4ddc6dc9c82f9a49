import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { shortestSingle } from '../../src/formats/sav/single-precision.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { type SavSpec, savBytes } from './sav-bytes.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()

async function read(spec: SavSpec, maxSampleRows = 200_000): Promise<RawTable> {
  const table = await readTable(folder.write('made.sav', savBytes(spec)), { tempDir: folder.path, maxSampleRows })
  checkConsistency(table)
  return table
}

const numbers = (values: readonly (number | null)[], rows?: number) =>
  read({ variables: [{ name: 'V' }, { name: 'ROW' }], rows: values.map((value, i) => [value, i]) }, rows)

const strings = (values: readonly string[], rows?: number, labels?: readonly (readonly [string, string])[]) =>
  read(
    {
      variables: [{ name: 'V', width: 8, ...(labels && { labels }) }, { name: 'ROW' }],
      rows: values.map((value, i) => [value, i]),
    },
    rows,
  )

describe('numbers stored in single precision', () => {
  const single = (value: number) => Math.fround(value)

  it('are read as the numbers that were written', async () => {
    const table = await numbers([17.1, 0.7, -3.25, 12_345.6, 4, null, 0.001].map((v) => (v === null ? v : single(v))))
    expect(readColumn(table, 'V')).toEqual([17.1, 0.7, -3.25, 12_345.6, 4, null, 0.001])
    expect(columnOf(table, 'V')).toMatchObject({ min: -3.25, max: 12_345.6, decimals: 3, distinct: 6 })
    expect([...(columnOf(table, 'V').counts as Map<number, number>).keys()]).toEqual([
      -3.25, 0.001, 0.7, 4, 17.1, 12_345.6,
    ])
  })

  it('are recognized in a sample, and among more values than are counted', async () => {
    const values = Array.from({ length: 9_000 }, (_, i) => i / 100)
    for (const rows of [500, 200_000]) {
      const table = await numbers(values.map(single), rows)
      expect(columnOf(table, 'V')).toMatchObject({ decimals: 2, min: 0, max: 89.99, counts: null })
      expect(readColumn(table, 'V').every((value) => Number.isInteger(Math.round(Number(value) * 1e6) / 1e4))).toBe(
        true,
      )
    }
  })

  it('keep the digits of single precision when they were computed', async () => {
    const weights = [0.843721866607666, 1.1529382467269897]
    expect(weights.map(single)).toEqual(weights)
    const read = readColumn(await numbers(weights), 'V').map(Number)
    expect(read).toEqual([0.84372187, 1.1529382])
    expect(read.map(single)).toEqual(weights)
  })

  it.each([
    ['one of them needs double precision', [17.100000381469727, 0.7]],
    ['they are exact halves, quarters and eighths', [0.5, 17.125, 1_234.0009765625, 3]],
    ['they are whole', [1, 16_777_216, 123_456_792]],
    ['they have as many digits by themselves', [17.10000038, 0.69999999]],
  ])('are left unchanged when %s', async (_, values) => {
    expect(readColumn(await numbers(values), 'V')).toEqual(values)
  })
})

describe('numbers in string variables', () => {
  it('are read as numbers', async () => {
    const table = await strings(['12.50', '7', '', ' -3', 'NA', '7'])
    expect(readColumn(table, 'V')).toEqual([12.5, 7, null, -3, null, 7])
    expect(columnOf(table, 'V')).toMatchObject({
      type: 'number',
      missing: 2,
      distinct: 3,
      min: -3,
      max: 12.5,
      decimals: 1,
    })
    expect(table.notes).toEqual([
      'String variables that hold numbers were read as numbers: "V".',
      'Column "V": "NA" was read as missing (1 value).',
    ])
  })

  it('are counted over the whole file when a sample is in memory', async () => {
    const table = await strings(
      Array.from({ length: 9_000 }, (_, i) => (i % 90 === 7 ? '-' : `${i % 700}.5`)),
      300,
    )
    expect(columnOf(table, 'V')).toMatchObject({ type: 'number', missing: 100, distinct: 700, min: 0.5, max: 699.5 })
    expect(table.notes).toEqual([
      'String variables that hold numbers were read as numbers: "V".',
      'Column "V": "-" was read as missing (100 values).',
    ])
  })

  it('may stand among a few other texts, which are missing, but not among many', async () => {
    const among = (strays: number) =>
      strings(
        Array.from({ length: 9_000 }, (_, i) => (i >= 4_321 && i < 4_321 + strays ? `x${i}` : String(i % 50))),
        300,
      )
    const table = await among(1)
    expect(columnOf(table, 'V')).toMatchObject({ type: 'number', distinct: 50, missing: 1 })
    expect(table.notes).toEqual([
      'String variables that hold numbers were read as numbers: "V".',
      'Column "V" has 1 value that is not a number, which was read as missing.',
    ])
    expect(columnOf(await among(100), 'V')).toMatchObject({ type: 'text', distinct: 150, missing: 0 })
  })

  it.each([
    [
      'have leading zeros',
      ['08001', '28001', '08001'],
      ['Column "V" has numbers with leading zeros, which were kept as text.'],
    ],
    [
      'are beyond 2^53',
      ['9007199254740993', '9007199254740993'],
      ['Column "V" has whole numbers beyond 2^53, which were kept as text.'],
    ],
    ['are different whole numbers in nearly every row, which name cases', ['483920', '120934', '777120'], []],
    ['are only marks', ['-', '?', '-'], []],
  ])('stay texts when they %s', async (_, values, notes) => {
    const table = await read({ variables: [{ name: 'V', width: 16 }], rows: values.map((value) => [value]) })
    expect(readColumn(table, 'V')).toEqual(values)
    expect(table.notes).toEqual(notes)
  })

  it('stay texts if the study declares texts', async () => {
    const bytes = savBytes({
      variables: [
        { name: 'ZIP', width: 8 },
        { name: 'N', width: 8 },
      ],
      rows: [
        ['28001', '2'],
        ['28001', '2'],
      ],
    })
    const path = folder.write('declared.sav', bytes)
    const table = await readTable(path, { tempDir: folder.path, textColumns: new Set(['ZIP']) })
    expect(readColumn(table, 'ZIP')).toEqual(['28001', '28001'])
    expect(readColumn(table, 'N')).toEqual([2, 2])
  })

  it('stay texts if the variable has value labels', async () => {
    const table = await strings(['1', '2', '1'], undefined, [['1', 'male']])
    expect(readColumn(table, 'V')).toEqual(['male', '2', 'male'])
  })

  it('are missing if the file declares them missing', async () => {
    const missing = { count: 1, values: ['99'] }
    const table = await read({ variables: [{ name: 'V', width: 4, missing }], rows: [['1.5'], ['99'], ['1.5'], ['2']] })
    expect(readColumn(table, 'V')).toEqual([1.5, null, 1.5, 2])
  })
})

describe('other values in string variables', () => {
  it('are dates if they are written as dates', async () => {
    const table = await strings(['3/12/24', '12/31/24', '', '3/12/24'])
    const day = Date.UTC(2024, 2, 12)
    expect(columnOf(table, 'V')).toMatchObject({ type: 'date', min: day, max: Date.UTC(2024, 11, 31), missing: 1 })
    expect(table.notes).toContainEqual('String variables that hold dates were read as dates: "V".')
  })

  it('are 1 and 0 if there is one answer or none', async () => {
    const table = await strings(['Radio', '', 'Radio'])
    expect(readColumn(table, 'V')).toEqual([1, 0, 1])
  })

  it('are one answer and missing ones if the file declares the others missing', async () => {
    const missing = { count: 2, values: ['98', '99'] }
    const rows = [['Radio'], ['98'], ['Radio'], ['99']]
    const table = await read({ variables: [{ name: 'V', width: 8, missing }], rows })
    expect(readColumn(table, 'V')).toEqual(['Radio', null, 'Radio', null])
    // What is declared missing and does not occur says nothing of the empty cells.
    const ticked = {
      variables: [{ name: 'V', width: 8, missing }, { name: 'ROW' }],
      rows: [
        ['Radio', 0],
        ['', 1],
        ['Radio', 2],
      ],
    }
    expect(readColumn(await read(ticked), 'V')).toEqual([1, 0, 1])
  })

  it('keep their rows if every string is empty, and lose NULs inside strings', async () => {
    const table = await strings(['', 'a\0b', 'c', 'a\0b'])
    expect(readColumn(table, 'V')).toEqual([null, 'ab', 'c', 'ab'])
    expect(readColumn(table, 'ROW')).toEqual([0, 1, 2, 3])
  })

  it('belong to the same sampled rows as the numbers', async () => {
    const table = await strings(
      Array.from({ length: 5_000 }, (_, i) => (i % 3 === 0 ? '' : `t${i % 7}`)),
      200,
    )
    const rows = readColumn(table, 'ROW').map(Number)
    expect(rows).toHaveLength(200)
    expect(readColumn(table, 'V')).toEqual(rows.map((i) => (i % 3 === 0 ? null : `t${i % 7}`)))
  })
})

describe('the shortest number with the same single-precision value', () => {
  it('has no more digits than the shortest text of any single-precision number', () => {
    const digitsOf = (value: number) => value.toExponential().replace(/e.*|\D/g, '').length
    const shortest = (single: number) => {
      for (let digits = 6; digits < 9; digits++) {
        const shorter = Number(single.toPrecision(digits))
        if (Math.fround(shorter) === single) return shorter
      }
      return Number(single.toPrecision(9))
    }
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true, noInteger: true }), (single) => {
        const found = shortestSingle(single)
        expect(Math.fround(found)).toBe(single)
        expect(digitsOf(found)).toBeLessThanOrEqual(digitsOf(shortest(single)))
      }),
      { numRuns: 5_000 },
    )
  })

  it('restores every number of six digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 8 }), (digits, places) => {
        const written = Number(`${digits}e-${places}`)
        fc.pre(!Number.isInteger(written))
        expect(shortestSingle(Math.fround(written))).toBe(written)
      }),
      { numRuns: 5_000 },
    )
  })
})
