/**
 * Searches for pairs and triples of columns that predict more of a target than their parts do. It compares coarse classes on a
 * bounded part of the rows with what chance would give the best of as many combinations.
 *
 * S  screened rows     T  classes of the target     f  candidates
 */

import { worthOfCopies } from '../weighting/row-copies.ts'
import { coarseClasses, frequentClasses, informationOf } from './coarse-classes.ts'
import type { TrainingData } from './training-data.ts'

const SCREENED_ROWS = 4_096
const MIN_ROWS = 100
/** Of the target. */
const TARGET_CLASSES = 4
const MOST_CLASSES = 6
/** Least rows per cell of a triple's table with the target: sparser tables overstate the association. */
const ROWS_PER_CELL = 4
/** One target in this many has a false positive, if combinations were independent of each other. */
const CHANCE = 20
const SHORTLIST = 6
/** A combination adds as much as its parts have, or at least this per row: finer classes show more of it. */
const MIN_GAIN_PER_ROW = 0.02

interface Classes {
  /** Length S. */
  readonly of: Uint8Array
  readonly count: number
}

export class CrossingScreen {
  readonly #data: TrainingData
  readonly #rows: Int32Array
  /** Effective rows for each screened one, and of all of them. */
  readonly #worth: number
  readonly #effectiveRows: number
  readonly #classes: number
  readonly #byColumn = new Map<number, Classes>()
  readonly #counts = new Map<number, Int32Array>()
  readonly #table = new Int32Array(MOST_CLASSES ** 3 * TARGET_CLASSES)

  constructor(data: TrainingData) {
    this.#data = data
    this.#rows = evenlySpaced(data.rowCount, SCREENED_ROWS)
    this.#worth = worthOfCopies(data.copies, this.#rows)
    this.#effectiveRows = this.#rows.length * this.#worth
    const fitting = Math.floor(Math.cbrt(this.#effectiveRows / (ROWS_PER_CELL * TARGET_CLASSES)))
    this.#classes = Math.max(2, Math.min(MOST_CLASSES, fitting))
  }

  /** Rows by code. */
  countsOf(column: number): Int32Array {
    const known = this.#counts.get(column)
    if (known) return known
    const counts = new Int32Array(this.#data.columns[column]!.codeCount)
    const codes = this.#data.codes[column]!
    for (let i = 0; i < codes.length; i++) counts[codes[i]!]!++
    this.#counts.set(column, counts)
    return counts
  }

  /** Code → class: equal mass for ordered codes, the most frequent levels for others. */
  targetClasses(target: number): Uint8Array {
    const counts = this.countsOf(target)
    const isNumeric = this.#data.columns[target]!.kind === 'numeric'
    return isNumeric ? coarseClasses(counts, TARGET_CLASSES) : frequentClasses(counts, TARGET_CLASSES)
  }

  /** Column indices, ascending; the combination that adds most to its parts first. */
  shortlist(target: number, candidates: Int32Array): number[][] {
    const f = candidates.length
    if (f < 2 || this.#effectiveRows < MIN_ROWS) return []
    const y = this.#atRows(target, this.targetClasses(target))
    const x = Array.from(candidates, (column) => this.#columnClasses(column))
    const withTarget = x.map(({ of }) => of.map((c, i) => c * y.count + y.of[i]!))
    const one: Classes = { of: new Uint8Array(this.#rows.length), count: 1 }
    const informationOfPair = (a: Classes, b: number) => this.#information(a, withTarget[b]!, x[b]!.count, y.count)
    const chance = Math.log((CHANCE * f * (f - 1) * (f + 1)) / 6)
    const found: { readonly columns: number[]; readonly gain: number }[] = []
    const weigh = (columns: number[], { excess, freedom }: { excess: number; freedom: number }, parts: number) => {
      const gain = excess - parts
      if (gain < Math.min(parts, MIN_GAIN_PER_ROW * this.#effectiveRows)) return
      if (gain > Math.sqrt(freedom * chance) + chance) found.push({ columns: columns.map((c) => candidates[c]!), gain })
    }
    const single = x.map((_, a) => Math.max(0, informationOfPair(one, a).excess))
    const pair = new Float64Array(f * f)
    for (let a = 0; a < f; a++) {
      for (let b = a + 1; b < f; b++) {
        const both = informationOfPair(x[a]!, b)
        pair[a * f + b] = Math.max(0, both.excess)
        weigh([a, b], both, single[a]! + single[b]!)
      }
    }
    for (let a = 0; a < f; a++) {
      for (let b = a + 1; b < f; b++) {
        const ab = crossed(x[a]!, x[b]!)
        for (let c = b + 1; c < f; c++) {
          const parts = Math.max(
            pair[a * f + b]! + single[c]!,
            pair[a * f + c]! + single[b]!,
            pair[b * f + c]! + single[a]!,
          )
          weigh([a, b, c], informationOfPair(ab, c), parts)
        }
      }
    }
    // Sorting is stable: ties stay in the sequence of the search.
    found.sort((a, b) => b.gain - a.gain)
    return found.slice(0, SHORTLIST).map(({ columns }) => columns)
  }

  /** second  a column's class times T, plus the class of the target */
  #information(first: Classes, second: Uint8Array, count: number, T: number) {
    const table = this.#table
    const width = count * T
    table.fill(0, 0, first.count * width)
    countCells(table, first.of, width, second)
    return informationOf(table, first.count * count, T, this.#worth)
  }

  #columnClasses(column: number): Classes {
    const known = this.#byColumn.get(column)
    if (known) return known
    const made = this.#atRows(column, coarseClasses(this.countsOf(column), this.#classes))
    this.#byColumn.set(column, made)
    return made
  }

  #atRows(column: number, classOf: Uint8Array): Classes {
    return { of: classesAt(this.#rows, classOf, this.#data.codes[column]!), count: classCount(classOf) }
  }
}

function countCells(table: Int32Array, first: Uint8Array, width: number, second: Uint8Array): void {
  for (let i = 0; i < second.length; i++) table[first[i]! * width + second[i]!]!++
}

function crossed(a: Classes, b: Classes): Classes {
  const of = new Uint8Array(a.of.length)
  for (let i = 0; i < of.length; i++) of[i] = a.of[i]! * b.count + b.of[i]!
  return { of, count: a.count * b.count }
}

/** A loop, because `from` with a function takes ten times as long. */
export function classesAt(rows: Int32Array, classOf: Uint8Array, codes: ArrayLike<number>): Uint8Array {
  const classes = new Uint8Array(rows.length)
  for (let i = 0; i < rows.length; i++) classes[i] = classOf[codes[rows[i]!]!]!
  return classes
}

export function classCount(classOf: Uint8Array): number {
  let most = 0
  for (const c of classOf) if (c > most) most = c
  return most + 1
}

/** Evenly spaced rows of n, at most `most`. */
export function evenlySpaced(n: number, most: number): Int32Array {
  const count = Math.min(n, most)
  return Int32Array.from({ length: count }, (_, i) => Math.floor((i * n) / count))
}
