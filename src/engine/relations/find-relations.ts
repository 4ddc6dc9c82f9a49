/** Finds relations between columns of which none determines another. Deterministic. */

import type { NumericColumn, Table } from '../cleaning/table.ts'
import { encodeColumn } from '../encoding/encode.ts'
import { rounded } from '../encoding/numbers.ts'
import type { Formula } from '../model/derivation.ts'
import type { EncodedColumn, EncodedNumeric } from '../model/encoded-column.ts'
import type { Bound, Difference, Relation } from '../model/relation.ts'
import { sharedFloat64, sharedUint8 } from '../threads/shared-arrays.ts'
import { findEqualities } from './find-equalities.ts'
import { findOrders, type OrderedPair } from './find-orders.ts'
import { findRanks } from './find-ranks.ts'
import { findSums } from './find-sums.ts'
import { boundsOfRules, orderOf } from './rule-bounds.ts'

/** A difference codes a column better than its own codes if its spread is less than this share of the columns' spread. */
const MOST_SPREAD = 1
/** Spreads are measured on at most this many rows. */
const SPREAD_ROWS = 1_024
/** Most bounds that a difference codes: each takes as much memory as a column. */
const MOST_DIFFERENCES = 16

/**
 * @param columns Encoded from the table.
 * @returns bounds with a difference first, the closest before the others
 */
export function findRelations(
  table: Table,
  columns: readonly EncodedColumn[],
  formulas: readonly Formula[],
): Relation[] {
  const declared = boundsOfRules(table)
  const stated = declared.flatMap((bound) => orderOf(bound) ?? [])
  const isStated = (pair: OrderedPair) => stated.some(({ low, high }) => low === pair.low && high === pair.high)
  const orders = [...findOrders(table).filter((pair) => !isStated(pair)), ...distinctPairs(stated)]
  const ranks = findRanks(table)
  const close = orders
    .map((pair) => ({ pair, spread: relativeSpread(table, pair) }))
    .filter(({ spread }) => spread <= MOST_SPREAD)
    .sort((a, b) => a.spread - b.spread || a.pair.low - b.pair.low || a.pair.high - b.pair.high)
    .slice(0, MOST_DIFFERENCES)
    .map(({ pair }) => pair)
  const others = orders.filter((pair) => !close.includes(pair))
  const isComputed = (a: number, b: number) =>
    formulas.some(({ target, sources }) =>
      [a, b].every((column) => column === target || sources.some((source) => source.column === column)),
    )
  const equalities = findEqualities(table, columns).filter(({ columns: [a, b] }) => !isComputed(a, b))
  return [
    ...close.map((pair) => boundOf(pair, differenceOf(table, pair), isStated(pair))),
    ...equalities,
    ...others.map((pair) => boundOf(pair, null, isStated(pair))),
    ...declared.filter((bound) => orderOf(bound) === null),
    ...findSums(table, formulas, new Set(ranks.flatMap((one) => one.columns))),
    ...ranks,
  ]
}

/** Each pair once, strict where one of them is. */
function distinctPairs(pairs: readonly OrderedPair[]): OrderedPair[] {
  const alike = (a: OrderedPair) => (b: OrderedPair) => a.low === b.low && a.high === b.high
  return pairs
    .filter((pair, i) => pairs.findIndex(alike(pair)) === i)
    .map((pair) => ({ ...pair, strict: pairs.some((other) => alike(pair)(other) && other.strict) }))
}

function boundOf({ low, high, strict }: OrderedPair, difference: Difference | null, isDeclared: boolean): Bound {
  const terms = [
    { column: low, weight: 1 },
    { column: high, weight: -1 },
  ]
  return { kind: 'bound', terms, most: 0, strict, difference, ...(isDeclared && { isDeclared }) }
}

/** Spread of the difference relative to the smaller spread of the two columns; infinite if one has levels. */
function relativeSpread({ columns, rowCount }: Table, { low, high }: OrderedPair): number {
  const [a, b] = [columns[low]!, columns[high]!]
  if (a.kind !== 'numeric' || b.kind !== 'numeric') return Number.POSITIVE_INFINITY
  // Pairs that training finds are alike in this; a rule may compare others.
  if (a.format !== b.format || a.decimals !== b.decimals) return Number.POSITIVE_INFINITY
  const both: number[] = []
  const step = Math.ceil(rowCount / SPREAD_ROWS)
  for (let row = 0; row < rowCount; row += step) if (a.valid[row] === 1 && b.valid[row] === 1) both.push(row)
  const spreadOf = (value: (row: number) => number) => {
    const sorted = Float64Array.from(both, value).sort()
    return sorted[Math.floor(0.75 * sorted.length)]! - sorted[Math.floor(0.25 * sorted.length)]!
  }
  const smaller = Math.min(
    spreadOf((row) => a.values[row]!),
    spreadOf((row) => b.values[row]!),
  )
  return spreadOf((row) => b.values[row]! - a.values[row]!) / smaller
}

/** Second column minus first, in stored numbers. */
function differenceOf({ columns, rowCount }: Table, { low, high }: OrderedPair): Difference {
  const [a, b] = [columns[low] as NumericColumn, columns[high] as NumericColumn]
  const values = sharedFloat64(rowCount)
  const valid = sharedUint8(rowCount)
  const scale = a.format === null ? Number(`1e${a.decimals}`) : 1
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < rowCount; row++) {
    // Rows that break a rule do not teach it.
    if (a.valid[row] === 0 || b.valid[row] === 0 || a.values[row]! > b.values[row]!) continue
    valid[row] = 1
    values[row] = rounded(b.values[row]! - a.values[row]!, scale, 'nearest')
    min = Math.min(min, values[row]!)
    max = Math.max(max, values[row]!)
  }
  const { format, integer, decimals } = a
  const name = `${b.name} - ${a.name}`
  const { column, codes } = encodeColumn({
    kind: 'numeric',
    name,
    sourceName: name,
    missingShare: 0,
    format,
    values,
    valid,
    integer,
    decimals,
    min,
    max,
  })
  return { column: column as EncodedNumeric, codes }
}
