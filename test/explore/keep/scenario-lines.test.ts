import { expect, it } from 'vitest'
import { scenarioLines } from '../../../src/explore/keep/scenario-lines.ts'
import type { Conditions } from '../../../src/explore/wire/messages.ts'
import { canonicalBody, sentConditions } from '../../../src/study/hashing/canonical-body.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'

const study = (text: string, datasets = 'd: { file: d.csv }') => {
  const { study: loaded, diagnostics } = loadStudy(
    `version: 1\nname: a\ndatasets: { ${datasets} }\ndefaults: { rows: 10, seed: 1 }\nscenarios:\n${text}`,
    { filename: 'a.study.yaml' },
  )
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  return loaded!
}

const text = (conditions: Conditions, dataset: string | null = null) =>
  scenarioLines('explored', conditions, dataset)
    .map((line) => `  ${line}\n`)
    .join('')

it.each<[string, Conditions]>([
  ['shares', { categorical: { 'loyalty.member': { Yes: 0.5 }, region: { North: 0.25, 'South, and "West"': 0.5 } } }],
  ['names that YAML takes for something else', { categorical: { no: { '1': 0.1, null: 0.2, 'a: b # c': 0.3 } } }],
  ['names in other scripts', { categorical: { 地区: { 北方: 0.5 }, المنطقة: { شمال: 0.5 } } }],
  ['ranges and means', { numeric: { age: { min: 18, max: 65.5 } }, means: { age: 40, spend: { min: 20 } } }],
])('%s are pasted into a study as they were asked', (_name, conditions) => {
  const [scenario] = study(text(conditions)).scenarios
  expect(scenario!.id).toBe('explored')
  expect(sentConditions(canonicalBody(scenario!))).toEqual(conditions)
})

it('dates stay dates', () => {
  const written = text({ numeric: { visited: { min: '2026-09-01', max: '2026-11-30' } } })
  expect(written).toBe('  explored:\n    ranges: { visited: { min: 2026-09-01, max: 2026-11-30 } }\n')
  expect(study(written).scenarios).toHaveLength(1)
})

it('names the dataset where it is told, and is an empty map without conditions', () => {
  expect(text({ means: { age: 40 } }, 'e')).toContain('    dataset: e\n')
  expect(text({})).toBe('  explored: {}\n')
})
