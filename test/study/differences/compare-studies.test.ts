import { describe, expect, it } from 'vitest'
import { compareStudies } from '../../../src/study/differences/compare-studies.ts'
import { study } from '../../runner/plan/plan-case.ts'

const OLD = `version: 1
name: demo
datasets: { panel: { file: panel.csv } }
defaults: { rows: 2000, seed: 1 }
scenarios:
  base: {}
  more: { shares: { intent: { Yes: 0.5 } }, expect: { fill: { min: 0.9 } } }
baseline: base
comparisons:
  - { id: lift, scenarios: [more], shares: [intent], expect: [{ scenario: more, column: intent, level: 'Yes', delta_min: 0.1 }] }
`
const changed = (...edits: [string, string][]) => {
  const after = edits.reduce((text, [from, to]) => text.replaceAll(from, to), OLD)
  expect(after).not.toBe(OLD)
  const { renamed, differences } = compareStudies(study(OLD), study(after))
  return { renamed: [...renamed], differences: differences.map((d) => [d.path.join('.'), d.before, d.after]) }
}

describe('two versions of a study', () => {
  it.each([
    ['how a number is spelled', [['0.5', '.50']]],
    [
      'where a field is written',
      [
        ['rows: 2000, seed', 'seed'],
        ['{}', '{ rows: 2000 }'],
        ['more: {', 'more: { rows: 2000,'],
      ],
    ],
  ] as const)('do not differ in %s', (_, edits) => {
    expect(changed(...(edits as unknown as [string, string][]))).toEqual({ renamed: [], differences: [] })
  })

  it('differ in each scenario to which a changed default applies', () => {
    expect(changed(['rows: 2000', 'rows: 500']).differences).toEqual([
      ['scenarios.base.rows', 2000, 500],
      ['scenarios.more.rows', 2000, 500],
    ])
  })

  it.each([
    ['a share', ['Yes: 0.5', 'Yes: 0.6'], [['scenarios.more.shares.intent.Yes', 0.5, 0.6]]],
    [
      'a level',
      ['Yes: 0.5', 'No: 0.5'],
      [
        ['scenarios.more.shares.intent.No', undefined, 0.5],
        ['scenarios.more.shares.intent.Yes', 0.5, undefined],
      ],
    ],
    ['a gate', ['min: 0.9', 'min: 0.95'], [['scenarios.more.expect.fill.min', 0.9, 0.95]]],
    [
      'a comparison’s gate',
      ['delta_min: 0.1', 'delta_max: 0.1'],
      [
        ['comparisons.lift.expect.more:intent:Yes.delta_min', 0.1, undefined],
        ['comparisons.lift.expect.more:intent:Yes.delta_max', undefined, 0.1],
      ],
    ],
    [
      'the confidence of a comparison’s gate',
      ['delta_min: 0.1', 'delta_min: 0.1, confidence: 0.95'],
      [['comparisons.lift.expect.more:intent:Yes.confidence', undefined, 0.95]],
    ],
    [
      'the data',
      ['file: panel.csv', 'dataset_id: ds_1'],
      [
        ['datasets.panel.dataset_id', undefined, 'ds_1'],
        ['datasets.panel.file', 'panel.csv', undefined],
        ['datasets.panel.auto_clean', true, undefined],
        ['datasets.panel.display_name', 'panel', undefined],
      ],
    ],
    [
      'what it declares about the file',
      ['file: panel.csv', 'file: panel.csv, drop: [name], missing: { age: [98] }'],
      [
        ['datasets.panel.drop', undefined, ['name']],
        ['datasets.panel.missing', undefined, new Map([['age', [98]]])],
      ],
    ],
    [
      'an end of a range that is left out',
      ['base: {}', 'base: { ranges: { age: { min: 60 } } }'],
      [['scenarios.base.ranges.age', undefined, { min: 60, max: undefined }]],
    ],
    [
      'dates, as dates',
      ['base: {}', 'base: { ranges: { seen: { min: 2026-10-05, max: 2026-10-06 } } }'],
      [['scenarios.base.ranges.seen', undefined, { min: '2026-10-05', max: '2026-10-06' }]],
    ],
  ] as const)('differ in %s', (_, edit, found) => {
    expect(changed(edit as unknown as [string, string]).differences).toEqual(found)
  })

  it('differ in the form of result files, without a changed scenario', () => {
    const output = ['baseline: base\n', 'baseline: base\noutput: { names: original }\n'] as [string, string]
    expect(changed(output)).toEqual({ renamed: [], differences: [['names', undefined, 'original']] })
    const escaping = ['baseline: base\n', 'baseline: base\noutput: { formulas: escape }\n'] as [string, string]
    expect(changed(escaping)).toEqual({ renamed: [], differences: [['formulas', undefined, 'escape']] })
    expect(changed(['seed: 1', 'seed: 1, format: sav'], ['base: {}', 'base: { format: parquet }'])).toEqual({
      renamed: [],
      differences: [['scenarios.more.format', 'parquet', 'sav']],
    })
  })

  it('match a renamed scenario, wherever it is named', () => {
    expect(changed(['more', 'most'])).toEqual({ renamed: [['more', 'most']], differences: [] })
  })

  it('show an end of a range as a date in both if one of them writes a date', () => {
    const numbers = OLD.replace('base: {}', 'base: { ranges: { seen: { min: 0, max: 86399999 } } }')
    const dates = OLD.replace('base: {}', 'base: { ranges: { seen: { min: 1970-01-01, max: 1970-01-02 } } }')
    const { differences } = compareStudies(study(numbers), study(dates))
    expect(differences).toEqual([
      { path: ['scenarios', 'base', 'ranges', 'seen', 'max'], before: '1970-01-01', after: '1970-01-02' },
    ])
  })
})
