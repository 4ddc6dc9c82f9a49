import { beforeAll, describe, expect, it } from 'vitest'
import type { Model, Order } from '../../../src/engine/model/model.ts'
import { BATCH_ROWS, LEAST_PARTED_ROWS, type RowPart, UNIT_ROWS } from '../../../src/engine/sampling/batches.ts'
import { resolveConditions } from '../../../src/engine/scenario/conditions.ts'
import { type Settlement, settleScenario } from '../../../src/engine/scenario/feasibility.ts'
import type { FilledCells } from '../../../src/engine/scenario/filled-cells.ts'
import { layRows, roundMix } from '../../../src/engine/scenario/preset-rows.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { countsOfUnits } from '../../../src/engine/scenario/unit-counts.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { trainOrder } from '../../../src/engine/training/train-order.ts'
import { surveyTable } from '../survey-table.ts'
import { scenario } from './written-scenario.ts'

/** Three units, the last of which is short. */
const ROWS = LEAST_PARTED_ROWS + 1
const SEED = 4

interface Laid {
  readonly settlement: Settlement
  readonly cells: FilledCells
  /** The codes of the rows of a part, by column. */
  readonly codes: (part?: RowPart) => Uint16Array[]
}

let model: Model
const orders = new Map<string, Order>()
beforeAll(async () => {
  model = await trainModel(surveyTable(2_000), { threads: 1 })
})

async function lay(asked: RequestedConditions): Promise<Laid> {
  const conditions = resolveConditions(model, asked)
  const indices = [...conditions.shares, ...conditions.ranges].map(({ index }) => index)
  const key = indices.join(' ')
  const order = orders.get(key) ?? (await trainOrder(model, indices, { threads: 1 }))
  orders.set(key, order)
  const evidenceCap = { naturalShareFactor: 10, rowsPerSeedRow: 10_000 }
  const settlement = await settleScenario(model, order, conditions, ROWS, { evidenceCap, disclosure: 'exact' })
  expect(settlement.feasibility.rows).toBe(ROWS)
  const { settled: cells } = await roundMix(model, settlement, SEED)
  if (!('counts' in cells)) throw new Error('there are no means')
  const codes = (part: RowPart = { firstRow: 0, endRow: ROWS }): Uint16Array[] => {
    const columns = Array.from(indices, () => new Uint16Array(part.endRow - part.firstRow))
    for (const { firstRow, preset } of layRows(model, settlement, cells, { rows: ROWS, seed: SEED, part })) {
      preset.codes.forEach((some, d) => {
        columns[d]!.set(some, firstRow - part.firstRow)
      })
    }
    return columns
  }
  return { settlement, cells, codes }
}

const SHARES = { region: { north: 0.4 }, member: { yes: 0.5 } }
const RANGES = { height: { min: 165, max: 180 }, price: { min: 2, max: 4 }, visits: { min: 1, max: 8 } }

/** Counts of the combinations of codes. */
function countsIn(columns: readonly Uint16Array[], D: number, first = 0, end = ROWS): Map<string, number> {
  const counts = new Map<string, number>()
  for (let row = first; row < end; row++) {
    const key = columns
      .slice(0, D)
      .map((codes) => codes[row])
      .join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function countsOf({ codes }: FilledCells, counts: Int32Array, D: number): Map<string, number> {
  const known = [...counts].map((count, l) => [codes.slice(l * D, (l + 1) * D).join(' '), count] as const)
  return new Map(known.filter(([, count]) => count > 0))
}

describe('rows that are laid unit by unit', () => {
  it('have the cells of their unit, and together those of the scenario', async () => {
    const { cells, codes } = await lay(scenario(SHARES))
    const all = codes()
    expect(countsIn(all, 2)).toEqual(countsOf(cells, cells.counts, 2))
    for (const { firstRow, endRow, counts } of countsOfUnits(cells.counts, ROWS, SEED, { firstRow: 0, endRow: ROWS })) {
      expect(countsIn(all, 2, firstRow, endRow)).toEqual(countsOf(cells, counts, 2))
    }
  })

  it.each([
    ['shares', scenario(SHARES)],
    ['shares and a range', scenario(SHARES, { height: RANGES.height })],
    ['three ranges', scenario({}, RANGES)],
  ])('are the same whoever lays some of them, with %s', async (_, asked) => {
    const { codes } = await lay(asked)
    const all = codes()
    for (const [first, end] of [
      [0, UNIT_ROWS],
      [BATCH_ROWS, 20 * BATCH_ROWS],
      [30 * BATCH_ROWS, ROWS],
    ] as const) {
      const part = codes({ firstRow: first, endRow: end })
      part.forEach((some, d) => {
        expect(Buffer.from(some.buffer).equals(Buffer.from(all[d]!.slice(first, end).buffer))).toBe(true)
      })
    }
  })

  it('are in a random sequence: neighbours, and rows at the same place of two units, are alike as often as chance has it', async () => {
    const { codes } = await lay(scenario({ member: { yes: 0.5 } }))
    const [member] = codes() as [Uint16Array]
    const yes = member[0]!
    const pairs = (distance: number, count: number): { both: number; expected: number; error: number } => {
      let both = 0
      for (let row = 0; row < count; row++) if (member[row] === yes && member[row + distance] === yes) both++
      const share = member.reduce((sum, code) => sum + (code === yes ? 1 : 0), 0) / ROWS
      // The variance of a pair, given how many rows of the table are alike, is (p q)².
      return { both, expected: count * share * share, error: Math.sqrt(count) * share * (1 - share) }
    }
    for (const [distance, count] of [
      [1, ROWS - 1],
      [2, ROWS - 2],
      [UNIT_ROWS, UNIT_ROWS],
      [2 * UNIT_ROWS, ROWS - 2 * UNIT_ROWS],
    ] as const) {
      const { both, expected, error } = pairs(distance, count)
      expect(Math.abs(both - expected), `${distance} rows apart`).toBeLessThan(5 * error)
    }
  })

  it('have codes of ranges that are drawn anew in each unit, evenly over its rows', async () => {
    const { settlement, codes } = await lay(scenario({}, { height: RANGES.height }))
    const [height] = codes() as [Uint16Array]
    settlement.walk.enter(new Int32Array(0), 0)
    const { codes: possible, weights } = settlement.walk.weightedFirstCodes()
    const mass = weights.reduce((sum, weight) => sum + weight, 0)
    const ofUnits = [0, UNIT_ROWS, 2 * UNIT_ROWS].map((first) => {
      const rows = height.subarray(first, Math.min(ROWS, first + UNIT_ROWS))
      const counts = new Map<number, number>()
      for (const code of rows) counts.set(code, (counts.get(code) ?? 0) + 1)
      possible.forEach((code, i) => {
        // Systematic sampling gives each code the whole number below or above its expectation.
        expect(Math.abs((counts.get(code) ?? 0) - (rows.length * weights[i]!) / mass)).toBeLessThan(1 + 1e-6)
      })
      return counts
    })
    expect(ofUnits[0]).not.toEqual(ofUnits[1])
  })
})
