/**
 * The estimates as they are defined, person by person: slow, and without anything of the engine. Columns have so few
 * values that binning loses none.
 */
import type { Person } from './people.ts'

export interface ReferenceScenario {
  readonly shares?: Readonly<Partial<Record<'region' | 'member' | 'intent', Readonly<Record<string, number>>>>>
  readonly age?: readonly [min: number, max: number]
}

export interface ReferenceDifference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
  readonly standardError: number
}

/** Weights that sum to 1: iterative proportional fitting of every row until all shares hold. */
export function referenceWeights(rows: readonly Person[], { shares = {}, age }: ReferenceScenario): number[] {
  const weights: number[] = rows.map((row) => (age === undefined || (row.age >= age[0] && row.age <= age[1]) ? 1 : 0))
  const normalise = () => {
    const total = sum(weights)
    weights.forEach((weight, i) => {
      weights[i] = weight / total
    })
  }
  normalise()
  const targets = Object.entries(shares).map(([column, listed]) => {
    // Unlisted levels, missing among them, are one group with what the listed ones leave.
    const levelOf = (row: Person) => {
      const level = String(row[column as 'region' | 'member' | 'intent'])
      return listed[level] === undefined ? 'others' : level
    }
    const target = new Map(Object.entries({ ...listed, others: 1 - sum(Object.values(listed)) }))
    return { levelOf, target }
  })
  let moved = 1
  for (let sweep = 0; sweep < 1000 && moved > 1e-11; sweep++) {
    moved = 0
    for (const { levelOf, target } of targets) {
      const now = new Map<string, number>()
      for (const [i, row] of rows.entries()) now.set(levelOf(row), (now.get(levelOf(row)) ?? 0) + weights[i]!)
      const factors = new Map([...now].map(([level, has]) => [level, has > 0 ? target.get(level)! / has : 1]))
      for (const [i, row] of rows.entries()) weights[i]! *= factors.get(levelOf(row))!
      for (const [level, has] of now) moved = Math.max(moved, Math.abs(has - target.get(level)!))
    }
  }
  normalise()
  return weights
}

export function referenceDifference(
  rows: readonly Person[],
  scenario: ReferenceScenario,
  baseline: ReferenceScenario,
  value: (row: Person) => number | null,
): ReferenceDifference {
  const has = rows.map((row) => value(row) !== null)
  const y = rows.map((row) => value(row) ?? 0)
  const weighted = (of: ReferenceScenario): number[] => {
    const weights = referenceWeights(rows, of).map((weight, i) => (has[i] ? weight : 0))
    const total = sum(weights)
    return weights.map((weight) => weight / total)
  }
  const [w, v] = [weighted(scenario), weighted(baseline)]
  const m = sum(w.map((weight, i) => weight * y[i]!))
  const b = sum(v.map((weight, i) => weight * y[i]!))
  const squares = sum(y.map((yi, i) => (w[i]! * (yi - m) - v[i]! * (yi - b)) ** 2))
  return {
    scenario: m,
    baseline: b,
    difference: m - b,
    standardError: Math.sqrt((rows.length / (rows.length - 1)) * squares),
  }
}

export function effectiveRowsOf(weights: readonly number[]): number {
  return sum(weights) ** 2 / sum(weights.map((weight) => weight * weight))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
