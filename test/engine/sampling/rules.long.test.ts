import { describe, expect, it } from 'vitest'
import { generate } from '../../../src/engine/generate.ts'
import type { RequestedConditions } from '../../../src/engine/scenario/scenario.ts'
import { trainModel } from '../../../src/engine/train.ts'
import { countBreaking, people, type Rows, rowsOf } from './ruled-people.ts'

const RULES = ['age >= 18 if driver = Yes', 'food + other = total', 'years <= age - 14']
const OTHERS = ['start <= end', 'pregnant in [No] if sex = Male', 'age != 18 if region = East and driver = No']
const RUNS = 20

/** Columns that no rule names, and those that rules name, cut into few classes. */
const CLASSES: Readonly<Record<string, (value: string | number) => string>> = {
  region: String,
  sex: String,
  happy: String,
  driver: String,
  age: (age) => String(Math.floor(Number(age) / 12)),
  total: (total) => String(Math.floor(Number(total) / 50)),
}

/** Sum over pairs of columns of 1 - TVD of their joint distributions, divided by the pairs. */
function pairFidelity(rows: Rows, truth: Rows, names: readonly string[]): number {
  const shares = (of: Rows, a: string, b: string) => {
    const counts = new Map<string, number>()
    const [one, other] = [of.get(a)!, of.get(b)!]
    one.forEach((value, i) => {
      const key = [value === null ? '-' : CLASSES[a]!(value), other[i] == null ? '-' : CLASSES[b]!(other[i]!)].join('|')
      counts.set(key, (counts.get(key) ?? 0) + 1 / one.length)
    })
    return counts
  }
  let [sum, pairs] = [0, 0]
  names.forEach((a, i) => {
    for (const b of names.slice(i + 1)) {
      const [p, q] = [shares(rows, a, b), shares(truth, a, b)]
      let distance = 0
      for (const key of new Set([...p.keys(), ...q.keys()])) distance += Math.abs((p.get(key) ?? 0) - (q.get(key) ?? 0))
      sum += 1 - distance / 2
      pairs++
    }
  })
  return sum / pairs
}

const tableRows = (table: ReturnType<typeof people>): Rows =>
  new Map(
    table.columns.map((column) => [
      column.name,
      Array.from({ length: table.rowCount }, (_, row) =>
        column.kind === 'categorical'
          ? (column.levels[column.codes[row]!] ?? null)
          : column.valid[row] === 0
            ? null
            : column.values[row]! / (column.format === null ? 1 : 86_400_000),
      ),
    ]),
  )

const SCENARIO: RequestedConditions = {
  shares: [
    { column: 'driver', levels: new Map([['Yes', 0.75]]) },
    { column: 'region', levels: new Map([['East', 0.4]]) },
  ],
  ranges: [{ column: 'age', min: 16, max: 60 }],
  means: [{ column: 'total', min: 125, max: 125 }],
}

describe('rules of simulated people', () => {
  it.each([
    ['three rules', RULES],
    ['six rules', [...RULES, ...OTHERS]],
  ])(
    '%s: no row breaks one in 20 runs, targets hold, with weights, missing values and rows of the seed that break each',
    async (_, rules) => {
      const found = { broken: 0, about: 0, offShares: 0, offMeans: 0, outside: 0 }
      for (let run = 1; run <= RUNS; run++) {
        const table = people({
          rows: 1_000,
          seed: run,
          rules,
          breaking: run % 2 === 0 ? 6 : 0,
          weighted: run % 3 === 0,
          missing: 0.05,
        })
        const model = await trainModel(table, { threads: 2 })
        const generated = await generate(model, {
          scenario: SCENARIO,
          rowCount: 1_500,
          seed: run,
          threads: 2,
          disclosure: 'exact',
        })
        const rows = await rowsOf(generated)
        for (const one of countBreaking(rows, rules)) {
          found.broken += one.broken
          found.about += one.about
        }
        for (const { column, levels } of SCENARIO.shares)
          for (const [level, share] of levels)
            if (rows.get(column)!.filter((value) => value === level).length !== Math.round(share * 1_500))
              found.offShares++
        const totals = rows.get('total')!.flatMap((value) => (value === null ? [] : [Number(value)]))
        if (Math.abs(totals.reduce((a, b) => a + b, 0) - 125 * totals.length) > 0.0051) found.offMeans++
        found.outside += rows.get('age')!.filter((age) => age === null || Number(age) < 16 || Number(age) > 60).length
      }
      expect(found).toEqual({ broken: 0, about: found.about, offShares: 0, offMeans: 0, outside: 0 })
      expect(found.about).toBeGreaterThan(RUNS * 1_500 * rules.length * 0.4)
    },
  )

  it('the pairs of columns are as near to the population as without rules', async () => {
    const names = Object.keys(CLASSES)
    const truth = tableRows(people({ rows: 40_000, seed: 1_000, rules: [], missing: 0.05 }))
    const gains: number[] = []
    for (let run = 1; run <= RUNS; run++) {
      const options = { rows: 1_000, seed: run, missing: 0.05 } as const
      const fidelity = async (rules: readonly string[]) => {
        const model = await trainModel(people({ ...options, rules }), { threads: 2 })
        const scenario = { shares: [], ranges: [] }
        return pairFidelity(
          await rowsOf(await generate(model, { scenario, rowCount: 1_500, seed: run, threads: 2 })),
          truth,
          names,
        )
      }
      gains.push((await fidelity([...RULES, ...OTHERS])) - (await fidelity([])))
    }
    const mean = gains.reduce((a, b) => a + b, 0) / RUNS
    const error = Math.sqrt(gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (RUNS - 1) / RUNS)
    expect(mean).toBeGreaterThan(-0.002 - 2 * error)
  })
})
