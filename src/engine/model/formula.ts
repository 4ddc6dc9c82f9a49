/** Computes formulas. */

import type { Formula } from './derivation.ts'

/** The parts of a formula that its value depends on. */
export type FormulaTerms = Pick<Formula, 'form' | 'constant'> & {
  readonly sources: readonly { readonly weight: number }[]
}

/** @param numbers A number per source, from index `at`. NaN or infinite where the formula has no value. */
export function evaluate({ form, sources, constant }: FormulaTerms, numbers: ArrayLike<number>, at = 0): number {
  let value = constant
  if (form === 'sum') {
    for (let j = 0; j < sources.length; j++) value += sources[j]!.weight * numbers[at + j]!
    return value
  }
  for (let j = 0; j < sources.length; j++) {
    const { weight } = sources[j]!
    const x = numbers[at + j]!
    for (let e = 0; e < Math.abs(weight); e++) value = weight > 0 ? value * x : value / x
  }
  return value
}
