// Makes the manifest of a study of any size: a matrix of scenarios, each compared in the same outcomes with a baseline.

const HASH = 'a'.repeat(64)
const LEVELS = ['Certainly', 'Perhaps', 'Certainly not']

/**
 * The same manifest for the same arguments. Two of three outcomes are columns of shares with three levels, the others are
 * means.
 *
 * @param {{ scenarios: number, outcomes: number, named?: (kind: 'column' | 'level' | 'value', i: number) => string }} size
 *   `scenarios`: without the baseline.
 */
export function largeManifest({
  scenarios,
  outcomes,
  named = (kind, i) => (kind === 'level' ? LEVELS[i] : `${kind}-${i}`),
}) {
  const random = noise()
  const ids = ['base', ...Array.from({ length: scenarios }, (_, i) => `grid--v${i}`)]
  const all = Object.fromEntries(ids.map((id, i) => [id, scenario(id, i, named, random)]))
  const columns = Array.from({ length: outcomes }, (_, i) => ({ name: named('column', i), isMean: i % 3 === 2 }))
  const results = ids.slice(1).map((id) => [id, result(columns, named, random)])
  const rows = ids.length * 2000
  return {
    manifest_version: /** @type {const} */ (1),
    study: { name: 'large', version: 1, digest: HASH, baseline: 'base', description: 'What changes in a large study?' },
    status: 'complete',
    outcome: { exit_code: 0, reason: 'ok', also: [] },
    totals: {
      scenarios: ids.length,
      ready: ids.length,
      partial: 0,
      failed: 0,
      refused: 0,
      not_started: 0,
      running: 0,
      interrupted: 0,
      rows_requested: rows,
      rows_generated: rows,
    },
    datasets: {
      panel: {
        fingerprint: HASH,
        schema_sha256: HASH,
        source: 'panel.csv',
        sha256: HASH,
        cleaning: { input_rows: 9000, clean_rows: 8800, input_columns: 40, clean_columns: 38, dropped_columns: [] },
      },
    },
    scenarios: all,
    comparisons: { lift: { against: 'base', scenarios: Object.fromEntries(results), gates: [] } },
    diagnostics: [],
    trace: { datasets: {}, scenarios: {} },
    run: {
      id: '20261121T120000Z-000001',
      actions: {},
      rows_billable: rows,
      started_at: '2026-11-21T12:00:00Z',
      finished_at: '2026-11-21T12:01:00Z',
      tool: '1.0.0',
      node: '20.19.0',
      scope: null,
      service: 'embedded',
      git: null,
      ci: null,
    },
  }
}

/**
 * @param {string} id
 * @param {number} i
 * @param {(kind: 'column' | 'level' | 'value', i: number) => string} named
 * @param {() => number} random
 */
function scenario(id, i, named, random) {
  const target = Number(random().toFixed(2))
  return {
    group: i === 0 ? null : 'grid',
    axes: i === 0 ? {} : { group: named('value', i) },
    fingerprint: HASH,
    dataset: 'panel',
    request: {
      conditions: { categorical: { [named('column', 0)]: { [named('level', 0)]: target } } },
      output_format: 'parquet',
      row_count: 2000,
      seed: i,
    },
    status: 'ready',
    rows: { requested: 2000, reported: 2000, counted: 2000, fill: 1 },
    shares: {
      [named('column', 0)]: {
        levels: { [named('level', 0)]: { target, achieved: target, delta: 0, count: Math.round(2000 * target) } },
        unstated: { [named('level', 1)]: Number((1 - target).toFixed(6)) },
      },
    },
    ranges: {},
    artifact: { path: `${id}.parquet`, format: 'parquet', bytes: 90_000, sha256: HASH },
    gates: [{ id: 'fill', level: 'fail', evaluated: 1, passed: true, expected: { min: 0.95 }, actual: 1 }],
  }
}

/**
 * @param {readonly { name: string, isMean: boolean }[]} columns
 * @param {(kind: 'column' | 'level' | 'value', i: number) => string} named
 * @param {() => number} random
 */
function result(columns, named, random) {
  const certain = (/** @type {number} */ delta, /** @type {number} */ error) => ({
    interval: [Number((delta - 1.96 * error).toFixed(6)), Number((delta + 1.96 * error).toFixed(6))],
    standard_error: error,
    basis: 'seed',
    seed: { difference: Number((delta * 0.9).toFixed(6)), standard_error: error / 2 },
    departs: random() < 0.2,
    support: random() < 0.1 ? 'thin' : 'ok',
  })
  const share = () => {
    const [against, to] = [0.2 + random() / 4, 0.2 + random() / 4].map((value) => Number(value.toFixed(6)))
    return { against, scenario: to, delta: Number((to - against).toFixed(6)), ...certain(to - against, 0.04) }
  }
  const mean = () => {
    const [against, to] = [20 + 4 * random(), 20 + 4 * random()]
    const figures = (/** @type {number} */ value) => ({
      n: 2000,
      mean: value,
      sd: 9.5,
      q05: 4,
      q25: 12,
      q50: 20,
      q75: 28,
      q95: 37,
    })
    return { against: figures(against), scenario: figures(to), delta: to - against, ...certain(to - against, 0.9) }
  }
  return {
    status: 'compared',
    effective_rows: { scenario: 700, against: 8000 },
    shares: Object.fromEntries(
      columns
        .filter(({ isMean }) => !isMean)
        .map(({ name }) => [name, Object.fromEntries(LEVELS.map((_, i) => [named('level', i), share()]))]),
    ),
    means: Object.fromEntries(columns.filter(({ isMean }) => isMean).map(({ name }) => [name, mean()])),
  }
}

/** Mulberry32: numbers in [0, 1), the same every time. */
function noise() {
  let state = 7
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
