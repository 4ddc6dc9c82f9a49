import { describe, expect, test } from 'vitest'
import { conditionsOf } from '../../../src/study/conditions/condition.ts'
import { nameOf } from '../../../src/study/conditions/kinds.ts'
import { canonicalBody } from '../../../src/study/hashing/canonical-body.ts'
import { studyDigest } from '../../../src/study/hashing/fingerprint.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import type { Scenario, Study } from '../../../src/study/study.ts'
import { MATRIX, MINIMAL } from '../study-texts.ts'

function load(text: string): Study {
  const { study, diagnostics } = loadStudy(text, { filename: 'x.study.yaml' })
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([])
  return study!
}

function study(scenarios: string, rest = 'defaults: { rows: 100, seed: 1 }'): Study {
  return load(`version: 1\nname: test\ndatasets: { panel: { file: panel.csv } }\n${rest}\nscenarios:\n${scenarios}\n`)
}

function body(scenario: Scenario | undefined) {
  return JSON.parse(canonicalBody(scenario!))
}

function codes(text: string): string[] {
  return loadStudy(text, { filename: 'x.study.yaml' }).diagnostics.map((d) => d.code)
}

describe('a study', () => {
  test('has defaults for everything that is left out', () => {
    expect(load(MINIMAL)).toMatchObject({
      version: 1,
      name: 'first-study',
      filename: 'x.study.yaml',
      description: null,
      baseline: null,
      comparisons: [],
      budget: { rowsPerRun: null, rowsPerScenario: null, newDatasetsPerRun: null },
      policy: { onFailure: 'continue', drift: 'fail', mixedModel: 'fail' },
      outputDir: 'out/first-study',
      outputDirRange: null,
      report: true,
    })
    expect(load(MINIMAL).datasets.get('panel')).toMatchObject({
      kind: 'file',
      file: 'seeds/panel.csv',
      sha256: null,
      autoClean: true,
      displayName: 'panel',
    })
    expect(load(MINIMAL).scenarios[0]).toMatchObject({
      id: 'more-yes',
      group: null,
      dataset: 'panel',
      format: 'parquet',
      partial: { kind: 'fail' },
      expect: [],
      tags: [],
    })
  })

  test('may use every key of the language', () => {
    const full = load(
      `version: 1
name: full
description: All of it
owner: [a, b]
links: https://example.org
x-note: { anything: [goes, null] }
datasets:
  panel: { file: p.csv, sha256: ${'AB'.repeat(32)}, auto_clean: false, display_name: Panel }
  live: { dataset_id: 12345 }
defaults:
  dataset: panel
  rows: 100
  seed: random
  format: arrow
  partial: { accept_from: 0.9, otherwise: warn }
  tags: [q4, 2026]
  expect: { fill: { min: 0.95 }, shares: { tolerance: 0.5, columns: { a: 0.4 } }, ranges: { outside_max: 0.1 } }
scenarios:
  base: { shares: { a: { x: 0.5 } }, ranges: { n: { min: -1.5, max: 2 } } }
  other: { dataset: live, partial: accept, tags: [], warn: { fill: { min: 1 } }, shares: { a: { x: 0.5 } } }
  twin: {}
baseline: base
comparisons:
  - { id: c, scenarios: [base], against: twin, shares: [a], means: [n], warn: [{ scenario: base, column: n, delta_max: 1 }] }
budget: { rows_per_run: 1, rows_per_scenario: 2, new_datasets_per_run: 0 }
policy: { partial: accept, on_failure: stop, drift: warn, mixed_model: warn }
output: { dir: results/full }
limits: { max_scenarios: 3 }
`,
    )
    expect(full).toMatchObject({
      description: 'All of it',
      baseline: 'base',
      budget: { rowsPerRun: 1, rowsPerScenario: 2, newDatasetsPerRun: 0 },
      policy: { onFailure: 'stop', drift: 'warn', mixedModel: 'warn' },
      outputDir: 'results/full',
    })
    expect(full.datasets.get('panel')).toMatchObject({
      sha256: 'ab'.repeat(32),
      autoClean: false,
      displayName: 'Panel',
    })
    expect(full.datasets.get('live')).toMatchObject({ kind: 'existing', datasetId: '12345' })
    expect(full.scenarios[0]).toMatchObject({
      seed: 'random',
      format: 'arrow',
      partial: { kind: 'accept_from', acceptFrom: 0.9, otherwise: 'warn' },
      tags: ['q4', '2026'],
      expect: [
        { kind: 'fill', column: null, number: 0.95 },
        { kind: 'shares', column: null, number: 0.5 },
        { kind: 'shares', column: 'a', number: 0.4 },
        { kind: 'ranges', column: null, number: 0.1 },
      ],
    })
    expect(full.scenarios[1]).toMatchObject({
      dataset: 'live',
      partial: { kind: 'accept' },
      tags: [],
      warn: [{ kind: 'fill', number: 1 }],
      expect: [{ kind: 'fill', number: 0.95 }, { kind: 'shares' }, { kind: 'shares' }, { kind: 'ranges' }],
    })
    expect(full.comparisons).toMatchObject([
      {
        scenarios: ['base'],
        against: 'twin',
        outcomes: [
          { kind: 'shares', column: 'a' },
          { kind: 'means', column: 'n' },
        ],
        expect: [],
        warn: [{ scenario: 'base', column: 'n', level: null, deltaMin: null, deltaMax: 1 }],
      },
    ])
  })

  test('is null if there is an error, but not if there are only warnings', () => {
    expect(loadStudy('version: 1', { filename: 'x' }).study).toBeNull()
    const warned = loadStudy(MINIMAL.replace('rows: 1000', 'rows: 01000'), { filename: 'x' })
    expect(warned.diagnostics.map((d) => d.code)).toEqual(['W1208', 'W3101'])
    expect(warned.study?.scenarios[0]?.rows).toBe(1000)
  })

  test('gives all faults of one phase together and those of later phases not at all', () => {
    const broken = 'version: 1\nname: A\ndatasets: { p: { file: /x } }\nscenarios: { a: { rows: x, sed: 1 } }\n'
    expect(codes(broken)).toEqual(['S3001', 'S1104', 'S1102'])
    expect(codes(broken.replace('name: A', 'name: a').replace('rows: x, sed: 1', 'rows: 1'))).toEqual(['S1302'])
    expect(codes('version: 1\nname: a\ndatasets: { p: { file: x } }\nscenarios: { a: { rows: 1 } }')).toEqual(['S2004'])
  })

  test.each(['', '\uFEFF'])('has the same positions with and without a byte order mark (%j)', (mark) => {
    const { diagnostics } = loadStudy(`${mark}version: 2\n`, { filename: 'x' })
    expect(diagnostics[0]?.range?.start).toEqual({ line: 1, column: 10, offset: 9 + mark.length })
  })
})

describe('a key that starts with "x-"', () => {
  const EVERYTHING = {
    version: 1,
    name: 'whole',
    datasets: { panel: { file: 'panel.csv' }, live: { dataset_id: 'ds_1' } },
    defaults: { rows: 100, seed: 1, partial: { accept_from: 0.9, otherwise: 'warn' } },
    scenarios: {
      base: { dataset: 'panel', ranges: { n: { min: 0, max: 2 } } },
      g: {
        dataset: 'live',
        shares: { a: { x: 0.5 } },
        expect: { fill: { min: 0.5 }, shares: { tolerance: 0.5 } },
        warn: { fill: { min: 0.9 } },
        matrix: {
          axes: [
            { name: 'patch', values: { one: { rows: 200 }, two: {} } },
            { name: 'path', set: ['shares', 'a', 'x'], values: { low: 0.1, high: 0.6 } },
          ],
          exclude: [{ patch: 'one', path: 'low' }],
          override: [{ match: { patch: 'two' }, set: { rows: 300 } }],
          include: [{ id: 'more', set: { rows: 400 } }],
        },
      },
      other: { dataset: 'panel', ranges: { n: { min: 1, max: 2 } }, expect: { ranges: { outside_max: 0 } } },
    },
    comparisons: [
      {
        id: 'c',
        scenarios: ['other'],
        against: 'base',
        means: ['n'],
        expect: [{ scenario: 'other', column: 'n', delta_min: 0 }],
      },
    ],
    budget: { rows_per_run: 9000 },
    policy: { drift: 'warn' },
    output: { dir: 'out' },
    limits: { max_scenarios: 9 },
  }

  /** Paths of maps whose keys are the language's own, and not names of data, scenarios, datasets or axes. */
  const STRUCTURAL = [
    '',
    'datasets.panel',
    'datasets.live',
    'defaults',
    'defaults.partial',
    'scenarios.base',
    'scenarios.base.ranges.n',
    'scenarios.g',
    'scenarios.g.expect',
    'scenarios.g.expect.fill',
    'scenarios.g.expect.shares',
    'scenarios.g.warn',
    'scenarios.g.matrix',
    'scenarios.g.matrix.axes.0',
    'scenarios.g.matrix.axes.0.values.one',
    'scenarios.g.matrix.axes.1',
    'scenarios.g.matrix.override.0',
    'scenarios.g.matrix.override.0.set',
    'scenarios.g.matrix.include.0',
    'scenarios.g.matrix.include.0.set',
    'scenarios.other.expect.ranges',
    'comparisons.0',
    'comparisons.0.expect.0',
    'budget',
    'policy',
    'output',
    'limits',
  ]

  const digest = (whole: unknown) => {
    const fingerprints = new Map(['panel', 'live'].map((id) => [id, '0'.repeat(64)]))
    return studyDigest(load(JSON.stringify(whole)), fingerprints)
  }

  test.each(STRUCTURAL)('is allowed and ignored at "%s"', (path) => {
    const whole = structuredClone(EVERYTHING)
    const at = path.split('.').reduce((node, key) => (key === '' ? node : (node as never)[key]), whole as object)
    Object.assign(at, { 'x-note': { anything: [1, null, { goes: 'here' }] } })
    expect(digest(whole)).toBe(digest(EVERYTHING))
  })
})

describe('names', () => {
  test('are read as they are written, both as keys and as values', () => {
    const { scenarios } = study(`  2026:
    shares: { children: { 01: 0.1, 1: 0.1, 1.0: 0.1, true: 0.1, null: 0.1, ~: 0.1, 0x1F: 0.1, 1_000: 0.1 } }
  g:
    shares: { children: { 2: 0.1 } }
    matrix:
      axes:
        - { name: 1, set: [shares, children, 01], values: { 5: 0.5 } }
        - { name: 2, set: [shares, children, true], values: { 6: 0.1 } }
        - { name: 3, set: [shares, null, ~], values: { 7: 0.1, 8: 0.2 } }
      exclude: [{ 3: 8 }]
`)
    expect(body(scenarios[0]).conditions.categorical.children).toEqual(
      Object.fromEntries(['01', '1', '1.0', 'true', 'null', '~', '0x1F', '1_000'].map((level) => [level, 0.1])),
    )
    expect(scenarios.map((s) => s.id)).toEqual(['2026', 'g--5--6--7'])
    expect(body(scenarios[1]).conditions.categorical).toEqual({
      children: { 2: 0.1, '01': 0.5, true: 0.1 },
      null: { '~': 0.1 },
    })
  })

  test.each(['__proto__', 'constructor', 'toString', 'x-level', '<script>'])('may be %s', (name) => {
    const { scenarios } = study(`  base: { shares: { ${name}: { ${name}: 0.5 } } }`)
    expect(canonicalBody(scenarios[0]!)).toBe(
      `{"conditions":{"categorical":{"${name}":{"${name}":0.5}}},"output_format":"parquet","row_count":100,"seed":1}`,
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('may be numbers if they are slugs', () => {
    expect(load(MINIMAL.replace('name: first-study', 'name: 2026')).name).toBe('2026')
  })
})

describe('layers', () => {
  const DEFAULTS = `defaults:
  rows: 100
  seed: 1
  shares: { a: { x: 0.3, y: 0.7 }, b: { z: 1 } }
  ranges: { n: { min: 0, max: 9 } }
  expect: { fill: { min: 0.5 }, shares: { tolerance: 0.4, columns: { a: 0.3 } } }`

  test('merge by column, but replace the levels of a column as a whole', () => {
    const { scenarios } = study('  s: { shares: { a: { x: 0.7 } }, ranges: { m: { min: 1, max: 2 } } }', DEFAULTS)
    expect(body(scenarios[0]).conditions).toEqual({
      categorical: { a: { x: 0.7 }, b: { z: 1 } },
      numeric: { m: { min: 1, max: 2 }, n: { min: 0, max: 9 } },
    })
  })

  test('remove a condition with null', () => {
    const { scenarios } = study('  s: { shares: { b: null }, ranges: { n: ~ } }', DEFAULTS)
    expect(body(scenarios[0]).conditions).toEqual({ categorical: { a: { x: 0.3, y: 0.7 } } })
  })

  test('replace numbers of gates one by one', () => {
    const { scenarios } = study('  s: { expect: { shares: { tolerance: 0.2, columns: { b: 0.1 } } } }', DEFAULTS)
    expect(scenarios[0]?.expect).toMatchObject([
      { kind: 'fill', column: null, number: 0.5 },
      { kind: 'shares', column: null, number: 0.2 },
      { kind: 'shares', column: 'a', number: 0.3 },
      { kind: 'shares', column: 'b', number: 0.1 },
    ])
  })

  test('of an axis with `set` change one level or bound, and keep the others', () => {
    const { scenarios } = study(
      `  g:
    matrix:
      axes:
        - { name: x, set: [shares, a, x], values: { low: 0.1, high: 0.2 } }
        - { name: n, set: [ranges, n, max], values: { five: 5 } }
`,
      DEFAULTS,
    )
    expect(scenarios.map((s) => body(s).conditions)).toEqual([
      { categorical: { a: { x: 0.1, y: 0.7 }, b: { z: 1 } }, numeric: { n: { min: 0, max: 5 } } },
      { categorical: { a: { x: 0.2, y: 0.7 }, b: { z: 1 } }, numeric: { n: { min: 0, max: 5 } } },
    ])
  })

  test('are applied in the order defaults, group, axes, override', () => {
    const { scenarios } = study(`  g:
    rows: 200
    matrix:
      axes:
        - { name: a, values: { one: { rows: 300 }, two: { format: csv } } }
      override:
        - { match: { a: one }, set: { rows: 400 } }
        - { match: { a: one }, set: { rows: 500 } }
      include:
        - { id: plain }
        - { id: more, set: { rows: 600 } }
`)
    expect(scenarios.map((s) => [s.id, s.rows, s.format, s.group])).toEqual([
      ['g--one', 500, 'parquet', 'g'],
      ['g--two', 200, 'csv', 'g'],
      ['g--plain', 200, 'parquet', 'g'],
      ['g--more', 600, 'parquet', 'g'],
    ])
  })

  test('accept sums within 1e-9 of 1', () => {
    const { scenarios } = study('  s: { shares: { a: { x: 0.7, y: 0.2, z: 0.1 } } }')
    expect(body(scenarios[0]).conditions.categorical.a).toEqual({ x: 0.7, y: 0.2, z: 0.1 })
  })
})

describe('a matrix', () => {
  test('expands as documented', () => {
    const { scenarios } = load(MATRIX)
    expect(scenarios.map((s) => [s.id, s.rows])).toEqual([
      ['status-quo', 2000],
      ['switch--north--low', 2000],
      ['switch--north--mid', 2000],
      ['switch--north--high', 4000],
      ['switch--south--low', 2000],
      ['switch--south--mid', 2000],
      ['switch--stress', 500],
    ])
    expect(scenarios.reduce((sum, s) => sum + s.rows, 0)).toBe(14_500)
    expect([...scenarios[3]!.axes]).toEqual([
      ['region', 'north'],
      ['intent', 'high'],
    ])
    expect(scenarios[6]?.axes.size).toBe(0)
  })

  test('records where resolved values were written', () => {
    const { origin, conditions } = load(MATRIX).scenarios[3]!
    const of = new Map(conditions.map((condition) => [nameOf(condition), condition]))
    const region = conditionsOf({ conditions }, 'share').find(({ column }) => column === 'region')
    const intent = conditionsOf({ conditions }, 'share').find(({ column }) => column === 'purchase.intent')
    const line = (range: { start: { line: number; column: number } } | undefined) => [
      range?.start.line,
      range?.start.column,
    ]
    expect(line(origin.scenario)).toEqual([22, 3])
    expect(line(origin.rows)).toEqual([38, 24])
    expect(line(region?.place)).toEqual([29, 32])
    expect(line(region?.levels.get('North'))).toEqual([29, 42])
    expect(line(intent?.levels.get('Yes'))).toEqual([32, 42])
    expect(line(of.get('age')?.place)).toEqual([24, 7])
  })

  test('may set the seed for replicates', () => {
    const { scenarios } = study(`  g:
    matrix: { axes: [{ name: rep, set: [seed], values: { s1: 101, s2: random } }] }`)
    expect(scenarios.map((s) => s.seed)).toEqual([101, 'random'])
  })

  test('may have 10,000 combinations if the limit allows it', () => {
    const axis = (name: string, path: string) =>
      `{ name: ${name}, set: ${path}, values: { ${Array.from({ length: 100 }, (_, i) => `v${i}: ${i + 1}`).join(', ')} } }`
    const { scenarios } = study(
      `  g: { matrix: { axes: [${axis('a', '[rows]')}, ${axis('b', '[seed]')}] } }`,
      'limits: { max_scenarios: 10000 }',
    )
    expect(scenarios.length).toBe(10_000)
    expect(new Set(scenarios.map((s) => canonicalBody(s))).size).toBe(10_000)
  })

  test.each([
    ['hundreds of axes', Array.from({ length: 300 }, (_, i) => `{ name: a${i}, values: { b: {}, c: {} } }`).join(', ')],
    [
      'a huge product behind exclude',
      Array.from(
        { length: 7 },
        (_, i) => `{ name: a${i}, values: { ${Array.from({ length: 10 }, (_, v) => `v${v}: {}`).join(', ')} } }`,
      ).join(', '),
    ],
  ])('of %s is refused before it is expanded', (_, axes) => {
    const text = `version: 1\nname: a\ndatasets: { p: { file: x } }\ndefaults: { rows: 1, seed: 1 }\nlimits: { max_scenarios: 100000 }\nscenarios: { g: { matrix: { axes: [${axes}], exclude: [{ a0: ${axes.includes('v0') ? 'v0' : 'b'} }] } } }\n`
    expect(codes(text)).toEqual(['S4106'])
  })

  test('cannot raise the limit on all scenarios together', () => {
    const axis = (name: string) =>
      `{ name: ${name}, values: { ${Array.from({ length: 200 }, (_, i) => `v${i}: {}`).join(', ')} } }`
    const text = `version: 1\nname: a\ndatasets: { p: { file: x } }\ndefaults: { rows: 1, seed: 1 }\nlimits: { max_scenarios: 100000 }\nscenarios: { g: { matrix: { axes: [${axis('a')}, ${axis('b')}] } }, h: { matrix: { axes: [${axis('a')}, ${axis('b')}] } }, i: { matrix: { axes: [${axis('a')}, ${axis('b')}] } } }\n`
    expect(codes(text)).toEqual(['S4106'])
  })
})

describe('comparisons', () => {
  const TAIL = (comparison: string) => `defaults: { rows: 100, seed: 1 }\nbaseline: base\ncomparisons: [${comparison}]`
  const SCENARIOS = `  base: {}
  g: { matrix: { axes: [{ name: a, set: [rows], values: { x: 1, y: 2 } }] } }`

  test('resolve patterns to each scenario once, and never to the baseline', () => {
    const { comparisons } = study(SCENARIOS, TAIL('{ id: c, scenarios: [g--y, "g--*", "*", "g--?"], means: [n] }'))
    expect(comparisons[0]).toMatchObject({ against: 'base', scenarios: ['g--y', 'g--x'] })
  })
})

describe('gates', () => {
  test('in defaults are valid if one scenario can evaluate them', () => {
    const { diagnostics, study: loaded } = loadStudy(
      `${MATRIX.replace('  format: parquet\n', '  format: parquet\n  expect: { fill: { min: 0.95 }, shares: { tolerance: 0.5, columns: { purchase.intent: 0.4 } }, ranges: { outside_max: 0 } }\n')}`,
      { filename: 'x' },
    )
    expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([])
    expect(loaded?.scenarios[0]?.conditions).toEqual([])
  })
  const warned = (shares: string, tolerance: number, isSampled?: boolean) =>
    loadStudy(
      `version: 1
name: x
datasets: { p: { file: p.csv } }
scenarios:
  a: { rows: 200, seed: 1, shares: { c: ${shares} }, expect: { shares: { tolerance: ${tolerance} } } }
`,
      { filename: 'x', ...(isSampled !== undefined && { isSampled }) },
    ).diagnostics.map(({ code, summary, detail }) => `${code} ${summary}: ${detail}`)

  test.each([
    ['{ p: 0.5 }', 0, null],
    ['{ p: 0.57, q: 0.43 }', 0, null],
    ['{ p: 0.335, q: 0.665 }', 0, null],
    ['{ p: 0.5012 }', 0.002, null],
    ['{ p: 0.5012 }', 0.001, '0.5012 of 200 rows is 100.24 rows; rounded to whole rows it is off by 0.0012'],
    // Three thirds of 200 rows are 67, 67 and 66 rows.
    ['{ p: 0.3333333333, q: 0.3333333333, r: 0.3333333334 }', 0.0034, null],
    [
      '{ p: 0.3333333333, q: 0.3333333333, r: 0.3333333334 }',
      0.003,
      '0.3333333333 of 200 rows is 66.667 rows; rounded to whole rows it is off by 0.0033',
    ],
  ])('lead to a warning about %s with tolerance %s only if whole rows can miss it', (shares, tolerance, detail) => {
    const expected = detail === null ? [] : [`W5102 tolerance ${tolerance} is below what whole rows allow: ${detail}`]
    expect(warned(shares, tolerance)).toEqual(expected)
  })

  test('lead to a warning about chance if the service may sample rows, but first about whole rows', () => {
    expect(warned('{ p: 0.5 }', 0.05)).toEqual([])
    expect(warned('{ p: 0.5 }', 0.05, true)).toEqual([
      'W5102 tolerance 0.05 is below chance: with 200 rows a 0.50 share moves by ±0.07 by chance, if rows are sampled',
    ])
    expect(warned('{ p: 0.5 }', 0.08, true)).toEqual([])
    expect(warned('{ p: 0.5012 }', 0.001, true)).toEqual([expect.stringContaining('below what whole rows allow')])
  })
})
