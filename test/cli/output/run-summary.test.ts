import { describe, expect, it } from 'vitest'
import { markdownTable, markdownText } from '../../../src/base/document/markdown-blocks.ts'
import { runSummaryPage } from '../../../src/cli/ci/command-page.ts'
import { runSummary } from '../../../src/cli/output/run-summary.ts'
import type { ManifestScenario } from '../../../src/records/manifest/scenarios.ts'
import { exampleManifest, exampleScenario, gateResult, sureComparison } from '../../answers/example-manifest.ts'

const NOT_BEGUN = {
  status: 'not_started',
  rows: { requested: 2000, reported: null, counted: null, fill: null },
} as const
const unselected = exampleScenario(NOT_BEGUN)
const stopped = exampleScenario({ ...NOT_BEGUN, error: { code: 'not_started', detail: 'not started: no money' } })

const short = exampleScenario({ shares: {}, ranges: {} })

/** The lines above the totals. */
function linesOf(scenarios: Record<string, ManifestScenario>): string[] {
  const text = runSummary(exampleManifest(scenarios), { manifestPath: 'm.json', width: 80, service: 'embedded' })
  return text.split('\n\n')[0]!.split('\n')
}

const many = (count: number, scenario: ManifestScenario) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${scenario.status}-${i}`, scenario]))

const WORK = {
  generation_id: 'gen_1',
  job_id: 'job_1',
  dataset_id: 'ds_1',
  idempotency_key: 'wi1-gen-1',
  epoch: 0,
  attempts: 1,
  request_ids: [],
  submitted_at: null,
  completed_at: null,
  download_before: null,
}

describe('the summary of a run', () => {
  it('distinguishes scenarios that were not selected from those that could not begin', () => {
    expect(linesOf({ base: unselected, more: short, next: stopped })).toEqual([
      '- base  not selected',
      '✓ more  2,000 of 2,000 rows',
      '✗ next  not started',
      '    not started: no money [not_started]',
    ])
  })

  it('has one line for many scenarios that failed for the same reason', () => {
    const other = exampleScenario({ ...NOT_BEGUN, error: { code: 'not_submitted', detail: 'resume only collects' } })
    expect(linesOf({ more: short, ...many(6, stopped), other })).toEqual([
      '✓ more           2,000 of 2,000 rows',
      '✗ other          not started',
      '    resume only collects [not_submitted]',
      '✗ 6 scenarios not started',
      '    not started: no money [not_started]',
    ])
    expect(linesOf(many(2, stopped))).toEqual(['✗ 2 scenarios not started', '    not started: no money [not_started]'])
    const error5 = { code: 'svc_x', detail: 'no rows' }
    expect(linesOf(many(5, exampleScenario({ ...NOT_BEGUN, status: 'failed', error: error5 })))).toHaveLength(10)
    const error = { code: 'svc_unreadable_file', detail: 'dataset d: it has no rows' }
    expect(linesOf(many(6, exampleScenario({ ...NOT_BEGUN, status: 'failed', error })))).toEqual([
      '✗ 6 scenarios failed',
      '    dataset d: it has no rows [svc_unreadable_file]',
    ])
  })

  it('counts the scenarios that did not begin together, whether or not they met the fault themselves', () => {
    const detail = 'the service could not be reached: connection refused (ECONNREFUSED)'
    const met = exampleScenario({ ...NOT_BEGUN, error: { code: 'network', detail } })
    const spared = exampleScenario({ ...NOT_BEGUN, error: { code: 'not_started', detail } })
    const manifest = exampleManifest({ met, spared })
    const text = runSummary(manifest, { manifestPath: 'm.json', width: 80, service: 'embedded', explained: [detail] })
    expect(text.split('\n\n')[0]).toBe('✗ 2 scenarios not started\n    for the reason above [network]')
  })

  it.each([
    { isKept: false, says: ['manifest: m.json'] },
    {
      isKept: true,
      says: [
        'record of this run: m.json',
        'nothing was generated or fetched, so manifest.json is still that of the run before',
      ],
    },
  ])('says where the results are (manifest of an earlier run kept: $isKept)', ({ isKept, says }) => {
    const manifest = exampleManifest({ stopped })
    const text = runSummary(manifest, { manifestPath: 'm.json', width: 80, service: 'embedded', isKept })
    expect(text.trimEnd().split('\n').slice(-says.length)).toEqual(says)
    expect(text.split('m.json')).toHaveLength(2)
  })

  it('reports rows that earlier runs had requested', () => {
    const manifest = exampleManifest({ stopped })
    const run = { ...manifest.run, rows_billable: 0, rows_collected: 2000 }
    const text = runSummary({ ...manifest, run }, { manifestPath: 'm.json', width: 80, service: 'embedded' })
    expect(text).toContain(
      'billed in this run: 0 rows (embedded service)\ncollected: 2,000 rows from requests before this run\n',
    )
    expect(
      runSummaryPage('run', { ...manifest, run }, 0, null)
        .lead.map(markdownText)
        .join('\n'),
    ).toContain('billed in this run: 0 rows (embedded service); collected: 2,000 rows from requests before this run')
  })

  it('reports rows that were requested and are not generated yet', () => {
    const error = { code: 'interrupted', detail: 'interrupted by SIGINT' }
    const goingOn = exampleScenario({ ...NOT_BEGUN, status: 'interrupted', error })
    const made = exampleScenario({ ...goingOn, rows: { requested: 2000, reported: 1900, counted: null, fill: null } })
    const text = (scenarios: Record<string, ManifestScenario>) =>
      runSummary(exampleManifest(scenarios), { manifestPath: 'm.json', width: 80, service: 'embedded' })
    const line = /^still being generated at the service: .*$/m
    expect(line.exec(text({ a: goingOn, b: goingOn, made, stopped }))?.[0]).toBe(
      'still being generated at the service: up to 4,000 rows more, billed when done',
    )
    expect(text({ made, stopped, unselected, more: exampleScenario() })).not.toMatch(line)
    const page = (scenarios: Record<string, ManifestScenario>) =>
      runSummaryPage('run', exampleManifest(scenarios), 11, null).lead.map(markdownText).join('\n')
    const clause = '; up to 4,000 rows more are still being generated at the service, and billed when done.'
    expect(page({ a: goingOn, b: goingOn, made, stopped })).toContain(clause)
    expect(page({ made, stopped })).not.toContain('going on')
  })

  it('reports rows of a failed scenario whose generation was never seen to end', () => {
    const error = { code: 'reply', detail: 'the service sent an answer that breaks the contract' }
    const failed = exampleScenario({ ...NOT_BEGUN, status: 'failed', error })
    const manifest = exampleManifest({ failed })
    const shown = (completed_at: string | null) => {
      const work = { ...WORK, submitted_at: '2026-11-22T10:00:00.000Z', completed_at }
      const trace = { ...manifest.trace, scenarios: { failed: work } }
      return runSummary({ ...manifest, trace }, { manifestPath: 'm.json', width: 80, service: 'embedded' })
    }
    expect(shown(null)).toContain('still being generated at the service: up to 2,000 rows more, billed when done')
    expect(shown('2026-11-22T10:00:05.000Z')).not.toContain('going on')
  })

  it.each([
    [{ ...many(41, exampleScenario()) }, ['✓ all 41 scenarios as asked for']],
    [
      { ...many(1, exampleScenario()), ...many(199, unselected) },
      ['✓ 1 scenario as asked for', '- 199 scenarios not selected'],
    ],
    [
      { ...many(41, exampleScenario()), next: stopped },
      ['✗ next  not started', '    not started: no money [not_started]', '✓ 41 other scenarios as asked for'],
    ],
    [{ ...many(41, unselected) }, ['- 41 scenarios not selected']],
    [{ more: short, ...many(6, unselected) }, ['✓ more  2,000 of 2,000 rows', '- 6 scenarios not selected']],
  ])('counts scenarios without remarks where there are many', (scenarios, lines) => {
    expect(linesOf(scenarios)).toEqual(lines)
  })

  it('has the answers after the scenarios, then failed gates and totals', () => {
    const expected = { delta_min: 0.09, confidence: 0.95 }
    const gate = gateResult('delta:more:intent:Yes', { passed: false, expected, actual: 0.1, interval: [0.07, 0.13] })
    const { more } = sureComparison().scenarios
    const scenarios = { more: { ...more!, no_estimates: 'estimates_failed' as const } }
    const lift = { ...sureComparison([gate]), scenarios }
    const manifest = exampleManifest({ more: short }, { comparisons: { lift } })
    const text = runSummary(manifest, { manifestPath: 'm.json', width: 80, service: 'embedded' })
    expect(text.slice(0, text.indexOf('\n2,000 of 2,000 rows in'))).toBe(`✓ more  2,000 of 2,000 rows

comparison lift, against base
  2 of 3 differences are beyond chance
  more              From → to    Difference  95 % interval
  intent Yes  25.4 % → 37.5 %  +12.1 points    9.3 to 14.9
  intent No   74.0 % → 64.0 %  -10.0 points  -12.8 to -7.2
    thin
  1 more has too few seed rows for an interval
  intervals rest on: the seed, reweighted to both scenarios; bound, from
  effective rows (the service gave no answer; the next run asks again)

  FAILED: comparison lift, gate delta:more:intent:Yes: expected delta_min +9
  points, confidence 95 %, found +10 points, 95 % interval 7.0 to 13.0
`)
  })

  it('says that a trial is one', () => {
    const { run, ...rest } = exampleManifest({ more: short })
    const manifest = { ...rest, run: { ...run, trial: 100 } }
    const text = runSummary(manifest, { manifestPath: 'm.json', width: 80, service: 'embedded' })
    expect(text).toContain(
      '\n\ntrial with at most 100 rows per scenario: figures are rougher than those of the\nstudy, and gates do not count\n',
    )
    expect(markdownText(runSummaryPage('run', manifest, 0, null).lead[0])).toBe(
      '**Trial with at most 100 rows per scenario: figures are rougher than those of the study, and gates do not count.**',
    )
  })

  it('shows in points how far shares are from their targets', () => {
    const of = (delta: number) => {
      const Yes = { target: 0.35, achieved: 0.35 + delta, delta, count: 720 }
      return linesOf({ more: exampleScenario({ shares: { intent: { levels: { Yes }, unstated: {} } }, ranges: {} }) })
    }
    expect(of(0.0004)).toEqual(['✓ more  2,000 of 2,000 rows · shares met'])
    expect(of(-0.0126)).toEqual(['✓ more  2,000 of 2,000 rows · shares within 1.3 points'])
  })

  it('of a CI step begins with the answers', () => {
    const manifest = exampleManifest({ more: short }, { comparisons: { lift: sureComparison() } })
    const { lead, tables } = runSummaryPage('run', manifest, 0, null)
    expect(markdownText(lead[0])).toBe(
      '**`lift` against `base`**: 2 of 3 differences are beyond chance. 1 more has too few seed rows for an interval.',
    )
    expect(markdownText(tables[0]!.title)).toBe('What `lift` against `base` says')
    expect(markdownTable(tables[0]!).rows).toEqual([
      '| `intent` `Yes` | `more` | 25.4 % | 37.5 % | +12.1 points | 9.3 to 14.9 |  |',
      '| `intent` `No` | `more` | 74.0 % | 64.0 % | -10.0 points | -12.8 to -7.2 | thin |',
    ])
  })

  it('of a CI step has a table of them', () => {
    const manifest = exampleManifest({ more: short }, { comparisons: { lift: sureComparison() } })
    const { tables } = runSummaryPage('run', manifest, 0, null)
    const table = tables.find(({ title }) => title === 'Differences')!
    expect(markdownTable(table).rows).toEqual([
      '| `lift` | `more` | `intent` `Yes` | +12.1 points | 9.3 to 14.9 | the seed, reweighted to both scenarios |',
      '| `lift` | `more` | `intent` `No` | -10.0 points | -12.8 to -7.2 | bound, from effective rows, thin |',
      '| `lift` | `more` | `age` mean | +5.2 | – | too few seed rows, with the model’s help +4.3 (nearer on average, attenuated) |',
    ])
  })
})
