import { describe, expect, it } from 'vitest'
import type { RawColumn, RawTable } from '../../../src/base/raw-table.ts'
import { hasCode, type WhatifError } from '../../../src/base/whatif-error.ts'
import { cleanTable, UNTRAINABLE } from '../../../src/engine/clean.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 1_000
const keep = texts(
  'keep',
  rows(N, (i) => (i % 2 === 0 ? 'a' : 'b')),
)

function clean(...columns: RawColumn[]) {
  return cleanTable(table(...columns), { autoClean: true })
}

/** Reason for which a column is dropped, or null. */
function reason(column: RawColumn): string | null {
  return clean(keep, column).report.droppedColumns[0]?.reason ?? null
}

describe('the kind of a column', () => {
  it.each([
    [
      'text',
      texts(
        'c',
        rows(N, (i) => `t${i % 4}`),
      ),
      'categorical',
    ],
    [
      'booleans',
      texts(
        'c',
        rows(N, (i) => String(i % 2 === 0)),
        'boolean',
      ),
      'categorical',
    ],
    [
      '0 and 1',
      numbers(
        'c',
        rows(N, (i) => i % 2),
      ),
      'categorical',
    ],
    [
      'Likert items of 5',
      numbers(
        'c',
        rows(N, (i) => 1 + (i % 5)),
      ),
      'categorical',
    ],
    [
      'a scale from 0 to 9',
      numbers(
        'c',
        rows(N, (i) => i % 10),
      ),
      'categorical',
    ],
    [
      'a scale from 0 to 10, eleven values',
      numbers(
        'c',
        rows(N, (i) => i % 11),
      ),
      'numeric',
    ],
    [
      'a scale with an unused answer',
      numbers(
        'c',
        rows(N, (i) => [1, 2, 3, 5][i % 4]!),
      ),
      'categorical',
    ],
    [
      'a scale with two unused answers',
      numbers(
        'c',
        rows(N, (i) => [1, 2, 5][i % 3]!),
      ),
      'numeric',
    ],
    [
      'few whole numbers from 2 on',
      numbers(
        'c',
        rows(N, (i) => 2 + (i % 3)),
      ),
      'numeric',
    ],
    [
      'few negative numbers',
      numbers(
        'c',
        rows(N, (i) => -1 + (i % 3)),
      ),
      'numeric',
    ],
    [
      'few decimals',
      numbers(
        'c',
        rows(N, (i) => (i % 3) / 2),
      ),
      'numeric',
    ],
    [
      'visits from 0 to 12',
      numbers(
        'c',
        rows(N, (i) => i % 13),
      ),
      'numeric',
    ],
    [
      'dates',
      numbers(
        'c',
        rows(N, (i) => (i % 300) * 86_400_000),
        'date',
      ),
      'numeric',
    ],
    [
      'two dates',
      numbers(
        'c',
        rows(N, (i) => (i % 2) * 86_400_000),
        'date',
      ),
      'numeric',
    ],
  ] as const)('of %s is found', (_, column, kind) => {
    expect(clean(keep, column).table.columns[1]).toMatchObject({ kind })
  })

  it('is categorical with decimal texts as levels for whole numbers, which stay whole', () => {
    const { table: cleaned } = clean(
      keep,
      numbers(
        'q1',
        rows(N, (i) => (i % 10 === 0 ? null : 1 + (i % 3))),
      ),
    )
    expect(cleaned.columns[1]).toMatchObject({ kind: 'categorical', integer: true, missingShare: 0.1 })
    const column = cleaned.columns[1]
    if (column?.kind !== 'categorical') throw new Error('not categorical')
    expect([...column.levels].sort()).toEqual(['1', '2', '3'])
    expect(column.codes[0]).toBe(-1)
    expect(column.levels[column.codes[1]!]).toBe('2')
  })
})

describe('levels', () => {
  it('are sorted by frequency, ties by UTF-16 order', () => {
    const column = texts(
      'c',
      rows(N, (i) => (i < 600 ? 'z' : i < 800 ? 'b' : 'a')),
    )
    expect(clean(keep, column).schema[1]).toMatchObject({ type: 'categorical', levels: ['z', 'a', 'b'] })
  })

  it.each([
    [100, 4, false],
    [100, 5, true],
    [10_000, 9, false],
    [10_000, 10, true],
    [100_000, 49, false],
    [100_000, 50, true],
  ])('of %i rows in which %i have the level are kept: %s', (rowCount, own, isKept) => {
    const column = texts(
      'c',
      rows(rowCount, (i) => (i < own ? 'rare' : i % 2 === 0 ? 'x' : 'y')),
    )
    const { report, schema, table: cleaned } = clean(column)
    const levels = expect.arrayContaining(isKept ? ['rare', 'x', 'y'] : ['x', 'y'])
    expect(schema[0]).toMatchObject({ levels })
    expect(report.droppedLevels).toEqual(isKept ? [] : [{ column: 'c', levels: ['rare'], levelsOmitted: 0, rows: own }])
    expect(cleaned.columns[0]!.missingShare).toBeCloseTo(isKept ? 0 : own / rowCount, 12)
  })

  it('that are rare are listed, at most fifty by name', () => {
    const column = texts(
      'c',
      rows(N, (i) => (i < 70 ? `rare ${String(i).padStart(2, '0')}` : 'x')),
    )
    const [dropped] = clean(keep, column).report.droppedLevels
    expect(dropped).toMatchObject({ levelsOmitted: 20, rows: 70 })
    expect(dropped!.levels).toHaveLength(50)
  })
})

describe('cleaning drops a column', () => {
  it.each([
    [
      'constant',
      texts(
        'c',
        rows(N, () => 'x'),
      ),
    ],
    [
      'constant',
      numbers(
        'c',
        rows(N, () => 4.5),
      ),
    ],
    [
      'near_zero_variance',
      texts(
        'c',
        rows(N, (i) => (i < 990 ? 'x' : 'y')),
      ),
    ],
    [
      'near_zero_variance',
      numbers(
        'c',
        rows(N, (i) => (i < 990 ? 0 : i)),
      ),
    ],
    [
      'near_zero_variance',
      texts(
        'c',
        rows(N, (i) => (i < 995 ? 'x' : null)),
      ),
    ],
    [
      'mostly_missing',
      numbers(
        'c',
        rows(N, (i) => (i < 50 ? i : null)),
      ),
    ],
    [
      'mostly_missing',
      texts(
        'c',
        rows(N, () => null),
      ),
    ],
    [
      'identifier',
      texts(
        'c',
        rows(N, (i) => `user-${i}`),
      ),
    ],
    [
      'identifier',
      numbers(
        'c',
        rows(N, (i) => 70_000 + i),
      ),
    ],
    [
      'identifier',
      numbers(
        'c',
        rows(N, (i) => (i === 5 ? 4 : i)),
      ),
    ],
    [
      'free_text',
      texts(
        'c',
        rows(N, (i) => (i % 2 === 0 ? `it was a nice day ${i}` : 'nothing to say to this')),
      ),
    ],
    [
      'too_many_levels',
      texts(
        'c',
        rows(N, (i) => `${i % 400}`),
      ),
    ],
  ])('as %s (%#)', (expected, column) => {
    expect(reason(column)).toBe(expected)
  })

  it.each([
    [
      'one value in just under 99 % of the rows',
      texts(
        'c',
        rows(N, (i) => (i < 989 ? 'x' : 'y')),
      ),
    ],
    [
      'a box that some ticked and others left empty',
      texts(
        'c',
        rows(N, (i) => (i < 400 ? 'ticked' : null)),
      ),
    ],
    [
      'just under 95 % missing',
      numbers(
        'c',
        rows(N, (i) => (i < 51 ? i * 1.5 : null)),
      ),
    ],
    [
      'decimals that all differ',
      numbers(
        'c',
        rows(N, (i) => i + 0.5),
      ),
    ],
    [
      'dates that all differ',
      numbers(
        'c',
        rows(N, (i) => i * 86_400_000),
        'date',
      ),
    ],
    [
      'whole numbers that all differ, not consecutive',
      numbers(
        'c',
        rows(N, (i) => i * i),
      ),
    ],
    [
      'long answers that repeat',
      texts(
        'c',
        rows(N, (i) => `a rather long answer number ${i % 7}`),
      ),
    ],
    [
      'many levels of which the frequent ones cover half',
      texts(
        'c',
        rows(N, (i) => (i < 500 ? 'x' : `${i}`)),
      ),
    ],
  ])('but not for %s', (_, column) => {
    expect(reason(column)).toBeNull()
  })

  it('and reports the figures behind the reason', () => {
    expect(
      clean(
        keep,
        texts(
          'user_id',
          rows(N, (i) => `u${i}`),
        ),
      ).report.droppedColumns,
    ).toEqual([{ name: 'user_id', reason: 'identifier', detail: '1,000 different values in 1,000 rows.' }])
  })

  it('that the reader could not read', () => {
    const raw: RawTable = {
      ...table(keep),
      skippedColumns: [{ name: 'tags', detail: 'The column holds lists of values.' }],
    }
    expect(cleanTable(raw, { autoClean: true }).report).toMatchObject({
      inputColumns: 2,
      cleanColumns: 1,
      droppedColumns: [{ name: 'tags', reason: 'unmodelled', detail: 'The column holds lists of values.' }],
    })
  })
})

describe('the cleaned table and its report', () => {
  const age = numbers(
    'age_years',
    rows(N, (i) => 18 + (i % 60)),
  )
  const spend = numbers(
    'spend €',
    rows(N, (i) => (i % 97) / 4),
  )
  const joined = numbers(
    'joined',
    rows(N, (i) => Date.UTC(2020, 0, 1 + (i % 300))),
    'date',
  )
  const seen = numbers(
    'seen',
    rows(N, (i) => Date.UTC(2020, 0, 1, 0, i)),
    'date-time',
  )

  it('have the order of levels where one is found, and the levels outside it', () => {
    const often = ['Often', 'Never', 'No answer', 'Sometimes']
    const items = numbers(
      'item',
      rows(N, (i) => 1 + (i % 5)),
    )
    const { schema } = clean(
      keep,
      items,
      texts(
        'visits',
        rows(N, (i) => often[i % 4]!),
      ),
    )
    expect(schema.map((entry) => 'ordered' in entry && entry.ordered)).toEqual([
      null,
      { from: 'codes', levels: ['1', '2', '3', '4', '5'], apart: [] },
      { from: 'words', levels: ['Never', 'Sometimes', 'Often'], apart: ['No answer'] },
    ])
  })

  it('have one entry per kept column, in order, with ranges for numbers', () => {
    const { schema } = clean(age, spend, joined, seen)
    expect(schema).toEqual([
      {
        name: 'age.years',
        type: 'numeric',
        min: 18,
        max: 77,
        integer: true,
        format: null,
        sourceName: 'age_years',
        missingShare: 0,
      },
      {
        name: 'spend',
        type: 'numeric',
        min: 0,
        max: 24,
        integer: false,
        format: null,
        sourceName: 'spend €',
        missingShare: 0,
      },
      {
        name: 'joined',
        type: 'numeric',
        min: '2020-01-01',
        max: '2020-10-31',
        integer: false,
        format: 'date',
        sourceName: 'joined',
        missingShare: 0,
      },
      {
        name: 'seen',
        type: 'numeric',
        min: '2020-01-01T00:00:00.000Z',
        max: '2020-01-01T16:59:59.999Z',
        integer: false,
        format: 'date-time',
        sourceName: 'seen',
        missingShare: 0,
      },
    ])
  })

  it('count rows and columns before and after, and the renamed ones', () => {
    const raw: RawTable = {
      ...table(
        age,
        spend,
        texts(
          'x',
          rows(N, () => 'x'),
        ),
      ),
      droppedRows: { empty: 3, repeatedHeader: 2 },
      notes: ['a note'],
    }
    expect(cleanTable(raw, { autoClean: true }).report).toEqual({
      inputRows: 1_005,
      inputColumns: 3,
      cleanRows: 1_000,
      cleanColumns: 2,
      droppedColumns: [{ name: 'x', reason: 'constant', detail: 'Every row has the same value.' }],
      renamedColumns: [
        { from: 'age_years', to: 'age.years' },
        { from: 'spend €', to: 'spend' },
      ],
      splitColumns: [],
      droppedLevels: [],
      droppedRows: { empty: 3, repeatedHeader: 2 },
      notes: ['a note'],
      notesOmitted: 0,
    })
  })

  it('decide by the counts of the whole file when only a sample is held', () => {
    const column = texts(
      'c',
      rows(N, (i) => (i < 10 ? 'rare here' : i % 2 === 0 ? 'x' : 'y')),
    )
    if (!('codes' in column)) throw new Error('not a text')
    const whole = { ...column, counts: column.counts.map((count) => count * 90), distinct: 5 }
    const raw: RawTable = { ...table(keep), rowCount: 100_000, columns: [whole] }
    const { table: cleaned, report } = cleanTable(raw, { autoClean: true })
    expect(cleaned).toMatchObject({ rowCount: 1_000, seedRows: 100_000 })
    expect(cleaned.columns[0]).toMatchObject({ levels: expect.arrayContaining(['rare here']) })
    // Two levels of the file are in no sampled row.
    expect(report.droppedLevels).toEqual([{ column: 'c', levels: [], levelsOmitted: 2, rows: 10_000 }])
  })
})

describe('without auto_clean', () => {
  it('names, rare levels, identifiers and constants stay unchanged', () => {
    const raw = table(
      texts(
        'user_id',
        rows(N, (i) => `u${i}`),
      ),
      texts(
        'rare one',
        rows(N, (i) => (i === 0 ? 'once' : 'x')),
      ),
      numbers(
        '_const',
        rows(N, () => 1.5),
      ),
    )
    const { schema, report } = cleanTable(raw, { autoClean: false })
    expect(schema.map((entry) => entry.name)).toEqual(['user_id', 'rare one', '_const'])
    expect(schema[1]).toMatchObject({ levels: ['x', 'once'] })
    expect(report).toMatchObject({ droppedColumns: [], renamedColumns: [], droppedLevels: [] })
  })

  it('a column that cannot be modelled is still dropped', () => {
    const raw = table(
      keep,
      texts(
        'empty',
        rows(N, () => null),
      ),
    )
    expect(cleanTable(raw, { autoClean: false }).report.droppedColumns).toEqual([
      { name: 'empty', reason: 'unmodelled', detail: 'Every value is missing.' },
    ])
    const many = table(
      texts(
        'name',
        rows(25_000, (i) => `${i}`),
      ),
      numbers(
        'n',
        rows(25_000, (i) => i / 2),
      ),
    )
    expect(cleanTable(many, { autoClean: false }).report.droppedColumns).toEqual([
      { name: 'name', reason: 'unmodelled', detail: '25,000 different texts; at most 10,000 can be modelled.' },
    ])
  })
})

describe('a table is untrainable', () => {
  function refusal(raw: RawTable): WhatifError {
    try {
      cleanTable(raw, { autoClean: true })
    } catch (error) {
      if (hasCode(error, UNTRAINABLE)) return error
      throw error
    }
    throw new Error('was not refused')
  }

  it('with fewer than 50 rows, and says what else was left out', () => {
    const small = table(
      texts(
        'a',
        rows(49, (i) => `a${i % 2}`),
      ),
      numbers(
        'id',
        rows(49, (i) => i),
      ),
    )
    const error = refusal({ ...small, droppedRows: { empty: 2, repeatedHeader: 1 } })
    expect(error.message).toBe(
      'The table has 49 rows; at least 50 are needed. Rows left out: 2 empty, 1 that repeated the header.',
    )
  })

  it('for its rows, even if no column is left of so few', () => {
    expect(refusal(table(texts('a', ['x']))).message).toBe('The table has 1 row; at least 50 are needed.')
  })

  it('when no column is left, and the report says why each was dropped', () => {
    const error = refusal(
      table(
        texts(
          'a',
          rows(60, () => 'x'),
        ),
        numbers(
          'id',
          rows(60, (i) => i),
        ),
      ),
    )
    expect(error.message).toBe(
      'Nothing is left to learn from: every column was dropped: "a" (constant: Every row has the same value), ' +
        '"id" (identifier: 60 different values in 60 rows, which only count up).',
    )
  })

  it('but not with exactly 50 rows', () => {
    expect(
      cleanTable(
        table(
          texts(
            'a',
            rows(50, (i) => `a${i % 2}`),
          ),
        ),
        { autoClean: true },
      ).table.rowCount,
    ).toBe(50)
  })
})

describe('texts that are too long to be shown', () => {
  const half = (i: number) => i % 2 === 0
  const long = 'x'.repeat(1025)

  it('cause a column to be dropped whose levels they are, with or without cleaning', () => {
    const column = texts(
      'notes',
      rows(N, (i) => (half(i) ? 'short' : long)),
    )
    for (const [autoClean, dropped] of [
      [true, 'free_text'],
      [false, 'unmodelled'],
    ] as const) {
      const { report, schema } = cleanTable(table(keep, column), { autoClean })
      expect(report.droppedColumns).toEqual([
        {
          name: 'notes',
          reason: dropped,
          detail: '1 of its texts is longer than the 1,024 bytes of a level: the longest has 1,025.',
        },
      ])
      expect(schema.map(({ name }) => name)).toEqual(['keep'])
    }
  })

  it('are measured in bytes of UTF-8', () => {
    const ofBytes = (bytes: number) =>
      texts(
        'c',
        rows(N, (i) => (half(i) ? 'a' : 'é'.repeat(bytes / 2))),
      )
    expect([reason(ofBytes(1024)), reason(ofBytes(1026))]).toEqual([null, 'free_text'])
  })

  it('become missing where they are rare, as other rare levels do', () => {
    const column = texts(
      'c',
      rows(N, (i) => (i === 7 ? long : half(i) ? 'a' : 'b')),
    )
    const { schema } = clean(keep, column)
    expect(schema[1]).toMatchObject({ name: 'c', levels: ['a', 'b'] })
  })

  it('cause a column to be dropped whose header they are, and are cut in messages', () => {
    const name = 'q'.repeat(1025)
    const { report, schema } = clean(
      keep,
      texts(
        name,
        rows(N, (i) => (half(i) ? 'a' : 'b')),
      ),
    )
    expect(schema).toHaveLength(1)
    expect(report.droppedColumns).toEqual([
      {
        name: `${'q'.repeat(100)}…`,
        reason: 'unmodelled',
        detail: 'Its name has 1,025 bytes; at most 1,024 can be read.',
      },
    ])
    expect(
      reason(
        texts(
          'q'.repeat(1024),
          rows(N, (i) => (half(i) ? 'a' : 'b')),
        ),
      ),
    ).toBeNull()
  })

  it('cannot be options, so the column is not split', () => {
    const options = ['Milk', 'Sugar', 'y'.repeat(1100)]
    const column = texts(
      'extras',
      rows(N, (i) => options.filter((_, o) => ((i * 7) >> o) % 2 === 0).join('; ') || 'none'),
    )
    expect(clean(keep, column).report.splitColumns).toEqual([])
  })
})

describe('a cleaned schema beyond 4 MiB', () => {
  /** A column of 40 levels of 1,000 bytes, which takes some 40 kB. */
  const wide = (name: string, levels = 40) =>
    texts(
      name,
      rows(N, (i) => `${i % levels}`.padEnd(1000, '.')),
    )

  it('loses the columns that take the most bytes, and the report says so', () => {
    const many = rows(110, (i) => wide(`c${i}`))
    const { schema, report } = clean(keep, wide('widest', 80), ...many)
    expect(Buffer.byteLength(JSON.stringify(schema))).toBeLessThanOrEqual(4 * 2 ** 20)
    expect(schema.length + report.droppedColumns.length).toBe(112)
    expect(report.droppedColumns[0]).toMatchObject({ name: 'widest', reason: 'too_many_levels' })
    expect(report.droppedColumns[0]?.detail).toMatch(
      /^Its 80 levels take 8\d,\d{3} bytes of the cleaned schema, which may have 4,194,304 in total/,
    )
    // Among columns of equal size, the last are left out.
    expect(report.droppedColumns[1]?.name).toBe('c109')
    expect(schema.slice(0, 2).map(({ name }) => name)).toEqual(['keep', 'c0'])
  })

  it('is the only reason to drop columns by size', () => {
    expect(clean(keep, ...rows(90, (i) => wide(`c${i}`))).report.droppedColumns).toEqual([])
  })
})
