/** How replicate weights were made. */
export interface ReplicateMethod {
  readonly type: 'brr' | 'fay' | 'jackknife' | 'bootstrap'
  readonly scale?: number | undefined
  readonly rscales?: readonly number[] | undefined
  /** Of `fay`, in [0, 1). */
  readonly rho?: number | undefined
}

/**
 * The factors in the variance of an estimate d: scale * sum over r of rscales[r] * (d_r - d)². What the survey says itself
 * comes first. Without it they are those of R's survey package (`svrepdesign`) with weights that are combined already:
 * balanced repeated replication 1/R; Fay's method 1/(R (1 - rho)²); jackknife (R - 1)/R, as JK1, and 1 where `rscales` say
 * the strata's own factors, as JKn; bootstrap 1/(R - 1).
 *
 * @param count R, at least 2.
 */
export function replicateScale(
  { type, scale, rscales, rho = 0 }: ReplicateMethod,
  count: number,
): { readonly scale: number; readonly rscales: readonly number[] } {
  const ofType = {
    brr: 1 / count,
    fay: 1 / (count * (1 - rho) ** 2),
    jackknife: rscales === undefined ? (count - 1) / count : 1,
    bootstrap: 1 / (count - 1),
  }
  return { scale: scale ?? ofType[type], rscales: rscales ?? new Array<number>(count).fill(1) }
}
