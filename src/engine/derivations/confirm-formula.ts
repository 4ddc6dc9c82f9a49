/**
 * Checks a draft of a formula against rows of the table: its rounding, its exceptions, its missing values, and the number of
 * rows in which it holds.
 */

import type { Table } from '../cleaning/table.ts'
import { agrees, numberReader, type Precision } from '../encoding/numbers.ts'
import { evaluate, type Formula } from '../model/derivation.ts'
import type { FormulaDraft } from './search-pairs.ts'

/** Least share of the applicable rows that must follow, and of those in which neither value is the target's most common one. */
const LEAST_SHARE = 0.99
const LEAST_UNCOMMON_SHARE = 0.95
/** The least number of rows that must follow. */
const LEAST_UNCOMMON_ROWS = 30
/** The formula must apply to this share of the target's values. */
const LEAST_SPOKEN_OF = 0.5
/**
 * Rounding removes all fractions with equal frequency. If results stay close to whole units instead, the target is the cause and
 * a source the result (a total close to price times amount): computing it the other way round would lose that.
 */
const INEXACT_ULPS = 1e-3
const FAR_ULPS = 0.2
const LEAST_FAR_SHARE = 0.3
const LEAST_INEXACT_SHARE = 0.05

/** A value is an exception if the formula fails in more than half of at least this many rows with it. */
const LEAST_EXCEPTION_ROWS = 5
const MAX_EXCEPTIONS = 8
/** Most distinct values of failing rows that are counted; codes are few. */
const MAX_COUNTED = 256

/** The fit of a draft under one rounding. */
interface Tally {
  /** Rows with a value of the target, a defined formula and no exception; and the number of these in which it holds. */
  spoken: number
  holds: number
  /** The same, without the rows in which both have the target's most common value. */
  uncommon: number
  uncommonHolds: number
  /** Of the rows in which it holds: those in which rounding changed the number, and those in which it changed it by much. */
  inexact: number
  far: number
  /** Rows with a value of the target. */
  own: number
  /** Rows in which the target is present, but a source is missing or the formula undefined. */
  unexplained: number
  /** Applicable rows without a value of the target. */
  ownMissing: number
  /** Smallest and largest value of the target in rows in which the formula holds. */
  min: number
  max: number
}

/** One draft read row by row. */
export class FormulaRows {
  readonly #draft: FormulaDraft
  readonly #target: (row: number) => number
  readonly #sources: readonly ((row: number) => number)[]
  readonly #precision: Precision
  readonly #numbers: Float64Array
  readonly #rowCount: number

  constructor(table: Table, draft: FormulaDraft, precision: Precision) {
    const target = table.columns[draft.target]!
    if (target.kind !== 'numeric') throw new RangeError(`column ${target.name} has no numbers to compute`)
    this.#draft = draft
    this.#target = numberReader(target)!
    this.#sources = draft.sources.map(({ column }) => numberReader(table.columns[column]!)!)
    this.#precision = precision
    this.#numbers = new Float64Array(draft.sources.length)
    this.#rowCount = table.rowCount
  }

  /**
   * The formula if all rows of the table support it; null otherwise.
   *
   * @param roundedOnly Whether rounding must remove something.
   */
  confirm(mode: number, rounding: Formula['rounding'], roundedOnly: boolean): Formula | null {
    const none = { target: new Set<number>(), sources: this.#sources.map(() => new Set<number>()) }
    let exceptions: Exceptions = none
    let tally = this.#tally(mode, rounding, none)
    if (tally.holds < tally.spoken) {
      exceptions = this.#exceptions(rounding)
      tally = this.#tally(mode, rounding, exceptions)
    }
    const { spoken, holds, uncommon, uncommonHolds, inexact, far, own, unexplained, ownMissing, min, max } = tally
    const borneOut =
      uncommonHolds >= LEAST_UNCOMMON_ROWS &&
      holds >= LEAST_SHARE * spoken &&
      uncommonHolds >= LEAST_UNCOMMON_SHARE * uncommon &&
      spoken >= LEAST_SPOKEN_OF * own &&
      (inexact < LEAST_INEXACT_SHARE * holds ? !roundedOnly : far >= LEAST_FAR_SHARE * inexact)
    if (!borneOut) return null
    return {
      kind: 'formula',
      ...this.#draft,
      sources: this.#draft.sources.map((source, j) => ({
        ...source,
        exceptions: [...exceptions.sources[j]!].sort((a, b) => a - b),
      })),
      rounding,
      targetExceptions: [...exceptions.target].sort((a, b) => a - b),
      share: holds / spoken,
      missingTogether: unexplained === 0,
      ownMissing: ownMissing > 0,
      min,
      max,
    }
  }

  /** NaN or infinite if the formula has no value. */
  #computed(row: number): number {
    for (let j = 0; j < this.#sources.length; j++) this.#numbers[j] = this.#sources[j]!(row)
    return evaluate(this.#draft, this.#numbers)
  }

  #tally(mode: number, rounding: Formula['rounding'], exceptions: Exceptions): Tally {
    const tally = {
      spoken: 0,
      holds: 0,
      uncommon: 0,
      uncommonHolds: 0,
      inexact: 0,
      far: 0,
      own: 0,
      unexplained: 0,
      ownMissing: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    }
    for (let row = 0; row < this.#rowCount; row++) {
      const own = this.#target(row)
      const isThere = !Number.isNaN(own)
      const computed = this.#computed(row)
      if (isThere) tally.own++
      if (!Number.isFinite(computed)) {
        if (isThere) tally.unexplained++
        continue
      }
      if (exceptions.sources.some((values, j) => values.has(this.#numbers[j]!))) continue
      if (!isThere) {
        tally.ownMissing++
        continue
      }
      if (exceptions.target.has(own)) continue
      const isTrue = agrees(computed, own, this.#precision, rounding)
      tally.spoken++
      if (isTrue) {
        tally.holds++
        tally.min = Math.min(tally.min, own)
        tally.max = Math.max(tally.max, own)
        const ulps = Math.abs(computed - own) / this.#precision.ulp
        const fraction = rounding === 'down' ? Math.min(ulps, 1 - ulps) : ulps
        const isNoise = Math.abs(computed - own) <= this.#precision.relative * (Math.abs(computed) + Math.abs(own))
        if (fraction > INEXACT_ULPS && !isNoise) tally.inexact++
        if (fraction > FAR_ULPS && !isNoise) tally.far++
      }
      if (isTrue && own === mode) continue
      tally.uncommon++
      if (isTrue) tally.uncommonHolds++
    }
    return tally
  }

  /** Values in whose rows the formula mostly fails: codes such as -8 and 99, of a source or of the target. */
  #exceptions(rounding: Formula['rounding']): Exceptions {
    const readers = [this.#target, ...this.#sources]
    const failed = readers.map(() => new Map<number, number>())
    const all = readers.map(() => new Map<number, number>())
    const count = (into: Map<number, number>[], row: number, onlyKnown: boolean) => {
      readers.forEach((read, j) => {
        const value = read(row)
        const known = into[j]!.get(value)
        if (known !== undefined) into[j]!.set(value, known + 1)
        else if (!onlyKnown && into[j]!.size < MAX_COUNTED) into[j]!.set(value, 1)
      })
    }
    const eachRow = (visit: (row: number, isTrue: boolean) => void) => {
      for (let row = 0; row < this.#rowCount; row++) {
        const own = this.#target(row)
        const computed = this.#computed(row)
        if (Number.isNaN(own) || !Number.isFinite(computed)) continue
        visit(row, agrees(computed, own, this.#precision, rounding))
      }
    }
    eachRow((row, isTrue) => {
      if (!isTrue) count(failed, row, false)
    })
    failed.forEach((values, j) => {
      for (const value of values.keys()) all[j]!.set(value, 0)
    })
    eachRow((row) => count(all, row, true))
    const sets = failed.map((values, j) => {
      const found = [...values]
        .filter(([value, rows]) => rows >= LEAST_EXCEPTION_ROWS && 2 * rows > all[j]!.get(value)!)
        .sort(([v, a], [w, b]) => b - a || v - w)
      return new Set(found.slice(0, MAX_EXCEPTIONS).map(([value]) => value))
    })
    return { target: sets[0]!, sources: sets.slice(1) }
  }
}

interface Exceptions {
  readonly target: ReadonlySet<number>
  readonly sources: readonly ReadonlySet<number>[]
}
