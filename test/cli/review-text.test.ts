import { expect, it } from 'vitest'
import { evaluateGates } from '../../src/answers/manifest/review-manifest.ts'
import { actualText, expectedText } from '../../src/answers/words/gate-text.ts'
import { differenceText } from '../../src/cli/commands/diff.ts'
import { reviewText } from '../../src/cli/commands/gate.ts'
import { exampleManifest, exampleScenario, gateResult } from '../answers/example-manifest.ts'

const OK = { exitCode: 0, reason: 'ok', also: [] } as const

it('gates whose names are too long for the width are shown in full, a few lines each', () => {
  const id = `switch--north--${'high-'.repeat(8)}end`
  const manifest = exampleManifest({
    [id]: exampleScenario({ gates: [gateResult('ranges', { expected: { outside_max: 0.001 }, actual: 0.0005 })] }),
  })
  const text = reviewText(evaluateGates(manifest), OK, 60)
  expect(text).toBe(`ranges of
switch--north--high-high-high-high-high-high-high-high-end
    expected outside_max 0.1 %, found 0.05 %: passed
1 gate, 0 failed; exit code 0
`)
  expect(reviewText(evaluateGates(manifest), OK, 120).split('\n')[1]).toContain(id)
})

it.each([
  ['to what its interval supports', 'delta:a:b', { actual: 2.613456789012, interval: [1.66, 3.56] }, '+2.6'],
  ['in points where it is of shares', 'delta:a:b:Yes', { actual: -0.1134, interval: [-0.148, -0.078] }, '-11.3 points'],
  ['to the digits that the noise of generation supports', 'shares:b', { actual: 0.012346, chance: 0.02 }, '1.2 points'],
  [
    'to six digits where nothing is known',
    'delta:a:b',
    { actual: 1234.56789012, expected: { delta_min: 1 } },
    '+1234.57',
  ],
  [
    'with more digits, if rounding would put it on the other side of the bound',
    'delta:a:b:Yes',
    { actual: 0.01999, interval: [0.01, 0.03], expected: { delta_min: 0.02, confidence: 0.95 } },
    '+1.999 points',
  ],
  ['as a percentage of rows', 'ranges', { actual: 0.0005, expected: { outside_max: 0 } }, '0.05 %'],
  ['and whole numbers as they are', 'delta:a:b', { actual: 3 }, '+3'],
  ['as the manifest has it, where a later version made it', 'later:b', { actual: 0.5 }, '0.5'],
] as const)('the finding of a gate is shown %s', (_, id, gate, text) => {
  expect(actualText(gateResult(id, gate as object))).toBe(text)
})

it('the expectation of a gate has the units of its finding', () => {
  const expected = { delta_min: 0.02, delta_max: 0.335, confidence: 0.95, adjust: 'holm' }
  const words = (id: string) => expectedText({ id, expected })
  expect(words('delta:a:b:Yes')).toBe('delta_min +2 points, delta_max +33.5 points, confidence 95 %, adjust holm')
  expect(words('delta:a:b')).toBe('delta_min +0.02, delta_max +0.335, confidence 95 %, adjust holm')
  expect(expectedText({ id: 'fill', expected: { min: 0.95 } })).toBe('min 95 %')
})

it('a difference of intervals is shown as intervals, in full if they look alike when rounded', () => {
  const path = ['comparisons', 'lift', 'interval']
  const shown = (before: [number, number], after: [number, number]) =>
    differenceText('Results', [{ path, before, after }], 100).split('\n')[1]
  expect(shown([0.0401234, 0.1141234], [-0.0101234, 0.1141234])).toBe(
    'comparisons › lift › interval  +0.040 to +0.114  -0.010 to +0.114',
  )
  expect(shown([0.0401234, 0.1141234], [0.0401235, 0.1141234])).toBe(
    'comparisons › lift › interval  [0.0401234,0.1141234]  [0.0401235,0.1141234]',
  )
})
