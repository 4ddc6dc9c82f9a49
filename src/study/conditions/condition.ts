import type { SourceRange } from '../diagnostics/diagnostic.ts'

/**
 * What a scenario states of its rows, by kind. This is the one list of kinds: every table over kinds is typed by it, so that a new
 * kind is an error of the compiler at each table until it is there.
 */
export interface Conditions {
  readonly share: ShareCondition
  readonly range: RangeCondition
  readonly mean: MeanCondition
  readonly cell: CellCondition
}

export type ConditionKindName = keyof Conditions
export type Condition = Conditions[ConditionKindName]

/** Shares of a column's levels; levels that are not stated take the rest. */
export interface ShareCondition {
  readonly kind: 'share'
  readonly column: string
  /** Level → share. */
  readonly shares: ReadonlyMap<string, StatedShare>
  /** Key of the column, and of each level, where they are written. */
  readonly place: SourceRange
  readonly levels: ReadonlyMap<string, SourceRange>
}

/** A share, what becomes of the level's natural share, which the study leaves to the cleaned schema, or bounds. */
export type StatedShare = number | ShareChange | ShareBounds

/** The natural share times `times`, plus `plus`. */
export interface ShareChange {
  readonly times: number
  readonly plus: number
}

/** The share lies between two ends. */
export interface ShareBounds {
  /** Negative infinity: no bound. */
  readonly min: number
  /** Infinity: no bound. */
  readonly max: number
}

/** A column's values lie between two ends. */
export interface RangeCondition extends Range {
  readonly kind: 'range'
  readonly column: string
  /** Key of the column where it is written. */
  readonly place: SourceRange
}

/** The mean of a column's numbers, among the rows that have one, lies between two ends; equal ends: it is that. */
export interface MeanCondition {
  readonly kind: 'mean'
  readonly column: string
  /** Negative infinity: no bound. */
  readonly min: number
  /** Infinity: no bound. */
  readonly max: number
  /** Key of the column where it is written. */
  readonly place: SourceRange
}

/** Shares of combinations of levels of several columns; combinations that are not stated take the rest. */
export interface CellCondition {
  readonly kind: 'cell'
  readonly columns: readonly string[]
  readonly cells: readonly StatedCell[]
  /** The list of the columns, and each of them, where they are written. */
  readonly place: SourceRange
  readonly places: readonly SourceRange[]
}

export interface StatedCell {
  /** Of each column. */
  readonly levels: readonly string[]
  readonly share: number
  readonly place: SourceRange
  /** Of each level. */
  readonly places: readonly SourceRange[]
}

/** Both ends included. */
export interface Range {
  /** Negative infinity: the study leaves this end to the cleaned schema. */
  readonly min: number
  /** Infinity: the same. */
  readonly max: number
  /** An end is written as an RFC 3339 date or time; both are milliseconds since 1970. */
  readonly areDates?: true
}

/** The conditions of one kind, in their sequence. */
export function conditionsOf<K extends ConditionKindName>(
  { conditions }: { readonly conditions: readonly Condition[] },
  kind: K,
): readonly Conditions[K][] {
  return conditions.filter((condition): condition is Conditions[K] => condition.kind === kind)
}

/** The columns that a condition is about. */
export const columnsOf = (condition: Condition): readonly string[] =>
  condition.kind === 'cell' ? condition.columns : [condition.column]
