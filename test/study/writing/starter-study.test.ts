import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkConditions } from '../../../src/study/live-schema/check-conditions.ts'
import type { CleanedColumn } from '../../../src/study/live-schema/cleaned-schema.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import { formatStudy } from '../../../src/study/writing/format-study.ts'
import { starterStudy } from '../../../src/study/writing/starter-study.ts'

const SCHEMA_PATH = './node_modules/whatif/schemas/study.v1.json'

function starter(
  columns: readonly CleanedColumn[] | null,
  rows: number | null = 6000,
  file = 'data/panel.csv',
): string {
  const data = columns === null ? null : { file, displayName: null, columns, rows }
  return starterStudy({ name: 'panel', dataset: 'panel', schemaPath: SCHEMA_PATH, data })
}

const REGION: CleanedColumn = { name: 'region', kind: 'categorical', levels: ['North', 'South', 'East'] }
const ANSWER: CleanedColumn = { name: 'bought it?', kind: 'categorical', levels: ['No', 'Yes'] }
const CODE: CleanedColumn = { name: 'code', kind: 'categorical', levels: ['0', '1'] }
const AGE: CleanedColumn = { name: 'age', kind: 'numeric', min: 18, max: 90 }
const DAY: CleanedColumn = { name: 'day', kind: 'numeric', min: '2024-01-01', max: '2024-12-31', format: 'date' }

/** Expects no findings except notes on what a share leaves open. */
function expectSound(text: string, columns: readonly CleanedColumn[]): void {
  const { study, diagnostics } = loadStudy(text, { filename: 'panel.study.yaml' })
  expect(diagnostics).toEqual([])
  const schema = { columns, dropped: [], renamed: [], schemaLabel: 'panel' }
  const found = checkConditions(study!, 'panel', schema).filter((d) => d.severity !== 'note')
  expect(found).toEqual([])
}

describe('a starter study', () => {
  test('names the schema for editors in its first line', () => {
    expect(starter(null).split('\n')[0]).toBe(`# yaml-language-server: $schema=${SCHEMA_PATH}`)
  })

  test('declares how its file was read', () => {
    const data = { file: 'a.csv', displayName: null, columns: [AGE], rows: 900 }
    const text = (reading: { headerRows?: number; encoding?: string }) =>
      starterStudy({ name: 'panel', dataset: 'panel', schemaPath: SCHEMA_PATH, data: { ...data, reading } })
    const read = text({ headerRows: 2, encoding: 'windows-1251' })
    expect(read).toContain('    file: a.csv\n    header_rows: 2\n    encoding: windows-1251\n')
    expectSound(read, [AGE])
    const { study } = loadStudy(read, { filename: 'panel.study.yaml' })
    expect(study!.datasets.get('panel')).toMatchObject({ declarations: { headerRows: 2, encoding: 'windows-1251' } })
    expect(text({})).not.toMatch(/^ *(header_rows|encoding):/m)
  })

  test('declares the types of codes that it uses, and names the others in a comment', () => {
    const data = { file: 'a.csv', displayName: null, columns: [ANSWER, AGE], rows: 900 }
    const text = (reading: { types?: Record<string, 'ordinal'> }, otherCodes: Record<string, 'ordinal' | 'numeric'>) =>
      starterStudy({ name: 'panel', dataset: 'panel', schemaPath: SCHEMA_PATH, data: { ...data, reading, otherCodes } })
    const why = '    # Answers in codes keep their type, even if some codes are missing in a later file.'
    const both = text({ types: { 'bought it?': 'ordinal' } }, { nps: 'numeric', q1: 'ordinal' })
    expect(both).toContain(
      `${why}\n    types: { "bought it?": ordinal }\n    # Add those that you use: nps: numeric, q1: ordinal\n`,
    )
    expectSound(both, [ANSWER, AGE])
    const others = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`q${i}`, 'ordinal'] as const))
    const comment = text({}, others)
    expect(comment).toContain(`${why} Take the # away (of 9).\n    # types: { q0: ordinal, `)
    const active = comment.replace('    # types:', '    types:')
    expectSound(active, [ANSWER, AGE])
    expect(text({}, {})).not.toContain('types')
  })

  test('states the share of each level in the data, and the range of most numbers', () => {
    const member: CleanedColumn = { ...ANSWER, name: 'loyalty.member', levelShares: [0.65, 0.35] }
    const age: CleanedColumn = { ...AGE, quantiles: { q05: 21, q50: 43, q95: 72 } }
    const lines = starter([member, age]).split('\n')
    expect(lines).toContain('# Columns after cleaning, with the share of each level in the file, as they were')
    expect(lines).toContain('# when this was written. A later wave may have others, which whatif inspect shows:')
    expect(lines).toContain('#   loyalty.member: No 0.65, Yes 0.35')
    expect(lines).toContain('#   age: 18 to 90, median 43, 90 % within 21 to 72')
    expect(starter([ANSWER])).toContain('shows:\n#   bought it?: No, Yes\n')
    const rounded = '# Ends and quantiles of numbers are rounded where fewer than 10 rows share them.'
    expect(lines).toContain(rounded)
    expect(starter([ANSWER])).not.toContain(rounded)
  })

  test.each<[what: string, columns: readonly CleanedColumn[]]>([
    ['columns of each kind', [REGION, ANSWER, CODE, AGE, DAY]],
    ['no columns', []],
    ['numbers only', [AGE]],
    ['levels only', [ANSWER]],
    ['dates only', [DAY]],
    ['names that need quotes', [{ ...REGION, name: 'a: b #c', levels: ['- x', '[y]', '{z}', '*w'] }]],
    ['names that end lines', [{ ...REGION, name: 'a\nb', levels: ['x\n', 'y'] }]],
    ['names that turn text round', [{ ...REGION, name: '\u202Eoiger', levels: ['\u0007', '\u001B[31m'] }]],
    [
      'a column called like part of every object',
      [{ ...REGION, name: '__proto__', levels: ['constructor', '__proto__'] }],
    ],
    ['names that no text can hold', [{ ...REGION, levels: ['\uD800', 'x'] }]],
    [
      'a range of a millionth',
      [
        { ...AGE, min: 0, max: 0.000001 },
        { ...AGE, name: 'b', min: -5, max: 0.25 },
      ],
    ],
    ['a column of unknown kind', [{ name: 'x', kind: 'unknown' }]],
    ['200 columns', Array.from({ length: 200 }, (_, i) => ({ ...REGION, name: `column.${i}` }))],
  ])('of %s is valid, fits the data, and is in canonical form', (_, columns) => {
    const text = starter(columns)
    expectSound(text, columns)
    expect(formatStudy(text, { filename: 'x' })).toEqual({ kind: 'formatted', text })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/)
  })

  test('is valid whatever the names', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        name,
        fc.uniqueArray(name, { minLength: 2, maxLength: 5 }),
        fc.double({ noNaN: true }),
        (column, levels, max) => {
          const columns: CleanedColumn[] = [
            { name: column, kind: 'categorical', levels },
            { ...AGE, name: `${column}2`, max },
          ]
          expectSound(starter(columns), columns)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('prefers words to codes, what describes people to answers, and few levels to many', () => {
    const mood: CleanedColumn = { ...REGION, name: 'mood' }
    expect(starter([CODE, mood, ANSWER, AGE])).toContain('set: [shares, "bought it?", "No"]')
    expect(starter([CODE, ANSWER, REGION, AGE])).toContain('set: [shares, region, North]')
    expect(starter([CODE, REGION, AGE])).toContain('set: [shares, region, North]')
    expect(starter([CODE, AGE])).toContain('set: [shares, code, "0"]')
  })

  const SEX: CleanedColumn = { name: 'Sex', kind: 'categorical', levels: ['f', 'm'], levelShares: [0.62, 0.38] }
  const LIKES: CleanedColumn = { ...ANSWER, name: 'likes', levelShares: [0.4, 0.6] }

  test('changes what people are described by, around its natural share, and compares their answers', () => {
    const text = starter([LIKES, SEX, AGE])
    expect(text).toContain('set: [shares, Sex, f]')
    expect(text).toContain('values: { low: 0.45, high: 0.75 }')
    expect(text).toContain('shares: [likes]')
    expect(text).not.toMatch(/shares: \[.*Sex.*\]\n {4}means/)
  })

  test('averages an answer, and what people are described by only where no answer is a number', () => {
    const spend: CleanedColumn = { ...AGE, name: 'spend', min: 0, max: 80 }
    expect(starter([SEX, LIKES, AGE, spend])).toContain('means: [spend]')
    expect(starter([SEX, LIKES, AGE, spend])).toContain('ranges: { age:')
    expect(starter([SEX, LIKES, AGE])).toContain('means: [age]')
  })

  test('takes a level that can be lowered and raised', () => {
    const rare: CleanedColumn = { ...REGION, levelShares: [0.04, 0.92, 0.04] }
    const mixed: CleanedColumn = { ...REGION, levelShares: [0.04, 0.5, 0.46] }
    expect(starter([rare])).not.toContain('matrix:')
    expect(starter([mixed])).toContain('set: [shares, region, South]')
  })

  test('restricts numbers to the middle half of those that there are', () => {
    const year: CleanedColumn = {
      name: 'income',
      kind: 'numeric',
      min: 0,
      max: 2018,
      quantiles: { q25: 1400, q75: 1950 },
    }
    expect(starter([year])).toContain('ranges: { income: { min: 1400, max: 1950 } }')
    const constant: CleanedColumn = { ...year, quantiles: { q25: 0, q75: 0 } }
    expect(starter([constant])).not.toContain('ranges:')
  })

  test.each([
    'Duration (in seconds)',
    'weight',
    'fnlwgt',
    'interviewer_document',
    'respondentId',
    'attention.check.1',
    'psu',
    'interviewtime',
    'Dauer der Befragung',
    'duración_segundos',
    'TIME_SUM',
    'lfdnr',
  ])('neither changes nor compares %s', (name) => {
    const quantiles = { q25: 20, q75: 40 }
    const text = starter([{ ...AGE, name, quantiles }, { ...AGE, quantiles }, LIKES, SEX])
    const conditions = text.slice(text.indexOf('scenarios:'))
    expect(conditions).not.toContain(name)
    expect(conditions).toContain('ranges: { age: { min: 20, max: 40 } }')
  })

  test('restricts no date that is kept as a number', () => {
    const day: CleanedColumn = { ...AGE, name: 'visited', min: 20230103, max: 20241230 }
    const days = { ...day, quantiles: { q25: 20230601, q75: 20240601 } }
    expect(starter([days, LIKES, SEX])).not.toContain('ranges: { visited')
    const spent = { ...day, min: 10_000_000, max: 90_000_000, quantiles: { q25: 20_000_000, q75: 40_000_000 } }
    expect(starter([spent, LIKES, SEX])).toContain('visited: { min: 20000000, max: 40000000 }')
  })

  test('asks for no more rows than the data support, with a tolerance above chance', () => {
    expect(starter([REGION], 400)).toMatch(/\n {2}rows: 100\n/)
    expect(starter([REGION], 10)).toMatch(/\n {2}rows: 10\n/)
    expect(starter([REGION], null)).toMatch(/\n {2}rows: 250\n/)
    expect(starter([REGION], 1_000_000)).toMatch(/\n {2}rows: 1000\n/)
  })

  test('has made-up names and instructions if there are no data', () => {
    const text = starter(null)
    expect(loadStudy(text, { filename: 'x' }).diagnostics).toEqual([])
    expect(text).toContain('# Put a seed file in place')
  })

  test.each([
    ['seeds/tracker 2026.csv', 'file: "seeds/tracker 2026.csv"'],
    ['a: b.csv', 'file: "a: b.csv"'],
    ['umfrage-ü.csv', 'file: umfrage-ü.csv'],
  ])('names the seed file %s as YAML requires', (file, written) => {
    expect(starter([REGION], 100, file)).toContain(written)
  })
})
