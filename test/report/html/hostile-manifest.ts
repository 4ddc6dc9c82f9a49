import { dataRecord } from '../../../src/base/data-record.ts'
import type { Manifest } from '../../../src/records/manifest/manifest.ts'
import { exampleManifest, exampleScenario, gateResult, sureComparison } from '../../answers/example-manifest.ts'

/** A manifest with everything that a page shows: gates, findings, labels, evidence, failures, segments, replicates. */
export function fullManifest(): Manifest {
  const lift = sureComparison([
    gateResult('delta:more:intent:Yes', {
      expected: { delta_min: 0.2, confidence: 0.95 },
      actual: 0.1,
      interval: [0.07, 0.13],
      passed: false,
    }),
  ])
  const { more } = lift.scenarios
  const manifest = exampleManifest(
    {
      base: exampleScenario({ shares: {}, ranges: {} }),
      more: exampleScenario({ group: 'grid', axes: { intent: 'most' }, description: 'Most want it' }),
      short: exampleScenario({
        status: 'partial',
        partial: 'fail',
        rows: { requested: 2000, reported: 700, counted: 700, fill: 0.35 },
        shortfall: { detail: 'the data hold no more', binding: [{ column: 'intent', level: 'Yes', target: 0.35 }] },
        evidence: { effective_rows: 31, largest_tilt: 12, low_support: true },
      }),
      broken: exampleScenario({
        status: 'failed',
        artifact: null,
        rows: { requested: 2000, reported: null, counted: null, fill: null },
        error: { code: 'svc_x', detail: 'no luck' },
      }),
    },
    {
      comparisons: {
        lift: {
          ...lift,
          by: 'region',
          outcomes: [
            { column: 'intent', kind: 'shares', levels: ['Yes', 'No'] },
            { column: 'age', kind: 'means' },
          ],
          scenarios: {
            more: {
              ...more!,
              segments: [
                { level: 'North', rows: { scenario: 900, against: 800 }, shares: more!.shares, means: more!.means },
              ],
              replicates: {
                ids: ['more-1', 'more-2'],
                spread: { shares: { intent: { Yes: 0.004, No: null } }, means: { age: 0.2 } },
              },
            },
          },
        },
      },
      diagnostics: [{ severity: 'warning', code: 'W1', summary: 'a remark', detail: 'more of it', suggestions: [] }],
      trace: {
        datasets: {
          panel: {
            dataset_id: 'ds_1',
            trained_at: '2026-11-21T12:00:00Z',
            expires_at: null,
            idempotency_key: null,
            request_ids: [],
            model_id: 'b'.repeat(64),
          },
        },
        scenarios: {},
      },
    },
  )
  const { panel } = manifest.datasets
  return {
    ...manifest,
    study: { ...manifest.study, description: 'What if more people want it?' },
    datasets: { panel: { ...panel!, labels: { intent: 'Would you buy it?' } } },
    run: { ...manifest.run, scope: 'november', ci: 'other', git: { commit: 'c'.repeat(40), dirty: true } },
  }
}

/** Maps whose names come from a study or its data. */
const NAMED = new Set([
  'scenarios',
  'comparisons',
  'datasets',
  'shares',
  'means',
  'labels',
  'intent',
  'levels',
  'unstated',
  'axes',
  'categorical',
])

/** Keys of the manifest itself beside names of columns. */
const OWN = new Set(['levels', 'unstated'])

/**
 * A manifest in which every text and every name of a scenario, column, level, axis, dataset or comparison ends with
 * `added`; the words of the manifest itself (statuses, kinds) too, which a manifest of a later version may change.
 */
export function hostileManifest(added: string): Manifest {
  const rename = (value: unknown, isNamed: boolean): unknown => {
    if (typeof value === 'string') return value + added
    if (Array.isArray(value)) return value.map((item) => rename(item, false))
    if (typeof value !== 'object' || value === null) return value
    return dataRecord(
      Object.entries(value).map(([key, member]) => [
        isNamed && !OWN.has(key) ? key + added : key,
        rename(member, NAMED.has(key)),
      ]),
    )
  }
  const manifest = rename(fullManifest(), false) as Manifest
  // What decides how a page is built stays as it is.
  return {
    ...manifest,
    status: 'interrupted',
    scenarios: dataRecord(
      Object.entries(manifest.scenarios).map(([id, scenario]) => [
        id,
        {
          ...scenario,
          status: scenario.status.slice(0, scenario.status.length - added.length) as typeof scenario.status,
        },
      ]),
    ),
  }
}
