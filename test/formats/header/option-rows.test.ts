import { describe, expect, it } from 'vitest'
import { readTable } from '../../../src/formats/read-table.ts'
import { tempFolder } from '../temp-folder.ts'
import { csvBytes, type Row, xlsxBytes } from './survey-bytes.ts'

const folder = tempFolder()
let files = 0

const GENDERS = ['Male', 'Female']
const AGES = ['18-24', '25-34', '35 and older']
const OPTIONS = [...GENDERS, ...AGES]
const QUESTIONS: Row = ['Gender', '', 'How old are you?', '', '']
/** The boxes of person i. */
const ticked = (i: number, tick: (option: string) => string | number = (option) => option): Row =>
  OPTIONS.map((option, at) => ([i % 2, 2 + (i % 3)].includes(at) ? tick(option) : ''))
const body = (row: (i: number) => Row, people = 90): Row[] => Array.from({ length: people }, (_, i) => row(i))
const comment = (i: number) => (i % 7 === 0 ? `I liked number ${i}` : '')

describe.each([
  ['CSV', async (rows: readonly Row[]) => csvBytes(rows)],
  ['a workbook', xlsxBytes],
])('questions above their options in %s', (_, bytesOf) => {
  async function read(rows: readonly Row[]) {
    const table = await readTable(folder.write(`options-${files++}`, await bytesOf(rows)), { tempDir: folder.path })
    return { rows: table.rowCount, names: table.columns.map(({ name }) => name) }
  }

  it.each<[string, readonly Row[]]>([
    [
      'a question with open answers',
      [[...QUESTIONS, 'Comments'], [...OPTIONS, 'Open-Ended Response'], ...body((i) => [...ticked(i), comment(i)])],
    ],
    [
      'a question with numbers',
      [[...QUESTIONS, 'How many visits?'], [...OPTIONS, 'Response'], ...body((i) => [...ticked(i), i % 40])],
    ],
    ['ticks that are 1', [QUESTIONS, OPTIONS, ...body((i) => ticked(i, () => 1))]],
    ['ticks that are 1 beside 0', [QUESTIONS, OPTIONS, ...body((i) => ticked(i, () => 1).map((tick) => tick || 0))]],
  ])('are one header beside %s', async (_, rows) => {
    const { rows: people, names } = await read(rows)
    expect(people).toBe(90)
    expect(names.slice(0, 5)).toEqual([
      ...['Gender / Male', 'Gender / Female', 'How old are you? / 18-24', 'How old are you? / 25-34'],
      'How old are you? / 35 and older',
    ])
  })

  it.each<[string, (option: string) => string | number]>([
    ['their own texts', (option) => option],
    ['1', () => 1],
  ])('are one header where options look like numbers and ticks are %s', async (_, tick) => {
    const options = ['18-29', '30-60', '61+', '0', '1', '2', '3+']
    const person = (i: number): Row => [
      200_000 + i,
      ...options.map((option, at) => ([i % 3, 3 + (i % 4)].includes(at) ? tick(option) : '')),
    ]
    const { rows, names } = await read([
      ['id', 'Age', '', '', 'Children', '', '', ''],
      ['', ...options],
      ...body(person),
    ])
    expect(rows).toBe(90)
    expect(names).toEqual(['id', ...options.map((option, at) => `${at < 3 ? 'Age' : 'Children'} / ${option}`)])
  })

  it('are one header beside an id in a file of many rows', async () => {
    const { rows, names } = await read([
      ['id', ...QUESTIONS],
      ['', ...OPTIONS],
      ...body((i) => [i + 1, ...ticked(i)], 700),
    ])
    expect(rows).toBe(700)
    expect(names.slice(0, 2)).toEqual(['id', 'Gender / Male'])
  })

  it('are no header where the first person has numbers that nobody else has', async () => {
    const row = (i: number): Row => [i % 2, i % 3 === 0 ? 1 : '', 20 + i]
    const { rows } = await read([['a', 'b', 'c'], [7, 5, 99], ...body(row)])
    expect(rows).toBe(91)
  })

  it('are one header where an option has the texts that people wrote', async () => {
    const written = (i: number): Row =>
      i % 10 === 3
        ? ['', '', `person ${i}`, ...ticked(i).slice(2)]
        : [...ticked(i).slice(0, 2), '', ...ticked(i).slice(2)]
    const { rows, names } = await read([
      ['Gender', '', '', 'How old are you?', '', ''],
      [...GENDERS, 'Other (please specify)', ...AGES],
      ...body(written),
    ])
    expect([rows, names[2]]).toEqual([90, 'Gender / Other (please specify)'])
  })

  it('are no header where the first person ticked some and wrote a comment', async () => {
    const first: Row = ['Male', '', '18-24', '', '', 'Well done']
    const { rows } = await read([[...QUESTIONS, 'Comments'], first, ...body((i) => [...ticked(i), comment(i)])])
    expect(rows).toBe(91)
  })

  it('are not assumed in a title above names of boxes', async () => {
    const title: Row = ['Export of wave 2', 'all persons', '', '', '']
    const { rows, names } = await read([title, OPTIONS, ...body((i) => ticked(i, () => 1))])
    expect([rows, names]).toEqual([90, OPTIONS])
  })
})
