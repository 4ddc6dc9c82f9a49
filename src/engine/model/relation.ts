/**
 * Relations between columns in all rows of the seed, or in part of them, although none determines another. Found at
 * training (`find-relations.ts`), kept in generated rows (`related-draws.ts`), described in words by `describe.ts`.
 */

import { columnsOfTest, type RuleTest } from '../../base/rules/rule.ts'
import type { EncodedNumeric } from './encoded-column.ts'

export type Relation = Bound | Distinct | Equality

/**
 * In every row in which all its columns have a value: sum over j of weight_j x_j ≤ most, or < most.
 *
 * start ≤ end is start - end ≤ 0. Dates count in days, date-times in seconds. What follows from two bounds (a ≤ b and b ≤ c) is
 * not among them.
 */
export interface Bound {
  readonly kind: 'bound'
  readonly terms: readonly BoundTerm[]
  readonly most: number
  /** < instead of ≤ */
  readonly strict: boolean
  /**
   * For a bound of two numeric columns that are close to each other: second column minus first. Once one column is drawn, the
   * difference predicts the other. Null if the columns' own values predict better.
   */
  readonly difference: Difference | null
  /** Whether the author of the seed states it: it then holds in every row, whatever the seed's rows do. Absent: training found it. */
  readonly isDeclared?: true
  /** All of these hold in the rows that it is about, of columns with a value; absent: it is about every row. */
  readonly when?: readonly RuleTest<number>[]
}

export interface BoundTerm {
  /** Column index: a numeric column, or a categorical one whose levels are whole numbers. */
  readonly column: number
  readonly weight: number
}

export interface Difference {
  readonly column: EncodedNumeric
  /** Length n, shared; missing when one of the two is. */
  readonly codes: Uint16Array
}

/** No two of these categorical columns have the same level in a row: ranks, or first, second and third choice. */
export interface Distinct {
  readonly kind: 'distinct'
  /** Ascending. */
  readonly columns: readonly number[]
  /** Whether every row has all levels: as many levels as columns, and none missing. */
  readonly isPermutation: boolean
}

/** Two numeric columns that have the same value in more rows than chance explains. */
export interface Equality {
  readonly kind: 'equality'
  readonly columns: readonly [number, number]
  /** Share of the rows with both values in which they are equal, without frequent values. */
  readonly share: number
  /** Length n, shared: 1 where they are equal. */
  readonly rows: Uint8Array
}

/** The columns of a relation. */
export function columnsOf(relation: Relation): readonly number[] {
  if (relation.kind !== 'bound') return relation.columns
  const { terms, when = [] } = relation
  return [...new Set([...terms.map(({ column }) => column), ...when.flatMap((test) => columnsOfTest(test))])]
}
