import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { manifestFaults } from '../answers/manifest-validator.ts'
import { makeRig, type Rig, STUDY } from './run-rig.ts'
import { type ServiceDouble, startServiceDouble } from './service-double.ts'

/** The fields of the study language's section 8, each with what stands in it; `Yes` and `young` are those of the rig. */

const SHA256 = expect.stringMatching(/^[0-9a-f]{64}$/)
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const IDS = expect.arrayContaining([expect.stringMatching(/^req_/)])

const FIELDS = {
  manifest_version: 1,
  study: {
    name: 'demo',
    version: 1,
    digest: SHA256,
    baseline: 'base',
    scenario_order: ['base', 'more-yes', 'young'],
  },
  status: 'complete',
  outcome: { exit_code: 8, reason: 'partial_below_policy', also: ['gates_failed'] },
  totals: {
    scenarios: 3,
    ready: 2,
    partial: 1,
    failed: 0,
    refused: 0,
    not_started: 0,
    running: 0,
    interrupted: 0,
    rows_requested: 300,
    rows_generated: 260,
  },
  datasets: {
    panel: {
      fingerprint: SHA256,
      schema_sha256: SHA256,
      source: 'seeds/panel.csv',
      sha256: SHA256,
      bytes: expect.any(Number),
      cleaned_columns: ['id', 'region', 'answer', 'age'],
      cleaning: { input_rows: 40, clean_rows: 40, input_columns: 4, clean_columns: 4, dropped_columns: [] },
      quality: { c2st: { auc: 0.5, chance: 0.1, rows: 8 } },
      columns: {
        age: { kind: 'numeric' },
        answer: { kind: 'categorical', levels: [{ level: 'No' }, { level: 'Yes' }] },
      },
    },
  },
  comparisons: { lift: expect.objectContaining({ against: 'base' }) },
  diagnostics: [
    {
      severity: 'warning',
      code: 'W2108',
      summary: 'range 10 to 30 of column "age" lies partly outside the trained range 20 to 59',
      detail: expect.stringContaining('in scenario young'),
      suggestions: [],
    },
  ],
  run: {
    id: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-z]{6}$/),
    actions: { base: 'generated', 'more-yes': 'generated', young: 'generated' },
    rows_billable: 260,
    rows_collected: 0,
    started_at: TIME,
    finished_at: TIME,
    tool: '0.0.0',
    node: '20.0.0',
    scope: 'friday',
    service: 'embedded',
    git: { commit: 'c'.repeat(40), dirty: false },
    ci: 'github-actions',
  },
}

const SCENARIO = {
  group: null,
  axes: {},
  fingerprint: SHA256,
  dataset: 'panel',
  request: {
    conditions: { categorical: { answer: { Yes: 0.7 } }, numeric: { age: { max: 40, min: 20 } } },
    output_format: 'csv',
    row_count: 100,
    seed: 1,
  },
  standard_error_factor: expect.closeTo(Math.sqrt(1 + 60 / 12), 6),
  status: 'partial',
  rows: { requested: 100, reported: 60, counted: 60, fill: 0.6 },
  shares: {
    answer: { levels: { Yes: { target: 0.7, achieved: 0.7, delta: 0, count: 42 } }, unstated: { No: 0.3 } },
  },
  ranges: {
    age: {
      target: { max: 40, min: 20 },
      achieved: { max: expect.any(Number), min: expect.any(Number) },
      outside: 0,
      outside_count: 0,
    },
  },
  artifact: { path: 'more-yes.csv', format: 'csv', bytes: expect.any(Number), sha256: SHA256 },
  gates: [{ id: 'fill', level: 'fail', evaluated: 1, passed: false, expected: { min: 0.95 }, actual: 0.6 }],
  shortfall: { detail: 'few rows', binding: [{ column: 'region', level: 'North', target: 1, seed_rows: 3 }] },
  evidence: { effective_rows: 12, largest_tilt: 4 },
  partial: 'fail',
}

const TRACE = {
  datasets: {
    panel: {
      dataset_id: expect.stringMatching(/^ds_/),
      trained_at: '2026-11-20T11:00:00Z',
      expires_at: '2026-11-21T11:00:00Z',
      idempotency_key: expect.stringMatching(/^wi1\.ds\.[0-9a-f]{32}\.xfriday$/),
      request_ids: IDS,
    },
  },
  scenarios: {
    'more-yes': {
      generation_id: expect.stringMatching(/^gen_/),
      job_id: expect.stringMatching(/^job_/),
      dataset_id: expect.stringMatching(/^ds_/),
      idempotency_key: expect.stringMatching(/^wi1\.gen\.[0-9a-f]{32}\.xfriday$/),
      epoch: 0,
      attempts: 1,
      request_ids: IDS,
      submitted_at: TIME,
      completed_at: TIME,
      download_before: TIME,
    },
  },
}

let double: ServiceDouble
let rig: Rig

beforeEach(async () => {
  double = await startServiceDouble()
  const stated =
    'ranges: { age: { min: 20, max: 40 } }, expect: { fill: { min: 0.95 } }, shares: { answer: { Yes: 0.7 } }'
  const comparisons = 'baseline: base\ncomparisons: [{ id: lift, scenarios: ["*"], means: [age] }]\n'
  rig = await makeRig(
    double,
    `${STUDY.replace('shares: { answer: { Yes: 0.7 } }', stated).replace('{ min: 20, max: 30 }', '{ min: 10, max: 30 }')}${comparisons}`,
  )
})

afterEach(async () => {
  await rig.remove()
  await double.close()
})

it('a manifest has every promised field with a value, and no other', async () => {
  double.feasible = (body) => (body.conditions?.categorical === undefined ? body.row_count : 60)
  double.evidence = { effective_rows: 12, largest_tilt: 4 }
  const quality = { c2st: { auc: 0.5, chance: 0.1, rows: 8 } }
  double.training = { trained_at: '2026-11-20T11:00:00Z', duration_ms: 7, quality }
  double.revise = (json, { path }) =>
    /\/datasets\/ds_\d+$/.test(path) ? { ...json, expires_at: '2026-11-21T11:00:00Z' } : json
  const git = { commit: 'c'.repeat(40), dirty: false }
  const provenance = { tool: '0.0.0', node: '20.0.0', git, ci: 'github-actions' }
  await rig.run({ request: { provenance }, options: { scope: 'friday' } })

  const { scenarios, trace, ...rest }: Manifest = await rig.manifest()
  expect(rest).toEqual(FIELDS)
  expect(scenarios['more-yes']).toEqual(SCENARIO)
  expect(Object.keys(scenarios)).toEqual(['base', 'more-yes', 'young'])
  expect(trace.datasets).toEqual(TRACE.datasets)
  expect(trace.scenarios['more-yes']).toEqual(TRACE.scenarios['more-yes'])
  expect(manifestFaults({ ...rest, scenarios, trace })).toEqual([])
})
