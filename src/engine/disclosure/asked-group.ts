/**
 * How a group of the seed's rows was asked for, which decides its noise.
 *
 * A group is described by its parts: one for each end of a range, for each column with excluded levels, and for a segment. The
 * rows alone may not decide. A question that leaves out one person's age has the same rows as the one before where that
 * person is not in the group, and other rows where the person is: equal or different answers would tell which (Gadotti and
 * others 2019). So each part has draws of its own, whatever else is asked, and their noises add up. A question with the part that
 * leaves out a person differs from the one without it by the noise of that part, in every wording of the rest: further conditions
 * that leave out nobody of the group, and other ends of the window, do not average it out.
 */

export interface Part {
  /** Equal parts of two questions have equal names. */
  readonly name: string
  /** Whether the next end, or one level more or less, would move too few rows to be told: then it may leave out one person. */
  readonly isFine: boolean
}

/**
 * Noise of a fine part, in rows of the group. One person more or less changes a count by 1, and the noise of that difference has a
 * standard deviation of √2 times this: one of six levels is guessed 2 points better than by chance.
 */
const FINE_ROWS = 8

/** The same of a part that moves many rows, and of everybody: nobody can be left out. The most that one row may say, and more. */
const COARSE_ROWS = 2
const EVERYBODY_ROWS = 1

export interface Layer {
  /** Names the draws. Everything that their size depends on is named, so that no two sizes share draws: they could be solved for. */
  readonly purpose: string
  /** Standard deviation, in rows of the group. */
  readonly rows: number
}

/** @param parts In any sequence; none: everybody. */
export function layersOf(parts: readonly Part[]): Layer[] {
  if (parts.length === 0) return [{ purpose: 'everybody', rows: EVERYBODY_ROWS }]
  return parts.map(({ name, isFine }) => {
    const rows = isFine ? FINE_ROWS : COARSE_ROWS
    return { purpose: `part ${name} ${rows}`, rows }
  })
}

/** One text for a question, whatever the sequence of its parts. */
export function questionOf(parts: readonly Part[]): string {
  return `question ${JSON.stringify(parts.map(({ name }) => name).sort())}`
}
