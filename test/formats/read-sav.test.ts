import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { sampleRowIndexes } from '../../src/formats/reading/row-sample.ts'
import { UnreadableFileError } from '../../src/formats/reading/unreadable-file-error.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { type SavSpec, savBytes } from './sav-bytes.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()
const shared = resolve(import.meta.dirname, '../../../shared/data')

async function readBytes(bytes: Uint8Array, maxSampleRows = 200_000): Promise<RawTable> {
  const table = await readTable(folder.write('made.sav', bytes), { tempDir: folder.path, maxSampleRows })
  checkConsistency(table)
  return table
}

const read = (spec: SavSpec, maxSampleRows?: number) => readBytes(savBytes(spec), maxSampleRows)

async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await readBytes(bytes).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreadableFileError)
  return (error as UnreadableFileError).detail
}

const MIXED: SavSpec = {
  variables: [{ name: 'X' }, { name: 'T', width: 12 }, { name: 'Y' }],
  rows: [
    [1, 'short', 0.5],
    [-99, 'twelve bytes', null],
    [151, '', 1e9],
    [152, 'éà', -100],
    [null, 'b', 7],
  ],
}

describe('the same table', () => {
  it.each(
    [true, false].flatMap((littleEndian) => ([0, 1, 2] as const).map((compression) => ({ littleEndian, compression }))),
  )('is read with littleEndian $littleEndian and compression $compression', async (how) => {
    const table = await read({ ...MIXED, ...how })
    expect(readColumn(table, 'X')).toEqual([1, -99, 151, 152, null])
    expect(readColumn(table, 'T')).toEqual(['short', 'twelve bytes', null, 'éà', 'b'])
    expect(readColumn(table, 'Y')).toEqual([0.5, null, 1e9, -100, 7])
    expect(columnOf(table, 'Y')).toMatchObject({ min: -100, max: 1e9, decimals: 1, missing: 1, distinct: 4 })
    expect(table.notes).toEqual([])
  })

  it.each([0, 1, 2] as const)('is read without a number of rows in the header, compression %i', async (compression) => {
    expect((await read({ ...MIXED, compression, caseCount: -1 })).rowCount).toBe(5)
  })
})

describe('missing values', () => {
  const numbers = (count: number, values: number[]): SavSpec => ({
    variables: [{ name: 'V', missing: { count, values } }],
    rows: [[1], [2], [3], [98], [99]],
  })
  it.each([
    ['one value', 1, [99], [1, 2, 3, 98, null]],
    ['three values', 3, [1, 2, 98], [null, null, 3, null, 99]],
    ['a range', -2, [98, 99], [1, 2, 3, null, null]],
    ['a range to the highest and a value', -3, [3, Number.MAX_VALUE, 1], [null, 2, null, null, null]],
    ['a range from the lowest', -2, [-Number.MAX_VALUE, 2], [null, null, 3, 98, 99]],
  ])('%s', async (_, count, values, expected) => {
    const table = await read(numbers(count, values))
    expect(readColumn(table, 'V')).toEqual(expected)
    expect(table.notes).toEqual(['Values declared missing in SPSS were read as missing: "V".'])
  })

  it('of texts are compared without trailing blanks', async () => {
    const missing = { count: 2, values: ['no', 'x'] }
    const table = await read({
      variables: [{ name: 'V', width: 5, missing }],
      rows: [['no'], ['nope'], ['x'], ['N/A']],
    })
    expect(readColumn(table, 'V')).toEqual([null, 'nope', null, null])
  })

  it('in a whole row cause it to be left out and counted', async () => {
    const table = await read({
      variables: [{ name: 'A' }, { name: 'B', width: 3 }],
      rows: [
        [1, ''],
        [null, ''],
        [2, 'x'],
      ],
    })
    expect(table).toMatchObject({ rowCount: 2, droppedRows: { empty: 1, repeatedHeader: 0 } })
    expect(readColumn(table, 'A')).toEqual([1, 2])
  })
})

describe('value labels', () => {
  const scale = (labels: [number, string][], rows: (number | null)[]) =>
    read({ variables: [{ name: 'V', labels }], rows: rows.map((value) => [value]) })

  it('for every value make a numeric variable a text', async () => {
    const table = await scale(
      [
        [1, 'low'],
        [2, 'high'],
        [3, 'unused'],
      ],
      [2, 1, null, 2],
    )
    expect(readColumn(table, 'V')).toEqual(['high', 'low', null, 'high'])
    expect(columnOf(table, 'V')).toMatchObject({
      dictionary: ['high', 'low'],
      counts: Float64Array.of(2, 1),
      distinct: 2,
    })
  })

  it('for some values leave a variable numeric, with a note', async () => {
    const table = await scale(
      [
        [0, 'none'],
        [10, 'all'],
        [99, 'no answer'],
      ],
      [0, 5, 10],
    )
    expect(readColumn(table, 'V')).toEqual([0, 5, 10])
    expect(table.notes).toEqual([
      'Column "V" has labels for only some of its values and was kept as numbers (0 = none, 10 = all). ' +
        'Declare codes that are not amounts as missing in SPSS.',
    ])
  })

  it('for several values get the value appended, and "NA" is missing', async () => {
    const table = await scale(
      [
        [1, 'other'],
        [2, 'other'],
        [3, 'NA'],
        [4, 'x'],
      ],
      [1, 2, 3, 4],
    )
    expect(readColumn(table, 'V')).toEqual(['other (1)', 'other (2)', null, 'x'])
  })

  it('of texts replace the texts', async () => {
    const table = await read({ variables: [{ name: 'V', width: 2, labels: [['m', 'male']] }], rows: [['m'], ['f']] })
    expect(readColumn(table, 'V')).toEqual(['male', 'f'])
  })

  it.each([true, false])(
    'and missing values of long texts come from separate records (littleEndian %s)',
    async (littleEndian) => {
      const int32 = (value: number) => {
        const bytes = Buffer.alloc(4)
        if (littleEndian) bytes.writeInt32LE(value)
        else bytes.writeInt32BE(value)
        return bytes
      }
      const text = (value: string) => Buffer.concat([int32(value.length), Buffer.from(value)])
      const table = await read({
        littleEndian,
        variables: [{ name: 'V', width: 12 }],
        rows: [['code one    '], ['refused'], ['other']],
        extensions: [
          { subtype: 21, bytes: Buffer.concat([text('V'), int32(12), int32(1), text('code one    '), text('First')]) },
          { subtype: 22, bytes: Buffer.concat([text('V'), Buffer.of(1), text('refused ')]) },
        ],
      })
      expect(readColumn(table, 'V')).toEqual(['First', null, 'other'])
    },
  )
})

describe('names and texts', () => {
  it('have long names, made unique', async () => {
    const table = await read({
      variables: [{ name: 'V1' }, { name: 'V2' }, { name: 'V3' }],
      rows: [[1, 2, 3]],
      extensions: [{ subtype: 13, bytes: Buffer.from('V1=größe\tV2=größe') }],
    })
    expect(table.columns.map(({ name }) => name)).toEqual(['größe', 'größe.1', 'V3'])
  })

  it('longer than 255 bytes are joined from their segments', async () => {
    const text = Array.from({ length: 600 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('')
    const table = await read({
      variables: [{ name: 'L', width: 255 }, { name: 'L1', width: 255 }, { name: 'L2', width: 96 }, { name: 'N' }],
      rows: [
        [text.slice(0, 255), text.slice(255, 510), text.slice(510, 600), 5],
        ['short', '', '', 6],
      ],
      extensions: [{ subtype: 14, bytes: Buffer.from('L=00600\0\t') }],
    })
    expect(readColumn(table, 'L')).toEqual([text, 'short'])
    expect(table.columns.map(({ name }) => name)).toEqual(['L', 'N'])
  })

  it.each([
    ['windows-1252', 'Smart \x93quotes\x94 \x80', 'Smart “quotes” €'],
    ['CP1251', '\xcf\xf0\xe8', 'При'],
    ['Shift_JIS', '\x93\xfa\x96{', '日本'],
    ['CP949', '\x8cc\xb0\xa1', '똠가'],
  ])('in %s are decoded', async (encoding, bytes, expected) => {
    const table = await read({ variables: [{ name: 'V', width: 20 }], rows: [[bytes]], encoding, bytesAs: 'latin1' })
    expect(readColumn(table, 'V')).toEqual([expected])
    expect(table.notes).toEqual([])
  })

  it('without a known encoding are read as Windows-1252, with a note', async () => {
    const of = async (encoding: string | null) =>
      (await read({ variables: [{ name: 'V', width: 2 }], rows: [['\xe9']], encoding, bytesAs: 'latin1' })).notes
    expect(await of(null)).toEqual([expect.stringContaining('does not name the encoding')])
    expect(await of('klingon')).toEqual([expect.stringContaining('"klingon"')])
  })

  it('with invalid bytes keep the rest with a note, and lose a letter cut at the end', async () => {
    const table = await read({
      variables: [{ name: 'V', width: 4 }],
      rows: [['a\xffb'], ['xy\xc3']],
      bytesAs: 'latin1',
    })
    expect(readColumn(table, 'V')).toEqual(['a\ufffdb', 'xy'])
    expect(table.notes).toEqual([expect.stringContaining('not UTF-8')])
  })
})

describe('multiple-response sets', () => {
  const variables = ['Q1', 'Q2', 'Q3'].map((name) => ({ name }))
  const rows = [
    [1, 0, 1],
    [0, 1, 0],
  ]
  const notesOf = async (subtype: number, text: string) =>
    (await read({ variables, rows, extensions: [{ subtype, bytes: Buffer.from(text) }] })).notes

  it.each([
    [
      'of variables with a counted value',
      7,
      '$news=D1 1 13 Sources read  q1 q2\n',
      'Multiple-response set $news (Sources read ): "Q1", "Q2" were read as separate columns, in which 1 means that the answer was chosen.',
    ],
    [
      'of variables that hold any answer, without a label',
      7,
      '$any=C 0  q1 q2 q3\n',
      'Multiple-response set $any: "Q1", "Q2", "Q3" were read as separate columns.',
    ],
    [
      'with the label of the counted value',
      19,
      '$ext=E 1 3 Yes 0  q3 q1\n',
      'Multiple-response set $ext: "Q3", "Q1" were read as separate columns, in which Yes means that the answer was chosen.',
    ],
  ])('lead to notes for %s, and their variables stay columns', async (_, subtype, text, note) => {
    expect(await notesOf(subtype, text)).toEqual([note])
  })

  it.each(['$a=D99999 1 q1\n', '$a=X 1\n', 'nonsense', '$a=C 500 Label q1\n'])(
    'of another shape (%j) are ignored',
    async (text) => {
      expect(await notesOf(7, text)).toEqual([])
    },
  )
})

describe('dates', () => {
  const seconds = (iso: string) => Date.parse(`${iso}Z`) / 1_000 + 12_219_379_200
  it('and dates with times count from 1582-10-14, and times are seconds', async () => {
    const table = await read({
      variables: [
        { name: 'D', format: 20 },
        { name: 'T', format: 22 },
        { name: 'H', format: 21 },
      ],
      rows: [
        [seconds('2024-02-29T00:00:00'), seconds('2024-02-29T10:20:30'), 3_600],
        [0, null, 60.5],
        [-5, 1e15, 1],
      ],
    })
    expect(readColumn(table, 'D')).toEqual(['2024-02-29', '1582-10-14', null])
    expect(readColumn(table, 'T')).toEqual(['2024-02-29T10:20:30', null, null])
    expect(readColumn(table, 'H')).toEqual([3_600, 60.5, 1])
    expect(table.notes).toEqual([
      'Times of day and durations were read as seconds: "H".',
      'Dates before 1582-10-14 or after the year 9999 were read as missing: "D", "T".',
    ])
  })
})

describe('rows beyond the sample', () => {
  it('are in the profile, which covers the whole file', async () => {
    const rows = Array.from({ length: 9_000 }, (_, i) => [i, `k${i % 3}`, i % 7, `text ${i}`])
    const table = await read(
      {
        variables: [{ name: 'I' }, { name: 'K', width: 4 }, { name: 'M' }, { name: 'U', width: 12 }],
        rows,
        compression: 1,
      },
      500,
    )
    expect(table).toMatchObject({ rowCount: 9_000, sampleRows: 500 })
    const chosen = Array.from(sampleRowIndexes(9_000, 500))
    expect(readColumn(table, 'I')).toEqual(chosen)
    expect(readColumn(table, 'U')).toEqual(chosen.map((i) => `text ${i}`))
    expect(columnOf(table, 'I')).toMatchObject({ min: 0, max: 8_999, missing: 0, counts: null })
    expect(columnOf(table, 'K')).toMatchObject({ counts: Float64Array.of(3_000, 3_000, 3_000), missing: 0 })
    expect([...((columnOf(table, 'M').counts as Map<number, number>) ?? [])][0]).toEqual([0, 1_286])
    // Estimated within one percent.
    for (const name of ['I', 'U']) expect(Math.abs(columnOf(table, name).distinct - 9_000)).toBeLessThan(90)
  })
})

describe('an incomplete file', () => {
  it.each([0, 1] as const)('is refused with the number of rows found, compression %i', async (compression) => {
    const bytes = savBytes({ ...MIXED, compression })
    expect(await refusal(bytes.subarray(0, bytes.length - 40))).toMatch(
      /^The SPSS file was cut short: it should have 5 rows, and \d complete rows? (was|were) found\./,
    )
  })

  it('is refused when its last row is cut and no number of rows is declared', async () => {
    const bytes = savBytes({ ...MIXED, caseCount: -1 })
    expect(await refusal(bytes.subarray(0, bytes.length - 8))).toMatch(
      /its last row is incomplete, and 4 complete rows/,
    )
  })

  it('is refused wherever it is cut', async () => {
    const bytes = savBytes({ ...MIXED, compression: 2 })
    for (let length = 4; length < bytes.length; length += 13) {
      expect(await refusal(bytes.subarray(0, length))).toMatch(/SPSS file/)
    }
  })

  it('with more rows than it declares is read up to that number', async () => {
    const table = await read({ ...MIXED, caseCount: 2 })
    expect(table.rowCount).toBe(2)
    expect(table.notes).toEqual(['The file holds 5 rows, but declares 2; only those were read, from the top.'])
  })

  it('is refused without rows', async () => {
    expect(await refusal(savBytes({ ...MIXED, rows: [] }))).toMatch(/no rows/)
  })

  it.each([8, 2_000_000_000, -1])('with blocks that claim %i bytes is refused', async (claimedBlockBytes) => {
    const rows = Array.from({ length: 500 }, (_, i) => [i + 0.5, 'text', i])
    expect(await refusal(savBytes({ ...MIXED, rows, compression: 2, claimedBlockBytes }))).toMatch(/compressed block/)
  })

  it('causes no allocation of the size that it claims', async () => {
    const bytes = savBytes({ ...MIXED, caseCount: 2_147_483_647 })
    expect(await refusal(bytes)).toMatch(/should have 2147483647 rows, and 5 complete rows were found/)
  })
})

describe('reading', () => {
  it('ends when it is aborted', async () => {
    const path = folder.write('ended.sav', savBytes(MIXED))
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(readTable(path, { tempDir: folder.path, signal })).rejects.toThrow('enough')
  })

  it('reports the weight variable', async () => {
    expect((await read({ ...MIXED, weight: 1 })).notes).toEqual([expect.stringContaining('weighted by "X"')])
  })
})

describe.skipIf(!existsSync(shared))('files from other programs', () => {
  it.each(['sample.sav', 'sample.zsav'])('%s is read value by value', async (name) => {
    const table = await readBytes(readFileSync(resolve(shared, 'formats/sav', name)))
    expect(readColumn(table, 'mynum')).toEqual([1.1, 1.2, -1000.3, -1.4, 1000.3])
    expect(readColumn(table, 'mydate')).toEqual(['2018-05-06', '1880-05-06', '1960-01-01', '1583-01-01', null])
    expect(readColumn(table, 'mylabl')).toEqual(['Male', 'Female', 'Male', 'Female', 'Male'])
    expect(readColumn(table, 'myord')).toEqual(['low', 'medium', 'high', 'low', 'low'])
  })

  it('v13.sav has its very long texts whole', async () => {
    const table = await readBytes(readFileSync(resolve(shared, 'formats/sav/v13.sav')))
    const lengths = (name: string) => readColumn(table, name).map((text) => String(text).length)
    expect(lengths('A255')).toEqual([255, 255])
    expect(lengths('A258')).toEqual([258, 258])
    expect(lengths('A2000')).toEqual([2_000, 2_000])
  })

  it.each(['comprehensive.sav', 'sample.zsav', 'missing_char.sav', 'sample_missing.sav', 'tegulu.sav'])(
    '%s, whatever its damage, gives a table or a refusal in words',
    async (name) => {
      const original = readFileSync(resolve(shared, 'formats/sav', name))
      const byte = fc.oneof(fc.constantFrom(0, 1, 2, 7, 127, 128, 252, 253, 254, 255), fc.integer({ min: 0, max: 255 }))
      const changes = fc.array(fc.tuple(fc.nat({ max: original.length - 5 }), byte), { minLength: 1, maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(changes, fc.option(fc.nat({ max: original.length })), async (changed, length) => {
          const bytes = Buffer.from(original)
          // The mark at the beginning stays, or the file would be none of ours.
          for (const [at, value] of changed) bytes[at + 4] = value
          const end = length === null ? bytes.length : Math.max(4, length)
          try {
            await readBytes(bytes.subarray(0, end))
          } catch (error) {
            if (!(error instanceof UnreadableFileError)) throw error
            expect(error.detail).toMatch(/^[A-Z\d].*\.$/s)
          }
        }),
        { numRuns: 150 },
      )
    },
    60_000,
  )
})
