import type { Rule } from './rules/rule.ts'

/**
 * A table as it was read from a file, before cleaning.
 *
 * n  rows held here (`sampleRows`): all rows, or a deterministic sample when the file has more than the reader's cap
 * N  rows in the file (`rowCount`), without those of `droppedRows`
 *
 * Values live in typed arrays of length n; missing values in a validity mask (1 = present), never in a magic number.
 * The profile of each column counts the whole file, so that cleaning does not depend on the sample.
 */
export interface RawTable {
  readonly rowCount: number
  readonly sampleRows: number
  readonly columns: readonly RawColumn[]
  /** Columns of the file that hold lists or binary data and could not be read; absent = none. */
  readonly skippedColumns?: readonly { readonly name: string; readonly detail: string }[]
  /** What the author of the study says that rows follow; absent: nothing. */
  readonly rules?: readonly Rule[] | undefined
  /** Rows that the reader left out because they were entirely empty, or exact repeats of the header. */
  readonly droppedRows: { readonly empty: number; readonly repeatedHeader: number }
  /** Of a workbook: the sheet that was read, and the others; absent = the file has no sheets. */
  readonly sheet?: { readonly name: string; readonly others: readonly string[] }
  /** Notes about the reading for a researcher: encoding, delimiter, sheet, ragged rows. */
  readonly notes: readonly string[]
}

export type RawColumn = RawNumberColumn | RawTextColumn

/** Types of a column that only its author can know. */
export const DECLARED_TYPES = ['categorical', 'ordinal', 'numeric', 'text'] as const
export type DeclaredType = (typeof DECLARED_TYPES)[number]

/** Types that a dataset of answer codes is trained with once more, where the study takes a column for the other kind. */
export const ASKED_TYPES = ['ordinal', 'numeric'] as const satisfies readonly DeclaredType[]
export type AskedType = (typeof ASKED_TYPES)[number]

/** A column of numbers that is made of others, by their names. */
export type DeclaredFormula =
  /** The mean of those that have a value, where at least so many have one. */
  | { readonly form: 'mean'; readonly of: readonly string[]; readonly least: number }
  /** The first minus the second, where both have a value. */
  | { readonly form: 'difference'; readonly of: readonly [string, string] }

interface RawColumnBase {
  /** Header in the file, or an invented name (`column.3`) if there is none; unique in the table. */
  readonly name: string
  /** What the file says the column means: a variable label or the text of a question. Hostile text, not bounded here. */
  readonly label?: string | undefined
  /** The type that the author of the study declared, which cleaning keeps; absent: none. */
  readonly declaredType?: DeclaredType | undefined
  /** The declared order of the levels, ascending; absent: none. It may name levels that do not occur. */
  readonly declaredOrder?: readonly string[] | undefined
  /** What the author of the study made the column of; absent: it is a column of the file. */
  readonly declaredFormula?: DeclaredFormula | undefined
  /** Missing values in the whole file. */
  readonly missing: number
  /** Distinct non-missing values in the whole file. */
  readonly distinct: number
}

/** Numbers, and dates as milliseconds since 1970-01-01T00:00:00Z. */
export interface RawNumberColumn extends RawColumnBase {
  readonly type: 'number' | 'date' | 'date-time'
  /** Length n; arbitrary where `valid` is 0; finite elsewhere. */
  readonly values: Float64Array
  readonly valid: Uint8Array
  readonly min: number
  readonly max: number
  /** Most decimals any value was written with, counted up to 12; 0 means every value is whole. */
  readonly decimals: number
  /** Distinct values and their counts in the whole file when there are at most 4,096, ascending; else null. */
  readonly counts: ReadonlyMap<number, number> | null
}

/** Text, and booleans as the texts `true` and `false`. */
export interface RawTextColumn extends RawColumnBase {
  readonly type: 'text' | 'boolean'
  /** Length n; index into `dictionary`, -1 = missing. */
  readonly codes: Int32Array
  /** Distinct values that occur in the sample, in ascending order of UTF-16 code units. */
  readonly dictionary: readonly string[]
  /** Occurrences of each dictionary entry in the whole file. */
  readonly counts: Float64Array
  /** Mean number of words (runs of non-space) of the distinct values. */
  readonly meanWords: number
  /** Of the numbers in the file, where its columns or its author say: for whoever reads numbers in these texts. */
  readonly decimalMark?: ',' | '.' | undefined
}
