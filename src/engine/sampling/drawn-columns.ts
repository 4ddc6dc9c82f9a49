/** The rows of a batch, and the rules that they break. */

import type { Rule } from '../../base/rules/rule.ts'
import type { EncodedColumn } from '../model/model.ts'
import { breaksRule, type RuleColumns, ruleUnitOf } from '../model/row-rules.ts'

/** A column of the batch: places of levels, -1 where missing; or numbers. As long as the batch. */
export type DrawnColumn = { readonly codes: Int32Array } | { readonly values: Float64Array; readonly valid: Uint8Array }

/** Rows that break one of the rules, ascending. */
export function brokenRows(
  { columns, rules }: { readonly columns: readonly EncodedColumn[]; readonly rules: readonly Rule<number>[] },
  table: readonly DrawnColumn[],
  rows: number,
): number[] {
  const readers = drawnColumns(columns, table)
  const breaks = rules.map((rule) => breaksRule(columns, rule, readers))
  const found: number[] = []
  for (let row = 0; row < rows; row++) {
    for (const one of breaks) {
      if (!one(row)) continue
      found.push(row)
      break
    }
  }
  return found
}

export function drawnColumns(columns: readonly EncodedColumn[], table: readonly DrawnColumn[]): RuleColumns {
  return {
    number: (c) => {
      const drawn = table[c]!
      const column = columns[c]!
      if ('codes' in drawn) {
        const numbers = column.kind === 'categorical' ? column.levels.map(Number) : []
        return (row) => numbers[drawn.codes[row]!] ?? Number.NaN
      }
      const unit = ruleUnitOf(column)
      return (row) => (drawn.valid[row] === 0 ? Number.NaN : drawn.values[row]! / unit)
    },
    level: (c) => {
      const drawn = table[c]!
      return 'codes' in drawn ? (row) => drawn.codes[row]! : () => -1
    },
  }
}

export function copyRow(from: readonly DrawnColumn[], i: number, to: readonly DrawnColumn[], row: number): void {
  from.forEach((column, c) => {
    const own = to[c]!
    if ('codes' in column && 'codes' in own) own.codes[row] = column.codes[i]!
    else if ('values' in column && 'values' in own) {
      own.values[row] = column.values[i]!
      own.valid[row] = column.valid[i]!
    }
  })
}

/** NaN where a number is missing. */
export const valueAt = (column: DrawnColumn, row: number): number =>
  'codes' in column ? column.codes[row]! : column.valid[row] === 0 ? Number.NaN : column.values[row]!

export function setValue(column: DrawnColumn, row: number, value: number): void {
  if ('codes' in column) column.codes[row] = value
  else {
    column.valid[row] = Number.isNaN(value) ? 0 : 1
    column.values[row] = Number.isNaN(value) ? 0 : value
  }
}
