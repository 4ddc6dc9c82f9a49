import { describe, expect, it } from 'vitest'
import { compareManifests } from '../../src/answers/manifest/compare-manifests.ts'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { ManifestScenario } from '../../src/records/manifest/scenarios.ts'
import { exampleComparison, exampleManifest, exampleScenario, gateResult } from './example-manifest.ts'

const OLD = exampleManifest({ more: exampleScenario({ gates: [gateResult('fill', { expected: { min: 0.9 } })] }) })
const differences = (after: Manifest, before = OLD) =>
  compareManifests(before, after).differences.map((d) => [d.kind, d.path.join('.'), d.before, d.after])
const withMore = (change: Partial<ManifestScenario>) => ({
  ...OLD,
  scenarios: { more: { ...OLD.scenarios.more!, ...change } },
})
const request = OLD.scenarios.more!.request!

describe('two manifests', () => {
  it('do not differ if their results are equal, even from different runs', () => {
    const run = { ...OLD.run, id: 'other', tool: '9.9.9', finished_at: null }
    expect(compareManifests(OLD, { ...OLD, run })).toMatchObject({ renamed: new Map(), differences: [] })
  })

  it.each([
    ['seed', withMore({ request: { ...request, seed: 8 } }), [['input', 'scenarios.more.request.seed', 7, 8]]],
    [
      'a share asked for and what came of it',
      withMore({
        request: { ...request, conditions: { ...request.conditions, categorical: { intent: { Yes: 0.4 } } } },
        shares: {
          intent: {
            levels: { Yes: { target: 0.4, achieved: 0.4, delta: 0, count: 800 } },
            unstated: { No: 0.6 },
          },
        },
      }),
      [
        ['input', 'scenarios.more.request.conditions.categorical.intent.Yes', 0.35, 0.4],
        ['share', 'scenarios.more.shares.intent.levels.Yes', 0.36, 0.4],
        ['share', 'scenarios.more.shares.intent.levels.Unsure', 0.04, undefined],
      ],
    ],
    [
      'a gate',
      withMore({ gates: [gateResult('fill', { expected: { min: 0.9 }, passed: false, actual: 0.5 })] }),
      [
        ['gate', 'scenarios.more.gates.fill.passed', true, false],
        ['gate', 'scenarios.more.gates.fill.actual', 0, 0.5],
      ],
    ],
    [
      'the rows',
      withMore({ status: 'partial', rows: { requested: 2000, reported: 1000, counted: 1000, fill: 0.5 } }),
      [
        ['result', 'scenarios.more.status', 'ready', 'partial'],
        ['result', 'scenarios.more.rows.reported', 2000, 1000],
        ['result', 'scenarios.more.rows.counted', 2000, 1000],
        ['result', 'scenarios.more.rows.fill', 1, 0.5],
      ],
    ],
    [
      'the data',
      { ...OLD, datasets: { panel: { ...OLD.datasets.panel!, sha256: 'b'.repeat(64) } } },
      [['input', 'datasets.panel.sha256', 'a'.repeat(64), 'b'.repeat(64)]],
    ],
    [
      'a comparison',
      { ...OLD, comparisons: { lift: exampleComparison() } },
      [['result', 'comparisons.lift', undefined, expect.objectContaining({ against: 'base' })]],
    ],
  ])('differ in %s', (_, after, found) => {
    expect(differences(after as Manifest)).toEqual(found)
  })

  it('show the variation by chance with a difference of shares', () => {
    const levels = { Yes: { target: 0.35, achieved: 0.26, delta: -0.09, count: 520 } }
    const after = withMore({ shares: { intent: { levels, unstated: OLD.scenarios.more!.shares.intent!.unstated } } })
    expect(compareManifests(OLD, after).differences).toEqual([
      expect.objectContaining({ kind: 'share', before: 0.36, after: 0.26, chance: 0.029079 }),
    ])
  })

  it('match a renamed scenario by its fingerprint', () => {
    const other = exampleScenario({ fingerprint: 'b'.repeat(64) })
    const before = { ...OLD, scenarios: { ...OLD.scenarios, gone: other } }
    const after = { ...OLD, scenarios: { most: OLD.scenarios.more!, added: exampleScenario({ fingerprint: null }) } }
    const found = compareManifests(before, after)
    expect(found.renamed).toEqual(new Map([['more', 'most']]))
    expect(found.differences.map((d) => [d.kind, d.path.join('.')])).toEqual([
      ['input', 'scenarios.added'],
      ['input', 'scenarios.gone'],
    ])
  })

  it('match a renamed scenario wherever it is named', () => {
    const gates = [gateResult('delta:more:age', { expected: { delta_min: 1 } })]
    const study = { ...OLD.study, baseline: 'more' }
    const before = { ...OLD, study, comparisons: { lift: { ...exampleComparison(gates), against: 'more' } } }
    const after = JSON.parse(JSON.stringify(before).replaceAll(/(?<=["\\:])more(?=[":])/g, 'most'))
    expect(Object.keys(after.scenarios)).toEqual(['most'])
    expect(compareManifests(before, after)).toMatchObject({ renamed: new Map([['more', 'most']]), differences: [] })
  })

  it('may name levels and columns like properties of objects', () => {
    const shares = { constructor: { levels: {}, unstated: { toString: 0.5 } } }
    const text = JSON.stringify(withMore({ shares })).replace('"toString"', '"__proto__"')
    const { manifest } = parseManifest(text)
    expect(differences(manifest, parseManifest(text.replace('"__proto__":0.5', '"__proto__":0.6')).manifest)).toEqual([
      ['share', 'scenarios.more.shares.constructor.levels.__proto__', 0.6, 0.5],
    ])
  })
})
