import { describe, expect, test } from 'vitest'
import { checkConditions } from '../../../src/study/live-schema/check-conditions.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import { applyFixes, spellingFixes } from '../../../src/study/writing/fix-spellings.ts'

const SCHEMA = {
  columns: [
    { name: 'purchase.intent', kind: 'categorical', levels: ['No', 'Yes', 'Not sure'] },
    { name: 'region', kind: 'categorical', levels: ['North', 'South', 'north east', 'North-East', 'caf\u00E9'] },
    { name: 'age', kind: 'numeric' },
  ],
  dropped: [],
  renamed: [],
  schemaLabel: 'panel',
} as const

function fixed(text: string): { readonly text: string; readonly made: readonly string[] } {
  const { study, diagnostics } = loadStudy(text, { filename: 'x.study.yaml' })
  const found = study === null ? diagnostics : checkConditions(study, 'panel', SCHEMA)
  const fixes = spellingFixes(text, found)
  return { text: applyFixes(text, fixes), made: fixes.map(({ code, from, to }) => `${code} ${from} → ${to}`) }
}

const HEAD = 'version: 1\nname: a\ndatasets: { panel: { file: p.csv } }\n'
const scenario = (fields: string) => `${HEAD}scenarios: { a: { rows: 10, seed: 1, ${fields} } } # kept\n`

describe('a name whose spelling alone is wrong', () => {
  test.each([
    ['case', 'shares: { Region: { north: 1 } }', 'shares: { region: { north: 1 } }'],
    ['a level', 'shares: { region: { south: 0.1 } }', 'shares: { region: { South: 0.1 } }'],
    ['underscores', 'shares: { purchase_intent: { Yes: 1 } }', 'shares: { purchase.intent: { Yes: 1 } }'],
    ['dashes', 'shares: { purchase.intent: { not-sure: 1 } }', 'shares: { purchase.intent: { Not sure: 1 } }'],
    ['double quotes', 'shares: { region: { "SOUTH": 1 } }', 'shares: { region: { "South": 1 } }'],
    ['single quotes', "shares: { region: { 'SOUTH': 1 } }", 'shares: { region: { "South": 1 } }'],
    ['spaces around it', 'shares: { region: { " South ": 1 } }', 'shares: { region: { "South": 1 } }'],
    ['Unicode', 'shares: { region: { cafe\u0301: 1 } }', 'shares: { region: { caf\u00E9: 1 } }'],
    ['a range', 'ranges: { AGE: { min: 1, max: 2 } }', 'ranges: { age: { min: 1, max: 2 } }'],
    ['a word of the language', 'format: CSV', 'format: csv'],
    ['a key of the language', 'Partial: warn', 'partial: warn'],
    [
      'a word that other readers change',
      'shares: { purchase.intent: { YES: 1 } }',
      'shares: { purchase.intent: { "Yes": 1 } }',
    ],
  ])('is corrected in place: %s', (_, before, after) => {
    expect(fixed(scenario(before)).text).toBe(scenario(after))
  })

  test.each([
    ['a letter that is missing', 'shares: { region: { Soth: 1 } }'],
    ['two names that it could be', 'shares: { region: { North East: 1 } }'],
    ['nothing that is like it', 'shares: { region: { Atlantis: 1 } }'],
    ['a name over two lines', 'shares: { region: { "sou\n    th": 1 } }'],
  ])('is left unchanged if there is %s', (_, fields) => {
    expect(fixed(scenario(fields))).toEqual({ text: scenario(fields), made: [] })
  })

  test('is corrected everywhere, and comments, order and line ends stay', () => {
    const text = scenario('shares: { REGION: { south: 0.5 }, Purchase-Intent: { NO: 1 } }').replaceAll('\n', '\r\n')
    const { text: once, made } = fixed(`\uFEFF# first\r\n${text}`)
    expect(made).toEqual(['S2102 REGION → region', 'S2102 Purchase-Intent → purchase.intent'])
    const { text: twice, made: more } = fixed(once)
    expect(more).toEqual(['S2103 south → South', 'S2103 NO → No'])
    expect(twice).toBe(
      `\uFEFF# first\r\n${scenario('shares: { region: { South: 0.5 }, purchase.intent: { "No": 1 } }').replaceAll('\n', '\r\n')}`,
    )
    expect(fixed(twice).made).toEqual([])
  })

  test('may be a reference to a scenario, an axis or a dataset', () => {
    const text = `${HEAD}scenarios:\n  a: { dataset: Panel, rows: 1, seed: 1 }\nbaseline: A\n`
    expect(fixed(text).text).toBe(text.replace('Panel', 'panel'))
    expect(fixed(fixed(text).text).text).toBe(text.replace('Panel', 'panel').replace('baseline: A', 'baseline: a'))
  })
})
