import type { RequestedConditions } from '../../engine/scenario/scenario.ts'
import type { CheckedConditions } from '../records/generation-records.ts'

/** Checked conditions as the engine takes them. */
export function requestedConditions({ shares, cells, ranges, means }: CheckedConditions): RequestedConditions {
  return {
    shares: shares.map(({ column, levels, bounds = [] }) => ({
      column,
      levels: new Map(levels),
      ...(bounds.length > 0 && { bounds: new Map(bounds.map(([level, min, max]) => [level, { min, max }])) }),
    })),
    ranges,
    ...(cells !== undefined && { cells }),
    ...(means !== undefined && {
      means: means.map(({ column, min, max }) => ({
        column,
        min: min ?? Number.NEGATIVE_INFINITY,
        max: max ?? Number.POSITIVE_INFINITY,
      })),
    }),
  }
}
