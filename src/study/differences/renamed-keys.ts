/**
 * What stands under another name now: pairs of old and new names whose contents have the same identity, where the old one
 * is gone and the new one was not there. Null is no identity. Of several that could be meant the first is taken.
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
