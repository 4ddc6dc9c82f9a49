import { type CanonicalValue, canonicalFigures } from '../../base/canonical-json.ts'

/** A leaf in which two trees differ; undefined on the side that does not have it. */
export interface Difference {
  /** Keys from the root; they may be names of the data. */
  readonly path: readonly string[]
  readonly before: CanonicalValue | undefined
  readonly after: CanonicalValue | undefined
}

/**
 * The leaves in which two trees of values differ, in the sequence of the second, followed by those that only the first
 * has. A branch that one side lacks is one difference; lists are leaves.
 */
export function treeDifferences(before: CanonicalValue, after: CanonicalValue): Difference[] {
  const found: Difference[] = []
  compare(before, after, [], found)
  return found
}

function compare(
  before: CanonicalValue | undefined,
  after: CanonicalValue | undefined,
  path: readonly string[],
  found: Difference[],
): void {
  const [a, b] = [membersOf(before), membersOf(after)]
  if (a !== null && b !== null) {
    for (const key of new Set([...b.keys(), ...a.keys()])) compare(a.get(key), b.get(key), [...path, key], found)
  } else if (before === undefined || after === undefined) {
    if (before !== after) found.push({ path, before, after })
  } else if (canonicalFigures(before) !== canonicalFigures(after)) found.push({ path, before, after })
}

/** Null for a leaf. */
function membersOf(value: CanonicalValue | undefined): ReadonlyMap<string, CanonicalValue | undefined> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return value instanceof Map ? value : new Map(Object.entries(value))
}

/**
 * Renamed keys: pairs of old and new names whose contents have the same identity, where the old name is gone and the
 * new name is new. Null is no identity. The first of several candidates is taken.
 */
export function renamedKeys(
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, string | null>,
): ReadonlyMap<string, string> {
  const free = new Map<string, string[]>()
  for (const [name, identity] of before)
    if (identity !== null && !after.has(name)) free.set(identity, [...(free.get(identity) ?? []), name])
  const renamed = new Map<string, string>()
  for (const [name, identity] of after) {
    const old = identity === null || before.has(name) ? undefined : free.get(identity)?.shift()
    if (old !== undefined) renamed.set(old, name)
  }
  return renamed
}
