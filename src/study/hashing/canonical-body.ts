import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import type { SentConditions } from '../conditions/condition-kind.ts'
import { closedConditions, conditionsLike, requestedConditions } from '../conditions/kinds.ts'
import type { KnownColumn } from '../conditions/range-ends.ts'
import type { Scenario } from '../study.ts'

/** The source of a generation request's body. */
export type BodySource = Pick<Scenario, 'rows' | 'seed' | 'format' | 'conditions'>

/** A run plans several times, and each plan needs every body. */
const known = new WeakMap<BodySource, { readonly seed: number; readonly body: string }>()

/**
 * The body of `createGeneration` in its canonical bytes (study language, section 5). `seed` is the drawn seed and is
 * needed exactly when the scenario's is `random`; it is ignored otherwise. Throws `TypeError` when it is missing.
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
 * The body as it is sent: what the conditions leave open is what the cleaned schema says. Null while that is unknown. `seed` as in
 * `canonicalBody`.
 */
export function sentBody(scenario: BodySource, columns: readonly KnownColumn[] | null, seed?: number): string | null {
  const conditions = closedConditions(scenario.conditions, columns)
  return conditions === null ? null : withConditions(scenario, conditions, seed)
}

/**
 * The scenario's body with what it leaves open as `sent`, a body of before, has it: it equals `sent` if the request has not changed.
 */
export function bodyLike(scenario: BodySource, sent: string, seed?: number): string {
  return withConditions(scenario, conditionsLike(scenario.conditions, sentConditions(sent)), seed)
}

function withConditions(scenario: BodySource, conditions: BodySource['conditions'], seed: number | undefined): string {
  return canonicalBody(conditions === scenario.conditions ? scenario : { ...scenario, conditions }, seed)
}

/** The conditions of a body that was sent. */
export function sentConditions(sent: string): SentConditions {
  return (JSON.parse(sent) as { conditions?: SentConditions }).conditions ?? {}
}

/** The body's fields as a value. `seed: 'random'` marks a seed that is not drawn yet; it is never sent. */
export function bodyFields(
  scenario: BodySource,
  seed: number | 'random',
): { [key: string]: CanonicalValue | undefined } {
  return {
    conditions: scenario.conditions.length > 0 ? requestedConditions(scenario.conditions) : undefined,
    output_format: scenario.format,
    row_count: scenario.rows,
    seed,
  }
}
