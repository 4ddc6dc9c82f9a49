import { describe, expect, it } from 'vitest'
import { askedTypes } from '../../../src/study/live-schema/asked-types.ts'
import type { CleanedColumn } from '../../../src/study/live-schema/cleaned-schema.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const AMOUNT: CleanedColumn = { name: 'q3', kind: 'numeric', min: 2, max: 5, integer: true }
const LEVELS: CleanedColumn = { name: 'q3', kind: 'categorical', levels: ['1', '2', '3', '10'] }

const SHARES = 'a: { shares: { q3: { "5": 0.5 } } }'
const RANGE = 'a: { ranges: { q3: { min: 3, max: 4 } } }'
const MEANS = '{ id: c, scenarios: [a], against: b, means: [q3] }'

interface Written {
  readonly scenario?: string
  readonly comparison?: string
  readonly declared?: string
}

/** What a study asks of the columns of a schema. */
function asked(columns: readonly CleanedColumn[], { scenario = 'a: {}', comparison, declared = '' }: Written) {
  const { study, diagnostics } = loadStudy(
    `version: 1
name: waves
datasets: { panel: { file: p.csv${declared} } }
defaults: { rows: 100, seed: 1 }
scenarios:
  b: {}
  ${scenario}
${comparison === undefined ? '' : `comparisons:\n  - ${comparison}\n`}`,
    { filename: 'w.study.yaml' },
  )
  const dataset = study?.datasets.get('panel')
  if (study === null || dataset?.kind !== 'file') throw new Error(JSON.stringify(diagnostics))
  return Object.fromEntries(askedTypes(study, dataset, { columns, dropped: [], renamed: [], schemaLabel: '' }))
}

describe('the type that a study asks of a column of answer codes', () => {
  it.each<[string, CleanedColumn, Written]>([
    ['shares', AMOUNT, { scenario: SHARES }],
    ['shares and means', AMOUNT, { scenario: SHARES, comparison: MEANS }],
    ['shares that are compared', AMOUNT, { comparison: '{ id: c, scenarios: [a], against: b, shares: [q3] }' }],
    ['segments', AMOUNT, { comparison: '{ id: c, scenarios: [a], against: b, shares: [sex], by: q3 }' }],
  ])('is ordinal where the schema has numbers and the study has %s', (_, column, study) => {
    expect(asked([column], study)).toEqual({ q3: 'ordinal' })
  })

  it.each<[string, CleanedColumn, Written]>([['a range', LEVELS, { scenario: RANGE }]])(
    'is numeric where the schema has levels and the study has %s',
    (_, column, study) => {
      expect(asked([column], study)).toEqual({ q3: 'numeric' })
    },
  )

  it('goes by the name in the file', () => {
    expect(asked([{ ...AMOUNT, sourceName: 'Q 3' }], { scenario: SHARES })).toEqual({ 'Q 3': 'ordinal' })
  })

  it.each<[string, readonly CleanedColumn[], Written]>([
    [
      'the study uses the column as both',
      [AMOUNT],
      { scenario: `${SHARES}\n  c: { ranges: { q3: { min: 3, max: 4 } } }` },
    ],
    ['the study has means alone, which levels have, too', [LEVELS], { comparison: MEANS }],
    ['the study declares its type', [AMOUNT], { scenario: SHARES, declared: ', types: { q3: numeric }' }],
    ['the schema has what the study uses', [LEVELS], { scenario: 'a: { shares: { q3: { "10": 0.5 } } }' }],
    ['the study does not use it', [AMOUNT], {}],
    ['there is no such column', [], { scenario: SHARES }],
    ['the numbers are no codes but ages', [{ ...AMOUNT, min: 18, max: 80 }], { scenario: SHARES }],
    ['the numbers have decimals', [{ ...AMOUNT, integer: false }], { scenario: SHARES }],
    ['they are dates', [{ ...AMOUNT, format: 'date' }], { scenario: SHARES }],
    ['the levels are words', [{ ...LEVELS, levels: ['low', 'middle', 'high'] }], { scenario: RANGE }],
    ['they are a box', [{ ...LEVELS, levels: ['0', '1'] }], { scenario: RANGE }],
    [
      'they are options of one question',
      [
        { ...LEVELS, sourceName: 'brands' },
        { ...LEVELS, name: 'q4', sourceName: 'brands' },
      ],
      { scenario: RANGE },
    ],
  ])('is none where %s', (_, columns, study) => {
    expect(asked(columns, study)).toEqual({})
  })
})
