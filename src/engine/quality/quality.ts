/** What is known of a model's quality. Shares and similarities lie in 0…1. */
export interface Quality {
  readonly trainingRows: number
  readonly heldOutRows: number
  readonly syntheticRows: number
  /** Mean over the columns; null when none can be compared. */
  readonly columnShapes: Similarity | null
  /** Those farthest below their reference, worst first. */
  readonly worstColumns: readonly ColumnShape[]
  /** Mean over pairs of columns; null with a single column. */
  readonly pairs: (Similarity & { readonly pairs: number }) | null
  readonly twoSampleTest: TwoSampleTest
  /** Share of rows that equal a row trained on: of the synthetic ones, and of those held out. */
  readonly copies: { readonly synthetic: number; readonly heldOut: number }
  readonly nearestRows: NearestRows
}

/** Of synthetic rows to those held out, and of rows trained on to those held out: what chance allows. */
export interface Similarity {
  readonly synthetic: number
  readonly training: number
}

export interface ColumnShape extends Similarity {
  readonly column: string
}

export interface TwoSampleTest {
  readonly auc: number
  /** 0.5 ± this is what chance alone does in 95 of 100 cases. */
  readonly chance: number
  /** Of either kind. */
  readonly rows: number
}

export interface NearestRows {
  /** Share of synthetic rows that are nearer to a row trained on than to a held-out one; ties count half. */
  readonly nearerTraining: number
  /** 0.5 ± this is what chance alone does in 95 of 100 cases. */
  readonly chance: number
  /** What exact copies of rows trained on would give. */
  readonly ofCopies: number
  /** Synthetic rows asked about. */
  readonly queries: number
  /** Rows of either kind that they were held against. */
  readonly rows: number
}
