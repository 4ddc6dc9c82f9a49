import { describe, expect, it } from 'vitest'
import type { Table } from '../../../src/engine/cleaning/table.ts'
import {
  attackMultiples,
  type MembershipContext,
  membershipContext,
  nearestSynthetic,
  scoreAttacks,
} from '../../../src/engine/quality/membership.ts'
import { categorical, numeric, surveyTable, tableOf } from '../survey-table.ts'
import { asBlock, compareTables, range, rowsOf } from './compared-parts.ts'

const survey = surveyTable(9_000)
const training = rowsOf(survey, range(0, 400))
const heldOut = rowsOf(survey, range(400, 800))

/** An attack with generated rows that come in blocks of any size. */
async function contextOf(parts: readonly [Table, Table], generated: Table, multiples: readonly number[], size = 170) {
  async function* blocks() {
    for (let from = 0; from < generated.rowCount; from += size) {
      yield asBlock(rowsOf(generated, range(from, Math.min(generated.rowCount, from + size))))
    }
  }
  return membershipContext(compareTables(parts[0], parts[1], rowsOf(generated, range(0, 10))), multiples, blocks())
}

const searched = (context: MembershipContext) =>
  nearestSynthetic(context)({ firstQuery: 0, endQuery: context.members + context.others })

async function attacks(generated: Table, multiples: readonly number[]) {
  const context = await contextOf([training, heldOut], generated, multiples)
  return scoreAttacks(context, searched(context))
}

describe('an attack on membership', () => {
  it('reveals nothing with any number of other rows of the population', async () => {
    const { queries, attacks: found } = await attacks(rowsOf(survey, range(800, 800 + 20 * 400)), [1, 10, 20])
    expect(queries).toBe(400)
    expect(found.map(({ multiple }) => multiple)).toEqual([1, 10, 20])
    for (const { auc, chance, identified, identifiedChance } of found) {
      expect(Math.abs(auc - 0.5)).toBeLessThan(2 * chance)
      expect(Math.abs(identified - 0.05)).toBeLessThan(2 * identifiedChance)
    }
  })

  it('recognizes everyone from copies of the training rows', async () => {
    const { attacks: found } = await attacks(training, [1])
    expect(found).toEqual([expect.objectContaining({ auc: expect.closeTo(1, 2), identified: expect.closeTo(1, 1) })])
  })

  it('reveals more with more rows if some of them are copies', async () => {
    // One row in 20 is a copy of one trained on: of 400 rows 20 are, of 8,000 all.
    const mixed = range(0, 8_000).map((i) => (i % 20 === 0 ? (i / 20) % 400 : 800 + i))
    const { attacks: found } = await attacks(rowsOf(survey, mixed), [1, 10, 20])
    const areas = found.map(({ auc }) => auc)
    expect(areas).toEqual([...areas].sort((a, b) => a - b))
    expect(areas[0]).toBeLessThan(0.6)
    expect(areas[1]).toBeGreaterThan(0.7)
    expect(areas[2]).toBeGreaterThan(0.95)
  })

  it('states the range that chance explains, for two samples of one population', async () => {
    const { attacks: found } = await attacks(training, [1])
    expect(found[0]!.chance).toBeCloseTo(2 * Math.sqrt(801 / (12 * 400 * 400)), 12)
    expect(found[0]!.identifiedChance).toBeCloseTo(2 * Math.sqrt((0.05 * 0.95 * 2) / 400), 12)
  })

  it.each([
    { what: 'of several kinds', table: survey },
    { what: 'of numbers alone', table: tableOf(survey.columns.filter(({ kind }) => kind === 'numeric')) },
    { what: 'of levels alone', table: tableOf(survey.columns.filter(({ kind }) => kind === 'categorical')) },
    { what: 'of a single number that is often missing', table: tableOf([survey.columns[5]!]) },
  ])('finds the same nearest rows as a comparison with all rows and columns: columns $what', async ({ table }) => {
    const parts = [rowsOf(table, range(0, 400)), rowsOf(table, range(400, 600))] as const
    const context = await contextOf(parts, rowsOf(table, range(1_000, 5_000)), [1, 10])
    const { d, queries, synthetic } = context
    const found = searched(context)
    for (const [q, row] of [0, 3, 50, 399, 400, 555].entries()) {
      const distance = (at: number) =>
        range(0, d).reduce(
          (sum, c) =>
            sum + Math.min(1, Math.abs(queries.coordinates[row * d + c]! - synthetic.coordinates[at * d + c]!)),
          0,
        )
      // Rows are sorted within their multiple: the first 400 are still the first 400.
      for (const [p, rows] of [400, 4_000].entries()) {
        const expected = range(0, rows).reduce((least, at) => Math.min(least, distance(at)), Number.POSITIVE_INFINITY)
        expect([q, p, found[row * 2 + p]]).toEqual([q, p, expect.closeTo(expected, 5)])
      }
    }
  })

  it('finds a near row without a value in the column by which rows are sorted', async () => {
    const words = ['a', 'b', 'c', 'd']
    const amounts = [0, 30, 60, 100]
    // Four real rows; four generated ones without an amount that have the same words, and four with it that have others.
    const table = tableOf([
      numeric('amount', [...amounts, null, null, null, null, ...amounts]),
      ...range(0, 3).map((c) => categorical(`word ${c}`, [...words, ...words, 'e', 'e', 'e', 'e'])),
    ])
    const real = rowsOf(table, range(0, 4))
    const context = await contextOf([real, real], rowsOf(table, [8, 9, 10, 11, 4, 5, 6, 7]), [1, 2])
    expect([...searched(context)].filter((_, i) => i % 2 === 1)).toEqual(range(0, 8).map(() => 1))
  })

  it('uses 1, 10 and 20 rows per training row, up to a million cells', () => {
    expect(attackMultiples(800, 20)).toEqual([1, 10, 20])
    expect(attackMultiples(6_400, 15)).toEqual([1, 10])
    expect(attackMultiples(800, 100)).toEqual([1, 10])
    expect(attackMultiples(800, 500)).toEqual([1, 2])
    expect(attackMultiples(115_000, 1)).toEqual([1, 8])
    expect(attackMultiples(800, 5_000)).toEqual([1])
  })
})

describe('the share of rows recognized at 5 % false alarms', () => {
  const shareOf = (members: readonly number[], others: readonly number[]) => {
    const context = { members: members.length, others: others.length, multiples: [1] } as unknown as MembershipContext
    return scoreAttacks(context, Float64Array.of(...members, ...others)).attacks[0]!.identified
  }

  it.each([
    { what: 'nearer than all others', members: [1, 1, 9, 9], share: 0.5 },
    { what: 'as near as one of 20 others', members: [2, 2, 9, 9], share: 0.5 },
    { what: 'farther than two of 20 others', members: [4, 4, 9, 9], share: 0 },
    { what: 'as near as all others, of which as many are classified as members', members: [5, 5, 5, 5], share: 0 },
  ])('is $share of members that are partly $what', ({ members, share }) => {
    expect(shareOf(members, [2, 3, ...range(0, 18).map(() => 8)])).toBeCloseTo(share, 12)
  })

  it('is 5 % where all distances are equal', () => {
    expect(
      shareOf(
        [3, 3],
        range(0, 10).map(() => 3),
      ),
    ).toBeCloseTo(0.05, 12)
  })
})
