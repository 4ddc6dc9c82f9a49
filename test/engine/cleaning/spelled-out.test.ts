import { describe, expect, it } from 'vitest'
import { dropSpelledOut } from '../../../src/engine/cleaning/spelled-out.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 60
const OPTIONS = ['tv', 'web', 'print']
const ticks = (i: number, at: number) => (i * (at + 3)) % 7 < 3
const chosen = (i: number) => OPTIONS.filter((_, at) => ticks(i, at))
const boxes = (joint: string) =>
  OPTIONS.map((option, at) =>
    numbers(
      `media${joint}${option}`,
      rows(N, (i) => (ticks(i, at) ? 1 : 0)),
    ),
  )
const spelled = (separator: string) =>
  texts(
    'media',
    rows(N, (i) => (chosen(i).length === 0 ? null : chosen(i).join(separator))),
  )

describe('a column that spells out the boxes of its options', () => {
  it.each([
    ['/', ' '],
    ['.', ' '],
    [' / ', ', '],
    ['_', ';'],
  ])('is left out: boxes named with %j, answers joined by %j', (joint, separator) => {
    const { columns, notes } = dropSpelledOut(table(spelled(separator), ...boxes(joint)))
    expect(columns.map(({ name }) => name)).toEqual(OPTIONS.map((option) => `media${joint}${option}`))
    expect(notes).toEqual([
      'Column "media" spells out the 3 columns of its options and was left out; they hold the same answers.',
    ])
  })

  it.each([
    ['true and false', 'true', 'false'],
    ['Yes and No', 'Yes', 'No'],
    ['checked and unchecked', 'Checked', 'Unchecked'],
  ])('is left out: boxes of %s', (_, yes, no) => {
    const words = OPTIONS.map((option, at) =>
      texts(
        `media/${option}`,
        rows(N, (i) => (ticks(i, at) ? yes : no)),
        yes === 'true' ? 'boolean' : 'text',
      ),
    )
    const { columns } = dropSpelledOut(table(spelled(' '), ...words))
    expect(columns).toEqual(words)
  })

  it('is left out where it has the words of options whose boxes are named by numbers', () => {
    const named: Record<string, string> = { tv: 'TV set', web: 'Web site', print: 'On paper' }
    const media = texts(
      'media',
      rows(N, (i) =>
        chosen(i).length === 0
          ? null
          : chosen(i)
              .map((option) => named[option])
              .join(', '),
      ),
    )
    const numbered = boxes('_').map((box, at) => ({ ...box, name: `media_${3 - at}` }))
    expect(dropSpelledOut(table(media, ...numbered)).columns).toEqual(numbered)
    // The boxes of another question are ticked by others.
    const foreign = numbers(
      'media_3',
      rows(N, (i) => i % 2),
    )
    const raw = table(media, foreign, ...numbered.slice(1))
    expect(dropSpelledOut(raw)).toBe(raw)
  })

  it('is left out where it contradicts the boxes in one of a hundred rows, which a note counts', () => {
    const corrected = texts(
      'media',
      rows(600, (i) => (i === 5 ? 'tv web print' : chosen(i).join(' ') || null)),
    )
    const many = OPTIONS.map((option, at) =>
      numbers(
        `media/${option}`,
        rows(600, (i) => (ticks(i, at) ? 1 : 0)),
      ),
    )
    const { columns, notes } = dropSpelledOut(table(corrected, ...many))
    expect(columns).toEqual(many)
    expect(notes).toEqual([
      'Column "media" spells out the 3 columns of its options and was left out; it says something else in 1 row.',
    ])
  })

  it('stays with a note where it contradicts the boxes in more', () => {
    const corrected = texts(
      'media',
      rows(N, (i) => (i % 10 === 5 ? 'tv web print' : chosen(i).join(' ') || null)),
    )
    const raw = table(corrected, ...boxes('/'))
    const { columns, notes } = dropSpelledOut(raw)
    expect(columns).toEqual(raw.columns)
    expect(notes).toEqual([
      'Column "media" names the options of 3 columns, and it says something else in 5 rows; all were kept, so generated rows can contradict themselves as the file does. If one of the two is right, leave out the other with "drop".',
    ])
  })

  it.each([
    [
      'names an option without its box',
      table(
        texts(
          'media',
          rows(N, (i) => (i === 5 ? 'radio' : chosen(i).join(' ') || null)),
        ),
        ...boxes('/'),
      ),
    ],
    [
      'says something else in most rows',
      table(
        texts(
          'media',
          rows(N, (i) => (i % 4 === 0 ? chosen(i).join(' ') || null : 'tv web')),
        ),
        ...boxes('/'),
      ),
    ],
    ['has another name', table({ ...spelled(' '), name: 'channels' }, ...boxes('/'))],
    ['is declared', table({ ...spelled(' '), declaredType: 'categorical' as const }, ...boxes('/'))],
  ])('stays where it %s', (_, raw) => {
    expect(dropSpelledOut(raw)).toBe(raw)
  })
})
