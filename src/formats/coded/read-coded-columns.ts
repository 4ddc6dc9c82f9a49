import type { RawColumn } from '../../base/raw-table.ts'
import { ColumnRemarks } from '../columns/column-remarks.ts'
import type { ColumnTexts } from '../columns/column-texts.ts'
import { type ColumnType, standardType, TEXT } from '../columns/column-type.ts'
import { type Counted, CountedValues, HashedTexts } from '../columns/compact-texts.ts'
import { DATE_FORMS } from '../columns/date-forms.ts'
import { inferColumn } from '../columns/infer-column.ts'
import { PERCENT } from '../columns/number-forms.ts'
import { decimalMarkOf, type SettledType, settleDoubts } from '../columns/settle-doubts.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { isMissingWord, presentText } from '../columns/value-forms.ts'
import type { IsNoAnswer, ReadTableOptions } from '../reading/row-sample.ts'
import { findGroupLabels } from './group-labels.ts'
import { checkboxColumn, missingWords, readTexts } from './read-texts.ts'
import { readValues } from './read-values.ts'

/** A table as ids of texts. */
export interface CodedTable {
  readonly rowCount: number
  readonly texts: readonly ColumnTexts[]
  /** Of the rows held, by column. */
  readonly sampledIds: readonly Int32Array[]
}

/** A column of the table. */
export interface CodedColumn {
  readonly name: string
  /** Its place in the table. */
  readonly at: number
  /** The type that all its values have in the file; `untyped`: the texts decide; `percent`: `12%`. */
  readonly declared: 'untyped' | 'text' | 'number' | 'percent' | 'time'
  /** The file itself says which of its values are no answer, and has such values: the others are not the ticks of a box. */
  readonly hasNoAnswers?: boolean
}

/** What is known about the columns beside their texts. Declarations about columns belong here. */
export interface ColumnOptions {
  /** Of the file; a comma shows that numbers hardly have decimal commas. */
  readonly delimiter: string
  readonly isNoAnswer?: IsNoAnswer | undefined
  readonly decimalMark?: ReadTableOptions['decimalMark']
  readonly filledColumns?: ReadTableOptions['filledColumns']
  readonly levelsOf?: ReadTableOptions['levelsOf']
}

/**
 * Infers the columns' types from all their distinct texts and reads their values. Each text is read once, not each row.
 *
 * @returns the decimal mark that the columns show together; null where they show none, or both.
 */
export function readCodedColumns(
  { rowCount, texts, sampledIds }: CodedTable,
  columns: readonly CodedColumn[],
  { delimiter, isNoAnswer, decimalMark, filledColumns, levelsOf }: ColumnOptions,
): { columns: RawColumn[]; remarks: string[]; decimalMark: ',' | '.' | null } {
  const remarks = new ColumnRemarks()
  const words: Counted[] = []
  const inferred: ColumnType[] = []
  for (const { name, at, declared } of columns) {
    const levels = levelsOf?.(name)
    const found = wordsOf(texts[at]!).filter(([word]) => levels?.has(word) !== true)
    words.push(found)
    remarks.missing(name, found)
    if (found.some(([word]) => word === 'NA') && areTwoLetterCodes(presentTexts(texts[at]!)))
      remarks.has(name, NA_AMONG_CODES)
    inferred.push(typeOf(texts[at]!, declared))
  }
  const groups = findGroupLabels(columns.map(({ at }) => sampledIds[at]!))
  for (const at of groups.columns) {
    const { name } = columns[at]!
    if (!filledColumns?.has(name)) remarks.has(name, GROUP_LABELS)
    if (groups.headings > 0) remarks.has(name, headingsRemark(groups.headings))
  }
  const declaredMarks = columns.map(({ name }) => decimalMark?.(name))
  const settled = settleDoubts(inferred, delimiter, declaredMarks)
  const fileMark = decimalMarkOf(inferred)
  const read = columns.map(({ name, at, declared, hasNoAnswers }, i) => {
    const { column, marks } = readColumn(
      name,
      settled[i]!,
      texts[at]!,
      sampledIds[at]!,
      rowCount,
      remarks,
      levelsOf?.(name),
    )
    const value = 'codes' in column ? column.dictionary[0] : column.min
    const isAnswer = value === undefined || isNoAnswer?.(name, value) !== true
    const isCheckbox =
      declared !== 'text' && hasNoAnswers !== true && words[i]!.length === 0 && marks.length === 0 && isAnswer
    const checkbox = isCheckbox ? checkboxColumn(column, rowCount) : null
    if (checkbox !== null) remarks.has(name, CHECKBOX)
    const mark = declaredMarks[i] ?? fileMark
    const marked = 'codes' in column && mark !== null ? { ...column, decimalMark: mark } : column
    return checkbox ?? marked
  })
  return { columns: read, remarks: remarks.notes(), decimalMark: fileMark }
}

const GROUP_LABELS =
  'labels that stand once, above empty cells, as pivot tables show groups; those cells were read as missing; if they belong to the group above, declare the columns under "fill_down" in the study'

function headingsRemark(rows: number): string {
  return rows === 1
    ? '1 row with a label and nothing else, which counts as a person; if it is a heading, delete it in the file'
    : `${rows} rows with a label and nothing else, which count as people; if they are headings, delete them in the file`
}

const TEXT_FORMULAS = 'texts written as formulas (="012"), of which the text was read'

export const CHECKBOX = 'one answer or none, which were read as 1 and 0'

export const NA_AMONG_CODES =
  'codes of two letters, and "NA" among them was read as missing; to keep it as a code, name all of them under "levels" in the study'
/** Fewer could be two answers, such as OK and NO. */
const MIN_CODES = 4

/** Whether all texts are codes such as RM and MI. */
export function areTwoLetterCodes(texts: Iterable<string>): boolean {
  let codes = 0
  for (const text of texts) {
    if (!/^[A-Z]{2}$/.test(text)) return false
    codes++
  }
  return codes >= MIN_CODES
}

function* presentTexts(texts: ColumnTexts): Generator<string> {
  if (!(texts instanceof TextCounts)) return
  const counts = texts.counts()
  for (let id = 0; id < texts.size; id++) {
    const text = counts[id]! > 0 ? presentText(texts.textOf(id)) : null
    if (text !== null) yield text
  }
}

function typeOf(texts: ColumnTexts, declared: CodedColumn['declared']): ColumnType {
  // Its type was inferred before its texts were removed.
  if (texts instanceof CountedValues || texts instanceof HashedTexts) return texts.type
  switch (declared) {
    case 'text':
      return TEXT
    case 'number':
      return standardType(false)
    case 'percent':
      return { ...standardType(false), form: PERCENT.forms[0]!, remarks: [PERCENT.remark] }
    case 'time':
      return { type: 'time', form: DATE_FORMS[0]!, remarks: [] }
    case 'untyped':
      return inferColumn(texts as TextCounts)
  }
}

function wordsOf(texts: ColumnTexts): Counted {
  if (texts instanceof TextCounts) return missingWords(texts)
  if (texts instanceof HashedTexts) return texts.words()
  return (texts as CountedValues).others().filter(([text]) => isMissingWord(text))
}

function readColumn(
  name: string,
  type: SettledType,
  texts: ColumnTexts,
  ids: Int32Array,
  rowCount: number,
  remarks: ColumnRemarks,
  levels: ReadonlySet<string> | undefined,
): { readonly column: RawColumn; readonly marks: Counted } {
  for (const remark of type.remarks) remarks.has(name, remark)
  if (type.type === 'number' || type.type === 'time') {
    const { column, marks, strayRows } = readValues(name, type, texts as TextCounts | CountedValues, ids, rowCount)
    remarks.missing(name, marks)
    if (strayRows > 0) remarks.has(name, strayRemark(strayRows, type.type === 'number' ? 'number' : 'date'))
    return { column, marks }
  }
  const { column, hasFormulas } = readTexts(name, type, texts as TextCounts | HashedTexts, ids, rowCount, levels)
  if (hasFormulas) remarks.has(name, TEXT_FORMULAS)
  return { column, marks: [] }
}

function strayRemark(rows: number, kind: 'number' | 'date'): string {
  return rows === 1
    ? `1 value that is not a ${kind}, which was read as missing`
    : `${rows} values that are not ${kind}s, which were read as missing`
}
