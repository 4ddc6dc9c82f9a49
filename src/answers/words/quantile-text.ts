/** `mean`, `median`, `90 % quantile`: what a figure of numbers is; `quantile` null: the mean. */
export function numberWord(quantile: string | null): string {
  if (quantile === null) return 'mean'
  const share = Number(quantile)
  return share === 0.5 ? 'median' : `${Number((100 * share).toFixed(4))} % quantile`
}
