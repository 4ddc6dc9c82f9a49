import { echo } from '../http/request-shape.ts'
import { type ColumnOf, checkLevels, type Faults } from './condition-faults.ts'

/** Tolerance for shares that sum to 1. */
const SHARE_TOLERANCE = 1e-9

/** Records what is wrong with a column's shares; true if nothing is. */
export function checkShares(
  column: ColumnOf<'categorical'>,
  shares: ReadonlyMap<string, number>,
  bounds: ReadonlyMap<string, WrittenBounds> = new Map(),
  root: string,
  faults: Faults,
): boolean {
  const field = `${root}.${shares.size > 0 || bounds.size === 0 ? 'categorical' : 'bounds'}.${echo(column.name)}`
  const { levels } = column
  const before = faults.errors.length
  if (shares.size + bounds.size === 0) faults.errors.push({ field, message: 'names no level' })
  checkLevels(column, shares.keys(), field, faults)
  const sum = [...shares.values()].reduce((total, share) => total + share, 0)
  const least = [...bounds.values()].reduce((total, { min = 0 }) => total + min, sum)
  const most = [...bounds.values()].reduce((total, { max = 1 }) => total + max, sum)
  const text = (total: number): number => Number(total.toPrecision(12))
  if (sum > 1 + SHARE_TOLERANCE) {
    faults.errors.push({ field, message: `has shares that sum to ${text(sum)}, which is more than 1` })
  } else if (least > 1 + SHARE_TOLERANCE) {
    faults.errors.push({
      field,
      message: `has shares and least shares that sum to ${text(least)}, which is more than 1`,
    })
  } else if (
    most < 1 - SHARE_TOLERANCE &&
    column.missing_share === 0 &&
    levels.length > 0 &&
    levels.every((level) => shares.has(level) || bounds.has(level))
  ) {
    const which = bounds.size > 0 ? 'shares and greatest shares' : 'shares'
    faults.errors.push({
      field,
      message: `lists every level, with ${which} that sum to ${text(most)}: nothing is left to take the rest`,
    })
  }
  for (const level of shares.keys()) {
    if (!bounds.has(level)) continue
    faults.errors.push({
      field: `${field}.${echo(level)}`,
      message: `has a share, and ${root}.bounds has bounds of it`,
    })
  }
  return faults.errors.length === before
}

export interface WrittenBounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export const boundsOf = (own: ReadonlyMap<string, WrittenBounds>): [string, number, number][] =>
  [...own].map(([level, { min = 0, max = 1 }]) => [level, min, max])

/** Records what is wrong with a column's bounds by themselves; true if nothing is. */
export function checkBounds(
  column: ColumnOf<'categorical'>,
  own: ReadonlyMap<string, WrittenBounds>,
  root: string,
  faults: Faults,
): boolean {
  const field = `${root}.bounds.${echo(column.name)}`
  const before = faults.errors.length
  if (own.size === 0) faults.errors.push({ field, message: 'names no level' })
  checkLevels(column, own.keys(), field, faults)
  for (const [level, { min = 0, max = 1 }] of own) {
    if (min > max) faults.errors.push({ field: `${field}.${echo(level)}`, message: 'has a min above its max' })
  }
  return faults.errors.length === before
}
