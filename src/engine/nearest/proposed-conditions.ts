/** A scenario with other numbers, and the conditions in which two scenarios differ. */

import type { Conditions, ShareCondition } from '../scenario/conditions.ts'
import type { Margins } from '../scenario/margins.ts'
import type { CellTarget, RequestedConditions, ShareBounds, ShareTarget } from '../scenario/scenario.ts'

/**
 * @param typed Margin → its new number: a share. Where a level has bounds and it is beyond them, it becomes the bound that it passed;
 *   within them the level gets it as its share.
 */
export function withMargins(
  scenario: RequestedConditions,
  { shares }: Pick<Conditions, 'shares'>,
  { start, codes }: Margins,
  typed: ReadonlyMap<number, number>,
): RequestedConditions {
  const ofColumn = (d: number): Map<number, number> => {
    const numbers = new Map<number, number>()
    for (let m = start[d]!; m < start[d + 1]!; m++) if (typed.has(m)) numbers.set(codes[m]!, typed.get(m)!)
    return numbers
  }
  const { cells } = scenario
  return {
    ...scenario,
    shares: scenario.shares.map((target) => {
      const d = shares.findIndex(({ column }) => column.name === target.column)
      return d < 0 ? target : withNumbers(target, shares[d]!, ofColumn(d))
    }),
    ...(cells && { cells: cells.map((target, t) => withCells(target, ofColumn(shares.length + t))) }),
  }
}

function withNumbers(
  target: ShareTarget,
  { column }: ShareCondition,
  numbers: ReadonlyMap<number, number>,
): ShareTarget {
  if (numbers.size === 0) return target
  const levels = new Map(target.levels)
  const bounds = new Map(target.bounds ?? [])
  for (const [code, number] of numbers) {
    const level = column.levels[code - column.missing]!
    const stated = bounds.get(level)
    if (stated === undefined) levels.set(level, number)
    else if (number < stated.min) bounds.set(level, { ...stated, min: number })
    else if (number > stated.max) bounds.set(level, { ...stated, max: number })
    else {
      bounds.delete(level)
      levels.set(level, number)
    }
  }
  return { column: target.column, levels, ...(bounds.size > 0 && { bounds }) }
}

function withCells(target: CellTarget, numbers: ReadonlyMap<number, number>): CellTarget {
  return { ...target, cells: target.cells.map((cell, code) => ({ ...cell, share: numbers.get(code) ?? cell.share })) }
}

/** A scenario with the conditions that change. */
export function withNearest(
  scenario: RequestedConditions,
  { shares, cells = [], means = [] }: RequestedConditions,
): RequestedConditions {
  const ofTable = ({ columns }: CellTarget): string => JSON.stringify(columns)
  return {
    ...scenario,
    shares: scenario.shares.map((target) => shares.find(({ column }) => column === target.column) ?? target),
    ...(scenario.cells && {
      cells: scenario.cells.map((target) => cells.find((other) => ofTable(other) === ofTable(target)) ?? target),
    }),
    ...(scenario.means && {
      means: scenario.means.map((target) => means.find(({ column }) => column === target.column) ?? target),
    }),
  }
}

/** The shares, cells and means of a scenario that another one does not state like this, complete for their columns. */
export function differing(scenario: RequestedConditions, from: RequestedConditions): RequestedConditions {
  const cells = scenario.cells?.filter((target, t) => !areEqual(target, from.cells?.[t]))
  const means = scenario.means?.filter((target, j) => !areEqual(target, from.means?.[j]))
  return {
    shares: scenario.shares.filter((target, s) => !areEqualShares(target, from.shares[s]!)),
    ranges: [],
    ...(cells && cells.length > 0 && { cells }),
    ...(means && means.length > 0 && { means }),
  }
}

const areEqualShares = (a: ShareTarget, b: ShareTarget): boolean =>
  areEqual([...a.levels], [...b.levels]) && areEqual(endsOf(a.bounds), endsOf(b.bounds))

const endsOf = (bounds: ReadonlyMap<string, ShareBounds> = new Map()) =>
  [...bounds].map(([level, { min, max }]) => [level, min, max])

/** Infinite ends are no numbers in JSON. */
const areEqual = (a: unknown, b: unknown): boolean => written(a) === written(b)

const written = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? String(each) : each))
