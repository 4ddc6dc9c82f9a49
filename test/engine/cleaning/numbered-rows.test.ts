/** Numbers of respondents, by whatever name, and measures that differ in every row as well. */
import { describe, expect, it } from 'vitest'
import type { RawColumn, RawNumberColumn } from '../../../src/base/raw-table.ts'
import { cleanTable } from '../../../src/engine/clean.ts'
import { rowNumbersOf } from '../../../src/engine/cleaning/numbered-rows.ts'
import { uniforms } from './answers.ts'
import { numbers, rows, table } from './raw-columns.ts'

const N = 1_100

function numbersOf(column: RawColumn, rowCount = N) {
  return rowNumbersOf(column as RawNumberColumn, rowCount)
}

/** `wanted` different whole numbers from 1 to `range`, in an order without a pattern. */
function drawn(wanted: number, range: number, from = 1): number[] {
  const next = uniforms(wanted + range)
  const chosen = new Set<number>()
  while (chosen.size < wanted) chosen.add(from + Math.floor(next() * range))
  return [...chosen]
}
const rising = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** Skewed like incomes and towns; repeated draws stay. */
function amounts(count: number, scale: number, spread: number): number[] {
  const next = uniforms(count)
  return rows(count, () => Math.round(scale * Math.exp(spread * (next() + next() + next() + next() - 2))))
}

describe('a column that numbers respondents', () => {
  it.each([
    ['a survey of 1,530 of whom 1,100 answered', 'NC', rising(drawn(N, 1_530)), 'dense'],
    ['the same, in any order', 'NC', drawn(N, 1_530), 'dense'],
    ['numbers that only count up', 'n', rows(N, (i) => 1 + i), 'consecutive'],
    ['a panel of 40,000', 'folio', drawn(N, 40_000, 100_000), 'dense'],
    ['household and person', 'entrevista', rows(N, (i) => 10 * (1 + Math.floor(i / 3)) + 1 + (i % 3)), 'dense'],
    [
      'one respondent entered twice',
      'NC',
      [...drawn(N - 1, 1_530), 7].map((n, i, all) => (i === N - 1 ? all[0]! : n)),
      'dense',
    ],
    ['one in twenty without a number', 'NC', drawn(N, 1_530).map((n, i) => (i % 20 === 0 ? null : n)), 'dense'],
    ['numbers of a survey tool', 'ref', drawn(N, 3_000_000, 3_234_000_000), 'long'],
    ['telephone numbers', 'contacto', drawn(N, 99_999_999, 600_000_000), 'long'],
  ] as const)('is dropped: %s', (_, name, values, kind) => {
    expect(numbersOf(numbers(name, values))).toBe(kind)
  })

  it('is reported with figures and without values', () => {
    const values = rising(drawn(N, 1_530)).map((n, i) => (i === 0 ? 1 : i === N - 1 ? 1_530 : n))
    const { report, table: cleaned } = cleanTable(
      table(
        numbers('NC', values),
        numbers(
          'age',
          rows(N, (i) => 18 + (i % 60)),
        ),
      ),
      { autoClean: true },
    )
    expect(cleaned.columns.map(({ name }) => name)).toEqual(['age'])
    expect(report.droppedColumns).toEqual([
      {
        name: 'NC',
        reason: 'identifier',
        detail:
          '1,100 different values in 1,100 rows, from a range of 1,530 whole numbers. A measure would have repeated some.',
      },
    ])
  })
})

describe('a measurement that differs in nearly every row', () => {
  it.each([
    ['incomes to the unit', 'income', amounts(300, 3_000_000, 0.8)],
    ['the inhabitants of towns', 'population', rising(amounts(300, 200_000, 2.5))],
    ['a survey weight', 'weight', amounts(300, 180_000_000, 1)],
    ['years, one a row', 'year', rows(200, (i) => 1825 + i)],
    ['years under a name that says nothing', 'v1', rows(150, (i) => 1875 + i)],
    ['months', 'v1', rows(400, (i) => 100 * (1990 + Math.floor(i / 12)) + 1 + (i % 12))],
    ['days', 'v1', rows(300, (i) => 20_230_000 + 100 * (1 + Math.floor(i / 28)) + 1 + (i % 28))],
    ['seconds since the start', 'elapsed time', rising(drawn(N, 3_600, 0))],
    ['the time of a measurement, every five seconds', 't', rows(N, (i) => 5 * i)],
    ['the same, with a jitter', 't', rows(N, (i) => 30 * i + ((i * 7) % 11))],
    ['times since 1970', 'v1', drawn(N, 90_000_000, 1_600_000_000)],
    ['an hour of the day of each day', 'Stunde', drawn(60, 240)],
    ['coordinates in metres', 'northing', drawn(N, 20_000, 4_575_000)],
    ['coordinates in parts of a degree', 'lat', drawn(N, 900_000, 413_000_000)],
    ['doses', 'dose', rows(60, (i) => 250 * (i + 1))],
    ['prices in cents, rounded', 'price', rows(300, (i) => 10 * (20_000_000 + 137 * i * i))],
  ] as const)('stays: %s', (_, name, values) => {
    expect(new Set(values).size).toBeGreaterThan(0.9 * values.length)
    expect(numbersOf(numbers(name, values), values.length)).toBeNull()
  })

  it('stays whatever its distribution: 2,000 columns of every range', () => {
    let found = 0
    for (let seed = 1; seed <= 2_000; seed++) {
      const next = uniforms(seed)
      const count = 50 + Math.floor(next() * 400)
      const range = Math.floor(count * 10 ** (3 * next()))
      const power = 1 + 3 * next()
      const values = rows(count, () => 1 + Math.floor(range * next() ** power))
      if (numbersOf(numbers('v', values), count) !== null) found++
    }
    expect(found).toBe(0)
  })

  it('stays with a note where the data do not decide', () => {
    const { report } = cleanTable(
      table(numbers('code', drawn(60, 900_000, 100_000)), numbers('income', amounts(60, 3_000, 0.8))),
      { autoClean: true },
    )
    expect(report.droppedColumns).toEqual([])
    expect(report.notes).toEqual([
      'Whole numbers that differ in nearly every row were kept as measurements; leave the columns out if they number people or records: "code".',
    ])
  })
})
