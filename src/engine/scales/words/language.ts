/** The words of a language's scales. Phrases are normalized (small letters, no accents, no punctuation), with commas between. */

type Entry = readonly [value: number, phrases: string]

export interface Language {
  /**
   * Degrees: the value of a word of approval with this degree, which is 3 without one. A negative value reverses the word: "not
   * very". Degrees of the same value are not distinguished: a scale with both is not ordered. NaN: a part of a phrase, which another
   * word may divide ("not satisfied at all").
   */
  readonly degrees: readonly Entry[]
  /** Words that do not affect the order: "I", "is". */
  readonly fillers: string
  /** Between approval and its opposite. */
  readonly middle: string
  /** Begins "neither good nor bad". */
  readonly neither: string
  /** Turns the word that follows into its opposite: "un" in "unlikely". */
  readonly prefixes: string
  /** Words of approval (3) and their opposites (-3), which take degrees; words with other values stand alone. One family each. */
  readonly poles: readonly (readonly Entry[])[]
  /** Other scales whose words stand alone: sizes, classes. */
  readonly steps: readonly (readonly Entry[])[]
  /** From 0 (never) to 80 (always). */
  readonly frequency: readonly Entry[]
  /** Levels of education, from 0 (none) to 24 (doctorate). */
  readonly education: readonly Entry[]
}
