import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { parseManifest } from '../../src/answers/manifest/parse-manifest.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import { CSV_MARK, reportCsv } from '../../src/report/report-csv.ts'
import { faultJunit, JUNIT_MARK, reportJunit } from '../../src/report/report-junit.ts'
import { MARKDOWN_MARK, reportMarkdown } from '../../src/report/report-markdown.ts'
import {
  dividedComparison,
  exampleComparison,
  exampleManifest,
  exampleScenario,
  gateResult,
  sureComparison,
} from '../answers/example-manifest.ts'
import { readXml } from './read-xml.ts'

const read = (manifest: Manifest) => parseManifest(JSON.stringify(manifest))
const markdown = (manifest: Manifest) => reportMarkdown(read(manifest))
const junit = (manifest: Manifest) => readXml(reportJunit(read(manifest)))
const csv = (manifest: Manifest): Record<string, string>[] => parse(reportCsv(read(manifest)), { columns: true })

const EVIDENCE = { effective_rows: 31.4, largest_tilt: 12.3456, low_support: true }
const QUALITY = { c2st: { auc: 0.52, chance: 0.03, rows: 1000 } }

const WHOLE = exampleManifest(
  {
    base: exampleScenario({ shares: {}, ranges: {} }),
    more: exampleScenario({
      gates: [gateResult('shares:intent', { expected: { tolerance: 0.005 }, actual: 0.01, passed: false })],
      evidence: EVIDENCE,
    }),
  },
  { comparisons: { lift: exampleComparison() } },
)
const EVALUATED = exampleManifest({
  ready: exampleScenario(),
  short: exampleScenario({ status: 'partial', partial: 'fail' }),
  enough: exampleScenario({ status: 'partial', partial: 'accept' }),
  broken: exampleScenario({ status: 'failed', error: { code: 'svc_x', detail: 'no luck' } }),
  waiting: exampleScenario({ status: 'not_started' }),
  gated: exampleScenario({
    gates: [
      gateResult('ranges', { expected: { outside_max: 0 } }),
      gateResult('ranges', { expected: { outside_max: 0 }, level: 'warn' }),
      gateResult('fill', { expected: { min: 1 } }),
    ],
  }),
})

/** Names that a seed file may hold, each aimed at one of the forms. */
const HOSTILE = [
  '=HYPERLINK("http://evil.example")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '| a | b |',
  '`` ` ``',
  'a\\|b',
  '<script>alert(1)</script>',
  '[click](http://evil.example)',
  '![](http://evil.example/pixel)',
  '@everyone www.evil.example',
  '**bold** _x_',
  '" onload="x',
  ']]> & -->',
  '\u001b[31mred\u0000\u0007\uFFFE\uFFFF',
  '\u202Egnp',
  'two\nlines\r\n## heading',
  '::error file=x::forged',
  ' padded ',
  '',
  '__proto__',
]
const share = { target: 0.5, achieved: 0.5, delta: 0, count: 1000 }
const ofLevel = (name: string) =>
  JSON.parse(JSON.stringify({ levels: { level: share }, unstated: {} }).replace('"level"', JSON.stringify(name)))
const hostile = (name: string) =>
  exampleManifest({
    more: exampleScenario({
      shares: { column: ofLevel(name) },
      gates: [gateResult(`shares:${name}`, { passed: false })],
      error: { code: 'x', detail: name },
    }),
  })

describe('the Markdown report', () => {
  const lines = markdown(WHOLE).split('\n')

  it('begins with its mark, the end of the run and what to cite', () => {
    expect(lines.slice(0, 6)).toEqual([
      `${MARKDOWN_MARK}, version 1 -->`,
      '# `brand-switching`',
      '',
      'Run **complete**, exit code 0 (`ok`): 2 of 2 scenarios ready, 4,000 of 4,000 rows.',
      '',
      `To cite: manifest digest \`${read(WHOLE).digest}\`, study digest \`${'a'.repeat(64)}\`. Run \`20261121T120000Z-1\`, ended \`2026-11-21T12:01:00Z\`, whatif \`0.1.0\`.`,
    ])
  })

  it.each([
    ['a scenario', /^\| `more` \| ready \| 2,000 \| 2,000 \| 100 % \| 7 \| /],
    [
      'a target with the noise of generation',
      '| `more` | `intent` | `Yes` | 35 % | 36 % | +1 points | 2.1 points | 720 |',
    ],
    ['the part left to the model', '| `more` | `intent` | `No` | 60.0 % | 2.2 points |'],
    ['a range', '| `more` | `age` | 18 to 65 | 18 to 66 | 1 | 0.05 % |'],
    [
      'a gate with the variation by chance in its rows',
      '| `more` | `shares:intent` | fail | `tolerance 0.5 points` | 1 points | 2.1 points | 2,000 | **failed** |',
    ],
    [
      'a difference of shares, of an earlier version without an interval',
      '| `more` | 26.0 % | 36.0 % | +10.0 | – | – | not known |  |',
    ],
    ['a difference of means', '| `more` | 40.0 | 44.0 | +4.0 | – | – | not known |  |'],
    ['spreads', '| standard deviation | 10 | 10 |'],
    ['quantiles', '| median | 40 | 40 |'],
    ['thin evidence', '| `more` | 2,000 | 2,000 | 31 | 12.3 | – | – | **thin** |  |'],
    ['a warning of it', '> **Thin evidence:** few rows of the seed support `more`.'],
    [
      'a gate that failed, at the top',
      '> **Gate failed:** `more`, `shares:intent`: expected `tolerance 0.5 points`, found 1 points.',
    ],
    ['what cleaning dropped', '- `postcode`: it near-zero variance.'],
  ])('has %s', (_, line) => {
    if (typeof line === 'string') expect(lines).toContain(line)
    else expect(lines.filter((one) => line.test(one))).toHaveLength(1)
  })

  it('shows the answer with its interval, beside it what the rows hold, and marks; and what intervals rest on', () => {
    const text = markdown({ ...WHOLE, comparisons: { lift: sureComparison() } })
    for (const row of [
      '| `more` | 25.4 % | 37.5 % | +12.1 | 9.3 to 14.9 | +10.0 | yes |  |',
      '| `more` | 74.0 % | 64.0 % | -10.0 | -12.8 to -7.2 | – | yes | thin |',
      '| `more` | 40.5 | 45.7 | +5.2 | – | +4.0 | not known | too few seed rows, with the model’s help +4.3 (nearer on average, attenuated) |',
      'Intervals rest on: the seed, reweighted to both scenarios; bound, from effective rows.',
    ])
      expect(text.split('\n')).toContain(row)
    expect(text).toContain('with 95 % confidence')
  })

  it('shows the labels of compared columns in the titles of their tables', () => {
    const labels = { intent: 'Will you buy it?', age: 'How old are you?', region: 'Where do you live?' }
    const panel = { ...WHOLE.datasets.panel!, labels }
    const text = markdown({ ...WHOLE, datasets: { panel } })
    expect(text).toContain('\n### Shares of `intent` `Will you buy it?`\n')
    expect(text).toContain('\n### Mean of `age` `How old are you?`\n')
    expect(text).not.toContain('Where do you live?')
    expect(markdown(WHOLE)).toContain('\n### Shares of `intent`\n')
  })

  it.each(HOSTILE.filter((text) => text.trim() !== ''))('shows %j as the label of a column, as code', (label) => {
    const panel = { ...WHOLE.datasets.panel!, labels: { intent: label, ...{ age: `${label} ${'x'.repeat(5_000)}` } } }
    const text = markdown({ ...WHOLE, datasets: { panel } })
    const titles = text.split('\n').filter((line) => /^### (Shares|Mean) of /.test(line))
    expect(titles).toHaveLength(2)
    for (const title of titles)
      expect(title).toMatch(/^### (Shares|Mean) of `(intent|age)` (`[^`]+`|<code>[^<>`[\]|]+<\/code>)$/)
  })

  it('shows no label for a column named like a property of every object', () => {
    const panel = { ...WHOLE.datasets.panel!, labels: {} }
    const lift = exampleComparison()
    const shares = { constructor: lift.scenarios.more!.shares.intent! }
    const more = { ...lift.scenarios.more!, shares }
    expect(
      markdown({ ...WHOLE, datasets: { panel }, comparisons: { lift: { ...lift, scenarios: { more } } } }),
    ).toContain('\n### Shares of `constructor`\n')
  })

  it('explains why an interval does not rest on the seed', () => {
    const { more } = sureComparison().scenarios
    const lift = { ...sureComparison(), scenarios: { more: { ...more!, no_estimates: 'estimates_failed' as const } } }
    expect(markdown({ ...WHOLE, comparisons: { lift } })).toContain(
      'Intervals rest on: the seed, reweighted to both scenarios; bound, from effective rows (the service gave no answer; the next run asks again).',
    )
  })

  it('shows the factor by which standard errors of the rows grow', () => {
    const more = exampleScenario({ evidence: EVIDENCE, standard_error_factor: 8.043477 })
    expect(markdown(exampleManifest({ more }))).toContain('| 31 | 12.3 | – | × 8.04 | **thin** |')
    expect(markdown(exampleManifest({ more }))).toContain('multiply your standard errors by the factor')
  })

  it('shows the interval of a gate with confidence, or why there is none', () => {
    const expected = { delta_min: 0.02, confidence: 0.9 }
    const gates = [
      gateResult('delta:more:intent:Yes', { expected, actual: 0.121 }),
      gateResult('delta:more:age', { expected, actual: 5.2, passed: false }),
    ]
    const text = markdown({ ...WHOLE, comparisons: { lift: sureComparison(gates) } })
    expect(text).toContain('| +12.1 points, 90 % interval 9.7 to 14.5 |')
    expect(text).toContain('| +5.2, too few seed rows for an interval |')
    const later = gateResult('later:more', { expected, actual: 5.2, passed: false, reason: 'constructor' })
    const comparison = { ...sureComparison(), gates: [later] }
    expect(markdown({ ...WHOLE, comparisons: { lift: comparison } })).toContain('5.2, no interval |')
  })

  it('has tables of the segments, and names the segments without rows', () => {
    const text = markdown({ ...WHOLE, comparisons: { lift: dividedComparison() } })
    const section = text.slice(text.indexOf('### Shares of `intent` by `region`')).split('\n### ')[0]!
    expect(section).toContain('| `more` | <code>No&#124;rth</code> | 800 → 900 |')
    expect(text).toContain(
      'Intervals inside segments do not rest on the seed: the service does not estimate differences inside segments.',
    )
    expect(text).toContain('Without rows on one side: `=South` in `more`.')
    expect(markdown(WHOLE)).not.toContain(' by `')
  })

  it('shows the quality of the models if the service reported it, and no table without rows', () => {
    const panel = { ...WHOLE.datasets.panel!, quality: QUALITY }
    const text = markdown({ ...WHOLE, datasets: { panel } })
    expect(text).toContain('| Distinguished from real rows | 0.520 | AUC; 0.5 ± 0.030 by chance |')
    expect(lines.join('\n')).not.toMatch(/Quality of|Findings/)
  })

  const interval = { low: 0.5, high: 0.7 }
  const RISKY = {
    ...QUALITY,
    item_blocks: [{ column: 'q1', last: 'q9', items: 9, eigenvalue: 2, reference: 4, ratio: 0.5, ...interval }],
    differences: { slope: 0.6, ...interval, outcomes: 1, lowest: [{ column: 'intent', slope: 0.6, ...interval }] },
    membership: {
      queries: 9,
      model_rows: 10,
      at: [1, 10, 20].map((multiple) => ({
        rows_per_row: multiple,
        auc: 0.5 + multiple / 100,
        chance: 0.04,
        told: 0.1,
        told_chance: 0.03,
      })),
    },
  }

  it('shows the slopes of a model beside those of real rows', () => {
    const text = markdown({ ...WHOLE, datasets: { panel: { ...WHOLE.datasets.panel!, quality: RISKY } } })
    expect(text).toContain('| Items `q1` to `q9` | 0.50 | 95 % 0.50 to 0.70; real rows 1 |')
    expect(text).toContain('| Differences of `intent` | 0.60 | 95 % 0.50 to 0.70; real rows 1 |')
  })

  it('shows the membership risk of each scenario at its number of rows, and of all together', () => {
    const rows = (counted: number) => ({ requested: counted, reported: counted, counted, fill: 1 })
    const text = markdown({
      ...WHOLE,
      datasets: { panel: { ...WHOLE.datasets.panel!, quality: RISKY } },
      scenarios: {
        base: { ...WHOLE.scenarios.base!, rows: rows(8) },
        more: { ...WHOLE.scenarios.more!, rows: rows(60) },
        none: { ...WHOLE.scenarios.more!, rows: { requested: 60, reported: null, counted: null, fill: null } },
      },
    })
    expect(text.split('\n').filter((line) => /^\| `panel` .* 0\.5 ± 0\.04 /.test(line))).toEqual([
      '| `panel` | `base` | 0.8 | 0.51 | 0.5 ± 0.04 | 1 |',
      '| `panel` | `more` | 6 | 0.6 | 0.5 ± 0.04 | 10 |',
      '| `panel` | all together | 6.8 | 0.6 | 0.5 ± 0.04 | 10 |',
    ])
  })

  describe('of scenarios with more than 20 rows for each row of the seed', () => {
    const HEADING = '## More rows than the seed data support'
    const rows = (counted: number | null) => ({ requested: 9000, reported: counted, counted, fill: null })
    const cleaning = { ...WHOLE.datasets.panel!.cleaning!, input_rows: 120, clean_rows: 100 }
    const dense = (panel: object, counted: number | null = 2050) =>
      markdown({
        ...WHOLE,
        datasets: { panel: { ...WHOLE.datasets.panel!, ...panel } },
        scenarios: {
          base: { ...WHOLE.scenarios.base!, rows: rows(2000) },
          more: { ...WHOLE.scenarios.more!, rows: rows(counted) },
        },
      })

    it('names each scenario, and explains the risk once', () => {
      const text = dense({ cleaning })
      const [, table = ''] = text.split(HEADING)
      expect(table.split('\n').filter((line) => line.startsWith('| `'))[0]).toBe(
        '| `panel` | `more` | 2,050 | 100 | 20.5 |',
      )
      expect(table).not.toContain('| `base` | 2,000 |')
      expect(text.split('Further rows add no information').length - 1).toBe(1)
    })

    it.each([
      ['the rows of the seed are not known', { cleaning: null }, 2050],
      ['cleaning left no rows', { cleaning: { ...cleaning, clean_rows: 0 } }, 2050],
      ['nothing was delivered', { cleaning }, null],
      ['there are not so many', { cleaning }, 2000],
    ])('says nothing if %s', (_, panel, counted) => {
      expect(dense(panel, counted)).not.toContain(HEADING)
    })
  })

  it.each(HOSTILE)('shows the column %j of a quality within one cell', (name) => {
    const quality = {
      ...RISKY,
      item_blocks: [{ ...RISKY.item_blocks[0]!, column: name, last: name }],
      differences: { ...RISKY.differences, lowest: [{ column: name, slope: 0.6, ...interval }] },
    }
    const text = markdown({ ...WHOLE, datasets: { panel: { ...WHOLE.datasets.panel!, quality } } })
    const found = text.split('\n').filter((line) => /^\| (Items|Differences of) /.test(line))
    expect(found.map((row) => row.split('|').length - 2)).toEqual([3, 3])
    expect(text).not.toMatch(/[\p{Control}\u202e](?<!\n)/u)
  })

  it('says that a run has not ended', () => {
    expect(markdown({ ...WHOLE, status: 'running', outcome: null })).toContain('> **The run is not complete**')
  })

  it('reports a verdict that differs from the figures', () => {
    const gates = [gateResult('fill', { expected: { min: 2 } })]
    expect(markdown(exampleManifest({ more: exampleScenario({ gates }) }))).toContain(
      '**failed** (the manifest says otherwise)',
    )
  })

  it('shows ranges of dates as dates, escaped like all texts of a manifest', () => {
    const range = { target: { min: 0, max: 1 }, achieved: null, outside: 0, outside_count: 0 }
    const dates = { target: { min: '2026-10-05', max: '<b>|' }, achieved: { min: '2026-10-06', max: '2026-10-07' } }
    const text = markdown(exampleManifest({ more: exampleScenario({ ranges: { seen: { ...range, dates } } }) }))
    const row = text.split('\n').find((line) => line.includes('2026-10-05'))!
    expect(row).toContain('| `2026-10-05` to ')
    expect(row).toContain('| `2026-10-06` to `2026-10-07` |')
    expect(row.replaceAll(/`[^`|]+`|<code>[^<|]*<\/code>/g, '')).not.toMatch(/<b>/)
    expect(row.split('|')).toHaveLength(8)
  })

  it.each(HOSTILE)('shows %j within one cell, without markup, link, mention or control character', (name) => {
    const text = markdown(hostile(name))
    const rows = text.split('\n').filter((line) => line.startsWith('| `more` |'))
    // One of shares, one of ranges, one of evidence, one of gates, one of results.
    expect(rows.map((row) => row.split('|').length - 2)).toEqual([8, 6, 9, 8, 8])
    // Without the code, only our own text remains: numbers, words, and marks of tables.
    const bare = rows
      .join('\n')
      .replaceAll(/`[^`|\\]+`/g, '')
      .replaceAll(/<code>[\p{L}\p{N} &#;]*<\/code>/gu, '')
    expect(bare).toMatch(/^(?:[\w |.,*+–:()%\n-]|<br>)*$/)
    expect(text).not.toMatch(/[\p{Control}\u202e](?<!\n)/u)
  })
})

describe('the CSV report', () => {
  it('has one row per figure', () => {
    expect(reportCsv(read(WHOLE)).startsWith(`${CSV_MARK}\n`)).toBe(true)
    const rows = csv(WHOLE)
    const found = (figure: string, place: object) =>
      rows
        .filter((row) => row.figure === figure && Object.entries(place).every(([k, v]) => row[k] === v))
        .map((r) => r.value)
    expect(found('manifest_digest', {})).toEqual([read(WHOLE).digest])
    expect(found('share_target', { scenario: 'more', column: 'intent', level: 'Yes' })).toEqual(['0.35'])
    expect(found('share_achieved', { scenario: 'more', column: 'intent' })).toEqual(['0.36', '0.6', '0.04'])
    expect(found('share_delta', { comparison: 'lift', level: 'No' })).toEqual(['-0.1'])
    expect(found('mean_delta', { comparison: 'lift', column: 'age' })).toEqual(['4'])
    expect(found('against_q50', { comparison: 'lift', scenario: 'more', column: 'age' })).toEqual(['40'])
    expect(found('fail_passed', { scenario: 'more', gate: 'shares:intent' })).toEqual(['false'])
    expect(found('evidence_low_support', { scenario: 'more' })).toEqual(['true'])
    expect(found('dropped', { dataset: 'panel', column: 'postcode' })).toEqual(['near-zero variance'])
  })

  it('has a last column for the figures of segments, which reports without segments lack', () => {
    const manifest = { ...WHOLE, comparisons: { lift: dividedComparison() } }
    expect(reportCsv(read(manifest)).startsWith(`${CSV_MARK},segment\n`)).toBe(true)
    const rows = csv(manifest)
    expect(rows.find((row) => row.figure === 'by')).toMatchObject({ comparison: 'lift', value: 'region', segment: '' })
    const north = rows.filter((row) => row.segment === 'No|rth')
    expect(north.find((row) => row.figure === 'rows_scenario')?.value).toBe('900')
    expect(north.find((row) => row.figure === 'share_interval_low')).toMatchObject({ column: 'intent', level: 'Yes' })
    expect(north.find((row) => row.figure === 'no_estimates')?.value).toBe('no_segment_estimates')
    expect(rows.filter((row) => row.segment === '=South').map((row) => row.figure)).toEqual([])
    expect(rows.filter((row) => row.segment === "'=South").map((row) => [row.figure, row.value])).toEqual([
      ['rows_scenario', '0'],
      ['rows_against', '400'],
    ])
  })

  it('has the attacks on membership by their number of rows', () => {
    const at = [{ rows_per_row: 10, auc: 0.6, chance: 0.04, told: 0.1, told_chance: 0.03 }]
    const quality = { ...QUALITY, membership: { queries: 9, at } }
    const rows = csv({ ...WHOLE, datasets: { panel: { ...WHOLE.datasets.panel!, quality } } })
    expect(rows.find((row) => row.figure === 'quality_membership_at_10_auc')).toMatchObject({ value: '0.6' })
  })

  it('has answers, the ends of their intervals and their basis, beside the counts of the rows', () => {
    const rows = csv({ ...WHOLE, comparisons: { lift: sureComparison() } })
    const found = (place: object) =>
      Object.fromEntries(
        rows
          .filter((row) => Object.entries(place).every(([k, v]) => row[k] === v))
          .map((row) => [row.figure, row.value] as const),
      )
    expect(found({ comparison: 'lift', column: 'intent', level: 'Yes' })).toMatchObject({
      share_delta: '0.1',
      share_answer_against: '0.254',
      share_answer_scenario: '0.375',
      share_answer_difference: '0.121',
      share_interval_low: '0.092931',
      share_interval_high: '0.149069',
      share_standard_error: '0.0143',
      share_basis: 'seed',
      share_support: 'ok',
    })
    expect(found({ comparison: 'lift', column: 'age' })).toMatchObject({
      mean_delta: '4',
      mean_support: 'too_few_rows',
    })
    expect(found({ comparison: 'lift', column: '' })).toMatchObject({ effective_rows_scenario: '810' })
  })

  it('ignores unknown fields of later manifests', () => {
    const quality = { ...QUALITY, newer: [null, 7, { column: 'a', score: 0.5 }] }
    const rows = csv({ ...WHOLE, datasets: { panel: { ...WHOLE.datasets.panel!, quality } } })
    expect(rows.filter((row) => row.figure?.includes('newer'))).toEqual([
      expect.objectContaining({ column: 'a', figure: 'quality_newer_score', value: '0.5' }),
    ])
  })

  it.each(HOSTILE)('shows %j in one cell that no spreadsheet computes', (name) => {
    const text = reportCsv(read(hostile(name)))
    expect(text).not.toMatch(/[\p{Control}\u202e](?<!\n)/u)
    const cells = csv(hostile(name))
      .filter((row) => row.figure === 'share_count')
      .map((row) => row.level)
    expect(cells).toHaveLength(1)
    expect(cells[0]).toMatch(/^(?![=+\-@＝＋－＠])/)
    expect(/^['\\]/.test(cells[0]!) || cells[0] === name || /[\\]/.test(cells[0]!)).toBe(true)
  })

  it('writes negative numbers as numbers', () => {
    expect(reportCsv(read(WHOLE))).toContain(',more,lift,,intent,No,share_delta,-0.1\n')
  })
})

describe('the JUnit report', () => {
  it('has a case for each scenario and each gate, and counts them', () => {
    const { root, elements } = junit(EVALUATED)
    expect(root).toMatchObject({ name: 'testsuites', tests: '9', failures: '2', errors: '1', skipped: '1' })
    const cases = elements
      .filter((e) => e.tag === 'testcase')
      .map((e) => [e.attributes.classname, e.attributes.name, e.child])
    expect(cases).toEqual([
      ['brand-switching.scenarios', 'ready', null],
      ['brand-switching.scenarios', 'short', 'failure'],
      ['brand-switching.scenarios', 'enough', 'system-out'],
      ['brand-switching.scenarios', 'broken', 'error'],
      ['brand-switching.scenarios', 'waiting', 'skipped'],
      ['brand-switching.scenarios', 'gated', null],
      ['brand-switching.gates.gated', 'ranges', 'failure'],
      ['brand-switching.gates.gated', 'ranges (warn)', 'system-out'],
      ['brand-switching.gates.gated', 'fill', null],
    ])
    expect(elements.find((e) => e.tag === 'error')?.attributes).toEqual({ type: 'svc_x', message: 'no luck' })
    expect(elements.find((e) => e.tag === 'failure' && e.attributes.type === 'fail')?.attributes.message).toBe(
      'expected outside_max 0 %, found 0.05 %',
    )
  })

  it('has a case for each compared scenario, with its differences and their intervals', () => {
    const lift = sureComparison()
    const missing = { status: 'missing', shares: {}, means: {} } as const
    const scenarios = { ...lift.scenarios, other: missing }
    const text = reportJunit(read({ ...WHOLE, comparisons: { lift: { ...lift, scenarios } } }))
    const { elements } = readXml(text)
    const cases = elements.filter(({ attributes }) => attributes.classname === 'brand-switching.comparisons.lift')
    expect(cases.map(({ attributes, child }) => [attributes.name, child])).toEqual([
      ['more', 'system-out'],
      ['other', 'skipped'],
    ])
    expect(text).toContain(
      '<system-out>intent Yes: +12.1 points, 95 % interval 9.3 to 14.9; ' +
        'intent No: -10.0 points, 95 % interval -12.8 to -7.2, thin; mean of age: +5.2, too few seed rows, with the model’s help +4.3 (nearer on average, attenuated); ' +
        'rests on: the seed, reweighted to both scenarios; bound, from effective rows</system-out>',
    )
  })

  it('skips scenarios that were not selected', () => {
    const { root } = junit({
      ...EVALUATED,
      run: { ...EVALUATED.run, actions: { short: 'not_selected', gated: 'not_selected' } },
    })
    expect(root).toMatchObject({ failures: '0', errors: '1', skipped: '6' })
  })

  it.each([
    { name: 'was refused', reason: 'over_budget', exitCode: 6, status: 'refused' as const },
    { name: 'stopped before its scenarios', reason: 'payment_required', exitCode: 6, status: 'complete' as const },
  ])('has a case in error for a run that $name, if no scenario has one', ({ reason, exitCode, status }) => {
    const idle = exampleManifest({ more: { ...WHOLE.scenarios.more!, status: 'not_started', gates: [] } })
    const manifest = { ...idle, status, outcome: { exit_code: exitCode, reason, also: [] } }
    const { root, elements } = junit(manifest)
    expect(root).toMatchObject({ tests: '2', errors: '1', skipped: '1' })
    expect(elements.find((e) => e.tag === 'error')?.attributes).toEqual({
      type: reason,
      message: reason.replaceAll('_', ' '),
    })
    const text = readXml(reportJunit({ manifest, digest: null }, 'at most 5 rows'))
    expect(text.elements.find((e) => e.tag === 'error')?.attributes.message).toBe('at most 5 rows')
    expect(text.elements.some((e) => e.tag === 'property')).toBe(false)
  })

  it('has the seconds from request to completion, and the time of the run', () => {
    const run = { ...WHOLE.run, started_at: '2026-11-21T12:00:00Z', finished_at: '2026-11-21T12:01:00.500Z' }
    const at = (submitted: string | null, completed: string | null) => ({
      generation_id: 'gen_1',
      job_id: 'job_1',
      dataset_id: 'ds_1',
      idempotency_key: null,
      epoch: 0,
      attempts: 1,
      request_ids: [],
      submitted_at: submitted,
      completed_at: completed,
      download_before: null,
    })
    const scenarios = {
      generated: at('2026-11-21T12:00:10Z', '2026-11-21T12:00:12.25Z'),
      // Submitted by the run of the day before.
      resumed: at('2026-11-20T12:00:00Z', '2026-11-21T12:00:03Z'),
      interrupted: at('2026-11-21T12:00:50Z', null),
      reused: at('2026-11-21T12:00:10Z', '2026-11-21T12:00:12Z'),
      not_started: at(null, null),
      // The clock was set back.
      failed: at('2026-11-21T12:00:10Z', '2026-11-21T12:00:09Z'),
    }
    const ids = Object.keys(scenarios)
    const manifest = exampleManifest(
      Object.fromEntries(ids.map((id) => [id, exampleScenario({ gates: [gateResult('fill')] })])),
      {
        run: { ...run, actions: Object.fromEntries(ids.map((id) => [id, id])) },
        trace: { datasets: {}, scenarios },
      },
    )
    const { root, elements } = junit(manifest)
    const times = elements
      .filter((e) => e.tag === 'testcase' && e.attributes.classname!.endsWith('.scenarios'))
      .map((e) => [e.attributes.name, e.attributes.time])
    expect(times).toEqual([
      ['generated', '2.250'],
      ['resumed', '3.000'],
      ['interrupted', '10.500'],
      ['reused', '0.000'],
      ['not_started', '0.000'],
      ['failed', '0.000'],
    ])
    expect(root.time).toBe('60.500')
    const suites = elements
      .filter((e) => e.tag === 'testsuite')
      .map(({ attributes: a }) => [a.name, a.time, a.timestamp])
    expect(suites).toEqual([
      ['scenarios', '60.500', '2026-11-21T12:00:00.000Z'],
      ['gates', '0.000', '2026-11-21T12:00:00.000Z'],
    ])
  })

  it.each(['', 'yesterday', '2026-13-45T99:99:99Z'])('has no time if the manifest says %j', (time) => {
    const { root, elements } = junit(exampleManifest(undefined, { run: { ...WHOLE.run, started_at: time } }))
    expect(root.time).toBe('0.000')
    expect(elements.find((e) => e.tag === 'testsuite')?.attributes.timestamp).toBeUndefined()
  })

  it('has one case in error for a run without a manifest', () => {
    const { root, elements } = readXml(faultJunit('x.study.yaml', { type: 'invalid_study', message: 'S1 <x>' }))
    expect(root).toMatchObject({ tests: '1', errors: '1' })
    expect(elements.find((e) => e.tag === 'error')?.attributes).toEqual({ type: 'invalid_study', message: 'S1 <x>' })
  })

  it('begins with its mark', () => {
    expect(reportJunit(read(WHOLE)).startsWith(JUNIT_MARK)).toBe(true)
  })

  it.each(HOSTILE)('is valid XML for any name of a level: %j', (name) => {
    const broken = { ...hostile(name).scenarios.more!, status: 'failed' as const }
    const { elements } = junit(exampleManifest({ more: broken }))
    // Printable names are read back letter by letter; other characters are read back as escapes.
    const message = elements.find((e) => e.tag === 'error')?.attributes.message
    if (/^[\x20-\x7e＝]*$/.test(name)) expect(message).toBe(name)
    else expect(message).toMatch(/\\(?:x|u\{|n|r|t)/)
  })
})
