/** Mends cells of a multi-select column that were split at a comma within an option. */

/** Of the times that two parts occur, those that they must stand side by side to be one. */
const FIXED_SHARE = 0.98

interface Neighbours {
  rows: number
  /** Rows by the part that follows. */
  readonly next: Map<string, number>
}

/**
 * Puts together what a comma within an option has divided: parts that (nearly) always follow one another, such as those of
 * "Milk, dairy alternative, or coffee creamer".
 *
 * m  cells
 *
 * @param cells length m, the parts of every cell in their order
 * @param counts length m, rows of every cell
 */
export function joinFixedParts(cells: readonly (readonly string[])[], counts: ArrayLike<number>): string[][] {
  const seen = new Map<string, Neighbours>()
  for (const [i, parts] of cells.entries()) {
    for (const [at, part] of parts.entries()) {
      const entry = seen.get(part) ?? { rows: 0, next: new Map<string, number>() }
      entry.rows += counts[i]!
      const next = parts[at + 1]
      if (next !== undefined) entry.next.set(next, (entry.next.get(next) ?? 0) + counts[i]!)
      seen.set(part, entry)
    }
  }
  const follower = new Map<string, string>()
  for (const [part, { rows, next }] of seen) {
    for (const [candidate, together] of next) {
      if (together >= FIXED_SHARE * rows && together >= FIXED_SHARE * seen.get(candidate)!.rows) {
        follower.set(part, candidate)
      }
    }
  }
  if (follower.size === 0) return cells.map((parts) => [...parts])
  return cells.map((parts) => {
    const joined: string[] = []
    for (const [at, part] of parts.entries()) {
      if (at > 0 && follower.get(parts[at - 1]!) === part) joined[joined.length - 1] += `, ${part}`
      else joined.push(part)
    }
    return joined
  })
}
