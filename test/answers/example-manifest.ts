import type { ManifestComparison } from '../../src/records/manifest/comparisons.ts'
import type { GateResult } from '../../src/records/manifest/gates.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { ManifestScenario } from '../../src/records/manifest/scenarios.ts'

const HASH = 'a'.repeat(64)

/** A finished scenario of 2,000 rows, 35 % of them Yes as requested; `change` replaces fields. */
export function exampleScenario(change: Partial<ManifestScenario> = {}): ManifestScenario {
  return {
    group: null,
    axes: {},
    fingerprint: HASH,
    dataset: 'panel',
    request: {
      conditions: { categorical: { intent: { Yes: 0.35 } }, numeric: { age: { min: 18, max: 65 } } },
      output_format: 'parquet',
      row_count: 2000,
      seed: 7,
    },
    status: 'ready',
    rows: { requested: 2000, reported: 2000, counted: 2000, fill: 1 },
    shares: {
      intent: {
        levels: { Yes: { target: 0.35, achieved: 0.36, delta: 0.01, count: 720 } },
        unstated: { No: 0.6, Unsure: 0.04 },
      },
    },
    ranges: {
      age: { target: { min: 18, max: 65 }, achieved: { min: 18, max: 66 }, outside: 0.0005, outside_count: 1 },
    },
    artifact: { path: 'more.parquet', format: 'parquet', bytes: 9000, sha256: HASH },
    gates: [],
    ...change,
  }
}

export function gateResult(id: string, change: Partial<GateResult> = {}): GateResult {
  return { id, level: 'fail', evaluated: 1, passed: true, expected: {}, actual: 0, ...change }
}

/** A complete run that ended with 0. */
export function exampleManifest(
  scenarios: Record<string, ManifestScenario> = { more: exampleScenario() },
  change: Partial<Manifest> = {},
): Manifest {
  const all = Object.values(scenarios)
  const of = (status: string) => all.filter((s) => s.status === status).length
  return {
    manifest_version: 1,
    study: { name: 'brand-switching', version: 1, digest: HASH, baseline: 'base' },
    status: 'complete',
    outcome: { exit_code: 0, reason: 'ok', also: [] },
    totals: {
      scenarios: all.length,
      ready: of('ready'),
      partial: of('partial'),
      failed: of('failed'),
      refused: of('refused'),
      not_started: of('not_started'),
      running: of('running'),
      interrupted: of('interrupted'),
      rows_requested: all.reduce((sum, s) => sum + s.rows.requested, 0),
      rows_generated: all.reduce((sum, s) => sum + (s.rows.counted ?? 0), 0),
    },
    datasets: {
      panel: {
        fingerprint: HASH,
        schema_sha256: HASH,
        source: 'seeds/panel.csv',
        sha256: HASH,
        cleaning: {
          input_rows: 50000,
          clean_rows: 49200,
          input_columns: 31,
          clean_columns: 24,
          dropped_columns: [{ name: 'postcode', reason: 'near-zero variance' }],
        },
      },
    },
    scenarios,
    comparisons: {},
    diagnostics: [],
    trace: { datasets: {}, scenarios: {} },
    run: {
      id: '20261121T120000Z-1',
      actions: {},
      rows_billable: 2000,
      started_at: '2026-11-21T12:00:00Z',
      finished_at: '2026-11-21T12:01:00Z',
      tool: '0.1.0',
      node: '20.19.0',
      scope: null,
      service: 'embedded',
      git: null,
      ci: null,
    },
    ...change,
  }
}

/** `more` against `base`: Yes 0.36 against 0.26, and the mean age. */
export function exampleComparison(gates: readonly GateResult[] = []): ManifestComparison {
  const ages = { n: 2000, sd: 10, q05: 20, q25: 30, q50: 40, q75: 50, q95: 60 }
  return {
    against: 'base',
    scenarios: {
      more: {
        status: 'compared',
        shares: {
          intent: {
            Yes: { against: 0.26, scenario: 0.36, delta: 0.1 },
            No: { against: 0.74, scenario: 0.64, delta: -0.1 },
          },
        },
        means: { age: { against: { ...ages, mean: 40 }, scenario: { ...ages, mean: 44 }, delta: 4 } },
      },
    },
    gates,
  }
}

/** The same with answers of the seed: of a share, of one that only effective rows bound, and of a mean with too few seed rows. */
export function sureComparison(gates: readonly GateResult[] = []): ManifestComparison {
  const plain = exampleComparison(gates)
  const { more } = plain.scenarios
  const { Yes, No } = more!.shares.intent!
  const known = { standard_error: 0.0143, basis: 'seed', support: 'ok', beyond_chance: true } as const
  return {
    ...plain,
    scenarios: {
      more: {
        ...more!,
        effective_rows: { scenario: 810, against: 4900 },
        shares: {
          intent: {
            Yes: {
              ...Yes!,
              ...known,
              answer: { against: 0.254, scenario: 0.375, difference: 0.121, degrees_of_freedom: 810 },
              interval: [0.092931, 0.149069],
            },
            No: { ...No!, ...known, interval: [-0.128069, -0.071931], basis: 'effective_rows', support: 'thin' },
          },
        },
        means: {
          age: {
            ...more!.means.age!,
            standard_error: null,
            interval: null,
            basis: 'seed',
            answer: { against: 40.5, scenario: 45.7, difference: 5.2, degrees_of_freedom: 14, with_model: 4.3 },
            support: 'too_few_rows',
          },
        },
      },
    },
  }
}

/** The same with segments, whose names look like markup and like a formula; South has no rows in the scenario. */
export function dividedComparison(): ManifestComparison {
  const sure = sureComparison()
  const more = sure.scenarios.more!
  const { No: found } = more.shares.intent!
  return {
    ...sure,
    by: 'region',
    scenarios: {
      more: {
        ...more,
        segments: [
          {
            level: 'No|rth',
            rows: { scenario: 900, against: 800 },
            shares: { intent: { Yes: found! } },
            means: more.means,
            effective_rows: { scenario: 40, against: 300 },
            no_estimates: 'no_segment_estimates',
          },
          { level: '=South', rows: { scenario: 0, against: 400 }, shares: {}, means: {} },
        ],
      },
    },
  }
}
