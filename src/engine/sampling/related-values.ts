/**
 * The meaning of a tree's codes in a row: values of its target, coded directly or relative to a related column (`codings.ts`).
 */

import { rounded } from '../encoding/numbers.ts'
import type { EncodedNumeric } from '../model/model.ts'
import type { Relation } from '../model/relation.ts'
import type { DecodedValues } from './block-values.ts'
import { NumericDecoder } from './decode.ts'
import type { ValueRange } from './value-cells.ts'

/** A code of a tree in a row. */
export interface CodeValues {
  /**
   * A value; NaN for missing, null if the row has none for the code.
   *
   * isFirst  whether this is the row's first draw, which counts for the rhythm of extremes
   */
  draw(code: number, row: number, pick: number, place: number, isFirst: boolean): number | null
  /** Share of the code's mass inside a range, in [0, 1]. */
  shareWithin(code: number, row: number, range: ValueRange): number
  /** A value inside a range, in which the code has mass. */
  drawWithin(code: number, row: number, range: ValueRange, pick: number, place: number): number
}

/** Values of the column's own codes. */
export function ownValues(decoder: NumericDecoder): CodeValues {
  return {
    draw: (code, _, pick, place, isFirst) =>
      isFirst ? decoder.drawInTurn(code, pick, place) : decoder.draw(code, pick, place),
    shareWithin: (code, _, range) => decoder.shareWithin(code, range),
    drawWithin: (code, _, range, pick, place) => decoder.drawWithin(code, range, pick, place),
  }
}

/**
 * Values relative to the other column of a relation.
 *
 * @param other Its values in this block.
 */
export function byRelation(
  relation: Relation,
  target: number,
  column: EncodedNumeric,
  own: CodeValues,
  other: DecodedValues,
): CodeValues {
  if (relation.kind === 'equality') return copied(column, own, other)
  if (relation.kind === 'bound' && relation.difference) {
    const isHigh = relation.terms[1]!.column === target
    return apart(column, own, other, relation.difference.column, isHigh ? 1 : -1)
  }
  throw new RangeError(`column ${column.name} is coded by no other`)
}

/** Code 0: the other column's value. */
function copied({ values: observed }: EncodedNumeric, own: CodeValues, { values, valid }: DecodedValues): CodeValues {
  const first = observed[0]!
  const last = observed.at(-1)!
  const isThere = (row: number) => valid[row] === 1 && values[row]! >= first && values[row]! <= last
  return {
    draw: (code, row, pick, place, isFirst) =>
      code > 0 ? own.draw(code - 1, row, pick, place, isFirst) : isThere(row) ? values[row]! : null,
    shareWithin: (code, row, range) => {
      if (code > 0) return own.shareWithin(code - 1, row, range)
      return isThere(row) && values[row]! >= range.min && values[row]! <= range.max ? 1 : 0
    },
    drawWithin: (code, row, range, pick, place) =>
      code > 0 ? own.drawWithin(code - 1, row, range, pick, place) : values[row]!,
  }
}

/** Codes below B: the other column's value plus `sign` times a difference. */
function apart(
  column: EncodedNumeric,
  own: CodeValues,
  { values, valid }: DecodedValues,
  difference: EncodedNumeric,
  sign: 1 | -1,
): CodeValues {
  const b = difference.codeCount
  const decoder = new NumericDecoder(difference)
  const scale = column.format === null ? Number(`1e${column.decimals}`) : 1
  const atDistance = (row: number, apart: number) => rounded(values[row]! + sign * apart, scale, 'nearest')
  /** The range of the difference, widened a little for rounding: what is drawn is checked once more. */
  const rangeOf = (row: number, { min, max }: ValueRange): ValueRange => {
    const ends = [sign * (min - values[row]!), sign * (max - values[row]!)]
    const slack = column.format === null ? 1e-6 / scale : 0
    return { min: Math.min(...ends) - slack, max: Math.max(...ends) + slack }
  }
  return {
    draw: (code, row, pick, place, isFirst) => {
      if (code >= b) return own.draw(code - b, row, pick, place, isFirst)
      const drawn = decoder.draw(code, pick, place)
      return valid[row] === 0 || Number.isNaN(drawn) ? null : atDistance(row, drawn)
    },
    shareWithin: (code, row, range) => {
      if (code >= b) return own.shareWithin(code - b, row, range)
      return valid[row] === 0 ? 0 : decoder.shareWithin(code, rangeOf(row, range))
    },
    drawWithin: (code, row, range, pick, place) =>
      code >= b
        ? own.drawWithin(code - b, row, range, pick, place)
        : atDistance(row, decoder.drawWithin(code, rangeOf(row, range), pick, place)),
  }
}
