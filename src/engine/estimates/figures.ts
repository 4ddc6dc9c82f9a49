/** The figures of an estimate, as they are told. */

/** On a protected seed scenario, baseline and difference are each rounded separately, so their last digits need not agree. */
export interface EstimatedDifference {
  readonly scenario: number
  readonly baseline: number
  readonly difference: number
  readonly standardError: number
  /** Null: as many as one likes. */
  readonly degreesOfFreedom: number | null
  /** What takes the place of 1.96 in an interval that holds together with the others (simultaneous.ts); absent: not asked. */
  readonly simultaneousQuantile?: number
}

export interface EstimatedMean extends EstimatedDifference {
  readonly scenarioSd: number
  readonly baselineSd: number
}

/** What a share is a share of: all rows, or those that answered. */
export type Base = 'all' | 'valid'

/** The rows of a side that an outcome's figures are made of. */
export interface EstimatedBase {
  /** Rows of the seed; null: too few to be told. */
  readonly rows: number | null
  /** As many rows that count alike would say as much; see supportOf. Null as above. */
  readonly effectiveRows: number | null
}
