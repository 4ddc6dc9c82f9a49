import { describe, expect, it } from 'vitest'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import type { GateResult } from '../../src/records/manifest/gates.ts'
import type { Manifest } from '../../src/records/manifest/manifest.ts'
import type { ManifestScenario } from '../../src/records/manifest/scenarios.ts'
import { manifestVerdict } from '../../src/runner/conclude/run-verdict.ts'
import { exampleComparison, exampleManifest, exampleScenario, gateResult } from './example-manifest.ts'

const ofScenario = (gate: GateResult, change: Partial<ManifestScenario> = {}) =>
  evaluateGates(exampleManifest({ more: exampleScenario({ ...change, gates: [gate] }) })).gates[0]!
const partial = (change: Partial<ManifestScenario> = {}) =>
  exampleScenario({
    status: 'partial',
    rows: { requested: 2000, reported: 1800, counted: 1800, fill: 0.9 },
    partial: 'fail',
    ...change,
  })
const ofComparison = (gate: GateResult, rows = 2000) => {
  const counted = { requested: rows, reported: rows, counted: rows, fill: 1 }
  const scenario = exampleScenario({ rows: counted })
  const comparisons = { lift: exampleComparison([gate]) }
  return evaluateGates(exampleManifest({ base: scenario, more: scenario }, { comparisons })).gates[0]!
}
const exitCodeOf = (manifest: Manifest, forgiven: ('gates' | 'partial')[] = []) =>
  manifestVerdict(manifest, evaluateGates(manifest), new Set(forgiven)).exitCode

describe('a gate of a manifest', () => {
  it.each([
    ['fill', { min: 1 }, true, 1],
    ['shares:intent', { tolerance: 0.01 }, true, 0.01],
    ['shares:intent', { tolerance: 0.009 }, false, 0.01],
    ['ranges', { outside_max: 0 }, false, 0.0005],
    ['ranges', { outside_max: 0.0005 }, true, 0.0005],
  ])('%s %j is evaluated from counts: %s', (id, expected, passed, actual) => {
    const found = ofScenario(gateResult(id, { expected, passed: !passed }))
    expect([found.gate.passed, found.gate.actual, found.recordedPassed, found.unchecked]).toEqual([
      passed,
      actual,
      !passed,
      null,
    ])
  })

  it('has failed if somebody edited it to look passed', () => {
    const rows = { requested: 2000, reported: 1620, counted: 1620, fill: 1 }
    const found = ofScenario(gateResult('fill', { expected: { min: 0.95 }, actual: 1 }), { rows })
    expect(found).toMatchObject({ gate: { passed: false, actual: 0.81 }, recordedPassed: true, unchecked: null })
  })

  it('shows the variation by chance of its worst level', () => {
    const found = ofScenario(gateResult('shares:intent', { expected: { tolerance: 0.01 } }))
    expect(found.gate.chance).toBe(0.021331)
  })

  it.each([
    ['fill', { evaluated: 0, expected: { min: 1 } }, {}, 'the run found nothing to evaluate'],
    [
      'fill',
      { expected: { min: 1 } },
      { rows: { requested: 2000, reported: null, counted: null, fill: null } },
      'its figures are not in the manifest',
    ],
    ['shares:region', { expected: { tolerance: 0.1 } }, {}, 'its figures are not in the manifest'],
    ['ranges', { expected: { outside_max: 0 } }, { ranges: {} }, 'its figures are not in the manifest'],
    ['entropy', { expected: { min: 1 } }, {}, 'this version does not know the gate'],
    ['fill', { expected: { min: 'most' } }, {}, 'this version does not know the gate'],
  ])('%s keeps its recorded verdict if its figures do not suffice', (id, gate, scenario, unchecked) => {
    for (const passed of [true, false])
      expect(ofScenario(gateResult(id, { ...gate, passed }), scenario)).toMatchObject({ gate: { passed }, unchecked })
  })

  it.each([
    ['delta:more:intent:Yes', { delta_min: 0.1 }, true],
    ['delta:more:intent:Yes', { delta_min: 0.1001 }, false],
    ['delta:more:intent:No', { delta_max: -0.2 }, false],
    ['delta:more:age', { delta_min: 3.9, delta_max: 4.1 }, true],
    ['delta:more:age', { delta_min: 5 }, false],
    ['mixed_model', { mixed: 0 }, true],
  ])('%s %j of a comparison is evaluated: %s', (id, expected, passed) => {
    expect(ofComparison(gateResult(id, { expected, passed: !passed }))).toMatchObject({
      gate: { passed },
      unchecked: null,
    })
  })

  it.each([
    ['has a level that no row has', ['Yes', 'No', 'Never'], { gate: { passed: true, actual: 0 }, unchecked: null }],
    [
      'does not have its level',
      ['Yes', 'No'],
      { gate: { passed: false, actual: null, evaluated: 0 }, unchecked: null },
    ],
    [
      'has levels that are not known',
      undefined,
      { gate: { passed: true }, unchecked: 'its figures are not in the manifest' },
    ],
  ])('on a comparison whose data %s is never evaluated as 0 of nothing', (_, levels, expected) => {
    const gate = gateResult('delta:more:intent:Never', { expected: { delta_min: 0, delta_max: 0 }, passed: true })
    const outcomes = levels && [{ column: 'intent', kind: 'shares' as const, levels }]
    const comparisons = { lift: { ...exampleComparison([gate]), ...(outcomes && { outcomes }) } }
    const scenario = exampleScenario({ rows: { requested: 2000, reported: 2000, counted: 2000, fill: 1 } })
    const manifest = exampleManifest({ base: scenario, more: scenario }, { comparisons })
    expect(evaluateGates(manifest).gates[0]).toMatchObject(expected)
  })

  it('is not decided by rounded figures if its difference is close to its bound', () => {
    const unchecked = 'it is closer to its bound than the precision of the manifest'
    const share = gateResult('delta:more:intent:Yes', { expected: { delta_min: 0.1 } })
    expect(ofComparison(share, 5_000_000)).toMatchObject({ gate: { passed: true }, unchecked })
    const mean = gateResult('delta:more:age', { expected: { delta_min: 4 } })
    expect(ofComparison(mean)).toMatchObject({ gate: { passed: true }, unchecked })
  })

  it('is not evaluated if its name fits two columns', () => {
    const lift = exampleComparison([gateResult('delta:more:a:b:c', { expected: { delta_min: 0 } })])
    const levels = { c: { against: 0, scenario: 0, delta: 0 } }
    const more = { ...lift.scenarios.more!, shares: { a: levels, 'a:b': levels } }
    const manifest = exampleManifest(undefined, { comparisons: { lift: { ...lift, scenarios: { more } } } })
    expect(evaluateGates(manifest).gates[0]!.unchecked).toBe('its name fits several columns and levels')
  })
})

describe('the exit code of a manifest', () => {
  const failing = [gateResult('fill', { expected: { min: 1 } })]
  const warning = [gateResult('fill', { level: 'warn', expected: { min: 1 } })]

  it.each([
    ['whose gates hold', exampleManifest(), 0],
    ['with a gate that fails', exampleManifest({ more: partial({ partial: 'accept', gates: failing }) }), 9],
    ['with a gate that warns', exampleManifest({ more: partial({ partial: 'accept', gates: warning }) }), 0],
    ['with fewer rows than accepted', exampleManifest({ more: partial() }), 8],
    [
      'with as many rows as accepted',
      exampleManifest({ more: partial({ partial: { accept_from: 0.9, otherwise: 'fail' } }) }),
      0,
    ],
    ['with both: the partial result', exampleManifest({ more: partial({ gates: failing }) }), 8],
  ])('equals that of its run %s (%#)', (_, manifest, exitCode) => {
    expect(exitCodeOf(manifest)).toBe(exitCode)
  })

  it.each([
    [['gates'], 8],
    [['partial'], 9],
    [['gates', 'partial'], 0],
  ] as const)('with --exit-zero-on %j is %d', (forgiven, exitCode) => {
    expect(exitCodeOf(exampleManifest({ more: partial({ gates: failing }) }), [...forgiven])).toBe(exitCode)
  })

  it.each([
    [{ outcome: { exit_code: 7, reason: 'failed', also: ['gates_failed'] } }, 7],
    [{ outcome: { exit_code: 6, reason: 'payment_required', also: [] } }, 6],
    [{ outcome: { exit_code: 130, reason: 'interrupted', also: [] } }, 11],
    [{ outcome: { exit_code: 40, reason: 'struck_by_lightning', also: [] } }, 1],
    [{ outcome: null, status: 'running' as const }, 11],
    [{ outcome: { exit_code: 9, reason: 'gates_failed', also: [] } }, 0],
  ])('keeps the recorded reasons other than gates for %j: %d', (change, exitCode) => {
    expect(exitCodeOf(exampleManifest(undefined, change))).toBe(exitCode)
  })

  it('reports a failed scenario, even if the recorded outcome is success', () => {
    expect(exitCodeOf(exampleManifest({ more: exampleScenario({ status: 'failed' }) }))).toBe(7)
  })

  it('ignores the gates of scenarios that were not selected', () => {
    const manifest = exampleManifest({ more: partial({ gates: failing }) })
    const left = { ...manifest, run: { ...manifest.run, actions: { more: 'not_selected' } } }
    expect(exitCodeOf(left)).toBe(0)
    expect(evaluateGates(left).gates[0]).toMatchObject({ counts: false, gate: { passed: false } })
  })

  it('keeps the recorded verdict on a partial result without its policy', () => {
    const { partial: _, ...scenario } = partial()
    const manifest = exampleManifest({ more: scenario })
    expect(exitCodeOf(manifest)).toBe(0)
    expect(exitCodeOf({ ...manifest, outcome: { exit_code: 0, reason: 'ok', also: ['partial_below_policy'] } })).toBe(8)
  })
})
