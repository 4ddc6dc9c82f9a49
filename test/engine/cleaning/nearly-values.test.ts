import { describe, expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { rows, table, texts } from './raw-columns.ts'

const notesOn = (cell: (i: number) => string) =>
  cleanTable(
    table(
      texts(
        'kept',
        rows(900, (i) => 'ab'[i % 2]!),
      ),
      texts('v', rows(900, cell)),
    ),
    { autoClean: true },
  ).report.notes

describe('a column that is nearly one of numbers, dates or times', () => {
  it.each([
    ['numbers in groups of three', (i: number) => `${1 + (i % 90)} ${100 + (i % 800)},50 €`, 'numbers'],
    ['numbers with a currency', (i: number) => `CHF ${i % 290}.50`, 'numbers'],
    ['numbers below zero with a minus sign', (i: number) => `\u2212${1 + (i % 290)}`, 'numbers'],
    ['dates with the name of a month', (i: number) => `March ${1 + (i % 28)}, ${1990 + (i % 30)}`, 'dates'],
    ['dates in Spanish', (i: number) => `${1 + (i % 28)} de marzo de ${1990 + (i % 30)}`, 'dates'],
    ['dates in Japanese', (i: number) => `${1990 + (i % 30)}年3月${1 + (i % 28)}日`, 'dates'],
    ['times of day', (i: number) => `${1 + (i % 12)}:${10 + (i % 49)} PM`, 'times'],
    ['durations', (i: number) => `${i % 90}:${10 + (i % 49)}:${10 + (i % 47)}`, 'times'],
  ])('is named with the number of other values: %s', (_, cell, kind) => {
    const notes = notesOn((i) => (i % 60 === 7 ? 'no idea' : cell(i)))
    expect(notes).toContain(
      `Columns of ${kind} with a few other values were kept as text; to read them as ${kind}, empty those cells or declare their values in "missing": "v" (15 of 900 answers).`,
    )
  })

  it('is named where some of its numbers were turned into dates', () => {
    expect(notesOn((i) => (i % 20 === 7 ? '01.Mai' : `${i / 8}`)).join()).toContain('"v" (45 of 900 answers)')
  })

  it.each([
    ['streets with numbers', (i: number) => `Road ${i % 300}`],
    ['houses', (i: number) => `${i % 300}${'abc'[i % 3]}`],
    ['words beside a few numbers', (i: number) => (i % 5 === 0 ? `${i}` : `word ${i % 400}`)],
    ['results of matches', (i: number) => `${i % 40}:${i % 9}`],
  ])('is not one of %s', (_, cell) => {
    expect(notesOn(cell).join()).not.toContain('a few other values')
  })
})

describe('numbers beside values without an end', () => {
  const note =
    'Columns of numbers with values such as "85+" or "<5" were kept as text; to read them as numbers, give each of those values a number in "recode", such as "85", or declare them in "missing": "v"'

  it.each(['85+', '85 +', '45-', '<5', '\u2265 85', '85 or older', 'under 5'])(
    'such as %s get their own advice',
    (end) => {
      expect(notesOn((i) => (i % 20 === 7 ? end : String(18 + (i % 60))))).toEqual([
        `${note} ("${end}" in 45 of 900 answers).`,
      ])
    },
  )

  it('may be in many rows, and are not quoted where the column is dropped', () => {
    const notes = notesOn((i) => (i % 3 === 0 ? '<0.5' : `${i / 8}`))
    expect(notes).toEqual([`${note} (300 of 900 answers).`])
  })

  it('are levels among levels', () => {
    expect(notesOn((i) => ['1', '2', '3', '4', '5+'][i % 5]!)).toEqual([])
    expect(notesOn((i) => ['18-29', '30-44', '45-64', '65+'][i % 4]!)).toEqual([])
  })
})

describe('whole numbers with a minus behind them', () => {
  const note = 'Whole numbers with a minus behind them, such as "321-", were kept as text'

  it.each([
    ['some of many', (i: number) => `${1 + (i % 400)}${i % 3 === 0 ? '-' : ''}`, 300],
    ['all', (i: number) => `${1 + (i % 400)}-`, 900],
    ['behind a blank', (i: number) => `${1 + (i % 400)}${i % 3 === 0 ? ' -' : ''}`, 300],
    ['in groups of three', (i: number) => `${1 + (i % 400)}.250${i % 3 === 0 ? '-' : ''}`, 300],
  ])('have a note of their own: %s', (_, cell, answers) => {
    const notes = notesOn(cell)
    expect(notes.find((text) => text.startsWith(note))).toContain(`"v" (${answers} of 900 answers)`)
    expect(notes.join()).not.toContain('several signs')
    expect(notes.join()).not.toContain('"85+"')
  })

  it.each([
    ['an open end', (i: number) => (i % 9 === 0 ? '45-' : `${i % 400}`)],
    ['marks at school', (i: number) => `${1 + (i % 6)}${['-', '', '+'][i % 3]}`],
    ['codes', (i: number) => `${i % 400}-${i % 7}`],
  ])('are none of these: %s', (_, cell) => {
    expect(notesOn(cell).join()).not.toContain(note)
  })
})
