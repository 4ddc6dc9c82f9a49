/** What is known of the scales of a language. Phrases are folded (small letters, no accents, no punctuation), with commas between. */

type Entry = readonly [value: number, phrases: string]

export interface Language {
  /**
   * How much: what a degree makes of a word of approval, 3 without one. Below zero it turns it into its contrary: "not very".
   * Those of the same value are not distinguished: a scale that has both is not ordered. NaN: a part of a phrase, which another
   * word may divide ("not satisfied at all").
   */
  readonly degrees: readonly Entry[]
  /** Words without a part in the order: "I", "is". */
  readonly fillers: string
  /** Between approval and its contrary. */
  readonly middle: string
  /** Begins "neither good nor bad". */
  readonly neither: string
  /** Makes the contrary of a word it stands before: "un" in "unlikely". */
  readonly prefixes: string
  /** Words of approval (3) and their contraries (-3), which take degrees; those with other values stand alone. A family each. */
  readonly poles: readonly (readonly Entry[])[]
  /** Other scales whose words stand alone: sizes, classes. */
  readonly steps: readonly (readonly Entry[])[]
  /** From 0 (never) to 80 (always). */
  readonly frequency: readonly Entry[]
  /** Levels of education, from 0 (none) to 24 (doctorate). */
  readonly education: readonly Entry[]
}
