/**
 * What a scenario does not state changes as little as possible given all that it states. So the unlisted levels of a column,
 * missing among them, have one factor: rows that differ in nothing but unlisted levels are multiplied alike, in the delivered
 * mix and in the weights of the seed's rows.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weighSeed } from '../../../src/engine/estimates/seed-weights.ts'
import { generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { enumerateCells } from '../../../src/engine/scenario/cells.ts'
import { type Conditions, resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { type Settlement, settleScenario } from '../../../src/engine/scenario/feasibility.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'
import { countOf, rowsOf, scenario } from './written-scenario.ts'

const COLUMNS = ['first', 'second', 'third'] as const

/** A column's listed levels with their parts, the part of all other levels, and whether its scenario states it. */
interface Stated {
  readonly isStated: boolean
  readonly parts: readonly number[]
  readonly rest: number
}

interface Study {
  readonly table: number
  readonly scenarios: readonly {
    readonly shares: readonly Stated[]
    readonly range: { readonly min: number; readonly max: number } | null
  }[]
}

const part = fc.integer({ min: 1, max: 9 })
const stated: fc.Arbitrary<Stated> = fc.record({
  isStated: fc.boolean(),
  parts: fc.array(part, { minLength: 1, maxLength: 2 }),
  rest: part,
})

/** Three columns of four levels and missing values, and a number between 0 and 100 that goes with their levels. */
const study: fc.Arbitrary<Study> = fc.record({
  table: fc.nat(1_000_000),
  scenarios: fc.array(
    fc.record({
      shares: fc.tuple(stated, stated, stated).filter((all) => all.some(({ isStated }) => isStated)),
      range: fc.option(fc.record({ min: fc.integer({ min: 0, max: 50 }), max: fc.integer({ min: 60, max: 100 }) })),
    }),
    { minLength: 2, maxLength: 3 },
  ),
})

/** 400 people; the levels of a column depend on those before it, some never go together, and `amount` follows from them. */
function peopleOf(table: number) {
  const random = new RandomStream(table, PURPOSE.value)
  const lean = Array.from({ length: 3 }, () => random.below(3))
  const people = Array.from({ length: 400 }, () => {
    const codes: number[] = []
    for (let d = 0; d < 3; d++) {
      const drawn = Math.floor(random.real() ** 1.5 * 5)
      codes.push(random.real() < 0.5 && d > 0 ? (codes[d - 1]! + lean[d]!) % 5 : drawn)
    }
    return { codes, amount: Math.min(100, 20 * codes[lean[0]!]! + random.below(30)) }
  })
  return tableOf([
    ...COLUMNS.map((name, d) =>
      categorical(
        name,
        people.map(({ codes }) => (codes[d] === 4 ? null : `level ${codes[d]}`)),
      ),
    ),
    numeric(
      'amount',
      people.map(({ amount }) => amount),
    ),
  ])
}

function writtenOf({ shares, range }: Study['scenarios'][number]): RequestedConditions {
  const columns = shares.flatMap(({ isStated, parts, rest }, d) => {
    const sum = parts.reduce((a, b) => a + b, rest)
    const levels = Object.fromEntries(parts.map((share, code) => [`level ${code}`, share / sum]))
    return isStated ? [[COLUMNS[d]!, levels] as const] : []
  })
  return scenario(Object.fromEntries(columns), range ? { amount: range } : {})
}

/** Settles without a limit on multiplication: a combination at its limit is less than its factor would make it. */
async function settle(model: Model, of: RequestedConditions) {
  const conditions = resolveConditions(model, of)
  const indices = [...conditions.shares, ...conditions.ranges].map(({ index }) => index)
  const order = await trainOrder(model, indices, { threads: 1 })
  const evidenceCap = { naturalShareFactor: 1e9, rowsPerSeedRow: 1e9 }
  const settlement = await settleScenario(model, order, conditions, 1000, { evidenceCap, disclosure: 'exact' })
  const { cells, margins, walk } = settlement
  const { codes, probabilities } = enumerateCells(model, order, { margins })
  if (cells.length > 0) expect(codes).toEqual(cells)
  const inRange = walk.masses(cells, settlement.mix.length)
  return { settlement, natural: settlement.mix.map((_, c) => probabilities[c]! * inRange[c]!) }
}

/** What a combination has in each conditioned column: a listed level, or any other. */
function patternOf({ shares }: Conditions, codeOf: (d: number) => number): string {
  return shares.map(({ listed }, d) => (listed.has(codeOf(d)) ? codeOf(d) : 'other')).join()
}

/** The factors of the mix by combination of listed and other levels. */
function factorsOf({ conditions, cells, mix }: Settlement, natural: Float64Array): Map<string, number[]> {
  const D = conditions.shares.length
  const factors = new Map<string, number[]>()
  mix.forEach((share, c) => {
    // Cells that only sequential draws missed have no mass to compare with.
    if (natural[c] === 0) return
    const pattern = patternOf(conditions, (d) => cells[c * D + d]!)
    factors.set(pattern, [...(factors.get(pattern) ?? []), share / natural[c]!])
  })
  return factors
}

function expectAlike(factors: ReadonlyMap<string, readonly number[]>): void {
  for (const values of factors.values()) {
    const most = Math.max(...values)
    if (most > 0) expect(Math.min(...values) / most).toBeCloseTo(1, 9)
  }
}

/** Conditioned columns whose unlisted levels have other proportions in the mix than in the seed as a whole. */
function movedColumns(model: Model, { conditions, cells, mix }: Settlement): number {
  const D = conditions.shares.length
  return conditions.shares.filter(({ index, codeCount, listed }, d) => {
    const delivered = new Float64Array(codeCount)
    mix.forEach((share, c) => {
      delivered[cells[c * D + d]!]! += share
    })
    const seed = new Float64Array(codeCount)
    for (const code of model.codes[index]!) seed[code]!++
    const ratios = Array.from(delivered, (share, code) => share / seed[code]!).filter((_, code) => !listed.has(code))
    return Math.min(...ratios) < 0.95 * Math.max(...ratios)
  }).length
}

/** The factor of a combination is the product of its columns' factors: ratios in one column do not depend on the others. */
function expectProducts(factors: ReadonlyMap<string, readonly number[]>, digits: number): number {
  const patterns = [...factors].map(([key, [factor]]) => ({ levels: key.split(','), factor: factor! }))
  const of = new Map(patterns.map(({ levels, factor }) => [levels.join(), factor]))
  let compared = 0
  for (const { levels: a, factor: fa } of patterns) {
    for (const { levels: b, factor: fb } of patterns) {
      const mixed = of.get([a[0], ...b.slice(1)].join())
      const other = of.get([b[0], ...a.slice(1)].join())
      if (a.length < 2 || mixed === undefined || other === undefined || a[0]! >= b[0]!) continue
      compared++
      expect((mixed * other) / (fa * fb)).toBeCloseTo(1, digits)
    }
  }
  return compared
}

describe('the unlisted levels of every scenario of a study', () => {
  it('keep the proportions that they have given the other conditions, in rows and in the weights of the seed', async () => {
    const seen = { settled: 0, ranged: 0, moved: 0, weighted: 0, products: 0 }
    await fc.assert(
      fc.asyncProperty(study, async ({ table, scenarios }) => {
        const model = await trainModel(peopleOf(table), { threads: 1 })
        for (const of of scenarios.map(writtenOf)) {
          const { settlement, natural } = await settle(model, of)
          const { rows, fill, converged } = settlement.feasibility
          if (rows > 0) {
            seen.settled++
            if (settlement.conditions.ranges.length > 0) seen.ranged++
            seen.moved += movedColumns(model, settlement)
            expect({ fill, converged }).toEqual({ fill: 1, converged: true })
            const factors = factorsOf(settlement, natural)
            expectAlike(factors)
            seen.products += expectProducts(factors, 4)
          }
          const weighted = await weighSeed(model, of)
          if (weighted === null) continue
          seen.weighted++
          const ofRows = new Map<string, number[]>()
          weighted.weights.forEach((weight, row) => {
            if (weighted.inside[row] === 0) return
            const { conditions } = weighted
            const pattern = patternOf(conditions, (d) => model.codes[conditions.shares[d]!.index]![row]!)
            ofRows.set(pattern, [...(ofRows.get(pattern) ?? []), weight / weighted.inside[row]!])
          })
          expectAlike(ofRows)
          seen.products += expectProducts(ofRows, 4)
        }
      }),
      { numRuns: 30, seed: 21 },
    )
    expect(seen.settled).toBeGreaterThan(40)
    expect(seen.ranged).toBeGreaterThan(25)
    expect(seen.moved).toBeGreaterThan(25)
    expect(seen.weighted).toBeGreaterThan(40)
    expect(seen.products).toBeGreaterThan(500)
  })

  it('have their share inside a range where one of them does not occur, and elsewhere as it occurs', async () => {
    // People without internet pay 20; the dearest fibre costs 110.
    const people = [
      ...Array.from({ length: 220 }, () => ['none', 20] as const),
      ...Array.from({ length: 340 }, (_, i) => ['DSL', 40 + (i % 40)] as const),
      ...Array.from({ length: 440 }, (_, i) => ['fibre', 67 + (i % 44)] as const),
    ]
    const table = tableOf([
      categorical(
        'service',
        people.map(([service]) => service),
      ),
      numeric(
        'charge',
        people.map(([, charge]) => charge),
      ),
    ])
    const model = await trainModel(table, { threads: 1 })
    const countsOf = async (range: { min: number; max: number } | null) => {
      const of = scenario({ service: { DSL: 0.5 } }, range ? { charge: range } : {})
      const generated = await generate(model, { rowCount: 1000, seed: 1, scenario: of, threads: 1 })
      const { service } = await rowsOf(generated)
      const weighted = await weighSeed(model, of)
      const weightOf = (level: string) =>
        people.reduce((sum, [own], row) => sum + (own === level ? weighted!.weights[row]! : 0), 0)
      return {
        rows: ['DSL', 'fibre', 'none'].map((level) => countOf(service!, level)),
        weights: ['DSL', 'fibre', 'none'].map(weightOf),
      }
    }
    const inside = await countsOf({ min: 40, max: 90 })
    expect(inside.rows).toEqual([500, 500, 0])
    expect(inside.weights).toEqual([0.5, 0.5, 0].map((share) => expect.closeTo(share, 9)))
    // 44 values of fibre charge ten people each: 24 of them lie within the range, beside 220 people without internet.
    const wide = await countsOf({ min: 20, max: 90 })
    const fibre = 0.5 * (240 / 460)
    expect(wide.weights).toEqual([0.5, fibre, 0.5 - fibre].map((share) => expect.closeTo(share, 9)))
    for (const [i, share] of wide.weights.entries()) expect(Math.abs(wide.rows[i]! - 1000 * share)).toBeLessThan(10)
    const anywhere = await countsOf(null)
    expect(anywhere.weights).toEqual([0.5, 1 / 3, 1 / 6].map((share) => expect.closeTo(share, 9)))
    for (const [i, share] of anywhere.weights.entries())
      expect(Math.abs(anywhere.rows[i]! - 1000 * share)).toBeLessThan(1)
  })
})
