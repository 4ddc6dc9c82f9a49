import { Buffer } from 'node:buffer'
import type { TargetResult } from '../../contract/generations.ts'
import { MAX_TARGETS_BYTES } from '../../contract/limits.ts'
import type { CheckedConditions } from './check-conditions.ts'

/**
 * Targets beside what was achieved, the first ones that fit: each repeats its column's name, so that a request of 1 MB could
 * have a record of 20 MB.
 */
export function targetResults(
  conditions: CheckedConditions,
  counts: ReadonlyMap<string, ReadonlyMap<string, number>>,
  rows: number,
): TargetResult[] {
  const results: TargetResult[] = []
  let bytes = 0
  for (const { column, levels } of conditions.shares) {
    for (const [level, target] of levels) {
      const count = counts.get(column)?.get(level) ?? 0
      const result = { column, level, target, achieved: count / rows, count }
      bytes += Buffer.byteLength(JSON.stringify(result)) + 1
      if (bytes > MAX_TARGETS_BYTES) return results
      results.push(result)
    }
  }
  return results
}
