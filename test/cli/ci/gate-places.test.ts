import { describe, expect, it } from 'vitest'
import type { GateReview } from '../../../src/answers/manifest/review-manifest.ts'
import { inOrder } from '../../../src/cli/ci/annotations.ts'
import { type Finding, manifestFindings, placesIn } from '../../../src/cli/ci/findings.ts'
import { loadStudy } from '../../../src/study/load/load-study.ts'
import { exampleManifest, gateResult } from '../../answers/example-manifest.ts'

const TEXT = `version: 1
name: brand-switching
datasets: { panel: { file: panel.csv } }
defaults:
  rows: 1000
  seed: 1
  expect:
    shares: { tolerance: 0.01 }
scenarios:
  base: {}
  more:
    shares: { intent: { "Yes": 0.5 }, region: { North: 0.5 } }
    expect:
      fill: { min: 0.9 }
      shares:
        columns:
          region: 0.02
    warn:
      fill: { min: 1 }
comparisons:
  - id: lift
    against: base
    scenarios: [more]
    shares: [buys]
    expect:
      - scenario: more
        column: buys
        level: "Yes"
        delta_min: 0
      - scenario: more
        column: buys
        level: "Yes"
        delta_min: 0.1
    warn:
      - { scenario: more, column: buys, level: "No", delta_max: 0 }
`
const lineOf = (text: string, from = 0): number => TEXT.slice(0, TEXT.indexOf(text, from)).split('\n').length

const { study, diagnostics } = loadStudy(TEXT, { filename: 'a/x.study.yaml' })
const places = placesIn(study!, '/project')

it('the study of these tests is sound', () => {
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

describe('a gate that did not pass stands at its own line', () => {
  const second = TEXT.indexOf('delta_min: 0\n') + 5
  it.each([
    ['scenario', 'fill', 'fail', {}, lineOf('fill: { min: 0.9 }')],
    ['scenario', 'fill', 'warn', {}, lineOf('fill: { min: 1 }')],
    ['scenario', 'shares:region', 'fail', {}, lineOf('region: 0.02')],
    ['scenario', 'shares:intent', 'fail', {}, lineOf('shares: { tolerance')],
    ['comparison', 'delta:more:buys:Yes', 'fail', { delta_min: 0 }, lineOf('level: "Yes"')],
    ['comparison', 'delta:more:buys:Yes', 'fail', { delta_min: 0.1 }, lineOf('level: "Yes"', second)],
    ['comparison', 'delta:more:buys:No', 'warn', { delta_max: 0 }, lineOf('level: "No"')],
  ] as const)('%s, %s at level %s, %j', (of, id, level, expected, line) => {
    const gate = gateResult(id, { level, expected, passed: false })
    expect(places(of, of === 'scenario' ? 'more' : 'lift', gate)).toMatchObject({
      file: '/project/a/x.study.yaml',
      line,
    })
  })

  it('or at its owner, if the study has no such gate', () => {
    const gate = gateResult('mixed_model', { passed: false })
    expect(places('comparison', 'lift', gate)?.line).toBe(lineOf('id: lift'))
    expect(places('scenario', 'more')?.line).toBe(lineOf('more:'))
    expect(places('scenario', 'gone', gate)).toBeNull()
  })
})

describe('what a reader sees first', () => {
  const review = (id: string, passed: boolean): GateReview => ({
    of: 'scenario',
    id: 'more',
    gate: gateResult(id, { passed }),
    recordedPassed: passed,
    unchecked: null,
    counts: true,
  })
  const found = (forgiven: ReadonlySet<'gates' | 'partial'>) =>
    manifestFindings(
      exampleManifest(),
      {
        gates: [review('fill', false), review('ranges', true)],
        partial: [{ scenario: 'more', counted: 1, requested: 2, verdict: 'warn' }],
      },
      { places, forgiven },
    )

  it('is a gate, also where it is forgiven', () => {
    const forgiven = found(new Set(['gates']))
    expect(inOrder(forgiven).map(({ title, level }) => `${level} ${title}`)).toEqual([
      'warning gate fill',
      'warning scenario more partial',
    ])
    expect(found(new Set()).find(({ isGate }) => isGate)).toMatchObject({ level: 'error' })
  })

  it('is an error before a gate of level warn, and the rest as it was found', () => {
    const plain: Finding = { level: 'error', title: 'S2103', message: 'a', place: null }
    const gate: Finding = { level: 'warning', title: 'gate', message: 'b', place: null, isGate: true }
    const one: Finding = { level: 'warning', title: 'W1', message: 'c', place: null }
    const two: Finding = { level: 'warning', title: 'W2', message: 'd', place: null }
    expect(inOrder([one, two, gate, plain])).toEqual([plain, gate, one, two])
  })
})
