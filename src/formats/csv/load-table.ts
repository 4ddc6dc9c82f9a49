import { nameColumns } from '../columns/column-names.ts'
import type { TableHeader } from '../header/table-header.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { otherFiguresNote, totalsNote } from '../totals/totals-note.ts'
import { type InferredFile, inferAgain, inferFile } from './infer-file.ts'
import { lineText } from './line-text.ts'
import { type CsvFile, type LoadedRows, loadRows } from './load-rows.ts'
import { hasNameInFirst } from './other-header.ts'
import { suspectTotals } from './suspected-totals.ts'
import { type WatchedRows, watchRows } from './watch-rows.ts'
import { mayHoldHeader } from './words-among-values.ts'

/** The rows of a text file's only table, without what stands below it. */
export interface LoadedTable {
  readonly inferred: InferredFile
  readonly loaded: LoadedRows
  /** On what was left out. */
  readonly notes: readonly string[]
}

/**
 * Loads the rows of a text file.
 *
 * @throws {UnreadableFileError} when it has two tables, or its table twice.
 */
export async function loadTable(folder: string, path: string, options: ReadTableOptions): Promise<LoadedTable> {
  const { inferred, loaded } = await loadAll(folder, path, options)
  const { numbers, otherLabel } = await suspectTotals(inferred, loaded)
  const doubt = otherLabel === null ? [] : [otherFiguresNote(otherLabel)]
  if (numbers === null && !isUneven(inferred, loaded)) return { inferred, loaded, notes: doubt }
  const watched = await watchRows(inferred, {
    hasManyGaps: hasManyGaps(loaded),
    hasRepeats: loaded.dropped.repeatedHeader > 0,
    numbers,
    signal: options.signal,
  })
  if (watched === null) throw new Error('a text that was read as UTF-8 is not UTF-8')
  refuseOtherTables(watched)
  const { end, totals } = watched
  const notes = [...notesOn(watched), ...(totals === null ? doubt : [])]
  if (end === null && totals === null) return { inferred, loaded, notes }
  const cut = await loadInferred(inferred, options, {
    ...(end !== null && { maxRecords: end }),
    ...(totals !== null && { withoutLines: new Set(totals.rows) }),
  })
  if (cut === null) throw new Error('a text that was read as UTF-8 is not UTF-8')
  return { inferred, loaded: cut, notes }
}

export const namedColumns = ({ names, width }: TableHeader): ReturnType<typeof nameColumns> =>
  nameColumns(Array.from({ length: width }, (_, i) => names?.[i] ?? ''))

export function textOr(name: string, { textColumns }: Pick<ReadTableOptions, 'textColumns'>): 'text' | 'untyped' {
  return textColumns?.has(name) ? 'text' : 'untyped'
}

async function loadAll(
  folder: string,
  path: string,
  options: ReadTableOptions,
): Promise<Pick<LoadedTable, 'inferred' | 'loaded'>> {
  const inferred = await inferFile(path, folder, options)
  const loaded = await loadInferred(inferred, options)
  if (loaded !== null) return { inferred, loaded }
  const again = await inferAgain(inferred, folder, options)
  const reloaded = await loadInferred(again, options)
  if (reloaded === null) throw new Error('the copy in UTF-8 is not UTF-8')
  return { inferred: again, loaded: reloaded }
}

/** @param part which records are read; default: all. */
function loadInferred(
  inferred: InferredFile,
  options: ReadTableOptions,
  part: Pick<CsvFile, 'maxRecords' | 'withoutLines'> = {},
): Promise<LoadedRows | null> {
  const { width, repeated } = inferred.header
  const texts = namedColumns(inferred.header).names.flatMap((name, at) =>
    textOr(name, options) === 'text' ? [at] : [],
  )
  const file = { ...inferred, ...part, skipRecords: inferred.rowsAbove, width, header: repeated }
  return loadRows(file, options, texts)
}

/** Whether a file may have more than the rows of one table; most files have not, and are read once. */
function isUneven({ header, seemsDouble }: InferredFile, { parsed, dropped, sparseEnd, table }: LoadedRows): boolean {
  if (seemsDouble || dropped.repeatedHeader > 0) return true
  // Lines of a single column are blank where its values are missing.
  if (header.width < 2) return false
  if (header.repeated !== null && hasNameInFirst(table.texts[0], header.repeated)) return true
  const { gaps, short, leftOut } = parsed
  return gaps + dropped.empty + short.count + leftOut.count + sparseEnd > 0 || mayHoldHeader(table.texts)
}

/** Blank lines between most rows, or after every few of them, separate no tables. */
function hasManyGaps({ parsed, dropped, table }: LoadedRows): boolean {
  return parsed.gaps + dropped.empty > Math.max(3, 0.1 * table.rowCount)
}

function refuseOtherTables({ firstLine, secondTableLine, copyLine }: WatchedRows): void {
  if (secondTableLine !== null) {
    throw new UnreadableFileError(
      `Another table begins in line ${secondTableLine}, below the one that begins in line ${firstLine}. ` +
        'Put each table into a file of its own.',
    )
  }
  if (copyLine !== null) {
    throw new UnreadableFileError(
      `The table comes a second time, row for row the same, from line ${copyLine} on. Every answer would count twice. ` +
        'Remove the copy.',
    )
  }
}

/** A text of a note is quoted up to so many characters. */
const MAX_QUOTED = 60

function notesOn({ repeated, notes, keptSparse, totals }: WatchedRows): string[] {
  const found: string[] = []
  if (totals !== null) found.push(totalsNote(totals, 'line'))
  if (repeated.count > 0) {
    const lines =
      repeated.count === 1 ? '1 line repeats the header and was' : `${repeated.count} lines repeat the header and were`
    found.push(`${lines} left out (${lineText(repeated)}).`)
  }
  if (keptSparse > 0) {
    found.push(
      keptSparse === 1
        ? 'The last row has little more than one text and was kept as data; remove it from the file if it is a note.'
        : `The last ${keptSparse} rows have little more than one text each and were kept as data; remove them from the file if they are notes.`,
    )
  }
  if (notes !== null) {
    const { count, line, text } = notes
    found.push(
      `${count === 1 ? '1 row below the table was' : `${count} rows below the table were`} left out as notes, from line ${line} on ` +
        `("${text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text}").`,
    )
  }
  return found
}
