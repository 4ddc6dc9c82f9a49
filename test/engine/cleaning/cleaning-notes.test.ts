import { describe, expect, it } from 'vitest'
import type { RawColumn, RawNumberColumn } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { isIdentifierName } from '../../../src/engine/cleaning/drop-rules.ts'
import { noAnswerCodes } from '../../../src/engine/scales/no-answer-values.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

function clean(...columns: RawColumn[]) {
  return cleanTable(table(...columns), { autoClean: true }).report
}

describe('numbers that may be codes for no answer', () => {
  const from = (low: number, high: number) => rows(high - low + 1, (i) => low + i)

  it.each([
    ['98 and 99 with a scale to ten', [...from(0, 10), 98, 99], [98, 99]],
    ['99 with a scale to five', [...from(1, 5), 99], [99]],
    ['9 with a scale to five', [...from(1, 5), 9], [9]],
    ['8 and 9 with a scale to five', [...from(1, 5), 8, 9], [8, 9]],
    ['9 with a scale to ten', from(1, 10), []],
    ['-8 beside counts', [-8, ...from(0, 40)], [-8]],
    ['98 and 99 with years', [98, 99, ...from(1932, 1990)], [98, 99]],
    ['99999 beside incomes', [0, 2_000, 41_310, 99_999], [99_999]],
    ['99 among ages', from(18, 99), []],
    ['99 hours among up to 80', [...from(1, 80), 99], []],
    ['temperatures below zero', from(-9, 9), []],
    ['a code alone', [99], []],
    ['decimals', [0.5, 99], []],
    ['a scale around zero', from(-3, 3), []],
    ['a scale around zero without the answer at one end', from(-2, 3), []],
    ['codes beside a scale that begins at zero', [-2, -1, ...from(0, 4)], [-2, -1]],
    ['a code beside yes and no', [-1, 0, 1], [-1]],
  ])('are noted or not, as their column shows: %s', (_, values, codes) => {
    expect(noAnswerCodes(numbers('c', values) as RawNumberColumn)).toEqual(codes)
  })

  it('are noted for all columns together, and stay in the data', () => {
    const scale = (name: string) =>
      numbers(
        name,
        rows(600, (i) => (i % 12 === 11 ? 99 : i % 11)),
      )
    const report = clean(...rows(12, (i) => scale(`q${i}`)))
    expect(report.notes).toHaveLength(1)
    expect(report.notes[0]).toContain('"q9" (99) and 2 more.')
    expect(report).toMatchObject({ cleanColumns: 12, droppedLevels: [] })
  })
})

describe('a note about a column of numbers with a few other values', () => {
  it('names those values', () => {
    const age = texts(
      'age',
      rows(900, (i) => (i % 90 === 0 ? 'refused' : String(18 + (i % 60)))),
    )
    expect(clean(age).notes).toEqual([
      'Columns of numbers with a few other values were kept as text; to read them as numbers, empty those cells or declare their values in "missing": ' +
        '"age" ("refused" in 10 of 900 answers).',
    ])
  })

  it('says the same of dates', () => {
    const visit = texts(
      'visit',
      rows(900, (i) => (i % 90 === 0 ? 'not yet' : `2024-0${1 + (i % 9)}-${10 + (i % 18)}`)),
    )
    expect(clean(visit).notes).toEqual([
      'Columns of dates with a few other values were kept as text; to read them as dates, empty those cells or declare their values in "missing": ' +
        '"visit" ("not yet" in 10 of 900 answers).',
    ])
  })

  it.each([
    ['amounts with a sign', (i: number) => `$${i % 61}`],
    ['losses', (i: number) => `(${i % 61})`],
    ['percentages', (i: number) => `${i % 61} %`],
  ])('counts %s among the numbers', (_, cell) => {
    const values = texts(
      'v',
      rows(900, (i) => (i % 90 === 0 ? 'refused' : cell(i))),
    )
    expect(clean(values).notes[0]).toContain('"v" ("refused" in 10 of 900 answers).')
  })

  it.each([
    ['codes with leading zeros', rows(600, (i) => (i % 90 === 0 ? 'none' : `0${100 + (i % 60)}`))],
    ['a scale with a word at its end', rows(600, (i) => ['1', '2', '3', 'more'][i % 4]!)],
  ])('is not given for %s', (_, values) => {
    expect(clean(texts('c', values)).notes).toEqual([])
  })
})

describe('a note about ranges that a spreadsheet turned into dates', () => {
  it.each([
    ['14-Oct', '10-14'],
    ['Oct-14', '10-14'],
    ['5-Jan', '1-5'],
    ['05. Okt', '5-10'],
    ['14.Okt', '10-14'],
    ['oct.-14', '10-14'],
    ['10月14日', '10-14'],
    ['10월 14일', '10-14'],
    ['2024-10-14', '10-14'],
    ['14/10/2024', '10-14'],
    ['45579', '10-14'],
  ])('names %s as %s', (date, range) => {
    const age = texts(
      'age',
      rows(600, (i) => [date, '15-19', '20-24', '25-29'][i % 4]!),
    )
    expect(clean(age).notes).toEqual([
      'Texts beside ranges look like ranges that a spreadsheet turned into dates; correct them in the file: ' +
        `"age" ("${date}" was ${range}).`,
    ])
  })

  it('names no range where several become the same date', () => {
    const age = rows(600, (i) => ['1949-10-01', '15-19', '20-24', '25-29'][i % 4]!)
    expect(clean(texts('age', age)).notes[0]).toMatch(/: "age" \("1949-10-01"\)\.$/)
  })

  it('is not given for days of the year, dates, or ranges alone', () => {
    const dates = rows(600, (i) => ['2024-10-14', '2024-10-15', '2024-11-02', 'never'][i % 4]!)
    expect(clean(texts('visit', dates)).notes).toEqual([])
    const days = rows(600, (i) => ['14-Oct', '15-Oct', '16-Oct', '17-Oct'][i % 4]!)
    const ranges = rows(600, (i) => ['10-14', '15-19', '20-24', '25-29'][i % 4]!)
    expect(clean(texts('day', days)).notes).toEqual([])
    expect(clean(texts('age', ranges)).notes).toEqual([])
    // As a day of a workbook it lies in the year 2173.
    const codes = rows(600, (i) => ['99999', '15-19', '20-24', '25-29'][i % 4]!)
    expect(clean(texts('age', codes)).notes).toEqual([])
  })
})

describe('values that few people share', () => {
  const SECRET = 'hunter2'
  const some = numbers(
    'n',
    rows(600, (i) => i % 7),
  )

  it.each([
    ['the same in all rows', rows(600, () => SECRET)],
    ['the same in nearly all', rows(600, (i) => (i < 598 ? SECRET : 'x'))],
    ['a word among numbers that differ in every row', rows(600, (i) => (i === 7 ? SECRET : String(1_000 + i)))],
    ['a word among numbers of which many differ', rows(600, (i) => (i === 7 ? SECRET : String(i % 300)))],
    ['one of many texts', rows(600, (i) => `${SECRET} and ${i} words more`)],
    ['an address', rows(600, (i) => `${SECRET}.${i}@example.org`)],
  ])('are not quoted from a dropped column: %s', (_, values) => {
    const { droppedColumns, notes } = clean(some, texts('c', values))
    expect(droppedColumns).toHaveLength(1)
    expect(JSON.stringify([droppedColumns, notes])).not.toContain(SECRET)
  })

  it('are not quoted from a dropped column, even as its smallest and largest number', () => {
    const { droppedColumns } = clean(
      some,
      numbers(
        'phone',
        rows(600, (i) => 600_123_000 + i),
      ),
    )
    expect(droppedColumns).toEqual([
      { name: 'phone', reason: 'identifier', detail: '600 different values in 600 rows, which only count up.' },
    ])
  })

  it.each([
    [9, '"age" (9 of 900 answers).'],
    [10, '"age" ("hunter2" in 10 of 900 answers).'],
  ])('are quoted from ten rows on when they are a word among numbers: %i', (own, note) => {
    const age = texts(
      'age',
      rows(900, (i) => (i < own ? SECRET : String(18 + (i % 60)))),
    )
    expect(clean(age).notes[0]).toMatch(new RegExp(`: ${note.replaceAll(/[().]/g, '\\$&')}$`))
  })

  it.each([
    [9, 'Levels that differ only in case were kept separate: "answer".'],
    [10, 'Levels that differ only in case were kept separate: "answer" ("YES" and "Yes").'],
  ])('are quoted from ten rows on when they are a spelling: %i', (own, note) => {
    const answer = texts(
      'answer',
      rows(900, (i) => (i < own ? 'YES' : i % 2 === 0 ? 'Yes' : 'No')),
    )
    expect(clean(answer).notes).toEqual([note])
  })
})

it('the refusal of a file of one column quotes nothing of it, not even its first line', () => {
  const line = 'API_KEY=hunter2'
  const key = texts(
    line,
    rows(60, (i) => `line ${i} of it, and more`),
  )
  expect(() => clean(key)).toThrow(
    'Nothing is left to learn from: every column was dropped: its only one (identifier: 60 different values in 60 rows).',
  )
  expect(() => clean({ ...key, name: line })).not.toThrow('hunter2')
})

describe('a column name', () => {
  it.each(['ID', 'id', 'RespondentID', 'user_id', 'Customer Id', 'respid', 'Phone number', 'session-id'])(
    'is that of an identifier: %s',
    (name) => {
      expect(isIdentifierName(name)).toBe(true)
    },
  )

  it.each(['Paid', 'idea', 'income', 'video', 'Kidhome', 'identity', 'mid', ''])(
    'is not that of an identifier: %j',
    (name) => {
      expect(isIdentifierName(name)).toBe(false)
    },
  )

  it('distinguishes identifiers from amounts among whole numbers that differ in every row', () => {
    const values = rows(600, (i) => 7_000 + i * i)
    const report = clean(
      numbers('income', values),
      numbers('customer_id', values),
      numbers(
        'id_group',
        rows(600, (i) => i % 7),
      ),
    )
    expect(report.droppedColumns).toEqual([
      {
        name: 'customer_id',
        reason: 'identifier',
        detail: '600 different values in 600 rows, and a name that marks an identifier.',
      },
    ])
  })
})

describe('a report is bounded', () => {
  it('to 2,000 merged levels, cuts long ones and counts the others', () => {
    const wide = rows(60, (c) =>
      texts(
        `c${c}`,
        rows(1_000, (i) => (i < 60 ? `rare ${i} ${'x'.repeat(200)}` : 'common')),
      ),
    )
    const { droppedLevels } = clean(...wide)
    expect(droppedLevels).toHaveLength(60)
    expect(droppedLevels.reduce((sum, { levels }) => sum + levels.length, 0)).toBe(2_000)
    for (const { levels, levelsOmitted, rows: merged } of droppedLevels) {
      expect(levels.length + levelsOmitted).toBe(60)
      expect(merged).toBe(60)
      for (const level of levels) expect(level).toMatch(/^.{100}…$/)
    }
  })

  it('to 100 notes, and counts the others', () => {
    const raw = {
      ...table(
        numbers(
          'a',
          rows(60, (i) => i / 2),
        ),
      ),
      notes: rows(250, (i) => `note ${i}`),
    }
    const { notes, notesOmitted } = cleanTable(raw, { autoClean: true }).report
    expect([notes.length, notesOmitted]).toEqual([100, 150])
  })
})
