/** A column's values in the form in which they are counted. */
export interface CountedColumn {
  readonly values: Iterable<unknown>
  /** Null where missing. */
  readonly level: (value: unknown) => string | null
  /** Null where missing, NaN where the value is no number. */
  readonly number: (value: unknown) => number | null
  /** Whether its numbers are milliseconds of dates or times; absent: they are not. */
  readonly isDate?: boolean
}
