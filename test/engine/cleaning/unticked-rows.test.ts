import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { noteUnticked } from '../../../src/engine/cleaning/unticked-rows.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 120

/** Boxes of a question with several answers: option k is ticked in every (k + 2)-th row, and none in rows from `from` on. */
function boxes(options: readonly string[], from: number, question = 'Media / '): RawColumn[] {
  return options.map((option, k) => numbers(`${question}${option}`, ticks(k, from)))
}

const ticks = (k: number, from: number) => rows(N, (i) => (i < from && (k === 0 || i % (k + 2) === 0) ? 1 : 0))
const other = texts(
  'region',
  rows(N, (i) => 'ab'[i % 2]!),
)

describe('rows without any tick in a question with several answers', () => {
  it('are counted in a note, and stay 0 where no option says "none of these"', () => {
    const raw = table(other, ...boxes(['TV', 'Web', 'Print'], 100))
    const noted = noteUnticked(raw)
    expect(noted.columns).toEqual(raw.columns)
    expect(noted.notes).toEqual([
      '20 rows have no tick in question "Media"; its options are 0 there, as for people who chose none.',
    ])
  })

  it.each(['None of these', 'Keine davon', 'Ninguno de los anteriores', 'Aucun de ceux-ci'])(
    'were not asked where an option is %j, and are missing',
    (none) => {
      const options = ['TV', 'Web', none]
      const { columns, notes } = noteUnticked(table(...boxes(options, 100), other))
      const asked = (k: number) => ticks(k, 100).map((tick, i) => (i < 100 ? tick : null))
      expect(columns).toEqual([...options.map((option, k) => numbers(`Media / ${option}`, asked(k))), other])
      expect(notes).toEqual([
        `20 rows have no tick in question "Media", not even in "${none}": they were read as not asked, and its options are missing there.`,
      ])
    },
  )

  it('are counted under the paths that KoBo and ODK write', () => {
    const raw = table(other, ...boxes(['tv', 'web', 'print'], 100, 'group/media/'))
    expect(noteUnticked(raw).notes).toEqual([
      '20 rows have no tick in question "group/media"; its options are 0 there, as for people who chose none.',
    ])
    const { columns, notes } = noteUnticked(table(...boxes(['tv', 'web', 'none'], 100, 'media/')))
    expect(columns.map(({ missing }) => missing)).toEqual([20, 20, 20])
    expect(notes[0]).toContain('not even in "none"')
  })

  it.each([
    ['media[', ']', 'media'],
    ['Media [', ']', 'Media'],
    ['Media: ', '', 'Media'],
    ['Media - ', '', 'Media'],
    ['wave1_media_', '', 'wave1_media'],
    ['q5.', '', 'q5'],
  ])('are counted where names begin with %j', (before, after, question) => {
    const named = (options: readonly string[], from: number) =>
      boxes(options, from, before).map((column) => ({ ...column, name: `${column.name}${after}` }))
    const last = numbers(
      'wave1_age',
      rows(N, (i) => 20 + (i % 50)),
    )
    expect(noteUnticked(table(other, ...named(['TV', 'Web', 'Print'], 100), last)).notes).toEqual([
      `20 rows have no tick in question "${question}"; its options are 0 there, as for people who chose none.`,
    ])
    const { columns, notes } = noteUnticked(table(other, ...named(['TV', 'Web', 'None of these'], 100), last))
    expect(columns.map(({ missing }) => missing)).toEqual([0, 20, 20, 20, 0])
    expect(notes[0]).toContain(`in question "${question}", not even in "None of these"`)
  })

  it('are those of each question, where the names of several begin alike', () => {
    const both = table(...boxes(['a', 'b', 'c'], 100, 'w2_q1_'), ...boxes(['a', 'b', 'c'], 90, 'w2_q2_'))
    expect(noteUnticked(both).notes.map((note) => note.slice(0, 38))).toEqual([
      '20 rows have no tick in question "w2_q',
      '30 rows have no tick in question "w2_q',
    ])
  })

  it.each([
    ['whose names say that they are ticks', table(...boxes(['vip', 'new', 'none'], 100, 'is_'))],
    [
      'beside a question whose name begins alike',
      table(
        ...boxes(['tv', 'car', 'none'], 100, 'home_'),
        numbers(
          'home_size',
          rows(N, (i) => i % 4),
        ),
      ),
    ],
    ['where every row has a tick', table(...boxes(['TV', 'Web', 'None'], N))],
    ['where no row has one', table(...boxes(['TV', 'Web', 'None'], 0))],
    ['of two boxes', table(...boxes(['TV', 'None'], 100))],
    [
      'beside a column of texts',
      table(...boxes(['TV', 'Web', 'None'], 100), texts('Media / other', ['x', ...rows(N - 1, () => null)])),
    ],
    [
      'of columns that no header joins',
      table(...boxes(['TV', 'Web', 'None'], 100).map((column, i) => ({ ...column, name: `q${i}` }))),
    ],
    [
      'of a group that has other questions too',
      table(
        numbers(
          'home/size',
          rows(N, (i) => 1 + (i % 4)),
        ),
        ...boxes(['tv', 'car', 'none'], 100, 'home/'),
      ),
    ],
    [
      'of a group that has other questions further on',
      table(
        ...boxes(['tv', 'car', 'none'], 100, 'home/'),
        other,
        numbers(
          'home/rooms/a',
          rows(N, (i) => i % 4),
        ),
      ),
    ],
    [
      'of headers with a slash of their own',
      table(...['TV/web', 'print/app', 'radio/none'].map((name, k) => numbers(name, ticks(k, 100)))),
    ],
    [
      'with blank cells beside zeros',
      table(
        ...['TV', 'Web', 'None'].map((name, k) =>
          numbers(
            `Media / ${name}`,
            ticks(k, 100).map((tick, i) => (i < 100 ? tick : null)),
          ),
        ),
      ),
    ],
  ])('are nothing to speak of %s', (_, raw) => {
    expect(noteUnticked(raw)).toBe(raw)
  })

  it('stay 0 where rows are a sample of the file', () => {
    const raw = { ...table(...boxes(['TV', 'Web', 'None'], 100)), rowCount: 10 * N }
    const noted = noteUnticked(raw)
    expect(noted.columns).toEqual(raw.columns)
    expect(noted.notes[0]).toContain('20 rows of 120 rows looked at have no tick')
  })
})
