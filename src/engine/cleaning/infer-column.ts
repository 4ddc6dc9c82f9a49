/**
 * The decision about one column of the file: dropped with a reason, kept, or split into its options.
 *
 * N  clean rows of the whole seed (`rowCount`): shares refer to these, never to the sampled rows
 */

import type { TrainedKind } from '../../base/column-kind.ts'
import type { RawColumn, RawNumberColumn, RawTextColumn } from '../../base/raw-table.ts'
import { isLonger } from '../../base/text/fit-text.ts'
import { LEAST_ROWS } from '../disclosure/rounded-counts.ts'
import { isRegister } from './column-kinds.ts'
import {
  cannotModel,
  type Drop,
  dropLongLevels,
  dropLongName,
  dropNames,
  dropUniform,
  MAX_LEVELS,
} from './drop-rules.ts'
import { type Levels, levelsOf, rareLevelThreshold } from './levels.ts'
import { detectMultiSelect, type MultiSelect, optionColumn } from './multi-select.ts'
import { MAX_LEVEL_BYTES } from './size-bounds.ts'
import type { Separator } from './split-cell.ts'
import type { TableColumn } from './table.ts'

/** A column of the cleaned table that has no name yet. */
export interface KeptColumn {
  readonly source: RawColumn
  /** The option of a multi-select column that this column represents, and the rows of the seed that ticked it. */
  readonly option: { readonly text: string; readonly rows: number } | null
  readonly column: UnnamedColumn
  /** Null for numeric columns. */
  readonly levels: Pick<Levels, 'dropped' | 'droppedOmitted' | 'droppedRows'> | null
}

type Unnamed<T> = T extends TableColumn ? Omit<T, 'name'> : never
export type UnnamedColumn = Unnamed<TableColumn>

/** The decision about a column of the file. */
export type ColumnDecision =
  | { readonly as: 'dropped'; readonly drop: Drop }
  | { readonly as: 'kept'; readonly column: KeptColumn }
  | SplitDecision

export interface SplitDecision {
  readonly as: 'split'
  readonly columns: readonly KeptColumn[]
  readonly separator: Separator
  readonly otherAnswers: readonly string[]
}

/**
 * @param rowCount clean rows of the whole seed
 * @param mostOptions most options that a multi-select column is split into; with more options it is treated as an
 * ordinary text.
 * @param kind of the column, unless it is split.
 */
export function inferColumn(
  source: RawColumn,
  rowCount: number,
  autoClean: boolean,
  mostOptions: number,
  kind: TrainedKind,
): ColumnDecision {
  const longName = dropLongName(source)
  if (longName !== null) return { as: 'dropped', drop: longName }
  if (autoClean) {
    const drop = dropUniform(source, rowCount)
    if (drop !== null) return { as: 'dropped', drop }
    // An answer that was declared to be one stays whole, whatever signs it has.
    const mayHold = source.type === 'text' && source.declaredType === undefined
    const split = mayHold ? splitColumn(source, detectMultiSelect(source, rowCount), rowCount, mostOptions) : null
    if (split !== null) return split
  }
  const levels =
    kind === 'categorical' ? columnLevels(source, rowCount, autoClean ? leastRows(source, rowCount) : 1) : null
  const drop =
    (autoClean ? dropNames(source, levels, rowCount) : null) ??
    cannotModel(source, levels, rowCount) ??
    dropLongLevels(levels, autoClean ? 'free_text' : 'unmodelled')
  if (drop !== null) return { as: 'dropped', drop }
  return { as: 'kept', column: { source, option: null, column: unnamedColumn(source, levels, rowCount), levels } }
}

function columnLevels(column: RawColumn, rowCount: number, threshold: number): Levels {
  return levelsOf(column, rowCount, threshold, MAX_LEVELS)
}

/** Rows that a level needs. The number of a document names somebody, and no answer. */
function leastRows(source: RawColumn, rowCount: number): number {
  const least = rareLevelThreshold(rowCount)
  return 'values' in source && isRegister(source) ? Math.max(LEAST_ROWS, least) : least
}

/** Options ticked by too few (or by all) for a separate column count among the other answers. */
export function splitColumn(
  source: RawTextColumn,
  found: MultiSelect | null,
  rowCount: number,
  mostOptions: number,
): SplitDecision | null {
  if (found === null || found.options.length > mostOptions) return null
  if (found.options.some((option) => isLonger(option, MAX_LEVEL_BYTES))) return null
  const columns: KeptColumn[] = []
  const otherAnswers: string[] = []
  for (const [i, text] of found.options.entries()) {
    const raw = optionColumn(source, found, i)
    if (dropUniform(raw, rowCount) !== null) {
      otherAnswers.push(text)
      continue
    }
    // Leaving out an option is an answer, however few do.
    const levels = columnLevels(raw, rowCount, 1)
    const column = { ...unnamedColumn(raw, levels, rowCount), sourceName: source.name }
    columns.push({ source, option: { text, rows: raw.counts?.get(1) ?? 0 }, column, levels: null })
  }
  if (columns.length < 2) return null
  return { as: 'split', columns, separator: found.separator, otherAnswers: [...otherAnswers, ...found.otherAnswers] }
}

function unnamedColumn(raw: RawColumn, levels: Levels | null, rowCount: number): UnnamedColumn {
  const missing = raw.missing + (levels?.droppedRows ?? 0)
  const base = { sourceName: raw.name, missingShare: missing / rowCount }
  if (levels !== null) {
    const order = raw.declaredOrder === undefined ? {} : { order: raw.declaredOrder }
    return {
      ...base,
      kind: 'categorical',
      levels: levels.kept,
      codes: levels.codes,
      integer: !('codes' in raw),
      ...order,
    }
  }
  if ('codes' in raw) throw new TypeError(`text column ${raw.name} has no levels`)
  return {
    ...base,
    kind: 'numeric',
    format: raw.type === 'number' ? null : raw.type,
    values: raw.values,
    valid: raw.valid,
    integer: isWhole(raw),
    decimals: decimalsOf(raw),
    min: raw.min,
    max: raw.max,
  }
}

/** Readers count decimals up to here: further decimals mostly come from binary fractions. */
const MAX_COUNTED_DECIMALS = 12
/** The most that a number can be written with. */
const MAX_DECIMALS = 100

/** Files hold whole numbers in 64 bits; larger ones are numbers like others. */
function isWhole({ type, decimals, min, max }: RawNumberColumn): boolean {
  return type === 'number' && decimals === 0 && min >= -(2 ** 63) && max < 2 ** 63
}

/**
 * Decimals are counted up to a bound, which would leave nothing of a column of very small numbers: there they are as many
 * behind the first place of the largest number.
 */
function decimalsOf(column: RawNumberColumn): number {
  const { decimals, values, valid, min, max } = column
  const largest = Math.max(Math.abs(min), Math.abs(max))
  if (decimals < MAX_COUNTED_DECIMALS || !(largest > 0 && largest < 1)) return decimals
  const scale = 10 ** decimals
  const isCutShort = values.some((value, row) => valid[row] !== 0 && Math.round(value * scale) / scale !== value)
  if (!isCutShort) return decimals
  return Math.min(MAX_DECIMALS, decimals - Math.ceil(Math.log10(largest)))
}
