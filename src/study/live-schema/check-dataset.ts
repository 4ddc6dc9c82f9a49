import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { checkDrift } from '../lock/check-drift.ts'
import type { Study } from '../study.ts'
import { checkConditions } from './check-conditions.ts'
import type { CleanedSchema } from './cleaned-schema.ts'

/** Names and kinds that `checkConditions` finds wrong. */
const NAME_CODES: ReadonlySet<string> = new Set(['S2102', 'S2103', 'S2104', 'S2105'])

/** The same, where the lock says that it was right once. */
const DRIFT_CODES: ReadonlySet<string> = new Set(['S2201', 'W2205', 'S2202', 'W2206', 'S2203'])

/**
 * All that is said about one dataset whose cleaned schema is at hand: what `checkConditions` finds, and with a lock what
 * `checkDrift` does. A place is reported once: that a name is gone says more than that it does not exist, and follows
 * `policy.drift`. In file order, what has no place last.
 */
export function checkDataset(
  study: Study,
  dataset: string,
  live: CleanedSchema,
  lock: { readonly schema: CleanedSchema; readonly fileName: string } | null,
): readonly Diagnostic[] {
  const conditions = checkConditions(study, dataset, live)
  if (lock === null) return conditions
  const drift = checkDrift(study, dataset, { locked: lock.schema, live, lockFile: lock.fileName })
  const told = new Set(drift.filter((d) => DRIFT_CODES.has(d.code)).map(offsetOf))
  const rest = conditions.filter((d) => !(NAME_CODES.has(d.code) && told.has(offsetOf(d))))
  return [...rest, ...drift].sort((a, b) => offsetOf(a) - offsetOf(b))
}

function offsetOf(diagnostic: Diagnostic): number {
  return diagnostic.range?.start.offset ?? Number.MAX_SAFE_INTEGER
}
