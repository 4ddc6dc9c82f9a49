import { describe, expect, it } from 'vitest'
import type { RawTable } from '../../../src/base/raw-table.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { UnreadableFileError } from '../../../src/formats/reading/unreadable-file-error.ts'
import { checkConsistency, columnOf, readColumn } from '../read-column.ts'
import { tempFolder } from '../temp-folder.ts'
import {
  ANSWERS,
  csvBytes,
  legacyQualtricsRows,
  qualtricsRows,
  type Row,
  surveyMonkeyRows,
  xlsxBytes,
} from './survey-bytes.ts'

const folder = tempFolder()
let files = 0

async function read(bytes: Uint8Array, headerRows?: number): Promise<RawTable> {
  const path = folder.write(`export-${files++}`, bytes)
  const table = await readTable(path, { tempDir: folder.path, headerRows })
  checkConsistency(table)
  return table
}

const AGES = ANSWERS.map(({ age }) => age)
const GERMAN = [
  ...['Anfangsdatum', 'Enddatum', 'Antworttyp', 'Aktueller Stand', 'Dauer (in Sekunden)', 'Beendet'],
  ...['Erfassungsdatum', 'Antwort-ID', 'Verteilungskanal', 'Benutzersprache'],
]

describe('the current Qualtrics export', () => {
  const withIds = qualtricsRows()
  const withoutIds = qualtricsRows({ importIds: false })

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, rows: number]>([
    ['as CSV', () => csvBytes(withIds), 3],
    ['as CSV with a byte order mark', () => csvBytes(withIds, { mark: true }), 3],
    ['as CSV with Windows line ends', () => csvBytes(withIds, { lineEnd: '\r\n' }), 3],
    ['as tab-separated UTF-16', () => utf16Tabs(withIds), 3],
    ['in German', () => csvBytes(qualtricsRows({ words: GERMAN })), 3],
    ['as CSV whose import ids were removed', () => csvBytes(withoutIds), 2],
    [
      'as CSV in German whose import ids were removed',
      () => csvBytes(qualtricsRows({ importIds: false, words: GERMAN })),
      2,
    ],
    ['as a workbook', () => xlsxBytes(withoutIds), 2],
    ['as a workbook with import ids', () => xlsxBytes(withIds), 3],
  ])('%s has one header and labels, and no respondent made of header rows', async (_, bytes, rows) => {
    const table = await read(await bytes())
    expect(table.rowCount).toBe(ANSWERS.length)
    expect(table.columns.map(({ name }) => name)).toEqual(withIds[0])
    expect(readColumn(table, 'Q1')).toEqual(AGES)
    expect(columnOf(table, 'Q1')).toMatchObject({ type: 'number', label: 'How old are you, in full years?' })
    expect(columnOf(table, 'Q2_2').label).toBe('How satisfied are you with "the service"? - Speed')
    expect(columnOf(table, 'StartDate').type).toBe('date-time')
    expect(columnOf(table, 'Progress').type).toBe('number')
    expect(columnOf(table, 'Finished').type).toBe('boolean')
    expect(table.notes).toContain(
      `The header spans ${rows} rows, from row 1 on; the first of them has the names, and the text below a name is the label of the column.`,
    )
    const note = "The row of import ids, which are Qualtrics' own, was left out."
    expect(table.notes.includes(note)).toBe(rows === 3)
  })

  it('has no label where the second row repeats the name', async () => {
    expect(columnOf(await read(csvBytes(withIds)), 'Progress')).not.toHaveProperty('label')
  })

  it('may have a single response', async () => {
    const table = await read(csvBytes(qualtricsRows({ answers: ANSWERS.slice(0, 1) })))
    expect(readColumn(table, 'Q1')).toEqual([18])
  })

  it('is refused without a response', async () => {
    const reading = read(csvBytes(qualtricsRows({ answers: [] })))
    await expect(reading).rejects.toThrow(UnreadableFileError)
    await expect(reading).rejects.toThrow('has a header but no rows below it')
  })

  it('has labels of a bounded length', async () => {
    const [names, , ids, ...responses] = withIds
    const texts = names!.map((name) => `${name}: ${'consent '.repeat(500)}`)
    const table = await read(csvBytes([names!, texts, ids!, ...responses]))
    expect(columnOf(table, 'Q1').label).toHaveLength(1_000)
    expect(columnOf(table, 'Q1').label).toMatch(/^Q1: consent .*…$/)
  })

  it('is not assumed in a table with the same column names only', async () => {
    const [names, , , ...responses] = withIds
    const table = await read(csvBytes([names!, ...responses]))
    expect(table.rowCount).toBe(ANSWERS.length)
    expect(table.columns.every(({ label }) => label === undefined)).toBe(true)
    expect(table.notes.filter((note) => /header/.test(note))).toEqual([])
  })
})

describe('the legacy Qualtrics export', () => {
  it.each([
    ['as CSV', csvBytes(legacyQualtricsRows(), { trailingComma: true })],
    ['as CSV with a byte order mark', csvBytes(legacyQualtricsRows(), { trailingComma: true, mark: true })],
    ['as CSV without commas at line ends', csvBytes(legacyQualtricsRows())],
  ])('%s has the names V1 to V10 and their words as labels', async (_, bytes) => {
    const table = await read(bytes)
    expect(table.rowCount).toBe(ANSWERS.length)
    expect(readColumn(table, 'Q1')).toEqual(AGES)
    expect(columnOf(table, 'Q1')).toMatchObject({ type: 'number', label: 'How old are you, in full years?' })
    expect(columnOf(table, 'V8')).toMatchObject({ type: 'date-time', label: 'StartDate' })
    expect(columnOf(table, 'LocationLatitude').type).toBe('number')
  })
})

describe('the SurveyMonkey export', () => {
  it.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
    ['as CSV', () => csvBytes(surveyMonkeyRows())],
    [
      'as CSV with a byte order mark and Windows line ends',
      () => csvBytes(surveyMonkeyRows(), { mark: true, lineEnd: '\r\n' }),
    ],
    ['as a workbook', () => xlsxBytes(surveyMonkeyRows())],
  ])('%s has names of questions and options, and no respondent called Response', async (_, bytes) => {
    const table = await read(await bytes())
    expect(table.rowCount).toBe(ANSWERS.length)
    expect(table.columns.map(({ name }) => name)).toEqual([
      ...['Respondent ID', 'Collector ID', 'Start Date', 'End Date', 'IP Address', 'Custom Data 1'],
      ...['How old are you?', 'Which do you own? / Car', 'Which do you own? / Bicycle'],
      ...['Which do you own? / Other (please specify)', 'How satisfied are you with / Price'],
      ...['How satisfied are you with / Speed', 'Anything else?'],
    ])
    expect(readColumn(table, 'How old are you?')).toEqual(AGES)
    expect(columnOf(table, 'How old are you?')).toMatchObject({ type: 'number', label: 'How old are you?' })
    expect(columnOf(table, 'How satisfied are you with / Speed').type).toBe('number')
    expect(columnOf(table, 'Respondent ID').type).toBe('number')
    expect(columnOf(table, 'Respondent ID')).not.toHaveProperty('label')
    expect(table.notes).toContain(
      'The header spans 2 rows, from row 1 on; the words above each column were joined, as in "Which do you own? / Car".',
    )
  })

  it('may have a question with a single box to tick', async () => {
    const rows = surveyMonkeyRows().map((row, i) => [
      ...row.slice(0, 7),
      ['Consent', 'I agree', 'I agree'][Math.min(i, 2)]!,
      ...row.slice(7),
    ])
    const table = await read(csvBytes(rows))
    expect(table.rowCount).toBe(ANSWERS.length)
    expect(columnOf(table, 'Consent / I agree')).toMatchObject({ distinct: 1, missing: 0 })
  })

  it('is recognized by its form when its first columns were removed', async () => {
    const rows = surveyMonkeyRows().map((row) => [row[0]!, ...row.slice(6)])
    const table = await read(csvBytes([['Teilnehmer', ...rows[0]!.slice(1)], ...rows.slice(1)]))
    expect(table.rowCount).toBe(ANSWERS.length)
    expect(table.columns.slice(0, 3).map(({ name }) => name)).toEqual([
      'Teilnehmer',
      'How old are you?',
      'Which do you own? / Car',
    ])
    expect(readColumn(table, 'How old are you?')).toEqual(AGES)
  })

  it.each<[string, Row]>([
    ['is named Response', ['Response', 34, 'Response', 'Bonn']],
    ['answers "Response" alone', [1, 34, 'Response', 'Response']],
    ['has no id', ['', 34, 'Response', 'Bonn']],
    ['has no id and no age', ['', '', 'Response', 'Bonn']],
  ])('is not assumed in a table whose first respondent %s', async (_, first) => {
    const body: Row[] = Array.from({ length: 20 }, (_, i) => [
      i + 2,
      20 + i,
      i % 2 === 0 ? 'Response' : 'Silence',
      'Ulm',
    ])
    const table = await read(csvBytes([['Respondent ID', 'age', 'kind', 'town'], first, ...body]))
    expect(table.rowCount).toBe(21)
    expect(readColumn(table, 'age').slice(0, 2)).toEqual([first[1] === '' ? null : 34, 20])
    expect(readColumn(table, 'kind')[0]).toBe('Response')
  })
})

function utf16Tabs(rows: readonly Row[]): Buffer {
  const lines = rows.map((row) => row.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join('\t'))
  return Buffer.from(`\ufeff${lines.join('\n')}\n`, 'utf16le')
}
