/**
 * The margins of the weighted seed that a scenario's rows are to agree with.
 *
 * n  kept rows of the seed     K  codes of a column     k  its classes     w  weights of the rows     f  their parts inside the ranges
 *
 * Classes are levels, or ranges of numbers of about equal mass; missing is one. A class has at least LEAST_ROWS rows of the seed, so
 * that no factor follows a few people: levels of fewer rows share one class, with the next rarest level while they are too few.
 */

import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import type { EncodedCategorical, EncodedColumn, EncodedNumeric, Model } from '../model/model.ts'
import type { ColumnTilt, Tilt } from './tilt.ts'

/** With fewer effective rows the seed says too little. */
export const FEWEST_EFFECTIVE_ROWS = 20
/** The seed's margin and the model's own weigh the same with so many effective rows. */
const HALF_WEIGHT_ROWS = 50
const MOST_NUMBER_CLASSES = 16
/** A class of numbers has about so many effective rows, or its share would be chance for the most part. */
const NUMBER_CLASS_ROWS = 50
/** Further levels share a class. */
const MOST_LEVEL_CLASSES = 64

export interface WeightedRows {
  /** Length n: w, summing to 1. */
  readonly weights: Float64Array
  /** Length n: f. */
  readonly inside: Float64Array
  readonly effectiveRows: number
}

/**
 * Null where the seed says too little.
 *
 * @param isConditioned Whether the scenario has conditions. Without any, the weighted seed is the seed that the model was trained on,
 *   and the rows get its own margins.
 * @param isTilted Whether a column, by its index, may be tilted.
 */
export function tiltTowards(
  { columns, codes }: Pick<Model, 'columns' | 'codes'>,
  seed: WeightedRows,
  isConditioned: boolean,
  isTilted: (column: number) => boolean,
): Tilt | null {
  const { effectiveRows } = seed
  if (!(effectiveRows >= FEWEST_EFFECTIVE_ROWS)) return null
  return {
    lambda: isConditioned ? effectiveRows / (effectiveRows + HALF_WEIGHT_ROWS) : 1,
    effectiveRows,
    columns: columns.map((column, c) => (isTilted(c) ? columnTilt(column, codes[c]!, seed) : null)),
  }
}

function columnTilt(
  column: EncodedColumn,
  codes: Uint16Array,
  { weights, inside, effectiveRows }: WeightedRows,
): ColumnTilt | null {
  const mass = new Float64Array(column.codeCount)
  const rows = new Float64Array(column.codeCount)
  for (let row = 0; row < codes.length; row++) {
    const weight = weights[row]!
    if (weight === 0) continue
    mass[codes[row]!]! += weight
    rows[codes[row]!]! += inside[row]!
  }
  const most = Math.min(MOST_NUMBER_CLASSES, Math.max(1, Math.floor(effectiveRows / NUMBER_CLASS_ROWS)))
  const classOf = column.kind === 'categorical' ? levelClasses(column, rows) : numberClasses(column, mass, rows, most)
  const count = classOf.reduce((largest, of) => Math.max(largest, of), 0) + 1
  const numbers = column.kind === 'numeric' ? scaledNumbers(column, mass) : null
  if (count < 2 && numbers === null) return null
  const shares = new Float64Array(count)
  for (let code = 0; code < mass.length; code++) shares[classOf[code]!]! += mass[code]!
  return { classOf, shares, numbers }
}

/** Class 0 holds the rare levels, and at least one other. */
function levelClasses({ codeCount }: EncodedCategorical, rows: Float64Array): Uint8Array {
  const classOf = new Uint8Array(codeCount)
  const frequentFirst = Array.from(rows, (_, code) => code).sort((a, b) => rows[b]! - rows[a]! || a - b)
  let own = frequentFirst.findIndex((code) => rows[code]! < LEAST_ROWS)
  if (own < 0) own = codeCount
  own = Math.min(own, MOST_LEVEL_CLASSES - 1)
  const others = () => frequentFirst.slice(own).reduce((sum, code) => sum + rows[code]!, 0)
  while (own > 0 && own < codeCount && others() < LEAST_ROWS) own--
  // Without rare levels, the rarest one is alone in its class.
  if (own === codeCount) own--
  for (let i = 0; i < own; i++) classOf[frequentFirst[i]!] = i + 1
  return classOf
}

/** Classes ascend; missing has the last one, or is in the first where it is rare. */
function numberClasses(
  { codeCount, missing }: EncodedNumeric,
  mass: Float64Array,
  rows: Float64Array,
  most: number,
): Uint8Array {
  const classOf = new Uint8Array(codeCount)
  const isMissingApart = missing === 1 && rows[0]! >= LEAST_ROWS
  let total = 0
  for (let code = missing; code < codeCount; code++) total += mass[code]!
  const part = total / most
  let at = 0
  let passed = 0
  let goal = part
  let classRows = missing === 1 && !isMissingApart ? rows[0]! : 0
  for (let code = missing; code < codeCount; code++) {
    // A spike begins a class, as it may end one.
    const isSpike = mass[code]! >= part && rows[code]! >= LEAST_ROWS
    if (classRows >= LEAST_ROWS && (passed >= goal - 1e-9 || isSpike) && at < most - 1) {
      at++
      classRows = 0
      goal = part * (Math.floor(passed / part + 1e-9) + 1)
    }
    classOf[code] = at
    passed += mass[code]!
    classRows += rows[code]!
  }
  // What is left at the end is too little for a class.
  if (classRows < LEAST_ROWS && at > 0) {
    for (let code = missing; code < codeCount; code++) if (classOf[code] === at) classOf[code] = at - 1
    at--
  }
  if (isMissingApart) classOf[0] = at + 1
  return classOf
}

function scaledNumbers({ codeCount, missing, binStart, values, cumulative }: EncodedNumeric, mass: Float64Array) {
  const numbers = new Float64Array(codeCount)
  let total = 0
  let mean = 0
  for (let code = missing; code < codeCount; code++) {
    const [first, end] = [binStart[code - missing]!, binStart[code - missing + 1]!]
    const rows = cumulative[end]! - cumulative[first]!
    for (let v = first; v < end; v++) numbers[code]! += ((cumulative[v + 1]! - cumulative[v]!) / rows) * values[v]!
    total += mass[code]!
    mean += mass[code]! * numbers[code]!
  }
  mean /= total
  let variance = 0
  for (let code = missing; code < codeCount; code++) variance += (mass[code]! / total) * (numbers[code]! - mean) ** 2
  const scale = Math.sqrt(variance)
  if (!(scale > 0 && Number.isFinite(scale))) return null
  for (let code = missing; code < codeCount; code++) numbers[code] = (numbers[code]! - mean) / scale
  return numbers
}
