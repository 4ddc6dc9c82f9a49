import { words } from '../../base/language/language.ts'
import { percentSign } from '../../base/language/local-number.ts'
/** `mean`, `median`, `90 % quantile`: what a figure of numbers is; `quantile` null: the mean. */
export function numberWord(quantile: string | null): string {
  const { mean, median, quantile: other } = words().figures
  if (quantile === null) return mean
  const share = Number(quantile)
  return share === 0.5 ? median : other(percentSign(String(Number((100 * share).toFixed(4)))))
}
