/** What a manifest says about columns besides results: their natural distribution, and the sequence of their levels. */

/** A column of a dataset that conditions or comparisons of the study name. */
export interface ManifestColumn {
  /** What the seed file says that the column means. */
  readonly label?: string
  readonly kind: 'categorical' | 'numeric' | 'date'
  /** The levels have an order, and `levels` is in it. */
  readonly ordered?: true
  /** In the order of the levels if they have one, otherwise the most frequent first. */
  readonly levels?: readonly ManifestLevel[]
  /** Of the seed file; of the values that are not missing. */
  readonly quantiles?: NaturalQuantiles
}

export interface ManifestLevel {
  readonly level: string
  /** Share of the seed file's rows, to three decimals; absent when the service does not report it. */
  readonly share?: number
}

/** Numbers; for a date, RFC 3339 text. Rounded by the service so that they reveal no single person's value. */
export interface NaturalQuantiles {
  readonly q05: number | string
  readonly q25: number | string
  readonly q50: number | string
  readonly q75: number | string
  readonly q95: number | string
}

/** An axis of a matrix: its values in the sequence of the study, by the short names that `scenarios[id].axes` holds. */
export interface ManifestAxis {
  readonly name: string
  readonly values: readonly string[]
}

/** One column that a comparison holds side by side. */
export interface ComparedColumn {
  readonly column: string
  readonly kind: 'shares' | 'means'
  /** Of shares: shares of the rows that have an answer; absent: of all rows. */
  readonly base?: 'valid'
  /** In the sequence of the data; every level of a `shares` record of this column. */
  readonly levels?: readonly string[]
}

/**
 * How the values of a column are distributed. A bin holds the values from its lower edge up to, but without, its upper
 * edge; the last one holds its upper edge as well. All sides of one outcome have the same edges.
 */
export interface Histogram {
  /** Ascending; one more than `shares`. Dates in milliseconds since 1970. */
  readonly edges: readonly number[]
  /** Shares of the values that are not missing. With `below` and `above` they sum to 1, up to rounding to 4 decimals. */
  readonly shares: readonly number[]
  /** Each bin holds one whole number, the middle between its edges. */
  readonly whole?: true
  /** Share of the values below the first edge; absent when there are none. */
  readonly below?: number
  /** Share of the values above the last edge; absent when there are none. */
  readonly above?: number
}
