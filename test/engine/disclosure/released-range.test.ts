import { describe, expect, it } from 'vitest'
import {
  outermostOf,
  outermostOfDistinct,
  type ReleasedColumn,
  releasedRange,
} from '../../../src/engine/disclosure/released-range.ts'
import { LEAST_ROWS } from '../../../src/engine/disclosure/rounded-counts.ts'
import { uniforms } from '../cleaning/answers.ts'

const MIDDLE = Array.from({ length: 40 }, () => 50)

/** The released range of a column that has these values, and 50 forty times unless `middle` is another. */
function released(values: readonly number[], { decimals = 0, format = null, middle = MIDDLE }: Released = {}) {
  const all = Float64Array.from([...values, ...middle])
  const column: ReleasedColumn = { format, decimals, min: Math.min(...all), max: Math.max(...all) }
  const range = releasedRange(column, outermostOf(all, new Uint8Array(all.length).fill(1)))
  // Both representations of the rows give the same.
  expect(releasedRange(column, distinct(all))).toEqual(range)
  return [range.min, range.max]
}

interface Released {
  decimals?: number
  format?: 'date' | 'date-time' | null
  middle?: readonly number[]
}

function distinct(all: Float64Array) {
  const sorted = all.toSorted()
  const values = Float64Array.from(new Set(sorted))
  const cumulative = Float64Array.from(
    [...values, Number.POSITIVE_INFINITY],
    (value) => sorted.filter((v) => v < value).length,
  )
  return outermostOfDistinct(values, cumulative)
}

const from = (first: number, count = 30, step = 1) => Array.from({ length: count }, (_, i) => first + i * step)
const day = (text: string) => Date.parse(text)
const days = (values: readonly number[], format: 'date' | 'date-time' = 'date') =>
  released(values, { format, middle: [] }).map((value) => new Date(value).toISOString())

describe('a bound', () => {
  it('stays as it is if ten rows share it', () => {
    expect(released([...Array(10).fill(18), ...Array(10).fill(65)])).toEqual([18, 65])
    expect(released([...Array(10).fill(0), ...Array(10).fill(9.75)], { decimals: 2, middle: [] })).toEqual([0, 9.75])
  })

  it('is otherwise rounded outwards until ten rows share it', () => {
    // 17 once; then 18 and on, once each.
    expect(released(from(17))).toEqual([10, 50])
    expect(released([...Array(9).fill(91), 93, 97])).toEqual([50, 100])
    expect(released([1_234_567, ...Array(12).fill(1_100_000)], { middle: [] })).toEqual([1_100_000, 1_500_000])
  })

  it('may be a multiple of half a cell: 15 where rows lie on both sides of 20', () => {
    expect(released([19, ...Array(30).fill(20)])).toEqual([15, 50])
    expect(released([19.99, ...Array(30).fill(20)], { decimals: 2 })).toEqual([19.95, 50])
  })

  it('is whole for whole numbers, and has no more decimals than the column', () => {
    const next = uniforms(7)
    for (let i = 0; i < 200; i++) {
      const values = Array.from({ length: 60 }, () => Math.round(next() ** 3 * 10 ** (1 + (i % 6))))
      for (const bound of released(values, { middle: [] })) expect(Number.isInteger(bound)).toBe(true)
      const cents = values.map((value) => value / 100)
      for (const bound of released(cents, { decimals: 2, middle: [] })) expect(bound).toBe(Number(bound.toFixed(2)))
    }
  })

  it('never crosses 0 if no value does', () => {
    expect(released([0.5, ...from(3, 20, 7)])).toEqual([0, 150])
    expect(released([-0.5, ...from(-3, 20, -7)], { middle: [] })).toEqual([-150, 0])
  })

  it('crosses 0 if a value does, even where few rows have it', () => {
    expect(released([-3, ...Array(12).fill(5)])).toEqual([-10, 50])
    expect(released([-3, ...from(5, 20)])).toEqual([-50, 50])
  })

  it('shows only the order of magnitude of fewer than ten rows', () => {
    expect(released([31, 37, 41], { middle: [] })).toEqual([0, 50])
    expect(released([-4, 700], { middle: [] })).toEqual([-5, 1000])
  })

  it('of the largest possible numbers is a finite number', () => {
    const huge = from(1, 20).map((i) => i * 8e306)
    expect(released([-1.7e308, ...huge, 1.7e308], { middle: [] })).toEqual([-Number.MAX_VALUE, Number.MAX_VALUE])
    expect(
      released(
        from(1, 20).map((i) => i * 5e-324),
        { middle: [], decimals: 100 },
      )[0],
    ).toBe(0)
  })
})

describe('a bound of dates', () => {
  it('is the first or last day of a month, year or decade in which ten rows lie', () => {
    const inMarch = from(day('2024-03-05'), 12, 86_400_000)
    const overYears = from(day('1950-07-01'), 12, 400 * 86_400_000)
    expect(days(inMarch)).toEqual(['2024-03-01T00:00:00.000Z', '2024-03-31T00:00:00.000Z'])
    expect(days(overYears)).toEqual(['1900-01-01T00:00:00.000Z', '1999-12-31T00:00:00.000Z'])
    expect(days(from(day('1950-07-01'), 12, 200 * 86_400_000))).toEqual([
      '1950-01-01T00:00:00.000Z',
      '1959-12-31T00:00:00.000Z',
    ])
  })

  it('stays if ten rows share it', () => {
    expect(days([...Array(10).fill(day('2024-03-05')), ...Array(10).fill(day('2024-04-09'))])).toEqual([
      '2024-03-05T00:00:00.000Z',
      '2024-04-09T00:00:00.000Z',
    ])
  })

  it('is a whole minute or hour if the column has times', () => {
    expect(days(from(day('2024-03-05T10:20:03Z'), 12, 1000), 'date-time')).toEqual([
      '2024-03-05T10:20:00.000Z',
      '2024-03-05T10:20:59.999Z',
    ])
    expect(days(from(day('2024-03-05T10:20:03Z'), 12, 60_000), 'date-time')).toEqual([
      '2024-03-05T10:00:00.000Z',
      '2024-03-05T10:59:59.999Z',
    ])
  })

  it('lies within the years that RFC 3339 can write', () => {
    const first = Date.parse('0001-01-01T00:00:00Z')
    expect(days([first, first + 86_400_000, day('9999-12-31')])).toEqual([
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T00:00:00.000Z',
    ])
  })
})

it('a released range contains all values, and ten rows share each bound or lie in its cell', () => {
  const next = uniforms(3)
  for (let i = 0; i < 300; i++) {
    const scale = 10 ** Math.floor(next() * 12 - 4)
    const values = Array.from({ length: 10 + Math.floor(next() * 80) }, () => (next() - (i % 3) / 2) ** 3 * scale)
    const [min, max] = released(values, { decimals: 12, middle: [] }) as [number, number]
    const sorted = values.toSorted((a, b) => a - b)
    expect(min).toBeLessThanOrEqual(sorted[0]!)
    expect(max).toBeGreaterThanOrEqual(sorted.at(-1)!)
    // Without the outermost row a bound is as wide of the others as before, unless it was theirs.
    const tenth = sorted[LEAST_ROWS - 1]!
    if (min !== sorted[0]) expect(sorted.filter((value) => value <= tenth)).toHaveLength(LEAST_ROWS)
  }
})
