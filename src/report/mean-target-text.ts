import type { MeanResult } from '../records/manifest/scenarios.ts'

/** The mean that a scenario states: `45`, `at least 40`, `40 to 60`. */
export function meanTargetText(target: MeanResult['target']): string {
  if (typeof target === 'number') return String(target)
  const { min, max } = target
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}
