import type { Table, TableColumn } from '../../../src/engine/cleaning/table.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { answers, dates, round } from '../derivations/derived-tables.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

export const DAY = 86_400_000

export type Row = Readonly<Record<string, string | number | null>>

export interface RelationKind {
  readonly columns: (random: RandomStream, rows: number) => TableColumn[]
  /** Whether a row satisfies the relation. */
  readonly holds: (row: Row) => boolean
  /** How training describes it; in any order. */
  readonly texts: readonly string[]
}

const each = <T>(rows: number, make: (i: number) => T) => Array.from({ length: rows }, (_, i) => make(i))
const waiting = (random: RandomStream, mean: number) => -mean * Math.log(1 - random.real())
const inOrder = (row: Row, names: readonly string[], strict: boolean) => {
  const there = names.map((name) => row[name]).filter((value) => value !== null) as (string | number)[]
  const numbers = there.map(Number)
  return numbers.every((value, i) => i === 0 || (strict ? value > numbers[i - 1]! : value >= numbers[i - 1]!))
}

function shuffled<T>(random: RandomStream, items: readonly T[], pull: number): T[] {
  return items
    .map((item, i) => ({ item, at: random.real() + pull * i }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Relations of every kind, by name. */
export const RELATED: Record<string, RelationKind> = {
  stay: {
    columns: (random, rows) => {
      const start = each(rows, () => 3000 + random.below(4000))
      const end = start.map((day) => day + 1 + Math.floor(waiting(random, 20)))
      const lost = (share: number) => (day: number) => (random.real() < share ? null : day)
      return [dates('start', start.map(lost(0.05))), dates('end', end.map(lost(0.25)))]
    },
    holds: (row) => inOrder(row, ['start', 'end'], true),
    texts: ['start < end'],
  },
  levels: {
    columns: (random, rows) => {
      const low = each(rows, () => round(50 + 40 * random.real() ** 2, 1))
      const middle = low.map((value) => round(value + 30 * random.real() ** 3, 1))
      const high = middle.map((value) => round(value + 25 * random.real(), 1))
      return [numeric('low', low, 1), numeric('middle', middle, 1), numeric('high', high, 1)]
    },
    holds: (row) => inOrder(row, ['low', 'middle', 'high'], false),
    texts: ['low <= middle', 'low < high', 'middle <= high'],
  },
  household: {
    columns: (random, rows) => {
      const members = each(rows, () => 1 + Math.floor(6 * random.real() ** 1.5))
      const children = members.map((count) => (random.real() < 0.1 ? null : random.below(count)))
      return [answers('children', children), answers('members', members)]
    },
    holds: (row) => inOrder(row, ['children', 'members'], true),
    texts: ['children < members'],
  },
  ranks: {
    columns: (random, rows) => {
      const ranked = each(rows, () => shuffled(random, [1, 2, 3], 0.3))
      return [0, 1, 2].map((j) =>
        answers(
          `rank ${j}`,
          ranked.map((row) => row[j]!),
        ),
      )
    },
    holds: (row) => new Set([row['rank 0'], row['rank 1'], row['rank 2']]).size === 3,
    texts: ['rank 0, rank 1, rank 2 hold each of their 3 levels once'],
  },
  'ten ranks': {
    columns: (random, rows) => {
      const levels = Array.from({ length: 10 }, (_, j) => j + 1)
      const ranked = each(rows, () => shuffled(random, levels, 0.25))
      return levels.map((level, j) =>
        answers(
          `place ${level}`,
          ranked.map((row) => row[j]!),
        ),
      )
    },
    holds: (row) => new Set(Array.from({ length: 10 }, (_, j) => row[`place ${j + 1}`])).size === 10,
    texts: [`${Array.from({ length: 10 }, (_, j) => `place ${j + 1}`).join(', ')} hold each of their 10 levels once`],
  },
  choices: {
    columns: (random, rows) => {
      const brands = ['Aro', 'Bel', 'Cor', 'Dun', 'Eta', 'Fix', 'Gil']
      const chosen = each(rows, () => shuffled(random, brands, 0.15))
      return ['first', 'second', 'third'].map((name, j) =>
        categorical(
          name,
          chosen.map((row) => (j > 0 && random.real() < 0.1 * j ? null : row[j]!)),
        ),
      )
    },
    holds: ({ first, second, third }) => {
      const there = [first, second, third].filter((brand) => brand !== null)
      return new Set(there).size === there.length
    },
    texts: ['first, second, third never have the same level'],
  },
  parts: {
    columns: (random, rows) => {
      const cut = each(rows, () => [random.real(), random.real(), random.real()].sort((a, b) => a - b))
      const part = (j: number) => cut.map((at) => Math.floor(100 * (at[j]! - (at[j - 1] ?? 0))))
      return [numeric('work', part(0)), numeric('home', part(1)), numeric('travel', part(2))]
    },
    holds: (row) => Number(row.work) + Number(row.home) + Number(row.travel) <= 100,
    texts: ['work + home + travel <= 100'],
  },
  shares: {
    columns: (random, rows) => {
      const total = each(rows, () => round(10 + 190 * random.real() ** 2, 2))
      const rent = total.map((value) => round(value * 0.7 * random.real(), 2))
      const food = total.map((value, i) => round((value - rent[i]!) * (random.real() < 0.1 ? 1 : random.real()), 2))
      return [numeric('spent', total, 2), numeric('rent', rent, 2), numeric('food', food, 2)]
    },
    holds: (row) => Number(row.rent) + Number(row.food) <= Number(row.spent) + 1e-9,
    texts: ['rent + food <= spent', 'rent < spent', 'food < spent'],
  },
}

export const NAMES = Object.keys(RELATED)

/** A table with the named relations between two columns that have nothing to do with them. */
export function relatedTable(names: readonly string[], rows: number, seed: number): Table {
  const random = new RandomStream(seed, PURPOSE.value)
  return tableOf([
    numeric(
      'age',
      each(rows, () => 18 + random.below(60)),
    ),
    ...names.flatMap((name) => RELATED[name]!.columns(random, rows)),
    categorical(
      'region',
      each(rows, () => ['north', 'east', 'south'][random.below(3)]!),
    ),
  ])
}

/** Bills and their payments: the whole bill in `share` of the rows. */
export function billsTable(rows: number, share: number, seed: number): Table {
  const random = new RandomStream(seed, PURPOSE.value)
  const bill = each(rows, () => (random.real() < 0.2 ? 0 : Math.round(100 + 30_000 * random.real() ** 2)))
  const paid = bill.map((amount) => {
    if (amount > 0 && random.real() < share) return amount
    return random.real() < 0.3 ? 1000 : Math.round(0.3 * amount * random.real())
  })
  return tableOf([
    numeric('bill', bill),
    numeric('paid', paid),
    categorical(
      'region',
      each(rows, () => ['north', 'east', 'south'][random.below(3)]!),
    ),
  ])
}

/** Ages of two people who are about as old as each other. */
export function spouses(rows: number): Table {
  const random = new RandomStream(8, PURPOSE.value)
  const own = each(rows, () => 18 + random.below(60))
  const other = own.map((age) => Math.max(18, age + random.below(9) - 4))
  return tableOf([numeric('age', own), numeric('age of the other', other)])
}
