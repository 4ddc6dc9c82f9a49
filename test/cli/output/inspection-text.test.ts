import { describe, expect, it } from 'vitest'
import { inspectionText } from '../../../src/cli/output/inspection-text.ts'
import type { Dataset } from '../../../src/client/replies.ts'

const TRAINING = { trained_at: '2026-05-04T09:12:40.000Z', duration_ms: 1200 }

it('shows where a level with commas begins and ends', () => {
  const dataset = { dataset_id: 'ds_1', status: 'ready' } as const
  const schema = [{ name: 'likes', kind: 'categorical', levels: ['Milk', 'Milk, Sugar', ' none'] }]
  const text = inspectionText({ dataset, schema }, { name: 'panel.csv', width: 80 })
  expect(text).toContain('Milk, "Milk, Sugar", " none"\n')
})

it('shows how often the data have each level, and where most of the numbers lie', () => {
  const dataset = { dataset_id: 'ds_1', status: 'ready' } as const
  const schema = [
    { name: 'member', levels: ['No', 'Yes'], level_shares: [0.65, 0.35] },
    {
      name: 'age',
      type: 'numeric' as const,
      integer: true,
      min: 18,
      max: 84,
      quantiles: { q05: 21, q50: 43, q95: 72 },
    },
  ]
  const text = inspectionText({ dataset, schema }, { name: 'panel.csv', width: 80 })
  expect(text).toContain('  column  kind    missing  levels with shares, range\n')
  expect(text).toMatch(/^ {2}member {2}levels +\? {2}No 0\.65, Yes 0\.35$/m)
  expect(text).toContain('\n\n  Ends and quantiles are rounded where fewer than 10 rows of the file share\n  them.\n')
  expect(inspectionText({ dataset, schema: schema.slice(0, 1) }, { name: 'panel.csv', width: 80 })).not.toContain(
    'rounded',
  )
  expect(text).toMatch(/^ {2}age +whole +\? {2}18 … 84, median 43, 90 % within 21 … 72$/m)
  const exact = new Map([['age', { min: 19, max: 83, quantiles: { q05: 22, q50: 44, q95: 71 } }]])
  const own = inspectionText({ dataset, schema }, { name: 'panel.csv', width: 80, exact })
  expect(own).toMatch(/^ {2}age +whole +\? {2}19 … 83, median 44, 90 % within 22 … 71$/m)
  expect(own).toContain('\n\n  Ends and quantiles are those of the file.')
})

it('puts where most of the numbers lie on a line of its own where one would be cut', () => {
  const dataset = { dataset_id: 'ds_1', status: 'ready' } as const
  const column = { name: 'income.of.household', type: 'numeric' as const, integer: true, min: 470, max: 106206 }
  const schema = [
    { ...column, quantiles: { q05: 921, q50: 17970, q95: 35020 } },
    { name: 'sex', levels: ['f', 'm'] },
  ]
  const shown = (width: number) => inspectionText({ dataset, schema }, { name: 'panel.csv', width })
  expect(shown(80)).toMatch(
    /^ {2}income\.of\.household +whole +\? {2}470 … 106206, median 17970\n +90 % within 921 … 35020\n {2}sex/m,
  )
  expect(shown(110)).toContain('470 … 106206, median 17970, 90 % within 921 … 35020\n')
})

describe('the order of levels', () => {
  const shown = (schema: Parameters<typeof inspectionText>[0]['schema'], width = 80) =>
    inspectionText({ dataset: { dataset_id: 'ds_1', status: 'ready' }, schema }, { name: 'panel.csv', width })

  const ordered = (name: string, from: 'codes' | 'numbers' | 'words', levels: string[], apart: string[] = []) => ({
    name,
    levels: [...levels, ...apart].sort(),
    ordered: { from, levels, apart },
  })

  it('is reported with its place, once for columns that share it', () => {
    const often = ['Never', 'Sometimes', 'Often']
    const schema = [
      ordered('visits', 'words', often, ['No answer']),
      ordered('age', 'numbers', ['<18', '18-24', '>24']),
      ordered('calls', 'words', often, ['No answer']),
      { name: 'region', levels: ['North', 'South'] },
    ]
    expect(shown(schema)).toContain(
      [
        'Ordered levels',
        '  column             found in  order',
        '  visits and 1 more  words     Never < Sometimes < Often, apart: No answer',
        '  age                numbers   "<18" < 18-24 < >24',
        '',
      ].join('\n'),
    )
  })

  it('is cut between its first levels and its last one where room is short', () => {
    const bands = Array.from({ length: 12 }, (_, i) => `${10 * i} to ${10 * i + 9} years`)
    const text = shown([ordered('age', 'numbers', bands)])
    expect(text).toContain('0 to 9 years < 10 to 19 years < … < 110 to 119 years\n')
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true)
  })

  it('counts its levels if their names take too much of the width', () => {
    const apart = ['Would rather not say', 'Cannot remember', 'Not asked of this half']
    const text = shown([
      ordered('a.question.with.a.long.name.of.its.own', 'words', ['Not at all', 'A little', 'A lot'], apart),
    ])
    expect(text).toContain('  a.question.with.a.long.name…  words     Not at all < A little < A lot, 3 apart\n')
  })

  it('shows no terminal control codes', () => {
    const text = shown([ordered('c\u001b[2J', 'words', ['a\u001b[31m', 'b\nc', 'd\u202e'])])
    expect(text).toContain('a\\x1b[31m < b\\nc < d\\u{202e}')
    expect(text).not.toContain('\u001b')
    expect(text).not.toContain('\u202e')
  })

  it('takes no space where no column has one', () => {
    expect(shown([{ name: 'region', levels: ['North', 'South'] }])).not.toContain('Ordered')
  })
})

describe('the labels of columns', () => {
  const shown = (...schema: Parameters<typeof inspectionText>[0]['schema'][number][]) =>
    inspectionText({ dataset: { dataset_id: 'ds_1', status: 'ready' }, schema }, { name: 'panel.sav', width: 60 })

  it('are shown after the columns, for those that have one', () => {
    const label = 'How satisfied are you with the service that you got last month?'
    const text = shown({ name: 'sat', levels: ['Low', 'High'], label }, { name: 'age', min: 18, max: 80 })
    expect(text).toContain('\nLabels\n  sat: How satisfied are you with the service that you got\n  last month?\n')
  })

  it('take no space where there are none', () => {
    expect(shown({ name: 'age', min: 18, max: 80 })).not.toContain('Labels')
  })

  it('show no terminal control codes, even if the service sent them', () => {
    const text = shown({ name: 'age', label: 'a\u001b[2Jb\u202ec\nd' })
    expect(text).toContain('  age: a\\x1b[2Jb\\u{202e}c\\nd\n')
  })
})

it('shows where a level that became missing begins and ends', () => {
  const cleaning = { input_rows: 900, input_columns: 3, clean_rows: 900, clean_columns: 3, dropped_columns: [] }
  const rare = [{ column: 'supply', levels: ['Guns, over 30 mm', 'Hardware'], rows: 4 }]
  const dataset = {
    dataset_id: 'ds_1',
    status: 'ready',
    cleaning_summary: { ...cleaning, dropped_levels: rare },
  } as const
  const text = inspectionText({ dataset, schema: [] }, { name: 'panel.csv', width: 100 })
  expect(text).toContain('supply: "Guns, over 30 mm", Hardware became missing in 4 rows\n')
})

it('counts levels that became missing where the service does not name them', () => {
  const cleaning = { input_rows: 900, input_columns: 3, clean_rows: 900, clean_columns: 3, dropped_columns: [] }
  const rare = [{ column: 'supply', levels: [], levels_omitted: 1200, rows: 4 }]
  const dataset = {
    dataset_id: 'ds_1',
    status: 'ready',
    cleaning_summary: { ...cleaning, dropped_levels: rare },
  } as const
  const text = inspectionText({ dataset, schema: [] }, { name: 'panel.csv', width: 100 })
  expect(text).toContain('supply: 1,200 levels became missing in 4 rows\n')
})

it('shows first what each declaration of the study did', () => {
  const dataset = { dataset_id: 'ds_1', status: 'ready' } as const
  const declared = [
    { key: 'drop', text: 'Not sent: "id", "na\u001b[31mme".' },
    { key: 'missing', text: '"98" of "age" became missing (3 values).' },
  ] as const
  const options = { name: 'demo.study.yaml#panel', width: 100 }
  const text = inspectionText({ dataset, schema: [], declared }, options)
  expect(text).toContain(
    'Declared, before the upload\n' +
      '  drop     Not sent: "id", "na\\x1b[31mme".\n' +
      '  missing  "98" of "age" became missing (3 values).\n',
  )
  expect(inspectionText({ dataset, schema: [] }, options)).not.toContain('Declared')
})

const inspected = (training: Dataset['training_summary']) =>
  inspectionText(
    { dataset: { dataset_id: 'ds_1', status: 'ready', training_summary: training }, schema: [] },
    { name: 'panel.csv', width: 80 },
  )

describe('columns that others determine', () => {
  it('are shown with their formula, and how often it holds if not always', () => {
    const derived = [
      { column: 'bmi', sources: ['weight', 'height'], formula: '10000 * weight / height^2', share: 1 },
      { column: 'total\u001b[31m', sources: ['a', 'b'], formula: 'a + b', share: 0.9912 },
    ]
    const text = inspected({ ...TRAINING, derived_columns: derived, derived_columns_omitted: 1200 })
    expect(text).toContain(
      [
        'Columns computed from others, also in generated rows',
        '  bmi = 10000 * weight / height^2',
        '  total\\x1b[31m = a + b, in 99.1 % of the rows that it applies to',
        '  and 1,200 more',
        '',
      ].join('\n'),
    )
  })

  it('take no space where there are none', () => {
    expect(inspected(TRAINING)).not.toContain('Computed')
  })
})

describe('a relation between columns', () => {
  it('is shown on one line each, with its share if it holds in a part of the rows', () => {
    const relations = [
      { columns: ['start', 'end'], relation: 'start\u001b[31m <= end', share: 1 },
      { columns: ['bill', 'payment'], relation: 'bill = payment', share: 0.1432 },
    ]
    expect(inspected({ ...TRAINING, relations, relations_omitted: 1200 })).toContain(
      [
        'Relations between columns, kept in generated rows',
        '  start\\x1b[31m <= end',
        '  bill = payment, in 14.3 % of the rows',
        '  and 1,200 more',
        '',
      ].join('\n'),
    )
  })

  it('takes no space where there is nothing', () => {
    expect(inspected(TRAINING)).not.toContain('Holds')
  })
})

describe('the design of a survey', () => {
  it('is shown with what its columns hold, and strata with one cluster', () => {
    const design_counts = { strata: 12, clusters: 1_480, lonely_strata: 1, replicates: 0 }
    const text = inspected({ ...TRAINING, design: { strata: 'region', clusters: 'psu\u001b[31m' }, design_counts })
    expect(text).toContain(
      [
        'Design of the survey, for standard errors',
        '  strata: region, 12',
        '  clusters: psu\\x1b[31m, 1,480',
        "  1 stratum has one cluster and is centred at the grand mean, as R survey's",
        '  "adjust"',
        '',
      ].join('\n'),
    )
  })

  it('is shown with its replicate weights', () => {
    const design_counts = { strata: 1, clusters: 900, lonely_strata: 0, replicates: 80 }
    const design = { replicate_weights: { columns: 'rw*', type: 'brr' as const } }
    expect(inspected({ ...TRAINING, design, design_counts })).toContain(
      'for standard errors\n  replicate weights: rw*, 80, type brr\n',
    )
  })

  it('takes no space where there is none', () => {
    expect(inspected(TRAINING)).not.toContain('Design')
  })

  it('is one entry of the dropped columns, whatever their number', () => {
    const reason = 'survey_design'
    const dropped_columns = [
      { name: 'id', reason: 'identifier' },
      ...Array.from({ length: 80 }, (_, i) => ({ name: `rw${i + 1}`, reason, detail: 'For standard errors.' })),
    ]
    const cleaning = { input_rows: 900, input_columns: 83, clean_rows: 900, clean_columns: 2 }
    const dataset = { dataset_id: 'ds_1', status: 'ready', cleaning_summary: { ...cleaning, dropped_columns } } as const
    const text = inspectionText({ dataset, schema: [] }, { name: 'panel.csv', width: 100 })
    expect(text).toContain(
      '  dropped  id: identifier\n  dropped  rw1, rw2, rw3 and 77 more: survey design. For standard errors.\n',
    )
  })
})
