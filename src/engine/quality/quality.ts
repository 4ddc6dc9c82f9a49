/** The measured quality of a model. Shares and similarities are in 0…1. */
export interface Quality {
  readonly trainingRows: number
  readonly heldOutRows: number
  readonly syntheticRows: number
  /** Mean over the columns; null if none can be compared. */
  readonly columnShapes: Similarity | null
  /** The columns farthest below their reference, worst first. */
  readonly worstColumns: readonly ColumnShape[]
  /** Mean over pairs of columns; null with a single column. */
  readonly pairs: (Similarity & { readonly pairs: number }) | null
  readonly twoSampleTest: TwoSampleTest
  /** Share of rows that equal a training row: of the synthetic ones, and of the held-out ones. */
  readonly copies: { readonly synthetic: number; readonly heldOut: number }
  /** Null where no column repeats few numbers. */
  readonly rareNumbers: RareNumbers | null
  readonly nearestRows: NearestRows
  readonly correlations: Measured<CorrelationSlope>
  /** Largest first. */
  readonly itemBlocks: Measured<readonly ItemBlock[]>
  readonly differences: Measured<DifferenceSlopes>
  readonly propensity: Measured<Propensity>
  readonly membership: Membership
}

/** A figure, or the reason in words why these data give none. */
export type Measured<Figure> = Figure | Unmeasured

export interface Unmeasured {
  readonly unmeasured: string
}

export const unmeasured = (why: string): Unmeasured => ({ unmeasured: why })

/** With the interval that holds the true value in 95 of 100 cases. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Slope of the synthetic rows' correlations on those of real rows; other real rows have 1. */
export interface CorrelationSlope extends Estimate {
  readonly pairs: number
}

/** Columns on one scale. The estimate is the ratio of the two eigenvalues; other real rows have 1. */
export interface ItemBlock extends Estimate {
  /** Names of the first and the last item. */
  readonly first: string
  readonly last: string
  readonly items: number
  /** First eigenvalue of the items' correlations: of synthetic rows, and of training rows. */
  readonly synthetic: number
  readonly training: number
}

/** Slope of the synthetic rows' differences between groups on those of real rows; other real rows have 1. */
export interface DifferenceSlopes extends Estimate {
  /** Outcomes whose own differences are large enough to be measured, the median of their slopes, and the lowest slopes. */
  readonly outcomes: number
  readonly median: Estimate | null
  readonly lowest: readonly (Estimate & { readonly column: string })[]
}

/** How well a logistic regression distinguishes synthetic rows from training rows (Snoke and others 2018). */
export interface Propensity {
  readonly pmse: number
  /** Mean and standard deviation if the model were right. */
  readonly expected: number
  readonly deviation: number
  /** Parameters of the regression, the constant included. */
  readonly parameters: number
}

/** An attack by distance to the nearest synthetic row. */
export interface Membership {
  /** Rows of either kind in the test: training rows, and held-out rows. */
  readonly queries: number
  /** By the number of available synthetic rows, ascending. */
  readonly attacks: readonly MembershipAttack[]
}

export interface MembershipAttack {
  /** Synthetic rows per training row. */
  readonly multiple: number
  readonly auc: number
  /** Chance alone gives 0.5 ± this in 95 of 100 cases. */
  readonly chance: number
  /** Share of training rows that are recognized at a false positive rate of 5 % among held-out rows; 0.05 by chance. */
  readonly identified: number
  /** Chance alone gives 0.05 ± this in 95 of 100 cases. */
  readonly identifiedChance: number
}

/** Distance from synthetic to held-out rows, and from training to held-out rows, which is the floor set by chance. */
export interface Similarity {
  readonly synthetic: number
  readonly training: number
}

export interface ColumnShape extends Similarity {
  readonly column: string
}

export interface TwoSampleTest {
  readonly auc: number
  /** Chance alone gives 0.5 ± this in 95 of 100 cases. */
  readonly chance: number
  /** The smallest area that would be distinguished from 0.5, two-sided at 5 %, in 80 of 100 cases. */
  readonly detectable: number
  /** Of either kind. */
  readonly rows: number
}

/** Rows that carry a number which few rows of the seed have, as it is. */
export interface RareNumbers {
  /** Columns whose rows repeat few numbers. */
  readonly columns: number
  readonly synthetic: number
  /** As many rows in all as the synthetic ones, if rows have no weights. */
  readonly training: number
}

export interface NearestRows {
  /** Share of synthetic rows that are nearer to a training row than to a held-out row; ties count half. */
  readonly nearerTraining: number
  /** Chance alone gives 0.5 ± this in 95 of 100 cases. */
  readonly chance: number
  /** The value for exact copies of training rows. */
  readonly ofCopies: number
  /** Synthetic rows in the test. */
  readonly queries: number
  /** Rows of either kind that they are compared with. */
  readonly rows: number
}
