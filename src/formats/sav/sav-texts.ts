import type { RawColumn } from '../../base/raw-table.ts'
import { CodedRows } from '../coded/coded-rows.ts'
import { type CodedColumn, readCodedColumns } from '../coded/read-coded-columns.ts'
import { TEXT } from '../columns/column-type.ts'
import { type CompactType, CountedValues } from '../columns/compact-texts.ts'
import { TextCounts } from '../columns/text-counts.ts'
import { isMissingWord, presentText } from '../columns/value-forms.ts'
import type { ReadTableOptions } from '../reading/row-sample.ts'
import { UnreadableFileError } from '../reading/unreadable-file-error.ts'
import type { SavDecoder } from './sav-encoding.ts'
import { type SavTextVariable, trimmedLatin1 } from './sav-variables.ts'

/** Most bytes of texts that are kept beside hashes, for the rows in memory. */
const MAX_KEPT_BYTES = 268_435_456
/** Whole numbers name cases if their distinct values are at least this share of the rows with a value. */
const NAMES_SHARE = 0.99
/** Texts of a variable that are not decoded again. */
const MAX_DECODED = 10_000
/** Rows after which the memory is checked. */
const PIECE_ROWS = 1_024
interface SavTextOptions extends Pick<ReadTableOptions, 'textColumns' | 'isNoAnswer' | 'levelsOf'> {
  /** Memory for distinct texts; default as for every file. */
  readonly maxTextBytes?: number
}

/** Texts that all encodings of a system file write alike: without NULs, and without escapes into other alphabets. */
const ASCII = /^[\t\n\r -~]*$/

/**
 * Takes the string variables of cases as the rows of a table, so that they are typed and sampled like the columns of
 * every other file: numbers and dates that are kept in strings are numbers and dates. Only whole numbers that are
 * different in nearly every row stay texts, because they name cases: a measure would be a numeric variable. Those with
 * thousands separators, units or signs name nothing.
 */
export class SavTexts {
  readonly #variables: readonly SavTextVariable[]
  readonly #decoder: SavDecoder
  readonly #columns: readonly CodedColumn[]
  readonly #sampleRows: number
  readonly #maxTextBytes: number | undefined
  readonly #isNoAnswer: SavTextOptions['isNoAnswer']
  readonly #levelsOf: SavTextOptions['levelsOf']
  /** By variable: texts in UTF-8 by their bytes as Latin-1, empty where missing. */
  readonly #decoded: readonly Map<string, Buffer>[]
  readonly #decided = new Map<number, CompactType>()
  /** Variables with values that the file declares missing. */
  readonly #withNoAnswers = new Set<number>()
  #ascii = Buffer.alloc(256)
  #rows!: CodedRows

  constructor(
    variables: readonly SavTextVariable[],
    decoder: SavDecoder,
    sampleRows: number,
    { textColumns, isNoAnswer, levelsOf, maxTextBytes }: SavTextOptions,
  ) {
    this.#variables = variables
    this.#decoder = decoder
    this.#sampleRows = sampleRows
    this.#maxTextBytes = maxTextBytes
    this.#isNoAnswer = isNoAnswer
    this.#levelsOf = levelsOf
    this.#columns = variables.map(({ name, labels }, at) => {
      const isText = (labels?.size ?? 0) > 0 || textColumns?.has(name) === true
      if (isText) this.#decided.set(at, TEXT)
      return { name, at, declared: isText ? 'text' : 'untyped' }
    })
    this.#decoded = variables.map(() => new Map())
    this.#begin()
  }

  #begin(): void {
    this.#rows = new CodedRows({
      width: this.#variables.length,
      header: null,
      maxSampleRows: this.#sampleRows,
      decided: this.#decided,
      keepsEmpty: true,
    })
  }

  /** Takes the case that begins at `start`. */
  add(bytes: Buffer, start: number): void {
    const rows = this.#rows
    for (let column = 0; column < this.#variables.length; column++) this.#field(column, bytes, start)
    rows.endRecord()
    if (rows.rowCount % PIECE_ROWS !== 0) return
    rows.shrink(this.#maxTextBytes)
    if (rows.keptBytes > MAX_KEPT_BYTES) {
      throw new UnreadableFileError('The SPSS file holds more text than can be read (256 MB).')
    }
  }

  #field(column: number, bytes: Buffer, start: number): void {
    const variable = this.#variables[column]!
    const raw = rawAt(variable, bytes, start)
    if (raw === '') return
    if (variable.labels === null && variable.missingValues.size === 0 && ASCII.test(raw)) {
      if (raw.length > this.#ascii.length) this.#ascii = Buffer.alloc(2 * raw.length)
      this.#rows.field(column, this.#ascii, 0, this.#ascii.write(raw, 'latin1'))
      return
    }
    const text = this.#textOf(column, raw)
    if (text.length > 0) this.#rows.field(column, text, 0, text.length)
  }

  #textOf(column: number, raw: string): Buffer {
    const decoded = this.#decoded[column]!
    const known = decoded.get(raw)
    if (known !== undefined) return known
    const { labels, missingValues } = this.#variables[column]!
    if (missingValues.has(raw)) this.#withNoAnswers.add(column)
    const text = missingValues.has(raw) ? '' : (labels?.get(raw) ?? this.#decoder.decode(Buffer.from(raw, 'latin1')))
    const bytes = Buffer.from(text.replaceAll('\0', ''))
    if (decoded.size === MAX_DECODED) decoded.clear()
    decoded.set(raw, bytes)
    return bytes
  }

  /**
   * Whether all cases must be taken again, because the values of a variable proved to be of another type, or to name
   * cases, after its texts were removed.
   */
  mustReadAgain(): boolean {
    const mistaken = this.#rows.mistaken()
    for (const [column, texts] of this.#rows.columns.entries()) {
      if (!(texts instanceof CountedValues) || !isPlain(texts.type) || texts.decimals > 0) continue
      const present = texts.keys.counts.reduce((sum, count) => sum + count, 0)
      if (texts.keys.size >= NAMES_SHARE * present) mistaken.set(column, TEXT)
    }
    if (mistaken.size === 0) return false
    for (const [column, type] of mistaken) this.#decided.set(column, this.#decided.has(column) ? TEXT : type)
    this.#begin()
    return true
  }

  /** The columns in the sequence of the variables, and notes about them. */
  finish(): { readonly columns: readonly RawColumn[]; readonly remarks: readonly string[] } {
    const { rowCount, columns: texts } = this.#rows
    const table = { rowCount, texts, sampledIds: this.#rows.sampledIds() }
    const options = { delimiter: '', isNoAnswer: this.#isNoAnswer, levelsOf: this.#levelsOf }
    const read = (asked: readonly CodedColumn[]) => readCodedColumns(table, asked, options)
    const columnsOf = this.#columns.map((column) => ({ ...column, hasNoAnswers: this.#withNoAnswers.has(column.at) }))
    const first = read(columnsOf)
    const nameCases = first.columns.map(
      ({ type, missing, distinct, ...column }, at) =>
        type === 'number' &&
        'decimals' in column &&
        column.decimals === 0 &&
        distinct >= NAMES_SHARE * (rowCount - missing) &&
        areDigits(texts[at]!),
    )
    const asTexts = (column: CodedColumn): CodedColumn =>
      nameCases[column.at] === true ? { ...column, declared: 'text' } : column
    const { columns, remarks } = nameCases.includes(true) ? read(columnsOf.map(asTexts)) : first
    return { columns: columns.map((column, at) => ({ ...column, label: this.#variables[at]!.label })), remarks }
  }
}

function isPlain(type: CompactType): boolean {
  return type.type === 'number' && type.form.name === 'standard'
}

/** Whether all texts that are present are digits alone. */
function areDigits(texts: CodedRows['columns'][number]): boolean {
  if (texts instanceof CountedValues) return isPlain(texts.type)
  if (!(texts instanceof TextCounts)) return true
  const counts = texts.counts()
  for (let id = 0; id < texts.size; id++) {
    if (counts[id] === 0) continue
    const text = presentText(texts.textOf(id))
    if (text !== null && !/^\d+$/.test(text)) return false
  }
  return true
}

/** Whether the case that begins at `start` has no text here; texts that are blank only after decoding count as present. */
export function isEmptyText(variable: SavTextVariable, bytes: Buffer, start: number): boolean {
  const raw = rawAt(variable, bytes, start)
  if (raw === '' || variable.missingValues.has(raw)) return true
  if (raw.length > 64) return false
  return isMissingWord(raw.replaceAll(/^[\0- ]+|[\0- ]+$/g, ''))
}

/** Bytes of a text as Latin-1, without trailing blanks. */
function rawAt({ parts }: SavTextVariable, bytes: Buffer, start: number): string {
  const last = parts.length - 1
  let text = ''
  for (let i = 0; i < last; i++) {
    const { start: from, length } = parts[i]!
    text += bytes.toString('latin1', start + from, start + from + length)
  }
  const { start: from, length } = parts[last]!
  const end = trimmedLatin1(bytes.subarray(start + from, start + from + length))
  return last === 0 || end !== '' ? text + end : trimmedLatin1(Buffer.from(text, 'latin1'))
}
