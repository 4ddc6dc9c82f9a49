import { type FileHandle, open } from 'node:fs/promises'
import type { RawTable } from '../../base/raw-table.ts'
import { type ReadTableOptions, sampleRowIndexes, sampleSize } from '../reading/row-sample.ts'
import { ReadOtherwiseError, UnreadableFileError } from '../reading/unreadable-file-error.ts'
import { type CaseBatch, savCases } from './sav-cases.ts'
import { damagedSav } from './sav-cursor.ts'
import { parseSavDictionary, type SavDictionary } from './sav-dictionary.ts'
import { SavDecoder } from './sav-encoding.ts'
import { type FinishedColumn, readingNotes, variableNotes } from './sav-notes.ts'
import { SavNumberColumn } from './sav-number-column.ts'
import { responseSetNotes } from './sav-response-sets.ts'
import { isEmptyText, SavTexts } from './sav-texts.ts'
import { type SavVariable, savVariables } from './sav-variables.ts'
import { savWords } from './sav-words.ts'

const MAX_ROWS = 4_294_967_295
const FIRST_BYTES = 1_048_576
const MAX_DICTIONARY_BYTES = 67_108_864

/**
 * Reads an SPSS system file (.sav, .zsav), of either byte order and any of its three compressions.
 *
 * A labelled numeric variable becomes text, its labels; a few codes without a label become levels of their own. With
 * labels for only some values it stays a number, and values labelled as no answer are missing. Texts with labels become
 * their labels; other string variables have the type that their texts have. Declared missing values are missing.
 * Numbers lose the digits that single precision added. Dates are dates; times of day and durations are numbers of
 * seconds. Rows in which everything is missing are left out and counted if there are several columns.
 *
 * The data are read twice: to count the rows, and to take them.
 *
 * @throws {UnreadableFileError}
 */
export async function readSav(path: string, options: ReadTableOptions): Promise<RawTable> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const dictionary = await readDictionary(file, size)
    return await readFrom(
      dictionary,
      () => savCases(savWords(file, size, dictionary, options.signal), dictionary),
      options,
    )
  } finally {
    await file.close()
  }
}

/** Reads everything before the data. @throws {UnreadableFileError} */
export async function readDictionary(file: FileHandle, size: number): Promise<SavDictionary> {
  for (let length = FIRST_BYTES; ; length *= 4) {
    const bytes = Buffer.alloc(Math.min(length, size))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    try {
      return parseSavDictionary(bytes.subarray(0, bytesRead), size)
    } catch (error) {
      if (!(error instanceof ReadOtherwiseError)) throw error
      if (bytesRead < bytes.length || length >= size) throw damagedSav('it ends before its data')
      if (length >= MAX_DICTIONARY_BYTES) {
        throw new UnreadableFileError('The SPSS file has more variables and labels than can be read (64 MB).')
      }
    }
  }
}

export async function decoderOf({ extensions, codePage }: SavDictionary): Promise<SavDecoder> {
  const encoding =
    extensions
      .get(20)
      ?.toString('latin1')
      .replaceAll(/[\0\s]+$/g, '') ?? null
  return await SavDecoder.open(encoding, codePage)
}

async function readFrom(
  dictionary: SavDictionary,
  cases: () => AsyncIterable<CaseBatch>,
  options: ReadTableOptions,
): Promise<RawTable> {
  const decoder = await decoderOf(dictionary)
  const { variables, notes } = savVariables(dictionary, decoder)
  const counted = await countRows(dictionary, cases(), variables)
  const { rowCount, limit, isEmpty } = counted
  const sampleRows = sampleSize(rowCount, variables.length, options)
  const rows = { rowCount, sampleRows }
  const numbers = variables
    .filter((variable) => variable.kind === 'number')
    .map((variable) => new SavNumberColumn(variable, rows, dictionary, options.levelsOf?.(variable.name)))
  const strings = variables.filter((variable) => variable.kind === 'text')
  const texts = new SavTexts(strings, decoder, sampleRows, options)
  const chosen = sampleRows < rowCount ? sampleRowIndexes(rowCount, sampleRows) : null

  let row = 0
  let at = 0
  await eachCase(cases(), dictionary, limit, (batch, start) => {
    if (isEmpty(batch, start)) return
    const isChosen = chosen === null || chosen[at] === row
    for (const column of numbers) column.add(column.valueAt(batch.view, start), isChosen ? at : -1)
    texts.add(batch.bytes, start)
    if (isChosen) at++
    row++
  })
  while (texts.mustReadAgain()) {
    await eachCase(cases(), dictionary, limit, (batch, start) => {
      if (!isEmpty(batch, start)) texts.add(batch.bytes, start)
    })
  }

  const finishedNumbers = numbers.map((column) => column.finish()).values()
  const { columns: finishedTexts, remarks } = texts.finish()
  const textColumns = finishedTexts.values()
  const finished = variables.map(
    ({ kind }): FinishedColumn =>
      kind === 'number' ? finishedNumbers.next().value! : { column: textColumns.next().value!, labels: null },
  )
  return {
    rowCount,
    sampleRows,
    columns: finished.map(({ column }) => column),
    droppedRows: { empty: counted.empty, repeatedHeader: 0 },
    notes: [
      ...(decoder.note === null ? [] : [decoder.note]),
      ...(decoder.faults === 0
        ? []
        : [
            `Some texts contain bytes that are not ${decoder.encoding.toUpperCase()}; these were replaced by "\ufffd".`,
          ]),
      ...notes,
      ...counted.notes,
      ...variableNotes(dictionary, variables, numbers),
      ...responseSetNotes([dictionary.extensions.get(7), dictionary.extensions.get(19)], decoder, variables),
      ...readingNotes(finished, remarks),
    ],
  }
}

/** Compares the declared number of rows with the actual one, and counts the empty rows. */
async function countRows(
  dictionary: SavDictionary,
  cases: AsyncIterable<CaseBatch>,
  variables: readonly SavVariable[],
) {
  const { caseCount } = dictionary
  const columns = variables.map((variable) =>
    variable.kind === 'number' ? new SavNumberColumn(variable, { rowCount: 0, sampleRows: 0 }, dictionary) : variable,
  )
  const isEmpty = (batch: CaseBatch, start: number): boolean => {
    if (columns.length === 1) return false
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      const missing =
        column instanceof SavNumberColumn
          ? Number.isNaN(column.valueAt(batch.view, start))
          : isEmptyText(column, batch.bytes, start)
      if (!missing) return false
    }
    return true
  }
  const limit = caseCount ?? MAX_ROWS
  let found = 0
  let empty = 0
  let torn = false
  for await (const batch of cases) {
    for (let i = 0; i < batch.cases && found + i < limit; i++) {
      if (isEmpty(batch, i * dictionary.caseElements * 8)) empty++
    }
    found += batch.cases
    torn = batch.torn
    if (found > MAX_ROWS) throw new UnreadableFileError('The SPSS file has more rows than can be read.')
  }
  if (caseCount === null ? torn : found < caseCount) {
    const expected = caseCount === null ? 'its last row is incomplete' : `it should have ${caseCount} rows`
    throw new UnreadableFileError(
      `The SPSS file was cut short: ${expected}, and ${found} complete ${found === 1 ? 'row was' : 'rows were'} found. Save or download it again.`,
    )
  }
  const rowCount = Math.min(found, limit) - empty
  if (rowCount === 0) throw new UnreadableFileError('The SPSS file has variables but no rows with values.')
  const notes =
    found > limit ? [`The file holds ${found} rows, but declares ${limit}; only those were read, from the top.`] : []
  return { rowCount, empty, limit, isEmpty, notes }
}

async function eachCase(
  cases: AsyncIterable<CaseBatch>,
  { caseElements }: SavDictionary,
  limit: number,
  take: (batch: CaseBatch, start: number) => void,
): Promise<void> {
  let index = 0
  for await (const batch of cases) {
    for (let i = 0; i < batch.cases && index < limit; i++, index++) take(batch, i * caseElements * 8)
    if (index >= limit) return
  }
}
