import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CategoricalColumn, NumericColumn, Table } from '../../../src/engine/cleaning/table.ts'
import { assessScenario, generate } from '../../../src/engine/generate.ts'
import type { Model } from '../../../src/engine/model/model.ts'
import { withNearest } from '../../../src/engine/nearest/proposed-conditions.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { readCsvTable } from '../scenario/csv-table.ts'
import { countOf, rowsOf } from '../scenario/written-scenario.ts'
import { leastMoved, movedShare, roundingOf } from './reference-nearest.ts'

const DATA = resolve(import.meta.dirname, '../../../../shared/data')
const EXACT = { threads: 2, disclosure: 'exact' } as const
const ROWS = 5000
/** Of each table: thirty in all. */
const SCENARIOS = 10

/** Scenarios as people may write them: one to three levels of two or three columns, sometimes with a range or a table of cells. */
function drawnScenarios(table: Table, seed: number): () => RequestedConditions {
  const random = new RandomStream(seed, PURPOSE.value)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.real() * items.length)]!
  const levelled = table.columns.filter(
    (column): column is CategoricalColumn =>
      column.kind === 'categorical' && column.levels.length >= 2 && column.levels.length <= 20,
  )
  const numbers = table.columns.filter((column): column is NumericColumn => column.kind === 'numeric')
  return () => {
    const columns = new Set<CategoricalColumn>()
    while (columns.size < (random.real() < 0.6 ? 2 : 3)) columns.add(pick(levelled))
    const shares = [...columns].map(({ name, levels }) => {
      const listed = new Set<string>()
      while (listed.size < Math.min(levels.length - 1, 1 + Math.floor(2 * random.real()))) listed.add(pick(levels))
      let left = 20
      const parts = [...listed].map((level) => {
        const part = Math.ceil(random.real() * left)
        left -= part
        return [level, part / 20] as const
      })
      return { column: name, levels: new Map(parts) }
    })
    const kind = random.real()
    if (kind < 0.3) {
      const { name, min, max } = pick(numbers)
      const from = min + 0.6 * random.real() * (max - min)
      return { shares, ranges: [{ column: name, min: from, max: from + 0.3 * (max - min) }] }
    }
    if (kind > 0.8) {
      const [a, b] = [...columns]
      const share = 0.05 * (1 + Math.floor(12 * random.real()))
      const cells = [{ levels: [pick(a!.levels), pick(b!.levels)], share }]
      return { shares: shares.slice(0, 1), ranges: [], cells: [{ columns: [a!.name, b!.name], cells }] }
    }
    return { shares, ranges: [] }
  }
}

describe.each(['adult', 'telco', 'sd2011'])('the nearest mixes of scenarios on %s.csv', (name) => {
  const file = `${DATA}/${name}.csv`
  describe.skipIf(!existsSync(file))('of the shared data', () => {
    let table: Table
    let model: Model

    beforeAll(async () => {
      table = readCsvTable(file)
      model = await trainModel(table, { threads: 2 })
    })

    it('have all rows, and a program of its own finds none nearer', async () => {
      const draw = drawnScenarios(table, 11)
      let found = 0
      for (let drawn = 0; found < SCENARIOS; drawn++) {
        expect(drawn).toBeLessThan(1000)
        const of = draw()
        const { shortfall, nearest } = await assessScenario(model, of, ROWS, EXACT)
        if (shortfall === null) continue
        const least = await leastMoved(model, of, ROWS)
        // Ranges without rows do not give way.
        expect(nearest === undefined).toBe(least === null)
        if (nearest === undefined || least === null) continue
        found++
        const to = withNearest(of, nearest.conditions)
        const made = await generate(model, { ...EXACT, rowCount: ROWS, seed: 1, scenario: to })
        expect(made.feasibility).toMatchObject({ rows: ROWS, shortfall: null })
        const rows = await rowsOf(made)
        for (const { column, levels } of to.shares)
          for (const [level, share] of levels)
            expect(Math.abs(countOf(rows[column]!, level) - share * ROWS)).toBeLessThanOrEqual(1)
        expect(movedShare(of, to)).toBeCloseTo(nearest.moved, 5)
        expect(nearest.moved).toBeGreaterThanOrEqual(least.moved - 1e-6)
        expect(nearest.moved).toBeLessThanOrEqual(least.moved + roundingOf(of, to) + 1e-6)
      }
    })
  })
})
