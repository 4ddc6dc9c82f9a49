/**
 * Cells of a scenario that no row can be in without breaking a rule: what it demands fails, and its conditions hold, whatever the columns
 * that are not in the cell come to.
 *
 * D  conditioned categorical columns
 */

import { type Comparison, columnsOfRule, compares, negated, type Rule, type RuleTest } from '../../base/rules/rule.ts'
import type { EncodedColumn, Model } from '../model/model.ts'
import { breaksRule, ruleUnitOf, seedColumns } from '../model/row-rules.ts'
import type { RangeCondition } from './conditions.ts'

/** Whether the codes of a cell, from index `at`, break a rule. */
type Breaks = (codes: Int32Array, at: number) => boolean

/**
 * Takes out rows of the seed that break a rule about the conditioned columns: no row of a scenario is like them.
 *
 * @param columns The D columns of the cells.
 * @param inside Length n: becomes 0 for such rows.
 * @returns the rules that such rows break, as the study writes them, where they were inside.
 */
export function leaveOutBreaking(
  model: Model,
  columns: Int32Array,
  ranges: readonly RangeCondition[],
  inside: Float64Array,
): readonly string[] {
  const own = (model.rules ?? []).filter((rule) => breaksInCell(model, columns, ranges, rule) !== null)
  if (own.length === 0) return []
  const table = seedColumns(model)
  return own.flatMap((rule) => {
    const breaks = breaksRule(model.columns, rule, table)
    let isBroken = false
    for (let row = 0; row < inside.length; row++) {
      if (inside[row] === 0 || !breaks(row)) continue
      inside[row] = 0
      isBroken = true
    }
    return isBroken ? [rule.text] : []
  })
}

/** What a column may be in the rows of a cell. Null: it may be missing, so no rule is broken. */
type Room = { readonly low: number; readonly high: number; readonly levels: readonly string[] | null } | null

/**
 * @param columns The D columns of the cells.
 * @param ranges Of numeric columns.
 * @returns null for a rule that no cell can break.
 */
export function breaksInCell(
  { columns: all }: Pick<Model, 'columns'>,
  columns: Int32Array,
  ranges: readonly RangeCondition[],
  rule: Rule<number>,
): Breaks | null {
  const named = columnsOfRule(rule)
  const places = new Map(named.map((column) => [column, columns.indexOf(column)]))
  const rangeOf = (column: number) => ranges.find(({ index }) => index === column)
  if (named.every((column) => places.get(column)! < 0 && rangeOf(column) === undefined)) return null
  const fixed = new Map(
    named.flatMap((column) =>
      places.get(column)! < 0 ? [[column, roomOf(all[column]!, rangeOf(column))] as const] : [],
    ),
  )
  if ([...fixed.values()].includes(null)) return null
  return (codes, at) => {
    const room = (column: number): Room => {
      const d = places.get(column)!
      return d < 0 ? fixed.get(column)! : roomOfCode(all[column]!, codes[at + d]!)
    }
    if (named.some((column) => room(column) === null)) return false
    return isSure(negated(rule.must), room) && rule.when.every((test) => isSure(test, room))
  }
}

function roomOf(column: EncodedColumn, ranged: RangeCondition | undefined): Room {
  if (column.missing === 1 && ranged === undefined) return null
  if (column.kind === 'categorical') return roomOfLevels(column.levels)
  const unit = ruleUnitOf(column)
  const low = Math.max(column.values[0] ?? Number.NaN, ranged?.range.min ?? Number.NEGATIVE_INFINITY)
  const high = Math.min(column.values.at(-1) ?? Number.NaN, ranged?.range.max ?? Number.POSITIVE_INFINITY)
  return { low: low / unit, high: high / unit, levels: null }
}

function roomOfCode(column: EncodedColumn, code: number): Room {
  const level = column.kind === 'categorical' ? column.levels[code - column.missing] : undefined
  return level === undefined ? null : roomOfLevels([level])
}

function roomOfLevels(levels: readonly string[]): Room {
  const numbers = levels.map(Number).filter((number) => !Number.isNaN(number))
  // A level that is no number counts as missing in a comparison.
  const [low, high] =
    numbers.length < levels.length ? [Number.NaN, Number.NaN] : [Math.min(...numbers), Math.max(...numbers)]
  return { low: low!, high: high!, levels }
}

/** Whether a test holds for all that its columns may be. */
function isSure(test: RuleTest<number>, room: (column: number) => Room): boolean {
  if (test.kind === 'comparison') return isSurelyCompared(test, room)
  const { levels, low, high } = room(test.column)!
  if (levels !== null) return levels.every((level) => test.levels.includes(level) !== test.isOut)
  const numbers = test.levels.map(Number)
  return test.isOut ? numbers.every((one) => one < low || one > high) : low === high && numbers.includes(low)
}

function isSurelyCompared({ terms, relation, most }: Comparison<number>, room: (column: number) => Room): boolean {
  let [least, largest, size] = [0, 0, Math.abs(most)]
  for (const { column, weight } of terms) {
    const { low, high } = room(column)!
    const ends = [weight * low, weight * high]
    least += Math.min(...ends)
    largest += Math.max(...ends)
    size += Math.max(...ends.map(Math.abs))
  }
  if (relation === '!=') return compares(largest, '<', most, size) || compares(-least, '<', -most, size)
  if (relation === '=') return [least, largest].every((end) => compares(end, '=', most, size))
  return compares(largest, relation, most, size)
}
