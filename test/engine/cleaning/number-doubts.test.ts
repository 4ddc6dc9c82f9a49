import { describe, expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { numbers, rows, table } from './raw-columns.ts'

const notesOn = (columns: Readonly<Record<string, readonly number[]>>) =>
  cleanTable(
    table(
      ...Object.entries(columns).map(([name, values]) =>
        numbers(
          name,
          rows(600, (i) => values[i % values.length]!),
        ),
      ),
    ),
    { autoClean: true },
  ).report.notes.filter((note) => !note.startsWith('Whole numbers'))

describe('a code for no answer', () => {
  const NOTE =
    'Numbers that may mean "no answer" were kept; if they do, declare them in "missing", or empty those cells'

  it('of one item of a battery is one of the others, whichever answers they have', () => {
    expect(notesOn({ q1: [1, 2, 3, 4, 5, 9], q2: [1, 2, 3, 4, 5], q3: [2, 3, 4, 5, 9] })).toEqual([
      `${NOTE}: "q1" (9), "q3" (9).`,
    ])
  })

  it('is not taken from another question, or where the others have a longer scale', () => {
    const others = { q1: [1, 2, 3, 4, 5, 9], q2: [1, 2, 3, 4, 5, 6, 7, 8, 9], rooms: [2, 3, 4, 5, 9] }
    expect(notesOn(others)).toEqual([`${NOTE}: "q1" (9).`])
  })
})

describe('numbers that are days', () => {
  const days = Array.from({ length: 12 }, (_, i) => 20_230_100 + 100 * i + 1 + 2 * i)

  it('are named with the declaration that reads them', () => {
    expect(notesOn({ visit: days })).toEqual([
      'Numbers that look like dates were kept as numbers; to read them as dates, declare their form in "dates", such as "YYYYMMDD": "visit".',
    ])
  })

  it('may stand among codes for no answer', () => {
    const notes = notesOn({ visit: [...days, 99_999_999] })
    expect(notes).toContainEqual(expect.stringContaining('"YYYYMMDD": "visit"'))
    expect(notes).toContainEqual(expect.stringContaining('"visit" (99999999)'))
  })

  it.each([
    ['have a day that no calendar has', [...days, 20_230_230]],
    ['are few', [20_230_101, 20_230_102, 20_230_103]],
    ['are other numbers of eight digits', Array.from({ length: 12 }, (_, i) => 20_230_101 + 7_013 * i)],
  ])('are not assumed where they %s', (_, values) => {
    expect(notesOn({ visit: values })).toEqual([])
  })
})
