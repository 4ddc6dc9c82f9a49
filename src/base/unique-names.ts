/**
 * Gives columns new names unless two columns would share one, with or without regard to case: then all of them keep their
 * own names, and so do columns whose new name is the own name of one of those.
 *
 * @param wished one for every column, its own name where it has no other.
 * @param own names as they are.
 * @returns the names, and the indexes of the columns that keep theirs, ascending.
 */
export function uniqueNames(
  wished: readonly string[],
  own: readonly string[],
): { readonly names: readonly string[]; readonly kept: readonly number[] } {
  const names = [...wished]
  const kept = new Set<number>()
  for (;;) {
    const holders = new Map<string, number[]>()
    for (const [i, name] of names.entries()) {
      const key = name.toLowerCase()
      const others = holders.get(key)
      if (others === undefined) holders.set(key, [i])
      else others.push(i)
    }
    const shared = [...holders.values()].filter(({ length }) => length > 1).flat()
    const changing = shared.filter((i) => names[i] !== own[i])
    if (changing.length === 0) return { names, kept: [...kept].sort((a, b) => a - b) }
    for (const i of changing) {
      names[i] = own[i]!
      kept.add(i)
    }
  }
}
