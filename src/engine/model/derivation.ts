/**
 * Columns that others determine, in the form that a model keeps. Found at training (`detect-formulas.ts`,
 * `find-recodings.ts`), applied at sampling (`recompute.ts`), described in words by `describe.ts`.
 */

export type Derivation = Formula | Recoding

/**
 * A numeric column whose value is computed from the values of others:
 *
 *   sum      constant + sum over j of weight_j x_j
 *   product  constant · product over j of x_j ^ weight_j
 *   mean     the mean of the sources that have a value, where at least `least` have one
 *
 * rounded to the column's own decimals. Dates count in days, date-times in seconds. It applies to the rows in which every
 * source has a value that is none of its exceptions (codes such as -8 for "does not apply") and the result is finite.
 */
export interface Formula {
  readonly kind: 'formula'
  /** Column index. */
  readonly target: number
  readonly form: 'sum' | 'product' | 'mean'
  /** Of a mean; at least 1. */
  readonly least?: number
  /** Whether the author of the seed made the column: it then follows in every row. Absent: training found it. */
  readonly isDeclared?: true
  readonly sources: readonly FormulaSource[]
  readonly constant: number
  readonly rounding: 'nearest' | 'down'
  /** Values of the target that are exceptions: codes, in rows that do not follow the formula. */
  readonly targetExceptions: readonly number[]
  /** Share that follows the formula, of the applicable rows with a value of the target. */
  readonly share: number
  /** Whether the target is missing in every row in which a source is. */
  readonly missingTogether: boolean
  /** Whether the target is also missing in applicable rows. */
  readonly ownMissing: boolean
  /** The target's smallest and largest value in rows that follow; computed values stay between them. */
  readonly min: number
  readonly max: number
}

export interface FormulaSource {
  /** Column index; a numeric column, or a categorical one whose levels are whole numbers. */
  readonly column: number
  /** Factor (sum) or exponent (product). */
  readonly weight: number
  readonly exceptions: readonly number[]
}

/**
 * A column whose code is determined by another column's code: bands of an age, the region of a district, a code and its
 * label.
 */
export interface Recoding {
  readonly kind: 'recoding'
  /** Column index; its value or level is decided by its code. */
  readonly target: number
  readonly source: number
  /** Length K of the source, shared: the target's code, -1 if this code of the source does not determine it. */
  readonly codes: Int32Array
}

/** The parts of a formula that its value depends on. */
type FormulaTerms = Pick<Formula, 'form' | 'constant' | 'least'> & {
  readonly sources: readonly { readonly weight: number }[]
}

/** @param numbers A number per source. NaN or infinite when the formula has no value. */
export function evaluate({ form, sources, constant, least = 1 }: FormulaTerms, numbers: ArrayLike<number>): number {
  let value = constant
  if (form === 'mean') return meanOf(numbers, sources.length, least)
  if (form === 'sum') {
    for (let j = 0; j < sources.length; j++) value += sources[j]!.weight * numbers[j]!
    return value
  }
  for (let j = 0; j < sources.length; j++) {
    const { weight } = sources[j]!
    const x = numbers[j]!
    for (let e = 0; e < Math.abs(weight); e++) value = weight > 0 ? value * x : value / x
  }
  return value
}

function meanOf(numbers: ArrayLike<number>, count: number, least: number): number {
  let [answered, sum] = [0, 0]
  for (let j = 0; j < count; j++) {
    if (Number.isNaN(numbers[j]!)) continue
    answered++
    sum += numbers[j]!
  }
  return answered < least ? Number.NaN : sum / answered
}
