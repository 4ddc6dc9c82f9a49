/** Which options of a question with several answers stand together in its cells. */

import type { Separator } from './split-cell.ts'

/** Those that are part of many names, such as km/h and R&D. */
const WEAK: ReadonlySet<Separator> = new Set([' / ', ' & ', ' + ', '/', '&', '+', ' '])

/** Those that no name has, and printed lists. */
const STRONG: ReadonlySet<Separator | 'list'> = new Set(['\n', ';#', ';', '；', '|', 'list'])

/** Least share of options that also occur alone in a cell. */
const MIN_ALONE_SHARE = 0.8
/**
 * The fraction of option pairs that must have occurred together, among those expected by chance: when options also
 * occur alone, and when they do not. Towns and countries ("Leeds, UK", "Leeds", "UK") meet in half of the pairs, since
 * no town meets a town.
 */
const MIN_MEETING_SHARE = { alone: 0.7, neverAlone: 0.9 } as const
/** Blanks and slashes are part of many texts: where they separate, nearly all options occur alone, and nearly all pairs together. */
const MIN_WEAK_SHARE = 0.9
/** Times that two options should meet by chance for their not meeting to count. */
const MIN_EXPECTED_MEETINGS = 3
/** Least sets of several options for each option, where few occur alone: all pairs of four are six. */
const SETS_AN_OPTION = 1.5

export interface Meetings {
  /** Share of the pairs that did meet, among pairs of options that would meet by chance. */
  readonly share: number
  /** Different sets of two or more options. */
  readonly sets: number
  /** Different numbers of options in a cell. */
  readonly sizes: number
  /** Each set is written in one sequence: nobody ranked, and no place has a meaning. */
  readonly areSorted: boolean
}

export function meetings(
  chosen: readonly (readonly number[])[],
  rows: readonly number[],
  present: number,
  cells: readonly (readonly string[])[],
): Meetings {
  const o = rows.length
  const met = new Uint8Array(o * o)
  const sets = new Set<string>()
  const sizes = new Set<number>()
  for (const set of chosen) {
    sizes.add(set.length)
    if (set.length > 1) sets.add(set.join())
    for (const one of set) for (const other of set) if (one !== other) met[one * o + other] = 1
  }
  // "None of these" excludes all other options by its meaning.
  const isExclusive = rows.map((_, one) => !met.subarray(one * o, (one + 1) * o).includes(1))
  let due = 0
  let kept = 0
  for (let one = 0; one < o; one++) {
    for (let other = one + 1; other < o; other++) {
      if (isExclusive[one] || isExclusive[other]) continue
      if ((rows[one]! * rows[other]!) / present < MIN_EXPECTED_MEETINGS) continue
      due++
      kept += met[one * o + other]!
    }
  }
  return {
    share: due === 0 ? 0 : kept / due,
    sets: sets.size,
    sizes: sizes.size,
    areSorted: new Set(cells.map((parts) => [...parts].sort().join('\n'))).size === cells.length,
  }
}

/**
 * Whether options come in other company from row to row, as ticked boxes do. In doubt: all rows have as many, in any sequence, which may
 * be a rank.
 */
export function freedom(
  options: number,
  aloneShare: number,
  { share, sets, sizes, areSorted }: Meetings,
  separator: Separator | 'list',
  areLongCodes: boolean,
): 'free' | 'in doubt' | 'none' {
  // `101`, `101,204` and `204,305` are no names with a comma, and no numbers: the reader has seen that.
  if (areLongCodes && sets >= 2 && sizes >= 2 && areSorted) return 'free'
  if (STRONG.has(separator) && aloneShare === 1) return 'free'
  // Two options have one set of several, three have four.
  if (sets < Math.min(3, options - 1)) return 'none'
  if (separator !== 'list' && WEAK.has(separator))
    return options >= 3 && Math.min(aloneShare, share) >= MIN_WEAK_SHARE ? 'free' : 'none'
  if (aloneShare >= MIN_ALONE_SHARE) return share >= MIN_MEETING_SHARE.alone ? 'free' : 'none'
  // If people tick many of many boxes, few options ever occur alone.
  if (options < 4 || sets < SETS_AN_OPTION * options || share < MIN_MEETING_SHARE.neverAlone) return 'none'
  return sizes >= 3 || (sizes === 1 && areSorted) ? 'free' : 'in doubt'
}
