import { describe, expect, it } from 'vitest'
import { compareWithStudy } from '../../src/answers/manifest/compare-manifests.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { ManifestScenario } from '../../src/records/manifest/scenarios.ts'
import { datasetFingerprint } from '../../src/study/hashing/fingerprint.ts'
import { study } from '../runner/plan/plan-case.ts'
import { exampleManifest, exampleScenario } from './example-manifest.ts'

/** The study from which the example scenario was made. */
const text = (fields = 'seed: 7', id = 'more') => `version: 1
name: brand-switching
datasets: { panel: { file: panel.csv } }
scenarios:
  ${id}: { rows: 2000, ${fields}, shares: { intent: { Yes: 0.35 } }, ranges: { age: { min: 18, max: 65 } } }
`
const READING = 'datasets.panel.declarations and auto_clean'

/** A run of the study, whose dataset was read as the file says by itself. */
const manifestOf = (scenario: ManifestScenario): Manifest => {
  const { datasets, ...rest } = exampleManifest({ more: scenario })
  const fileSha256 = 'a'.repeat(64)
  const fingerprint = datasetFingerprint({ fileSha256, autoClean: true, declarations: undefined })
  return { ...rest, datasets: { panel: { ...datasets.panel!, source: 'panel.csv', sha256: fileSha256, fingerprint } } }
}
const compared = (after: string, scenario: ManifestScenario = exampleScenario()) => {
  const { renamed, differences } = compareWithStudy(manifestOf(scenario), study(after))
  return { renamed: [...renamed], differences: differences.map((d) => [d.path.join('.'), d.before, d.after]) }
}

describe('a study and a manifest of it', () => {
  it.each([
    ['as it was run', text()],
    ['evaluated in another way', text('seed: 7, expect: { fill: { min: 0.5 } }, partial: warn')],
    ['whose random seed was drawn', text('seed: random')],
  ])('do not differ: %s', (_, after) => {
    expect(compared(after)).toEqual({ renamed: [], differences: [] })
  })

  it.each([
    ['file: other.csv', [['datasets.panel.file', 'panel.csv', 'other.csv']]],
    ['file: panel.csv, drop: [id]', [[READING, expect.any(String), expect.any(String)]]],
    ['file: panel.csv, auto_clean: false', [[READING, expect.any(String), expect.any(String)]]],
    ['dataset_id: ds_1', []],
  ])('differ in how the dataset is read: %s', (entry, differences) => {
    expect(compared(text().replace('file: panel.csv', entry)).differences).toEqual(differences)
  })

  it.each([
    ['a field', text('seed: 8'), [['scenarios.more.request.seed', 7, 8]]],
    [
      'a scenario',
      text('seed: random', 'other'),
      [
        [
          'scenarios.other',
          undefined,
          expect.objectContaining({ request: expect.objectContaining({ seed: 'random' }) }),
        ],
        ['scenarios.more', expect.objectContaining({ dataset: 'panel' }), undefined],
      ],
    ],
    ['the name', text().replace('brand-switching', 'brands'), [['name', 'brand-switching', 'brands']]],
  ])('differ in %s', (_, after, differences) => {
    expect(compared(after).differences).toEqual(differences)
  })

  it('recognize a renamed scenario by its request', () => {
    expect(compared(text('seed: 7', 'most'))).toEqual({ renamed: [['more', 'most']], differences: [] })
  })

  it('differ if a request was never made', () => {
    expect(compared(text(), exampleScenario({ request: null })).differences).toMatchObject([
      ['scenarios.more.request', null, {}],
    ])
  })
})
