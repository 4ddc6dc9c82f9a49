import type { RawTextColumn } from '../../base/raw-table.ts'

/**
 * A text column whose dictionary is in order and has only what occurs among the codes.
 *
 * m  texts
 *
 * @param collected `texts` of length m in any order, their `counts` in the whole file, `codes` into them (-1 = missing).
 */
export function rawTextColumn(collected: {
  readonly name: string
  readonly texts: readonly string[]
  readonly codes: Int32Array
  readonly counts: ArrayLike<number>
  readonly missing: number
  readonly distinct: number
}): RawTextColumn {
  const { texts, codes, counts, name, missing, distinct } = collected
  const occurs = new Uint8Array(texts.length)
  for (let row = 0; row < codes.length; row++) if (codes[row]! >= 0) occurs[codes[row]!] = 1
  const order = Array.from(texts.keys())
    .filter((code) => occurs[code] === 1)
    .sort((one, other) => (texts[one]! < texts[other]! ? -1 : 1))
  const rank = new Int32Array(texts.length)
  for (const [index, code] of order.entries()) rank[code] = index
  for (let row = 0; row < codes.length; row++) if (codes[row]! >= 0) codes[row] = rank[codes[row]!]!
  const dictionary = order.map((code) => texts[code]!)
  let words = 0
  for (const text of dictionary) words += text.match(/\S+/g)?.length ?? 0
  return {
    type: 'text',
    name,
    missing,
    distinct,
    codes,
    dictionary,
    counts: Float64Array.from(order, (code) => counts[code]!),
    meanWords: dictionary.length === 0 ? 0 : words / dictionary.length,
  }
}
