import { describe, expect, it } from 'vitest'
import { assessScenario, generate } from '../../../src/engine/generate.ts'
import { withNearest } from '../../../src/engine/nearest/proposed-conditions.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, tableOf } from '../survey-table.ts'
import { leastMoved, movedShare, roundingOf } from './reference-nearest.ts'

const EXACT = { threads: 1, disclosure: 'exact' } as const

describe('thirty scenarios drawn at random that cannot have all rows', () => {
  const random = new RandomStream(7, PURPOSE.value)
  const pick = (most: number): number => Math.floor(random.real() * most)
  const LEVELS = ['a', 'b', 'c', 'd']

  /** Three columns whose combinations are often empty or rare. */
  const drawnTable = () => {
    const rows: string[][] = []
    for (const x of LEVELS)
      for (const y of LEVELS)
        for (const z of LEVELS.slice(0, 3)) {
          const times = random.real() < 0.5 ? 0 : random.real() < 0.4 ? 1 + pick(3) : 5 + pick(40)
          for (let i = 0; i < times; i++) rows.push([x, y, z])
        }
    const column = (name: string, c: number) =>
      categorical(
        name,
        rows.map((row) => row[c]!),
      )
    return tableOf([column('x', 0), column('y', 1), column('z', 2)])
  }

  /** Shares in twentieths of one to three levels of two or three columns. */
  const drawnScenario = ({ columns }: ReturnType<typeof drawnTable>) => {
    const shares: Record<string, Record<string, number>> = {}
    for (const { name, ...column } of random.real() < 0.5 ? columns.slice(0, 2) : columns) {
      if (column.kind !== 'categorical') continue
      let left = 20
      shares[name] = {}
      // One level at least takes the rest.
      for (const level of column.levels.slice(1, 2 + pick(column.levels.length - 1))) {
        const part = pick(left + 1)
        left -= part
        shares[name][level] = part / 20
      }
    }
    return scenario(shares)
  }

  it('have a proposal that runs, and a program of its own finds none nearer', { timeout: 120_000 }, async () => {
    let found = 0
    while (found < 30) {
      const table = drawnTable()
      const model = await trainModel(table, { threads: 1 })
      const rowCount = Math.min(2000, 10 * table.rowCount)
      for (let s = 0; s < 6 && found < 30; s++) {
        const of = drawnScenario(table)
        const { shortfall, nearest } = await assessScenario(model, of, rowCount, EXACT)
        if (shortfall === null) continue
        found++
        expect(nearest).toBeDefined()
        const to = withNearest(of, nearest!.conditions)
        const made = await generate(model, { ...EXACT, rowCount, seed: 1, scenario: to })
        expect(made.feasibility).toMatchObject({ rows: rowCount, shortfall: null })
        const least = await leastMoved(model, of, rowCount)
        expect(movedShare(of, to)).toBeCloseTo(nearest!.moved, 6)
        expect(nearest!.moved).toBeGreaterThanOrEqual(least!.moved - 1e-6)
        expect(nearest!.moved).toBeLessThanOrEqual(least!.moved + roundingOf(of, to) + 1e-6)
      }
    }
  })
})
