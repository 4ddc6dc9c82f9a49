import { type CsvDialect, NO_DELIMITER } from './csv-dialect.ts'
import { type SplitRecords, splitRecords } from './split-records.ts'

/** Ties go to the earlier one. */
const DELIMITERS = [',', ';', '\t', '|'] as const

const MAX_RECORDS = 300

interface Candidate {
  readonly dialect: CsvDialect
  readonly split: SplitRecords
  readonly score: number
}

/**
 * Infers delimiter and quotes from the beginning of a file.
 *
 * For each delimiter, the score is the pattern score of van den Burg, Nazábal and Sutton, "Wrangling messy CSV files by detecting
 * row and type patterns" (Data Mining and Knowledge Discovery 33, 2019): rows that agree in their number of fields, weighted
 * by that number, times the share of fields that look like a value. A delimiter that never splits evenly loses to "one column".
 *
 * @param text the beginning, decoded; `complete` when it is the whole file.
 */
export function detectDialect(text: string, complete: boolean): CsvDialect {
  let best: Candidate | null = null
  for (const delimiter of DELIMITERS) {
    if (!text.includes(delimiter)) continue
    const candidate = bestQuoting(text, delimiter, complete)
    if (candidate !== null && candidate.score > (best?.score ?? 0) * 1.000_001) best = candidate
  }
  if (best !== null) return best.dialect
  const single = { delimiter: NO_DELIMITER, quote: '"', escape: '"' }
  return bestSingleColumn(text, single, complete)
}

/** Double quotes, doubled inside, unless another form explains the text without a stray quote. */
function bestQuoting(text: string, delimiter: string, complete: boolean): Candidate | null {
  const standard = scoreDialect(text, { delimiter, quote: '"', escape: '"' }, complete)
  const broken = standard.split.strayQuotes > 0 || standard.split.openQuote
  if (broken) {
    const escaped = { delimiter, quote: '"', escape: '\\' }
    // Only tab-separated text is commonly written without quoting; elsewhere an open quote is a fault.
    const bare = { delimiter, quote: '', escape: '' }
    const others = [...(text.includes('\\"') ? [escaped] : []), ...(delimiter === '\t' ? [bare] : [])]
    for (const dialect of others) {
      const other = scoreDialect(text, dialect, complete)
      const clean = other.split.strayQuotes === 0 && !other.split.openQuote
      if (clean && isEven(other.split) && (!isEven(standard.split) || standard.split.openQuote))
        return asCandidate(other)
    }
  }
  if (standard.split.quotedFields === 0 && text.includes("'")) {
    // Single quotes are apostrophes far more often than quotes: they must close everywhere and make the rows even.
    const single = scoreDialect(text, { delimiter, quote: "'", escape: "'" }, complete)
    const { split } = single
    const closes =
      split.quotedFields >= Math.max(2, split.records.length / 2) && split.strayQuotes === 0 && !split.openQuote
    if (closes && isEven(split)) return asCandidate(single)
  }
  return asCandidate(standard)
}

function bestSingleColumn(text: string, dialect: CsvDialect, complete: boolean): CsvDialect {
  const { openQuote } = splitRecords(text, dialect, complete, MAX_RECORDS)
  if (!openQuote) return dialect
  const bare = { quote: '', escape: '' }
  // Lines with equal numbers of fields, quotes ignored, form a table. An open quote in it is then a fault.
  const delimiter = DELIMITERS.find((mark) => isEven(splitRecords(text, { delimiter: mark, ...bare }, complete)))
  return delimiter === undefined ? { delimiter: dialect.delimiter, ...bare } : { ...dialect, delimiter }
}

function scoreDialect(text: string, dialect: CsvDialect, complete: boolean): Candidate {
  const split = splitRecords(text, dialect, complete, MAX_RECORDS)
  return { dialect, split, score: patternScore(split.records) * valueShare(split.records) }
}

/** Null when the delimiter does not make a table: most rows keep one field. */
function asCandidate(candidate: Candidate): Candidate | null {
  return candidate.split.records.length > 0 && modalWidth(candidate.split.records) > 1 ? candidate : null
}

function isEven(split: SplitRecords): boolean {
  const width = split.records[0]?.length ?? 0
  return width > 1 && split.records.every((record) => record.length === width)
}

function patternScore(records: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>()
  for (const record of records) widths.set(record.length, (widths.get(record.length) ?? 0) + 1)
  let sum = 0
  for (const [width, count] of widths) sum += (count * (width - 1)) / width
  return sum / Math.max(1, widths.size)
}

/** The most frequent number of fields; the larger one of a tie. */
export function modalWidth(records: readonly (readonly string[])[]): number {
  const widths = new Map<number, number>()
  for (const record of records) widths.set(record.length, (widths.get(record.length) ?? 0) + 1)
  let best = 0
  let bestCount = 0
  for (const [width, count] of widths) {
    if (count > bestCount || (count === bestCount && width > best)) {
      best = width
      bestCount = count
    }
  }
  return best
}

const VALUE =
  /^\s*$|^[+-]?[\d.,' \u00a0]*\d%?$|^[+-]?\d+([.,]\d+)?[eE][+-]?\d+$|^[$€£]\s?[\d.,]+$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?$|^\d{1,2}:\d{2}(:\d{2})?$|^[\p{L}\p{N}_.'’()\- ]+$/u

/** Share of fields that look like one value: a number, a date, words. Another delimiter inside counts against it. */
function valueShare(records: readonly (readonly string[])[]): number {
  let cells = 0
  let known = 0
  for (const record of records) {
    for (const field of record) {
      cells++
      if (VALUE.test(field.length > 200 ? field.slice(0, 200) : field)) known++
    }
  }
  return cells === 0 ? 0 : Math.max(known / cells, 1e-3)
}
