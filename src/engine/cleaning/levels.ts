/**
 * Levels of categorical columns: which are frequent enough to keep, and the code of every row held.
 *
 * n  rows held, N  rows of the seed. A level that few respondents share could point at one of them, so it becomes missing.
 * A place of a short scale is kept however few answered it: it is a part of the question and points at nobody, and a
 * scale of 1 to 7 without its 1 would be another one.
 */
import type { RawColumn } from '../../base/raw-table.ts'
import { findScale } from '../scales/find-scale.ts'
import { MAX_LISTED_LEVELS } from './cleaning-report.ts'

/**
 * Levels of a categorical column.
 *
 * n  rows held, N  rows of the seed
 */
export interface Levels {
  /** Retained levels, most frequent in the seed first, ties by UTF-16 order. */
  readonly kept: readonly string[]
  /** Length n; index into `kept`, -1 = missing or not retained. */
  readonly codes: Int32Array
  /** Rows of the seed with a retained level. */
  readonly keptRows: number
  /** Levels that became missing, most frequent first, at most `MAX_LISTED_LEVELS` of them. */
  readonly dropped: readonly string[]
  readonly droppedOmitted: number
  readonly droppedRows: number
  /** Rows that a level needs. */
  readonly threshold: number
}

/** Levels with fewer rows than this are rare: a thousandth of the rows, but at least 5 and at most 50. */
export function rareLevelThreshold(rowCount: number): number {
  return Math.max(5, Math.min(50, Math.ceil(0.001 * rowCount)))
}

/**
 * Levels of a text, boolean or coded column that have at least `threshold` rows or are places of a scale, the most
 * frequent `maxLevels` of them.
 */
export function levelsOf(column: RawColumn, rowCount: number, threshold: number, maxLevels: number): Levels {
  const entries = 'codes' in column ? textEntries(column) : codedEntries(column)
  const order = entries.labels
    .map((_, i) => i)
    .sort((a, b) => entries.counts[b]! - entries.counts[a]! || (entries.labels[a]! < entries.labels[b]! ? -1 : 1))
  const places = rarePlaces(entries, !('dictionary' in column), threshold)
  const newCode = new Int32Array(entries.labels.length).fill(-1)
  const kept: string[] = []
  const dropped: string[] = []
  let keptRows = 0
  for (const i of order) {
    if ((entries.counts[i]! >= threshold || places.has(i)) && kept.length < maxLevels) {
      newCode[i] = kept.length
      kept.push(entries.labels[i]!)
      keptRows += entries.counts[i]!
    } else if (dropped.length < MAX_LISTED_LEVELS) dropped.push(entries.labels[i]!)
  }
  const codes = new Int32Array(entries.codes.length)
  for (let row = 0; row < codes.length; row++) codes[row] = entries.codes[row]! < 0 ? -1 : newCode[entries.codes[row]!]!
  return {
    kept,
    codes,
    keptRows,
    dropped,
    // Levels of the file that no sampled row has are known by their number only.
    droppedOmitted: column.distinct - kept.length - dropped.length,
    droppedRows: rowCount - column.missing - keptRows,
    threshold,
  }
}

interface Entries {
  readonly labels: readonly string[]
  readonly counts: ArrayLike<number>
  readonly codes: Int32Array
}

function textEntries(column: Extract<RawColumn, { codes: Int32Array }>): Entries {
  return { labels: column.dictionary, counts: column.counts, codes: column.codes }
}

/** Labels of whole numbers are their decimal text. */
function codedEntries(column: Extract<RawColumn, { values: Float64Array }>): Entries {
  const values = [...(column.counts ?? new Map<number, number>()).entries()]
  const index = new Map(values.map(([value], i) => [value, i]))
  const codes = new Int32Array(column.values.length)
  for (let row = 0; row < codes.length; row++) {
    codes[row] = column.valid[row] === 0 ? -1 : (index.get(column.values[row]!) ?? -1)
  }
  return { labels: values.map(([value]) => String(value)), counts: values.map(([, count]) => count), codes }
}

/** Scales of answers have at most this many places (0 to 10); beyond are amounts, ages and the like. */
const MOST_PLACES = 11
/** Rare levels beyond which a column holds other texts as well. */
const MOST_RARE = 30

/**
 * The rare levels that are places of the scale which all levels form. If a rare level spoils the scale of the others, it
 * is no part of it.
 *
 * @param integer the labels are the decimal texts of whole numbers
 */
function rarePlaces({ labels, counts }: Entries, integer: boolean, threshold: number): ReadonlySet<number> {
  const frequent = labels.flatMap((_, i) => (counts[i]! >= threshold ? [i] : []))
  const rare = labels.flatMap((_, i) => (counts[i]! < threshold ? [i] : []))
  if (rare.length === 0 || rare.length > MOST_RARE || frequent.length === 0 || frequent.length > 2 * MOST_PLACES) {
    return new Set()
  }
  const whole = placesOf([...frequent, ...rare], labels, integer)
  if (whole !== null) return new Set(whole.length > MOST_PLACES ? [] : rare.filter((i) => whole.includes(i)))
  const kept: number[] = []
  for (const i of rare.sort((a, b) => counts[b]! - counts[a]!)) {
    const places = placesOf([...frequent, ...kept, i], labels, integer)
    if (places?.includes(i) === true && places.length <= MOST_PLACES) kept.push(i)
  }
  return new Set(kept)
}

/** The chosen labels that are places of a scale; null if they form no scale. */
function placesOf(chosen: readonly number[], labels: readonly string[], integer: boolean): readonly number[] | null {
  const scale = findScale(
    chosen.map((i) => labels[i]!),
    integer,
  )
  return scale === null ? null : chosen.filter((_, at) => !Number.isNaN(scale.values[at]))
}
