import { list } from '../columns/column-names.ts'
import { headerNotes } from '../header/header-notes.ts'
import { otherFiguresNote, totalsNote } from '../totals/totals-note.ts'
import type { SheetExtent, SheetSource } from './sheet-source.ts'
import type { StagedSheet } from './stage-sheet.ts'

const HOW_TO_NAME = ' To read another one, declare "sheet: NAME" in the dataset\'s entry of the study.'

/** Characters of a text that a note shows. */
const MOST_SHOWN = 60

/**
 * Notes about the reading of a workbook for its author.
 *
 * @param isNamed whether the study or the command names the sheet, and says so itself.
 * @param names of the columns of the table; the first is column `firstColumn` of the staged columns.
 */
export function sheetNotes(
  sheet: SheetSource,
  sheets: readonly SheetSource[],
  staged: StagedSheet,
  extent: SheetExtent,
  names: readonly string[],
  firstColumn: number,
  isNamed: boolean,
): string[] {
  const notes = isNamed ? [] : [`Sheet "${sheet.name}" was read.`]
  const others = sheets.filter((other) => other !== sheet)
  if (others.length > 0) {
    const hidden = others.filter((other) => other.hidden).length
    notes.push(
      `${counted(others.length, 'other sheet was', 'other sheets were')} not read${hidden > 0 ? ` (${hidden} hidden)` : ''}: ` +
        `${list(others.map(({ name }) => name))}.${isNamed ? '' : HOW_TO_NAME}`,
    )
  }
  const { titleRows } = staged.header
  if (titleRows > 0) {
    notes.push(
      `${counted(titleRows, 'title row', 'title rows')} above the table ${were(titleRows)} skipped; ` +
        `the table begins in row ${staged.firstRow}.`,
    )
  }
  notes.push(...headerNotes(staged.header, staged.headerRowNumbers, names))
  notes.push(...leftOutNotes(staged))
  notes.push(...hiddenNotes(staged, extent, names, firstColumn))
  if (staged.keptSparseRows > 0) {
    const last = staged.keptSparseRows
    notes.push(
      last === 1
        ? 'The last row has little more than one text and was kept as data; remove it from the sheet if it is a note.'
        : `The last ${last} rows have little more than one text each and were kept as data; remove them from the sheet if they are notes.`,
    )
  }
  if (extent.formulasWithoutValue > 0) {
    const n = extent.formulasWithoutValue
    notes.push(
      `${counted(n, 'formula has', 'formulas have')} no stored result and ${were(n)} read as missing; open the workbook in Excel and save it again.`,
    )
  }
  for (const [at, name] of names.entries()) {
    const i = firstColumn + at
    const { error, time, date, number, text } = staged.kinds[i]!
    const { cells, rows } = staged.filled[i]!
    if (rows > 0) {
      notes.push(
        `Column "${name}": ${counted(cells, 'merged cell', 'merged cells')} gave ${cells === 1 ? 'its value' : 'their values'} ` +
          `to all rows that ${cells === 1 ? 'it spans' : 'they span'}, ${rows} more.`,
      )
    }
    if (error > 0) {
      notes.push(
        `Column "${name}": ${counted(error, 'cell with an error', 'cells with errors')} (such as #N/A) read as missing.`,
      )
    }
    // A column of times of day only has a note about its reading as seconds.
    if (time > 0 && date + number + text > 0) {
      notes.push(
        `Column "${name}" has ${counted(time, 'time of day', 'times of day')}, read as text such as 08:30:00, among other values.`,
      )
    }
    if (staged.traits[i]!.long) {
      notes.push(`Column "${name}" has numbers of more than 15 digits, of which Excel keeps only the first 15.`)
    }
    if (staged.traits[i]!.fraction && staged.traits[i]!.commaText) {
      notes.push(
        `Column "${name}" has both numbers and texts such as "1,250", which may be 1.25 or 1250, and was kept as text; make numbers of these texts in the workbook.`,
      )
    }
    if (staged.traits[i]!.pointText && (staged.traits[i]!.fraction || staged.traits[i]!.large)) {
      notes.push(
        `Column "${name}" has both numbers and texts such as "1.250", whose points were read as decimal points; where they separate thousands, make numbers of these texts in the workbook.`,
      )
    }
  }
  const percents = names.filter((_, at) => staged.percents[firstColumn + at] === 'some')
  if (percents.length > 0) {
    const one = percents.length === 1
    notes.push(
      `${one ? 'Column' : 'Columns'} ${list(percents)} ${one ? 'has' : 'have'} a percent format in some cells only, and the numbers were read as they are stored ("12%" as 0.12).`,
    )
  }
  return notes
}

/** What a sheet hides is read: a person may have hidden it, and a filter, which the author forgot, as well. */
function hiddenNotes(
  { hiddenRows }: StagedSheet,
  { hidden, columns }: SheetExtent,
  names: readonly string[],
  firstColumn: number,
): string[] {
  const notes: string[] = []
  if (hiddenRows > 0) {
    const one = hiddenRows === 1
    notes.push(
      `${counted(hiddenRows, 'row that the sheet hides', 'rows that the sheet hides')} (by hand or by a filter) ${were(hiddenRows)} read like the others; ` +
        `where ${one ? 'it does' : 'they do'} not belong to the data, delete ${one ? 'it' : 'them'} from the sheet.`,
    )
  }
  const first = (columns?.first ?? 0) + firstColumn
  const hiddenNames = names.filter((_, at) => hidden.columns.has(first + at))
  if (hiddenNames.length > 0) {
    const one = hiddenNames.length === 1
    notes.push(
      `${one ? 'Column' : 'Columns'} ${list(hiddenNames)}, which the sheet hides, ${one ? 'was' : 'were'} read like the others; ` +
        `where ${one ? 'it does' : 'they do'} not belong to the data, name ${one ? 'it' : 'them'} in "drop".`,
    )
  }
  return notes
}

function leftOutNotes({ totalsRows, keptTotals, noteRows }: StagedSheet): string[] {
  const notes: string[] = []
  if (totalsRows !== null) notes.push(totalsNote(totalsRows, 'row'))
  else if (keptTotals !== null) notes.push(otherFiguresNote(keptTotals))
  if (noteRows !== null) {
    const { count, firstRow, text } = noteRows
    notes.push(
      `${counted(count, 'row', 'rows')} below the table ${were(count)} left out as notes, from row ${firstRow} on ` +
        `("${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}").`,
    )
  }
  return notes
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

function were(n: number): string {
  return n === 1 ? 'was' : 'were'
}
