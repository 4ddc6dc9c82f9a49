/**
 * The levels of a declared band, in ascending order: one more than there are cuts. `at` ascends. `whole`: every value
 * of the column is a whole number, so that a band can name its first and its last one.
 *
 * `[18, 30, 65]` gives `under 18`, `18-29`, `30-64`, `65 and over` for whole numbers, and `under 18`, `18 to under 30`,
 * `30 to under 65`, `65 and over` for others.
 */
export function bandLabels(at: readonly number[], whole: boolean): string[] {
  const isWhole = whole && at.every(Number.isSafeInteger)
  const between = at.slice(1).map((end, i) => (isWhole ? wholeBand(at[i]!, end - 1) : `${at[i]!} to under ${end}`))
  return at.length === 0 ? [] : [`under ${at[0]!}`, ...between, `${at.at(-1)!} and over`]
}

/** A dash between negative numbers would read as a sign. */
function wholeBand(first: number, last: number): string {
  if (first === last) return String(first)
  return first < 0 ? `${first} to ${last}` : `${first}-${last}`
}
