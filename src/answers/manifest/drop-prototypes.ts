/** Fields that a newer version adds may be nested; the known fields go less than half as deep. */
export const MAX_DEPTH = 32

/**
 * Takes the prototypes of all objects in a JSON value away, so that a level called `constructor` exists only if the file
 * holds it. Without recursion: a deeply nested file must not overflow the stack.
 *
 * @returns false when the value is nested deeper than `MAX_DEPTH`.
 */
export function dropPrototypes(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      if (!Array.isArray(item)) Object.setPrototypeOf(item, null)
      for (const member of Object.values(item)) if (typeof member === 'object' && member !== null) next.push(member)
    }
    level = next
  }
  return true
}
