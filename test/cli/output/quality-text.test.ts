import { describe, expect, it } from 'vitest'
import { qualityText } from '../../../src/cli/output/quality-text.ts'
import type { TrainingQuality } from '../../../src/contract/training-quality.ts'

/** The quality of a model that weakens the relations between columns. */
const WEAK: Partial<TrainingQuality> = {
  training_rows: 800,
  held_out_rows: 200,
  synthetic_rows: 800,
  c2st: { auc: 0.516, chance: 0.0578, detectable: 0.581, rows: 200 },
  correlations: { slope: 0.5677, low: 0.509, high: 0.6265, pairs: 1000 },
  item_blocks: [
    { column: 'q1', last: 'q50', items: 50, eigenvalue: 5.57, reference: 10.47, ratio: 0.531, low: 0.469, high: 0.594 },
  ],
  differences: {
    slope: 0.52,
    low: 0.43,
    high: 0.61,
    outcomes: 12,
    median: { slope: 0.5, low: 0.4, high: 0.6 },
    lowest: [
      { column: 'intent', slope: -0.02, low: -0.2, high: 0.16 },
      { column: 'spend', slope: 1.01, low: 0.9, high: 1.12 },
    ],
  },
  pmse: { value: 0.015, expected: 0.003, ratio: 5, standardized: 17.6, parameters: 33 },
  rare_numbers: { columns: 2, reference: 14 },
  membership: {
    queries: 200,
    model_rows: 1000,
    at: [
      { rows_per_row: 1, auc: 0.55, chance: 0.0566, told: 0.06, told_chance: 0.0436 },
      { rows_per_row: 20, auc: 0.67, chance: 0.0566, told: 0.12, told_chance: 0.0436 },
    ],
  },
}

const shown = (quality: Partial<TrainingQuality>, width = 80) =>
  qualityText({ trained_at: '2026-11-20T12:00:00Z', duration_ms: 5, quality }, width)

describe('the quality of a model, as people read it', () => {
  it('has each figure next to the value for real rows or chance', () => {
    expect(shown(WEAK).split('\n').slice(0, 13)).toEqual([
      'Quality: a model of 800 rows, against 200 rows held out',
      '  figure                                  model   real rows',
      '  slope of 1,000 correlations             0.568           1  0.51 to 0.63',
      '  first eigenvalue of 50 items, ratio     0.531           1  0.47 to 0.59',
      '  slope of differences between groups     0.520           1  0.43 to 0.61',
      '  its median of 12 columns                0.500           1  0.40 to 0.60',
      '  pMSE over expected, 33 parameters       5.000    1 ±0.500  above chance',
      '  C2ST AUC, against held-out rows         0.516  0.5 ±0.058  within chance',
      '  rows with a rare number of the seed  under 10          14  of 800 rows',
      '  attack on members, AUC at N = n         0.550  0.5 ±0.057  within chance',
      '  attack on members, AUC at N = 20 n      0.670  0.5 ±0.057  above chance',
      '  First eigenvalues of items on one scale: q1 to q50 5.57 (real rows 10.47).',
      '  Columns that lose most of their differences: intent -0.02 (-0.20 to 0.16).',
    ])
  })

  it('names the result of a classifier that so few rows cannot distinguish from chance', () => {
    expect(shown(WEAK).replaceAll(/\s+/g, ' ')).toContain(
      'With so few rows, a C2ST AUC below 0.581 can hardly be distinguished from 0.5 (power 80 %).',
    )
  })

  it('names what could not be measured, and why', () => {
    const not_measured = [{ figure: 'item_blocks', reason: 'No 4 columns share one scale of numbers.' }]
    expect(shown({ not_measured })).toContain(
      'Not measured: first eigenvalues. No 4 columns share one scale of numbers.\n',
    )
  })

  it('has no figure that the service does not give', () => {
    expect(shown({ copies: { share: 0, reference: 0 } })).not.toMatch(/slope|attack|eigenvalue|C2ST|Not measured/)
  })

  it('is readable at 80 columns, and shows names without terminal control codes', () => {
    const name = '\u001b[2J\nQuality: perfect'
    const hostile = shown({
      ...WEAK,
      item_blocks: [{ ...WEAK.item_blocks![0]!, column: name, last: name }],
      differences: { ...WEAK.differences!, lowest: [{ column: name, slope: 0, low: 0, high: 0 }] },
      not_measured: [{ figure: name, reason: name }],
    })
    expect(hostile).not.toMatch(/[\p{Control}](?<!\n)/u)
    expect(hostile.split('\n').filter((line) => line.startsWith('Quality'))).toHaveLength(1)
    for (const line of shown(WEAK).split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
  })
})
