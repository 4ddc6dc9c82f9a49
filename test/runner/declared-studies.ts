import { writeXlsx } from 'hucre/xlsx'
import type { Declarations } from '../../src/study/declarations.ts'
import { savBytes } from '../formats/sav-bytes.ts'

/** A study with declarations over a file as a survey tool writes it. */
export interface DeclaredStudy {
  readonly file: string
  readonly bytes: () => Promise<string | Uint8Array>
  readonly declarations: Declarations
  /** YAML of `scenarios`. */
  readonly scenarios: string
  /** Columns that are sent, in sequence. */
  readonly sent: readonly string[]
  /** Texts that stand in dropped columns alone. */
  readonly secrets: readonly string[]
}

const ROWS = 240
/** Whole numbers from 0 to `below` - 1 without a simple period (Knuth's multiplicative hash). */
const spread = (row: number, below: number, salt = 0) =>
  ((Math.imul(row + 17 * salt + 1, 2_654_435_761) >>> 8) % below) | 0
const OFTEN = ['Never', 'Rarely', 'Often', 'Always']

function qualtrics(): string {
  const header = 'StartDate,IPAddress,ResponseId,Finished,Age,Satisfaction,Hours,Zip,Wave,Agree,Channel,Weight,Comment'
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const day = String(1 + spread(row, 28)).padStart(2, '0')
    return [
      `${day}/0${1 + (row % 9)}/2024`,
      `192.0.2.${row % 250}`,
      `R_${row.toString(36)}x`,
      'True',
      row % 40 === 3 ? '-99' : row % 50 === 4 ? 99 : 18 + spread(row, 60, 1),
      row % 30 === 5 ? 'NS/NR' : OFTEN[spread(row, 4, 2)],
      row % 25 === 6 ? 'NS/NR' : 5 + spread(row, 40, 3),
      row % 2 === 0 ? '08001' : '28013',
      2019 + spread(row, 3, 4),
      spread(row, 2, 5) === 0 ? 'yes' : 'no',
      spread(row, 3, 6) === 0 ? '"Mail, post"' : 'Web',
      0.5 + spread(row, 10, 7) / 10,
      `"a remark, number ${row}"`,
    ].join(',')
  })
  return `${header}\n${rows.join('\n')}\n`
}

/** Fourteen declarations over a CSV file as Qualtrics exports it. */
const QUALTRICS: DeclaredStudy = {
  file: 'seeds/export.csv',
  bytes: async () => qualtrics(),
  declarations: {
    drop: ['IPAddress', 'ResponseId', 'Comment', 'Finished'],
    missing: { Age: [99], '*': [-99, 'NS/NR'] },
    types: { Satisfaction: 'ordinal', Wave: 'categorical', Zip: 'text', Agree: 'boolean', Channel: 'categorical' },
    levels: { Satisfaction: OFTEN },
    bands: { 'Age.band': { of: 'Age', at: [30, 45, 65] } },
    dates: { StartDate: 'DD/MM/YYYY' },
  },
  scenarios: `
  as-is: {}
  pleased: { shares: { Satisfaction: { Always: 0.4 } } }
  young: { shares: { Age.band: { under 30: 0.5 } } }
  busy: { ranges: { Hours: { min: 20, max: 40 } } }
`,
  sent: ['StartDate', 'Age', 'Age.band', 'Satisfaction', 'Hours', 'Zip', 'Wave', 'Agree', 'Channel', 'Weight'],
  secrets: ['IPAddress', 'ResponseId', 'Comment', 'Finished', '192.0.2.', 'a remark, number'],
}

const SPSS: DeclaredStudy = {
  file: 'seeds/panel.sav',
  bytes: async () =>
    savBytes({
      variables: [
        { name: 'NUMERO' },
        {
          name: 'SEXE',
          labels: [
            [1, 'Home'],
            [2, 'Dona'],
          ],
        },
        { name: 'EDAT' },
        { name: 'PONDERA' },
        { name: 'VALORA' },
      ],
      rows: Array.from({ length: ROWS }, (_, row) => [
        10_000 + row,
        1 + spread(row, 2),
        row % 40 === 0 ? 98 : 18 + spread(row, 70, 1),
        0.25 + spread(row, 8, 2) / 4,
        row % 30 === 1 ? 99 : 1 + spread(row, 5, 3),
      ]),
    }),
  declarations: {
    drop: ['NUMERO'],
    missing: { EDAT: [98], VALORA: [99] },
    types: { VALORA: 'ordinal' },
    levels: { SEXE: ['Home', 'Dona'] },
    bands: { 'EDAT.grup': { of: 'EDAT', at: [35, 65] } },
  },
  scenarios: `
  as-is: {}
  women: { shares: { SEXE: { Dona: 0.6 } } }
  old: { shares: { EDAT.grup: { 65 and over: 0.4 } } }
`,
  sent: ['SEXE', 'EDAT', 'EDAT.grup', 'PONDERA', 'VALORA'],
  secrets: ['NUMERO'],
}

const EXCEL: DeclaredStudy = {
  file: 'seeds/answers.xlsx',
  bytes: async () => {
    const rows = Array.from({ length: ROWS }, (_, row) => [
      `resp-${row}`,
      ['low', 'mid', 'high'][spread(row, 3)]!,
      row % 20 === 0 ? 'refused' : 10 + spread(row, 30, 1),
      spread(row, 4, 2),
    ])
    return await writeXlsx({ sheets: [{ name: 'Data', rows: [['person', 'level', 'hours', 'children'], ...rows] }] })
  },
  declarations: {
    drop: ['person'],
    missing: { '*': ['refused'] },
    types: { children: 'numeric' },
    levels: { level: ['low', 'mid', 'high'] },
  },
  scenarios: `
  as-is: {}
  higher: { shares: { level: { high: 0.5 } } }
  parents: { ranges: { children: { min: 1, max: 3 } } }
`,
  sent: ['level', 'hours', 'children'],
  secrets: ['person'],
}

export const DECLARED_STUDIES: readonly (readonly [of: string, study: DeclaredStudy])[] = [
  ['a Qualtrics export', QUALTRICS],
  ['an SPSS file', SPSS],
  ['an Excel file', EXCEL],
]

/** The study as its author writes it, apart from the declarations. */
export function studyText({ file, scenarios }: DeclaredStudy): string {
  return `version: 1
name: demo
datasets:
  panel: { file: ${file} }
defaults: { rows: 100, seed: 1, format: csv }
scenarios:${scenarios}`
}
