import { type CellValue, writeXlsx } from 'hucre/xlsx'

export type Row = readonly CellValue[]

/** A field as survey tools quote it: only where it must be. */
function field(value: CellValue): string {
  const text = value === null || value === undefined ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export interface CsvManner {
  /** A byte order mark in front. */
  readonly mark?: boolean
  readonly lineEnd?: string
  /** A comma behind the last field, as in Qualtrics' legacy exports. */
  readonly trailingComma?: boolean
}

export function csvBytes(rows: readonly Row[], { mark, lineEnd = '\n', trailingComma }: CsvManner = {}): Buffer {
  const lines = rows.map((row) => `${row.map(field).join(',')}${trailingComma ? ',' : ''}${lineEnd}`)
  return Buffer.from(`${mark ? '\ufeff' : ''}${lines.join('')}`)
}

export async function xlsxBytes(rows: readonly Row[]): Promise<Uint8Array> {
  return await writeXlsx({ sheets: [{ name: 'Sheet0', rows: rows.map((row) => [...row]) }] })
}

const ZONE = { timeZone: 'America/Denver' }

/** Columns of an export of today: name, question text (in the language of the account), import id. */
const QUALTRICS = [
  ['StartDate', 'Start Date', { ImportId: 'startDate', ...ZONE }],
  ['EndDate', 'End Date', { ImportId: 'endDate', ...ZONE }],
  ['Status', 'Response Type', { ImportId: 'status' }],
  ['Progress', 'Progress', { ImportId: 'progress' }],
  ['Duration (in seconds)', 'Duration (in seconds)', { ImportId: 'duration' }],
  ['Finished', 'Finished', { ImportId: 'finished' }],
  ['RecordedDate', 'Recorded Date', { ImportId: 'recordedDate', ...ZONE }],
  ['ResponseId', 'Response ID', { ImportId: '_recordId' }],
  ['DistributionChannel', 'Distribution Channel', { ImportId: 'distributionChannel' }],
  ['UserLanguage', 'User Language', { ImportId: 'userLanguage' }],
  ['Q1', 'How old are you,\nin full years?', { ImportId: 'QID1_TEXT' }],
  ['Q2_1', 'How satisfied are you with "the service"? - Price', { ImportId: 'QID2_1' }],
  ['Q2_2', 'How satisfied are you with "the service"? - Speed', { ImportId: 'QID2_2' }],
  ['Q3', 'What would you change?', { ImportId: 'QID3_TEXT' }],
] as const

export interface Answers {
  readonly age: number
  readonly price: number
  readonly speed: number
  readonly change: string
}

export const ANSWERS: readonly Answers[] = Array.from({ length: 12 }, (_, i) => ({
  age: 18 + 5 * i,
  price: 1 + (i % 5),
  speed: 1 + ((2 * i) % 5),
  change: i % 3 === 0 ? '' : `Answer ${i}, in words`,
}))

export interface QualtricsOptions {
  readonly importIds?: boolean
  /** Words of the second row above the columns that every export has; default English. */
  readonly words?: readonly string[]
  readonly answers?: readonly Answers[]
}

/** Rows of Qualtrics' export of today: names, question texts, import ids, responses. */
export function qualtricsRows({ importIds = true, words = [], answers = ANSWERS }: QualtricsOptions = {}): Row[] {
  return [
    QUALTRICS.map(([name]) => name),
    QUALTRICS.map(([, text], i) => words[i] ?? text),
    ...(importIds ? [QUALTRICS.map(([, , id]) => JSON.stringify(id))] : []),
    ...answers.map(({ age, price, speed, change }, i): Row => {
      const at = `2024-03-${String(i + 1).padStart(2, '0')} 08:28:09`
      const about = [at, at, 'IP Address', 100, 38 + i, 'True', at, `R_2YPOQ602ER1jkf${i}`, 'anonymous', 'EN']
      return [...about, age, price, speed, change]
    }),
  ]
}

const LEGACY = [
  ...['ResponseID', 'ResponseSet', 'Name', 'ExternalDataReference', 'EmailAddress', 'IPAddress'],
  ...['Status', 'StartDate', 'EndDate', 'Finished'],
]

/** Rows of Qualtrics' legacy export: V1 to V10 and names, words and question texts, responses. */
export function legacyQualtricsRows(): Row[] {
  return [
    [...LEGACY.map((_, i) => `V${i + 1}`), 'Q1', 'Q3', 'LocationLatitude'],
    [...LEGACY, 'How old are you,\nin full years?', 'What would you change?', 'LocationLatitude'],
    ...ANSWERS.map(({ age, change }, i): Row => {
      const at = `2017-07-${String(i + 1).padStart(2, '0')} 08:28:09`
      const about = [`R_2YPOQ602ER1jkf${i}`, 'Default Response Set', 'Anonymous', '', '', '130.92.34.66', 0, at, at, 1]
      return [...about, age, change, 47.115 + i]
    }),
  ]
}

/** Rows of SurveyMonkey's export of all responses: questions above their first option, options or "Response", responses. */
export function surveyMonkeyRows(): Row[] {
  const about = ['Respondent ID', 'Collector ID', 'Start Date', 'End Date', 'IP Address', 'Custom Data 1']
  return [
    [...about, 'How old are you?', 'Which do you own?', '', '', 'How satisfied are you with', '', 'Anything else?'],
    [
      ...about.map(() => ''),
      'Response',
      'Car',
      'Bicycle',
      'Other (please specify)',
      'Price',
      'Speed',
      'Open-Ended Response',
    ],
    ...ANSWERS.map(({ age, price, speed, change }, i): Row => {
      const at = `03/${String(i + 1).padStart(2, '0')}/2024 08:28:09 AM`
      const owned = [i % 2 === 0 ? 'Car' : '', i % 3 === 0 ? 'Bicycle' : '', i === 4 ? 'a boat' : '']
      return [11_000_000_000 + i, 400_111_222, at, at, '10.0.0.1', '', age, ...owned, price, speed, change]
    }),
  ]
}
