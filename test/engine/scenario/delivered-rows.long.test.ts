import { beforeAll, expect, it } from 'vitest'
import { deliver, type People, peopleOf, randomConditions } from './random-conditions.ts'

/** The first ones are in delivered-rows.test.ts. */
const DRAWS = [3, ...Array.from({ length: 120 }, (_, i) => 5 + i)]

let people: readonly People[]

beforeAll(async () => {
  people = [await peopleOf(1200, 1, false), await peopleOf(1200, 2, true)]
})

it.each(DRAWS)('rows have shares, bounds, cells, ranges and means together: draw %i', async (draw) => {
  const of = people[draw % 2]!
  const drawn = randomConditions(of, draw)
  expect(await deliver(of, drawn, draw)).toEqual({ rows: drawn.rowCount, deviation: 0, off: [] })
})
