export type DropReason =
  | 'constant'
  | 'near_zero_variance'
  | 'mostly_missing'
  | 'identifier'
  | 'free_text'
  | 'too_many_levels'
  | 'unmodelled'

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

/** What cleaning did to a table. */
export interface CleaningReport {
  /** Rows of the file, with those that were empty or repeated the header. */
  readonly inputRows: number
  readonly inputColumns: number
  readonly cleanRows: number
  /** Schema entries: input columns without the dropped ones. */
  readonly cleanColumns: number
  readonly droppedColumns: readonly DroppedColumn[]
  readonly renamedColumns: readonly { readonly from: string; readonly to: string }[]
  readonly droppedLevels: readonly DroppedLevels[]
  readonly droppedRows: { readonly empty: number; readonly repeatedHeader: number }
  readonly notes: readonly string[]
}

export const MAX_LISTED_LEVELS = 50
