export interface ReadTableOptions {
  /** Most rows in memory; of a table with more rows, a sample is kept. */
  readonly maxSampleRows: number
  /** Most values held in memory: fewer rows of a table with many columns. */
  readonly maxSampleCells: number
  /**
   * Forces the number of header rows of delimited text and sheets; titles above the header do not count. Without it the
   * number is inferred.
   */
  readonly headerRows?: number | undefined
  /** Name of the sheet of a workbook that is read; absent: the first one with a table. Other files are refused with one. */
  readonly sheet?: string | undefined
  /** Existing or new folder for data that does not fit into memory; nothing is left there. */
  readonly tempDir: string
  /** Default 2; of Parquet. */
  readonly threads?: number
  /** Memory of the reading itself, without the returned arrays. Default 512; of Parquet. */
  readonly memoryLimitMb?: number
  /**
   * Encoding of delimited text, by a name of the Encoding standard (`windows-1251`); absent: it is recognized. Other files
   * name the encoding of their texts themselves, and are refused with one.
   */
  readonly encoding?: string
  /** Columns whose cells are read as the texts that they are; of a file that types its columns, only of the untyped ones. */
  readonly textColumns?: ReadonlySet<string> | undefined
  /** The levels that are declared for a column. A word such as NA among them stands for no missing value. */
  readonly levelsOf?: ((column: string) => ReadonlySet<string> | undefined) | undefined
  /** The decimal mark that is declared for a column. Its numbers are not read against it. */
  readonly decimalMark?: ((column: string) => ',' | '.' | undefined) | undefined
  /** Columns whose empty cells a study fills, so that a note about them is needless. */
  readonly filledColumns?: ReadonlySet<string> | undefined
  /** Whether a value of a column stands for no answer, so that a column of it alone has no boxes that were ticked. */
  readonly isNoAnswer?: IsNoAnswer | undefined
  /** Ends the reading; it rejects with the signal's reason, or with the error of the interrupted step. */
  readonly signal?: AbortSignal
}

/** `value`: a text of a column of texts, or a number of a column of numbers. */
export type IsNoAnswer = (column: string, value: string | number) => boolean

/** How many rows of a table are kept in memory, at least one. */
export function sampleSize(
  rowCount: number,
  columns: number,
  { maxSampleRows, maxSampleCells }: Pick<ReadTableOptions, 'maxSampleRows' | 'maxSampleCells'>,
): number {
  return Math.min(rowCount, maxSampleRows, Math.max(1, Math.floor(maxSampleCells / columns)))
}

/**
 * Chooses k of N rows by the k smallest hashes of the row index: the same rows for the same N and k on every machine,
 * spread independently of their position in the file (bottom-k sampling; Cohen and Kaplan 2007).
 *
 * N  rows of the file, below 2^32
 * k  rows wanted
 *
 * @returns indexes, ascending; all of them when k is at least N. Cost O(N), memory O(k).
 */
export function sampleRowIndexes(rowCount: number, wanted: number): Float64Array {
  if (wanted >= rowCount) return Float64Array.from({ length: rowCount }, (_, i) => i)
  if (wanted <= 0) return new Float64Array(0)
  // The mixing function is a bijection on 32 bits, so hashes are distinct and the k-th smallest is an exact threshold.
  const cut = kthSmallestHash(rowCount, wanted)
  const chosen = new Float64Array(wanted)
  let length = 0
  for (let i = 0; i < rowCount && length < wanted; i++) if (mix32(i) <= cut) chosen[length++] = i
  return chosen
}

function kthSmallestHash(rowCount: number, k: number): number {
  const counts = new Uint32Array(1 << 16)
  for (let i = 0; i < rowCount; i++) counts[mix32(i) >>> 16]!++
  let bucket = 0
  let below = 0
  while (below + counts[bucket]! < k) below += counts[bucket++]!
  const within = new Uint32Array(counts[bucket]!)
  let length = 0
  for (let i = 0; i < rowCount; i++) {
    const hash = mix32(i)
    if (hash >>> 16 === bucket) within[length++] = hash
  }
  within.sort()
  return within[k - below - 1]!
}

/** The finaliser of MurmurHash3 (Appleby, public domain), a bijection of 32-bit words. */
export function mix32(word: number): number {
  let h = word | 0
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  return h >>> 0
}
