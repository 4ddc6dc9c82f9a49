import { describe, expect, it } from 'vitest'
import { labelsOf, namedColumns } from '../../../src/runner/conclude/result-labels.ts'
import { exampleComparison, exampleScenario } from '../../answers/example-manifest.ts'

const RESULTS = [
  ['base', exampleScenario({ shares: {}, ranges: {} })],
  ['more', exampleScenario()],
  ['elsewhere', exampleScenario({ dataset: 'other' })],
] as const

describe('the columns that the results of a dataset name', () => {
  it('are those of its conditions and of its comparisons', () => {
    expect([...namedColumns('panel', RESULTS, {})]).toEqual(['intent', 'age'])
    const compared = exampleComparison().scenarios.more!
    const lift = { ...exampleComparison(), scenarios: { base: { ...compared, means: {}, shares: { region: {} } } } }
    expect([...namedColumns('panel', RESULTS, { lift })]).toEqual(['intent', 'age', 'region'])
  })

  it('are not those of another dataset', () => {
    const compared = { ...exampleComparison().scenarios.more!, means: {}, shares: { region: {} } }
    const lift = { ...exampleComparison(), scenarios: { more: compared } }
    expect([...namedColumns('other', RESULTS, { lift })]).toEqual(['intent', 'age'])
    expect([...namedColumns('third', RESULTS, { lift })]).toEqual([])
  })
})

describe('the labels of named columns', () => {
  it('are those that the schema has, also of a column called like a property of all objects', () => {
    const schema = [
      { name: 'intent', label: 'Will you buy it?' },
      { name: 'age' },
      { name: '__proto__', label: 'Odd' },
      { name: 'region', label: 'Where do you live?' },
    ]
    const labels = labelsOf(schema, new Set(['intent', 'age', '__proto__']))
    expect(Object.entries(labels!)).toEqual([
      ['intent', 'Will you buy it?'],
      ['__proto__', 'Odd'],
    ])
  })

  it('are absent when no named column has one, so that manifests without labels stay as they are', () => {
    expect(labelsOf([{ name: 'a' }, { name: 'b', label: 'Label' }], new Set(['a']))).toBeUndefined()
  })
})
