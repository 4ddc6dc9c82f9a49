import { words } from '../../base/language/language.ts'
import { localNumber } from '../../base/language/local-number.ts'
import type { MeanResult } from '../../records/manifest/scenarios.ts'

/** The mean that a scenario states: `45`, `at least 40`, `40 to 60`. */
export function meanTargetText(target: MeanResult['target']): string {
  const { min, max } = typeof target === 'number' ? { min: target, max: target } : target
  const figure = (end: number): string => localNumber(String(end))
  const { anyValue, atLeast, atMost, range } = words().figures
  if (min === undefined) return max === undefined ? anyValue : atMost(figure(max))
  if (max === undefined) return atLeast(figure(min))
  return min === max ? figure(min) : range(figure(min), figure(max))
}

/** How far a mean is from its target, in parts of it; infinite where no row has a value. */
export const partsOff = ({ achieved, delta }: Pick<MeanResult, 'achieved' | 'delta'>): number =>
  achieved === null || delta === null
    ? Number.POSITIVE_INFINITY
    : Math.abs(delta) / Math.max(Math.abs(achieved - delta), Number.MIN_VALUE)

/** A thousandth of a mean is no distance to anybody. */
export const MET_WITHIN = 1e-3
