import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import { type BoundedColumn, closedRanges, rangesLike } from '../scenario-ranges.ts'
import type { Scenario } from '../study.ts'

/** The source of a generation request's body. */
export type BodySource = Pick<Scenario, 'rows' | 'seed' | 'format' | 'shares' | 'ranges'>

/** A run plans several times, and each plan needs every body. */
const known = new WeakMap<BodySource, { readonly seed: number; readonly body: string }>()

/**
 * The body of `createGeneration`, byte for byte as it is sent (study language, section 5). `seed` is the drawn seed and
 * is needed exactly when the scenario's is `random`; it is ignored otherwise. Throws `TypeError` when it is missing.
 *
 * An end of a range that the study leaves open is left out. That body identifies the scenario; `sentBody` is sent.
 */
export function canonicalBody(scenario: BodySource, seed?: number): string {
  const used = scenario.seed === 'random' ? seed : scenario.seed
  if (used === undefined) throw new TypeError('a scenario with a random seed has no body before its seed is drawn')
  const before = known.get(scenario)
  if (before?.seed === used) return before.body
  const body = canonicalJson(bodyFields(scenario, used))
  known.set(scenario, { seed: used, body })
  return body
}

/**
 * The body as it is sent: open ends of ranges are those of the cleaned schema. Null while they are unknown. `seed` as in
 * `canonicalBody`.
 */
export function sentBody(scenario: BodySource, columns: readonly BoundedColumn[] | null, seed?: number): string | null {
  const ranges = closedRanges(scenario.ranges, columns)
  if (ranges === null) return null
  return ranges === scenario.ranges ? canonicalBody(scenario, seed) : canonicalBody({ ...scenario, ranges }, seed)
}

/**
 * The scenario's body with its open ends as `sent`, a body of before, has them: it equals `sent` if the request has not
 * changed.
 */
export function bodyLike(scenario: BodySource, sent: string, seed?: number): string {
  const ranges = rangesLike(scenario.ranges, numericConditions(sent))
  return ranges === scenario.ranges ? canonicalBody(scenario, seed) : canonicalBody({ ...scenario, ranges }, seed)
}

/** The ranges of a body that was sent. */
export function numericConditions(sent: string): NumericConditions | undefined {
  return (JSON.parse(sent) as { conditions?: { numeric?: NumericConditions } }).conditions?.numeric
}

type NumericConditions = Readonly<Record<string, { readonly min?: number; readonly max?: number }>>

/** The body's fields as a value. `seed: 'random'` marks a seed that is not drawn yet; it is never sent. */
export function bodyFields(
  scenario: BodySource,
  seed: number | 'random',
): { [key: string]: CanonicalValue | undefined } {
  const conditions: { [key: string]: CanonicalValue } = {}
  if (scenario.shares.size > 0) conditions.categorical = scenario.shares
  if (scenario.ranges.size > 0) {
    const numeric = new Map<string, CanonicalValue>()
    for (const [column, { min, max }] of scenario.ranges) {
      numeric.set(column, {
        min: Number.isFinite(min) ? min : undefined,
        max: Number.isFinite(max) ? max : undefined,
      })
    }
    conditions.numeric = numeric
  }
  return {
    conditions: scenario.shares.size + scenario.ranges.size > 0 ? conditions : undefined,
    output_format: scenario.format,
    row_count: scenario.rows,
    seed,
  }
}
