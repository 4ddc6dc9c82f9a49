/**
 * Values that often mean "no answer" in survey files (SPSS: user-missing codes), recognized by their distance from the other
 * values. They are reported and never changed.
 */
import { isMirroredScale } from '../../base/mirrored-scale.ts'
import type { RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'

/** Numbers by which surveys mark "don't know", "refused", "not applicable". */
const CODES = new Set([
  ...[
    88, 96, 97, 98, 99, 888, 996, 997, 998, 999, 8888, 9996, 9997, 9998, 9999, 99998, 99999, 999998, 999999, 9999999,
    99999999,
  ],
  ...[-1, -2, -3, -4, -5, -6, -7, -8, -9, -66, -77, -88, -99, -999, -9999],
])
/** Codes next to short scales, such as 9 beside 1 to 5. */
const SHORT_CODES = new Set([8, 9])
const LONGEST_SHORT_SCALE = 6

/**
 * Values of a column of whole numbers that may mean "no answer": the usual codes, if they are separated from all other values by
 * at least the width of those, or are the only ones below zero. The result is only a hint: 99 may be an amount.
 */
export function noAnswerCodes({ type, counts, decimals }: RawNumberColumn): number[] {
  return type !== 'number' || counts === null || decimals > 0 ? [] : codesApart([...counts.keys()])
}

/** The same for distinct whole numbers. */
export function codesApart(values: readonly number[]): number[] {
  if (isMirroredScale(values)) return []
  const rest = values.filter((value) => !CODES.has(value))
  if (rest.length < 2 || rest.length === values.length) return shortScaleCodes(values)
  const low = rest.reduce((one, other) => Math.min(one, other))
  const high = rest.reduce((one, other) => Math.max(one, other))
  // Three codes at most: a column with more values below zero holds amounts.
  const fewBelow = low >= 0 && values.filter((value) => value < 0).length <= 3
  const isApart = (value: number) => Math.max(value - high, low - value) >= Math.max(2, high - low)
  return values.filter((value) => CODES.has(value) && (value < 0 && low >= 0 ? fewBelow : isApart(value)))
}

function shortScaleCodes(values: readonly number[]): number[] {
  const rest = values.filter((value) => !SHORT_CODES.has(value)).sort((a, b) => a - b)
  const [first] = rest
  const last = rest[rest.length - 1]
  if (first === undefined || last === undefined || first < 0 || first > 1 || rest.length < 2) return []
  if (last > LONGEST_SHORT_SCALE || last - first + 1 !== rest.length) return []
  return values.filter((value) => SHORT_CODES.has(value) && value - last >= 2)
}

/** Texts without a letter or digit ("-", "?") in a column that also has texts with some. */
export function noAnswerTexts({ dictionary }: RawTextColumn): string[] {
  const texts = dictionary.filter((text) => text.length <= MAX_MARK && !/[\p{L}\p{N}\p{S}]/u.test(text))
  return texts.length < dictionary.length ? texts : []
}

const MAX_MARK = 3
