/**
 * Significance letters, as market researchers keep them: a figure has the letters of those columns of its table that it is higher than,
 * beyond chance.
 *
 * Whether a difference is beyond chance is the answer of a comparison: the difference of two weightings of the same rows, judged among
 * all questions of the study (Benjamini and Hochberg 1995, 5 %). So only columns that a comparison holds side by side can have letters
 * of each other.
 */

import type { Answer } from '../../answers/words/answer-text.ts'

/** What a column of a banner shows: a scenario, among all rows or those of a segment. */
export interface BannerColumn {
  readonly scenario: string
  readonly segment: string | null
  readonly letter: string
}

export type Letters = (outcome: Pick<Answer, 'column' | 'level' | 'quantile'>, column: BannerColumn) => string

/**
 * @param columns Of one table.
 * @param answers Of all comparisons of the same rows (of one `where`), segments included.
 */
export function lettersOf(columns: readonly BannerColumn[], answers: readonly Answer[]): Letters {
  const letterOf = new Map(columns.map(({ scenario, segment, letter }) => [keyOf([scenario, segment]), letter]))
  const higher = new Map<string, Set<string>>()
  for (const { column, level, quantile, segment, scenario, against, difference, beyond } of answers) {
    if (beyond !== true || difference === null || difference === 0) continue
    const [upper, lower] = difference > 0 ? [scenario, against] : [against, scenario]
    const letter = letterOf.get(keyOf([lower, segment]))
    if (letter === undefined || !letterOf.has(keyOf([upper, segment]))) continue
    const key = keyOf([column, level, quantile, upper, segment])
    const known = higher.get(key)
    if (known === undefined) higher.set(key, new Set([letter]))
    else known.add(letter)
  }
  const order = new Map(columns.map(({ letter }, i) => [letter, i]))
  return ({ column, level, quantile }, { scenario, segment }) =>
    [...(higher.get(keyOf([column, level, quantile, scenario, segment])) ?? [])]
      .sort((a, b) => order.get(a)! - order.get(b)!)
      .join(' ')
}

const keyOf = (parts: readonly (string | null)[]): string => JSON.stringify(parts)
