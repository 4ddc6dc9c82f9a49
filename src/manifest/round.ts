/** To 6 decimals, half away from zero: the precision in which ratios are written, so that readers agree on the bytes. */
export function roundRatio(ratio: number): number {
  const rounded = Math.round(Math.abs(ratio) * 1e6) / 1e6
  return ratio < 0 && rounded > 0 ? -rounded : rounded
}

/** To 12 significant digits: what is left of a mean or a quantile whatever the order of summation was. */
export function roundStatistic(value: number): number {
  return value === 0 ? 0 : Number(value.toPrecision(12))
}
