import type { CategoricalColumn, NumericColumn, Table } from '../../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

const DAY = 86_400_000

export const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

export function dates(name: string, days: readonly (number | null)[]): NumericColumn {
  return {
    ...numeric(
      name,
      days.map((day) => (day === null ? null : day * DAY)),
    ),
    format: 'date',
  }
}

export function dateTimes(name: string, seconds: readonly (number | null)[]): NumericColumn {
  return {
    ...numeric(
      name,
      seconds.map((second) => (second === null ? null : second * 1000)),
    ),
    format: 'date-time',
  }
}

/** A whole-number answer, as cleaning keeps it. */
export function answers(name: string, source: readonly (number | null)[]): CategoricalColumn {
  return {
    ...categorical(
      name,
      source.map((value) => (value === null ? null : String(value))),
    ),
    integer: true,
  }
}

export interface People {
  readonly random: RandomStream
  readonly height: number[]
  readonly weight: number[]
  readonly price: number[]
  readonly amount: number[]
  readonly born: number[]
}

/** Raw material: columns that are related, but decide nothing of each other. */
export function people(rows: number, seed = 1): People {
  const random = new RandomStream(seed, PURPOSE.value)
  const each = <T>(make: (i: number) => T) => Array.from({ length: rows }, (_, i) => make(i))
  const bell = () => (random.real() + random.real() + random.real()) / 3
  const height = each(() => 150 + Math.floor(50 * bell()))
  const weight = each((i) => Math.round(height[i]! - 110 + 40 * bell()))
  const price = each(() => round(5 + 95 * bell() ** 2, 2))
  const amount = each(() => 1 + random.below(20))
  const born = each(() => 3000 + random.below(15_000))
  return { random, height, weight, price, amount, born }
}

/** The people with one more column that others decide. */
export function tableWith(source: People, ...columns: Table['columns']): Table {
  return tableOf([
    numeric('height', source.height),
    numeric('weight', source.weight),
    numeric('price', source.price, 2),
    numeric('amount', source.amount),
    ...columns,
  ])
}
