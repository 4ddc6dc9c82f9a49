import { describe, expect, it } from 'vitest'
import { inspectionText } from '../../src/cli/output/inspection-text.ts'
import type { Dataset } from '../../src/client/replies.ts'

const TRAINING = { trained_at: '2026-05-04T09:12:40.000Z', duration_ms: 1200 }

it('shows where a level with commas begins and ends', () => {
  const dataset = { dataset_id: 'ds_1', status: 'ready' } as const
  const schema = [{ name: 'likes', kind: 'categorical', levels: ['Milk', 'Milk, Sugar', ' none'] }]
  const text = inspectionText({ dataset, schema }, { name: 'panel.csv', width: 80 })
  expect(text).toContain('Milk, "Milk, Sugar", " none"\n')
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

const inspected = (training: Dataset['training_summary']) =>
  inspectionText(
    { dataset: { dataset_id: 'ds_1', status: 'ready', training_summary: training }, schema: [] },
    { name: 'panel.csv', width: 80 },
  )

describe('columns that others determine', () => {
  it('are told with their formula, and how often it holds where it does not always', () => {
    const derived = [
      { column: 'bmi', sources: ['weight', 'height'], formula: '10000 * weight / height^2', share: 1 },
      { column: 'total\u001b[31m', sources: ['a', 'b'], formula: 'a + b', share: 0.9912 },
    ]
    const text = inspected({ ...TRAINING, derived_columns: derived, derived_columns_omitted: 1200 })
    expect(text).toContain(
      [
        'Computed from other columns, in generated rows too',
        '  bmi = 10000 * weight / height^2',
        '  total\\x1b[31m = a + b, in 99.1 % of the rows it speaks of',
        '  and 1,200 more',
        '',
      ].join('\n'),
    )
  })

  it('take no room where there are none', () => {
    expect(inspected(TRAINING)).not.toContain('Computed')
  })
})
