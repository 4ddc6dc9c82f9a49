/** Columns as survey tools, shops and spreadsheets write them, from the file to the cleaned schema. */

import { beforeAll, describe, expect, it } from 'vitest'
import { type CleanedTable, cleanTable } from '../../../src/engine/clean.ts'
import { readTable } from '../../../src/formats/read-table.ts'
import { tempFolder } from '../../formats/temp-folder.ts'
import { uniforms } from './answers.ts'

const ROWS = 400
const folder = tempFolder()

/** One of the cells, in an order without a pattern. */
function oneOf(...cells: string[]): () => string {
  const next = uniforms(cells.join().length)
  return () => cells[Math.floor(next() * cells.length)]!
}

/** Some of the options, at times none. */
function someOf(separator: string, ...options: string[]): () => string {
  const next = uniforms(options.join().length)
  return () => options.filter(() => next() < 0.45).join(separator)
}

/** A separator behind every answer, as some survey tools write them. */
function ended(cell: () => string): () => string {
  return () => cell().replace(/(.)$/, '$1;')
}

const NAMES = [
  'Ana',
  'Bo',
  'Cem',
  'Dara',
  'Eve',
  'Fay',
  'Gus',
  'Hal',
  'Ida',
  'Jon',
  'Kim',
  'Lea',
  'Max',
  'Nil',
  'Ole',
  'Pia',
]
const DAY_MS = 86_400_000
const day = (i: number) => new Date(Date.UTC(2024, 0, 1) + (i % 300) * DAY_MS).toISOString().slice(0, 10)
const dayFirst = (i: number) => day(i).split('-').reverse().join('/')

type Cell = (row: number) => string

/**
 * Header, cells, and what becomes of the column: `number 1 to 5`, `whole 1 to 5`, `date …`, `levels a | b` (in any order; codes
 * too), `dropped: reason`, `split: a | b`.
 */
const COLUMNS: readonly (readonly [header: string, cell: Cell, becomes: string])[] = [
  // Who answered
  ['', (i) => `${i + 1}`, 'dropped: identifier'],
  ['RespondentID', (i) => `${3_877_548_893 + 977 * i}`, 'dropped: identifier'],
  ['customer_key', (i) => `C-${1000 + i}`, 'dropped: identifier'],
  ['e-mail', (i) => `${NAMES[i % 16]!.toLowerCase()}@example.org`, 'dropped: identifier'],
  ['Phone number', (i) => `${2_079_460_000 + 1_117 * i}`, 'dropped: identifier'],
  ['profile', (i) => `https://example.org/people/${i}`, 'dropped: identifier'],
  ['full name', (i) => `${NAMES[i % 16]}, ${NAMES[(i * 7) % 13]} ${i}`, 'dropped: identifier'],
  // Where from
  ['postcode', (i) => `0${1067 + (i % 4)}`, 'levels 01067 | 01068 | 01069 | 01070'],
  ['region', oneOf('North ', ' North', 'South', 'South\u00a0'), 'levels North | South'],
  ['city', oneOf('Paris, France', 'Lyon, France', 'Rome, Italy'), 'levels Lyon, France | Paris, France | Rome, Italy'],
  // Dates and times
  ['born', (i) => `${1950 + (i % 50)}`, 'whole 1950 to 2000'],
  ['joined', day, 'date 2024-01-01 to 2024-10-31'],
  [
    'seen',
    (i) => `${day(i)}T${String(i % 24).padStart(2, '0')}:30:00Z`,
    'date-time 2024-01-01T00:00:00.000Z to 2024-10-31T23:59:59.999Z',
  ],
  ['paid', dayFirst, 'date 2024-01-01 to 2024-10-31'],
  ['month', oneOf('January', 'February', 'March'), 'levels February | January | March'],
  ['called at', (i) => `${i % 24}:${String((i * 7) % 60).padStart(2, '0')}`, 'whole 0 to 86000'],
  // Amounts
  ['spend', (i) => `$${(1_000 + 37 * i).toLocaleString('en-US')}`, 'whole 1000 to 16000'],
  ['budget', (i) => `${(i % 90).toFixed(2)} €`, 'whole 0 to 90'],
  ['growth', (i) => `${(i % 200) / 2 - 50}%`, 'number -50 to 50'],
  ['visitors', (i) => `${(1_000_000 + 1_313 * i).toLocaleString('en-US')}`, 'whole 1000000 to 1530000'],
  ['weight', (i) => `${0.25 + (i % 97) / 64}`, 'number 0.25 to 1.75'],
  ['visits', (i) => `${(i * i) % 13}`, 'whole 0 to 12'],
  [
    'income',
    oneOf('<$20', '$20-$40', '$40-$60', 'More than $1,000'),
    'levels $20-$40 | $40-$60 | <$20 | More than $1,000',
  ],
  // Answers
  ['two unused answers', (i) => `${1 + ((i * i) % 5)}`, 'whole 1 to 5'],
  ['agreement', (i) => `${1 + (i % 5)}`, 'levels 1 | 2 | 3 | 4 | 5'],
  ['recommend', (i) => `${i % 11}`, 'whole 0 to 10'],
  ['trust', (i) => (i % 9 === 0 ? '99' : `${1 + (i % 10)}`), 'whole 1 to 99'],
  [
    'likert',
    oneOf('1 - Strongly disagree', '3', '5 - Strongly agree'),
    'levels 1 - Strongly disagree | 3 | 5 - Strongly agree',
  ],
  ['rude', oneOf('No, not at all', 'Yes, somewhat', 'Yes, very'), 'levels No, not at all | Yes, somewhat | Yes, very'],
  ['owns', oneOf('yes', 'no', 'NA'), 'levels no | yes'],
  ['true', oneOf('TRUE', 'False', 'true'), 'levels false | true'],
  ['subscribed', oneOf('0', '1'), 'levels 0 | 1'],
  ['asked some', (i) => (i % 10 === 0 ? 'blue' : i % 10 === 1 ? 'red' : ''), 'levels blue | red'],
  ['ticked', (i) => (i % 3 === 0 ? 'Coffee' : ''), 'levels 0 | 1'],
  ['style', (i) => (i === 9 ? 'YOLO' : i % 3 === 0 ? 'Bright' : 'Bold'), 'levels Bold | Bright'],
  ['answer', (i) => (i % 20 === 0 ? 'YES' : i % 3 === 0 ? 'Yes' : '-'), 'levels - | YES | Yes'],
  ['children', (i) => ['0', '1', '2', '3 or more'][i % 4]!, 'levels 0 | 1 | 2 | 3 or more'],
  ['remarks', (i) => (i % 5 === 0 ? '' : `I liked it ${i}, mostly, and the price was fine`), 'dropped: free_text'],
  ['brand', (i) => (i % 2 === 0 ? `brand ${i}` : `brand ${i % 300}`), 'dropped: too_many_levels'],
  ['country', () => 'DE', 'dropped: constant'],
  ['channel', (i) => (i === 7 ? 'phone' : 'web'), 'dropped: near_zero_variance'],
  ['other drink', (i) => (i % 80 === 0 ? 'tea' : i % 40 === 0 ? 'milk' : ''), 'dropped: mostly_missing'],
  ['Z', () => '', 'dropped: mostly_missing'],
  // Several answers
  [
    'drinks',
    someOf(', ', 'Tea', 'Espresso (black, no milk)', 'Water'),
    'split: Espresso (black, no milk) | Tea | Water',
  ],
  ['brands', someOf(';', 'Acme', 'Bolt', 'Cord'), 'split: Acme | Bolt | Cord'],
  ['shops', someOf('|', 'North', 'South', 'East, West'), 'split: East, West | North | South'],
  ['codes', someOf(',', '1', '2', '3', '12'), 'split: 1 | 12 | 2 | 3'],
  ['heard', ended(someOf(';', 'Radio', 'Posters', 'Friends')), 'split: Friends | Posters | Radio'],
]

let cleaned: CleanedTable

function csv(columns: typeof COLUMNS): string {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const lines = [columns.map(([header]) => quote(header)).join(',')]
  for (let row = 0; row < ROWS; row++) lines.push(columns.map(([, cell]) => quote(cell(row))).join(','))
  return `${lines.join('\n')}\n`
}

function outcome(header: string): string {
  const name = header === '' ? 'column.1' : header
  const { schema, report } = cleaned
  const dropped = report.droppedColumns.find((column) => column.name === name)
  if (dropped !== undefined) return `dropped: ${dropped.reason}`
  const split = report.splitColumns.find(({ from }) => from === name)
  if (split !== undefined)
    return `split: ${split.into
      .map(({ option }) => option)
      .sort()
      .join(' | ')}`
  const entry = schema.find(({ sourceName }) => sourceName === name)
  if (entry === undefined) throw new Error(`nothing became of ${name}`)
  if (entry.type === 'categorical') return `levels ${[...entry.levels].sort().join(' | ')}`
  return `${entry.format ?? (entry.integer ? 'whole' : 'number')} ${entry.min} to ${entry.max}`
}

describe('awkward columns', () => {
  beforeAll(async () => {
    const path = folder.write('awkward.csv', csv(COLUMNS))
    cleaned = cleanTable(await readTable(path, { tempDir: folder.path }), { autoClean: true })
  })

  it.each(COLUMNS)('give the expected outcome: %j', (header, _, becomes) => {
    expect(outcome(header)).toBe(becomes)
  })

  it('come with notes on how values were read, and what to check', () => {
    expect(cleaned.report.notes).toEqual([
      '1 column has no name and is called "column.1".',
      'Column "owns": "NA" is in quotation marks as all of the column is, and was read as missing (128 values); if it is an answer, name it among the "levels" of the column in the study.',
      'Column "postcode" has numbers with leading zeros, which were kept as text.',
      'Column "paid" has dates, which were read day first (31/12/2024).',
      'Column "called at" has times of day, which were read as seconds since midnight.',
      'Column "spend" has amounts in "$", which were read as numbers.',
      'Columns "spend" and "visitors" have commas, which were read as thousands separators.',
      'Column "budget" has amounts in "€", which were read as numbers.',
      'Column "growth" has percentages, which were read as numbers ("12%" as 12).',
      'Column "ticked" has one answer or none, which were read as 1 and 0.',
      'Column "owns": "NA" was read as missing (128 values).',
      'Numbers that may mean "no answer" were kept; if they do, declare them in "missing", or empty those cells: "trust" (99).',
      'Texts that may mean "no answer" were kept as levels; if they do, declare them in "missing", or empty those cells: "answer" ("-").',
      'Levels that differ only in case were kept separate: "answer" ("YES" and "Yes").',
      'Whole numbers that differ in nearly every row were kept as measurements; leave the columns out if they number people or records: "spend", "visitors".',
    ])
  })
})
