import type { SavDictionary } from './sav-dictionary.ts'

/** Whole cases, uncompressed; the next batch reuses the bytes. */
export interface CaseBatch {
  readonly bytes: Buffer
  readonly view: DataView
  readonly cases: number
  /** After this batch the data end with an incomplete case. */
  readonly torn: boolean
}

/** Approximate bytes of cases per batch. */
const BATCH_BYTES = 1_048_576

// Codes of the bytecode; those from 1 to 251 are small whole numbers.
const END_OF_DATA = 252
const LITERAL = 253

/**
 * Reads cases from the data part, which is a sequence of elements of 8 bytes, perhaps in bytecode: eight codes, then
 * their literals. An incomplete case at the end is left out.
 */
export async function* savCases(
  words: AsyncIterable<Uint32Array>,
  dictionary: SavDictionary,
): AsyncGenerator<CaseBatch> {
  const caseBytes = dictionary.caseElements * 8
  const batchCases = Math.max(1, Math.floor(BATCH_BYTES / caseBytes))
  const out = new Uint32Array((batchCases * caseBytes) / 4)
  const bytes = Buffer.from(out.buffer)
  const view = new DataView(out.buffer)
  const expand = dictionary.compression > 0
  const elements = codeElements(dictionary)
  const codes = new Uint8Array(8)
  // Next of the eight codes; 8 = read new codes first.
  let code = 8
  let filled = 0
  let ended = false
  for await (const chunk of words) {
    let at = 0
    while (!ended && (at < chunk.length || code < 8)) {
      if (expand && code === 8) {
        codes.set(new Uint8Array(chunk.buffer, chunk.byteOffset + at * 4, 8))
        at += 2
        code = 0
        continue
      }
      const value = expand ? codes[code]! : LITERAL
      if (value === LITERAL) {
        if (at >= chunk.length) break
        out[filled] = chunk[at]!
        out[filled + 1] = chunk[at + 1]!
        at += 2
      } else if (value === END_OF_DATA) {
        ended = true
        break
      } else {
        out[filled] = elements[value * 2]!
        out[filled + 1] = elements[value * 2 + 1]!
      }
      if (expand) code++
      // Code 0 is padding: it fills up the last eight.
      if (value !== 0) filled += 2
      if (filled === out.length) {
        yield { bytes, view, cases: batchCases, torn: false }
        filled = 0
      }
    }
    if (ended) break
  }
  const cases = Math.floor((filled * 4) / caseBytes)
  yield { bytes, view, cases, torn: filled * 4 > cases * caseBytes }
}

/** The element of each code, two words each. */
function codeElements({ bias, littleEndian, systemMissing }: SavDictionary): Uint32Array {
  const elements = new DataView(new ArrayBuffer(256 * 8))
  for (let code = 1; code < END_OF_DATA; code++) elements.setFloat64(code * 8, code - bias, littleEndian)
  for (let i = 0; i < 8; i++) elements.setUint8(254 * 8 + i, 0x20)
  elements.setFloat64(255 * 8, systemMissing, littleEndian)
  return new Uint32Array(elements.buffer)
}
