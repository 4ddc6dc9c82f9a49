import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../src/base/raw-table.ts'
import { readTable } from '../../src/formats/read-table.ts'
import { checkConsistency, columnOf, readColumn } from './read-column.ts'
import { type SavSpec, savBytes } from './sav-bytes.ts'
import { tempFolder } from './temp-folder.ts'

const folder = tempFolder()

async function read(spec: SavSpec, maxSampleRows = 200_000): Promise<RawTable> {
  const table = await readTable(folder.write('made.sav', savBytes(spec)), { tempDir: folder.path, maxSampleRows })
  checkConsistency(table)
  return table
}

type Labels = readonly (readonly [number, string])[]

const labelled = (labels: Labels, values: readonly (number | null)[], rows?: number) =>
  read({ variables: [{ name: 'V', labels }], rows: values.map((value) => [value]) }, rows)

/** Each value as often as it says. */
const repeated = (counts: readonly (readonly [number, number])[]) =>
  counts.flatMap(([value, rows]) => Array.from({ length: rows }, () => value))

const REGIONS: Labels = ['North', 'South', 'East', 'West', 'Isles', 'Coast', 'Hills', 'Abroad'].map((label, i) => [
  i + 1,
  label,
])
const SCALE_ENDS: Labels = [
  [0, 'Not at all'],
  [10, 'Fully'],
  [98, "Don't know"],
  [99, 'Refused'],
]

it('notes that a label such as "NA" was read as missing', async () => {
  const labels: Labels = [
    [1, 'EU'],
    [2, 'NA'],
    [3, 'Asia'],
  ]
  const table = await labelled(
    labels,
    repeated([
      [1, 20],
      [2, 7],
      [3, 20],
    ]),
  )
  expect(columnOf(table, 'V').missing).toBe(7)
  expect(table.notes).toEqual(['Column "V": the label "NA" was read as missing (7 values).'])
})

describe('a labelled variable with a few codes that have no label', () => {
  it('stays labelled; the odd codes become levels of their own', async () => {
    const rows = repeated([
      [1, 300],
      [2, 300],
      [3, 300],
      [4, 200],
      [5, 200],
      [6, 100],
      [7, 57],
      [8, 40],
      [11, 30],
      [12, 8],
    ])
    const table = await labelled(REGIONS, rows)
    expect(table.rowCount).toBe(1_535)
    const column = columnOf(table, 'V') as { dictionary: readonly string[]; counts: Float64Array }
    expect([...column.dictionary]).toEqual(['11', '12', ...REGIONS.map(([, label]) => label).sort()])
    expect([...column.counts].slice(0, 2)).toEqual([30, 8])
    expect(table.notes).toEqual([
      'Column "V" has 2 codes without a label, in 38 of 1,535 rows; each was kept as a level of its own.',
    ])
  })

  it('stays labelled even if one of many codes has a large share of the rows', async () => {
    const table = await labelled(
      REGIONS,
      repeated([
        [1, 5],
        [2, 5],
        [3, 5],
        [4, 5],
        [9, 20],
      ]),
    )
    expect(readColumn(table, 'V').slice(-1)).toEqual(['9'])
    expect(table.notes).toEqual([
      'Column "V" has 1 code without a label, in 20 of 40 rows; it was kept as a level of its own.',
    ])
  })

  it('has the same levels when only a sample of its rows is in memory', async () => {
    const values = Array.from({ length: 9_000 }, (_, i) => (i % 100 === 0 ? 77 : (i % 8) + 1))
    const table = await labelled(REGIONS, values, 500)
    const column = columnOf(table, 'V') as { dictionary: readonly string[]; counts: Float64Array }
    expect(column.dictionary[0]).toBe('77')
    expect(column.counts[0]).toBe(90)
    expect(column).toMatchObject({ distinct: 9, missing: 0 })
  })

  it('never mixes a code with a label of another one that has the same text', async () => {
    const table = await labelled(
      [
        [1, 'one'],
        [2, '4'],
        [3, 'three'],
        [5, 'five'],
        [6, 'six'],
      ],
      [1, 2, 3, 4, 5, 6],
    )
    expect(readColumn(table, 'V')).toEqual(['one', '4 (2)', 'three', '4 (4)', 'five', 'six'])
  })
})

describe('a variable of amounts with some labels', () => {
  it('stays a number when only the ends of its scale have labels', async () => {
    const table = await labelled(SCALE_ENDS.slice(0, 2), [0, 0, 0, 0, 0, 0, 0, 0, 10, 10, 10, 3, 4, 5])
    expect(readColumn(table, 'V').slice(-3)).toEqual([3, 4, 5])
    expect(table.notes).toEqual([expect.stringContaining('kept as numbers (0 = Not at all, 10 = Fully)')])
  })

  it('has missing values for values labelled as no answer, in the whole file and with a note', async () => {
    const values = Array.from({ length: 9_000 }, (_, i) => (i % 9 === 0 ? 98 : i % 10 === 0 ? 99 : i % 11))
    for (const rows of [500, 200_000]) {
      const table = await labelled(SCALE_ENDS, values, rows)
      const missing = values.filter((value) => value > 10).length
      expect(columnOf(table, 'V')).toMatchObject({ type: 'number', missing, min: 0, max: 10, distinct: 11 })
      expect(readColumn(table, 'V').every((value) => value === null || Number(value) <= 10)).toBe(true)
      expect(table.notes[0]).toBe(
        'Column "V" was kept as numbers; values labelled as no answer were read as missing (98 = Don\'t know, 99 = Refused).',
      )
    }
  })

  it('has missing values for them even with more distinct values than are counted', async () => {
    const values = Array.from({ length: 6_000 }, (_, i) => (i % 100 === 0 ? -9 : i + 0.5))
    const table = await labelled([[-9, 'No contesta']], values)
    expect(columnOf(table, 'V')).toMatchObject({ missing: 60, distinct: 5_940, min: 1.5, counts: null })
  })

  it('has missing values for two codes that share one label', async () => {
    const table = await labelled(
      [
        [98, 'NS/NC'],
        [99, 'NS/NC'],
      ],
      [1, 2, 3, 4, 98, 99],
    )
    expect(readColumn(table, 'V')).toEqual([1, 2, 3, 4, null, null])
  })

  it('keeps a value whose label is an answer', async () => {
    const table = await labelled([[0, 'None']], [0, 0, 0, 5, 12, 20])
    expect(readColumn(table, 'V')).toEqual([0, 0, 0, 5, 12, 20])
  })

  it('stays a number when its labels only repeat it', async () => {
    const labels: Labels = Array.from({ length: 5 }, (_, i) => [i + 1, String(i + 1)])
    const table = await labelled(labels, [1, 2, 3, 4, 5])
    expect(readColumn(table, 'V')).toEqual([1, 2, 3, 4, 5])
    expect(table.notes).toEqual([])
  })

  it('shares its note with columns of the same labels', async () => {
    const table = await read({
      variables: ['A', 'B', 'C'].map((name) => ({ name, labels: SCALE_ENDS.slice(0, 2) })),
      rows: Array.from({ length: 11 }, (_, i) => [i, 10 - i, i]),
    })
    expect(table.notes).toEqual([
      'Columns "A", "B", "C" have labels for only some of their values and were kept as numbers ' +
        '(0 = Not at all, 10 = Fully). Declare codes that are not amounts as missing in SPSS.',
    ])
  })
})

describe('a labelled variable with a code for no answer', () => {
  const labels: Labels = [
    [1, 'Yes'],
    [2, 'No'],
    [9, 'No answer'],
  ]
  it('has a level for the code if the file only labels it', async () => {
    expect(readColumn(await labelled(labels, [1, 2, 9]), 'V')).toEqual(['Yes', 'No', 'No answer'])
  })

  it('has a missing value if the file declares the code missing', async () => {
    const missing = { count: 1, values: [9] }
    const table = await read({ variables: [{ name: 'V', labels, missing }], rows: [[1], [2], [9]] })
    expect(readColumn(table, 'V')).toEqual(['Yes', 'No', null])
  })
})

describe('labels of variables', () => {
  const variables = [
    { name: 'A', label: 'How satisfied are you with the service?' },
    { name: 'B', width: 3, label: 'Où habitez-vous ?' },
    { name: 'C', labels: [[1, 'x']] as Labels, label: 'Labelled values' },
    { name: 'D' },
    { name: 'E', label: '   ' },
    { name: 'F', width: 4, label: 'Amount' },
  ]
  const rows = [
    [1.5, 'ici', 1, 4, 5, '1.5'],
    [2, 'là', 1, 5, 6, '2.5'],
  ]

  it.each([true, false])('are read with littleEndian %s', async (littleEndian) => {
    const table = await read({ variables, rows, littleEndian })
    expect(table.columns.map(({ label }) => label)).toEqual([
      'How satisfied are you with the service?',
      'Où habitez-vous ?',
      'Labelled values',
      undefined,
      undefined,
      'Amount',
    ])
  })

  it('are decoded like all texts of the file', async () => {
    const table = await read({
      variables: [{ name: 'A', label: '\xd0\xe5\xe3\xe8\xee\xed' }],
      rows: [[1]],
      encoding: 'windows-1251',
      bytesAs: 'latin1',
    })
    expect(table.columns[0]?.label).toBe('Регион')
  })

  it('are cut if they are far longer than SPSS writes them', async () => {
    const table = await read({
      variables: [{ name: 'A', label: 'x'.repeat(1_000_001) }, { name: 'B' }],
      rows: [[1, 2]],
    })
    expect(table.columns[0]?.label).toBe('x'.repeat(4_096))
    expect(readColumn(table, 'B')).toEqual([2])
  })

  it('of very long texts come from the first segment', async () => {
    const table = await read({
      variables: [
        { name: 'L', width: 255, label: 'Remarks' },
        { name: 'L1', width: 96 },
      ],
      rows: [['a', '']],
      extensions: [{ subtype: 14, bytes: Buffer.from('L=00348\0\t') }],
    })
    expect(table.columns.map(({ name, label }) => [name, label])).toEqual([['L', 'Remarks']])
  })
})

/** Record 11: level of measurement (1 nominal, 2 ordinal, 3 scale), width and alignment of a variable. */
function measured(level: number): { readonly subtype: number; readonly bytes: Buffer } {
  const bytes = Buffer.alloc(12)
  bytes.writeInt32LE(level, 0)
  bytes.writeInt32LE(8, 4)
  return { subtype: 11, bytes }
}

describe('a variable of which most codes have a label, and many rows have one of the others', () => {
  const rows = repeated([
    [1, 60],
    [2, 20],
    [3, 20],
    [4, 20],
    [5, 20],
    [8, 30],
    [9, 20],
  ])
  const read5 = (level: number, labels: Labels) =>
    read({ variables: [{ name: 'V', labels }], rows: rows.map((value) => [value]), extensions: [measured(level)] })

  it('is labelled where the file says that it is nominal', async () => {
    const table = await read5(1, REGIONS.slice(0, 5))
    expect(columnOf(table, 'V')).toMatchObject({
      type: 'text',
      dictionary: ['8', '9', 'East', 'Isles', 'North', 'South', 'West'],
    })
    expect(table.notes).toEqual([
      'Column "V" has 2 codes without a label, in 50 of 190 rows; each was kept as a level of its own.',
    ])
  })

  it('stays a number where the file says otherwise, or too few codes have a label', async () => {
    for (const level of [0, 2, 3]) expect(columnOf(await read5(level, REGIONS.slice(0, 5)), 'V').type).toBe('number')
    expect(columnOf(await read5(1, REGIONS.slice(0, 2)), 'V').type).toBe('number')
  })
})
