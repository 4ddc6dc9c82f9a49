/** Numbers counted in bins with given edges. */
export interface Bins {
  /** Ascending; one more than `counts`. */
  readonly edges: readonly number[]
  /** From an edge up to, but without, the next one; the last bin holds its upper edge as well. */
  readonly counts: readonly number[]
  /** Numbers below the first edge. */
  readonly below: number
  /** Numbers above the last edge. */
  readonly above: number
}
