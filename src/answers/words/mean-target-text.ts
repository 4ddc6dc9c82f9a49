import type { MeanResult } from '../../records/manifest/scenarios.ts'
import { meanText } from '../../study/conditions/mean.ts'

/** The mean that a scenario states: `45`, `at least 40`, `40 to 60`. */
export function meanTargetText(target: MeanResult['target']): string {
  const { min, max } = typeof target === 'number' ? { min: target, max: target } : target
  return meanText({ min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY })
}

/** How far a mean is from its target, in parts of it; infinite where no row has a value. */
export const partsOff = ({ achieved, delta }: Pick<MeanResult, 'achieved' | 'delta'>): number =>
  achieved === null || delta === null
    ? Number.POSITIVE_INFINITY
    : Math.abs(delta) / Math.max(Math.abs(achieved - delta), Number.MIN_VALUE)

/** A thousandth of a mean is no distance to anybody. */
export const MET_WITHIN = 1e-3
