import { describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import { manifestDigest } from '../../src/study/hashing/fingerprint.ts'
import { exampleManifest, exampleScenario } from './example-manifest.ts'
import { manifestFaults } from './manifest-validator.ts'

const text = (change: object = {}) => JSON.stringify({ ...exampleManifest(), ...change })
const withScenario = (change: object) => text({ scenarios: { more: { ...exampleScenario(), ...change } } })

/** With the histogram of one mean on both sides. */
const withHistogram = (histogram: object) => {
  const side = { n: 4, mean: 1, sd: 1, q05: 0, q25: 0, q50: 1, q75: 2, q95: 2, histogram }
  const scenarios = {
    more: { status: 'compared', shares: {}, means: { age: { scenario: side, against: side, delta: 0 } } },
  }
  return text({ comparisons: { c: { against: 'base', gates: [], scenarios } } })
}
const withStudy = (change: object) => text({ study: { ...exampleManifest().study, ...change } })
const withColumn = (column: object) => {
  const { panel } = exampleManifest().datasets
  return text({ datasets: { panel: { ...panel, columns: { age: column } } } })
}

describe('a manifest', () => {
  it('is read as it was written, with the digest that the run printed', () => {
    const written = exampleManifest()
    expect(manifestFaults(written)).toEqual([])
    const { manifest, digest } = parseManifest(manifestText(written))
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(written)
    expect(digest).toBe(manifestDigest(written))
  })

  it('of a later version is read with its unknown fields', () => {
    const scenario = { ...exampleScenario(), weather: { wind: [1, 2] } }
    const { manifest } = parseManifest(text({ scenarios: { more: scenario }, forecast: null }))
    expect(manifest.scenarios.more).toMatchObject({ weather: { wind: [1, 2] } })
  })

  it('has only its own names, and none that every object has', () => {
    const { manifest } = parseManifest(
      text({ scenarios: { constructor: exampleScenario() } }).replace('"Yes"', '"__proto__"'),
    )
    expect(Object.keys(manifest.scenarios)).toEqual(['constructor'])
    const scenario = manifest.scenarios['constructor' as string]!
    const { levels } = scenario.shares.intent!
    expect([Object.keys(levels), 'toString' in levels]).toEqual([['Yes'], false])
    expect(Object.keys(scenario.request!.conditions!.categorical!.intent!)).toEqual(['__proto__'])
  })

  it.each([
    ['hello', 'it is not JSON'],
    ['{"manifest_version": 1', 'it is not JSON'],
    ['[]', 'the file: must be object'],
    ['null', 'the file: must be object'],
    ['7', 'the file: must be object'],
    ['{}', "the file: must have required property 'manifest_version'"],
    [text({ manifest_version: 2 }), 'manifest_version: 2 needs a newer runner; this one reads 1'],
    [text({ manifest_version: '1' }), 'manifest_version: must be equal to constant'],
    [
      text({ status: 'done' }),
      'status: must be equal to one of the allowed values (running, complete, interrupted, refused)',
    ],
    [
      withScenario({ rows: { requested: 5, counted: '5' } }),
      "scenarios.more.rows: must have required property 'reported'",
    ],
    [withScenario({ gates: {} }), 'scenarios.more.gates: must be array'],
    [withScenario({ shares: { 'a/b~\u001b[31m': [] } }), 'scenarios.more.shares.a/b~\\x1b[31m: must be object'],
    [withScenario({ shares: { ['x'.repeat(9000)]: [] } }), `scenarios.more.shares.${'x'.repeat(98)}…: must be object`],
    [text({ newer: '#' }).replace('"#"', '1e400'), 'it holds an invalid value: Infinity has no canonical JSON form'],
    [withStudy({ description: 7 }), 'study.description: must be string'],
    [withStudy({ scenario_order: 'more' }), 'study.scenario_order: must be array'],
    [withStudy({ axes: { g: [{ name: 'a' }] } }), "study.axes.g.0: must have required property 'values'"],
    [
      withColumn({ kind: 'map' }),
      'datasets.panel.columns.age.kind: must be equal to one of the allowed values (categorical, numeric, date)',
    ],
    [
      withColumn({ kind: 'categorical', levels: [{ level: 'a', share: 1.2 }] }),
      'datasets.panel.columns.age.levels.0.share: must be <= 1',
    ],
    [
      withColumn({ kind: 'numeric', quantiles: { q50: 1 } }),
      "datasets.panel.columns.age.quantiles: must have required property 'q05'",
    ],
    [
      withHistogram({ edges: [0, 1], shares: [2] }),
      'comparisons.c.scenarios.more.means.age.against.histogram.shares.0: must be <= 1',
    ],
    [
      withHistogram({ edges: Array.from({ length: 500 }, (_, i) => i), shares: [1] }),
      'comparisons.c.scenarios.more.means.age.against.histogram.edges: must NOT have more than 101 items',
    ],
    [
      withHistogram({ edges: [1, 0], shares: [1] }),
      'comparisons.c.scenarios.more.means.age.scenario.histogram: must have ascending edges, one more than shares, of at most 1 in all',
    ],
    [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'it is nested deeper than 32 levels'],
  ])('cannot be %.40j', (damaged, message) => {
    expect(() => parseManifest(damaged)).toThrow(expect.objectContaining({ code: 'not_a_manifest', message }))
  })
})
