/** The full record of cleaning: the source of the wire's `cleaning_summary`. Counts are rows of the whole seed. */

import type { RawTable } from '../../base/raw-table.ts'

export type DropReason =
  | 'constant'
  | 'near_zero_variance'
  | 'mostly_missing'
  | 'identifier'
  | 'free_text'
  | 'too_many_levels'
  | 'unmodelled'
  | 'case_weight'
  | 'survey_design'

export interface DroppedColumn {
  /** Header in the seed file. */
  readonly name: string
  readonly reason: DropReason
  /** A sentence with the figures behind the reason. */
  readonly detail: string
}

export interface DroppedLevels {
  /** Cleaned name. */
  readonly column: string
  /** Levels that became missing, most frequent first, at most `MAX_LISTED_LEVELS`. */
  readonly levels: readonly string[]
  /** Further levels that are not listed. */
  readonly levelsOmitted: number
  /** Rows of the seed in which a level became missing. */
  readonly rows: number
}

/** A multi-select column that became one column of 0 and 1 per option. */
export interface SplitColumn {
  /** Header in the seed file. */
  readonly from: string
  readonly separator: string
  /** Cleaned name, option, and rows of the seed in which it was ticked; most frequent first. */
  readonly into: readonly { readonly name: string; readonly option: string; readonly rows: number }[]
  /** Answers that are too rare for a separate column, most frequent first, at most `MAX_LISTED_LEVELS`. */
  readonly otherAnswers: readonly string[]
  readonly otherAnswersOmitted: number
}

/** The result of cleaning a table. */
export interface CleaningReport {
  /** Rows of the file, with those that were empty or repeated the header. */
  readonly inputRows: number
  readonly inputColumns: number
  readonly cleanRows: number
  /**
   * Schema entries: input columns without the dropped and the split ones, plus the option columns of the split ones.
   */
  readonly cleanColumns: number
  readonly droppedColumns: readonly DroppedColumn[]
  readonly renamedColumns: readonly { readonly from: string; readonly to: string }[]
  readonly splitColumns: readonly SplitColumn[]
  readonly droppedLevels: readonly DroppedLevels[]
  readonly droppedRows: { readonly empty: number; readonly repeatedHeader: number }
  readonly notes: readonly string[]
  /** Further notes that are not listed. */
  readonly notesOmitted: number
  /** Of a workbook: the sheet that was read, and the others. */
  readonly sheet?: RawTable['sheet']
}

/** Levels listed of one column. */
export const MAX_LISTED_LEVELS = 50
/** Levels listed of all columns together; the others are counted. */
export const MAX_LISTED_LEVELS_IN_ALL = 2_000
