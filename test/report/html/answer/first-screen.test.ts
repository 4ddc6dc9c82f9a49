import { describe, expect, it } from 'vitest'
import { largeManifest } from '../../../../bench/large-manifest.js'
import type { Manifest } from '../../../../src/records/manifest/manifest.ts'
import { chooseAnswers } from '../../../../src/report/html/answer/choose-answers.ts'
import { answerSection } from '../../../../src/report/html/answer/first-screen.ts'
import { exampleManifest, exampleScenario, gateResult, sureComparison } from '../../../answers/example-manifest.ts'
import { compared, liftManifest, share } from '../../example-answers.ts'
import { fullManifest } from '../hostile-manifest.ts'
import { bodyOf } from '../matrix-manifest.ts'

const screen = (manifest: Manifest) => bodyOf(answerSection({ manifest, digest: '' }))
const textOf = (markup: string) =>
  markup
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    .replaceAll(/<\/?(?:bdi|strong|em|span|a)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')

describe('the first screen', () => {
  it('states the question, the result and the strongest difference', () => {
    const text = textOf(screen(fullManifest()))
    expect(text).toContain(
      'What if more people want it? 2 of 4 scenarios have the rows that were asked for: 4,700 rows',
    )
    expect(text).toContain(
      '2 of 3 differences from base are beyond chance. Nothing is known about chance in 1 of them.',
    )
    expect(text).toContain(
      'With intent most, intent Yes rises from 25.4 % to 37.5 %: +12.1 points, 95 % interval 9.3 to 14.9.',
    )
  })

  it('lists failures, missing rows, failed gates and weak evidence', () => {
    const text = textOf(screen({ ...fullManifest(), status: 'interrupted' }))
    expect(text).toContain('The run is not complete (interrupted).')
    expect(text).toContain('1 scenario failed: broken. no luck')
    expect(text).toContain('1 scenario has fewer rows than asked for: short (700 of 2,000).')
    expect(text).toMatch(
      /Gate failed: lift, delta:more:intent:Yes: expected delta_min \+20 points, confidence 95 %, found \+12\.1 points/,
    )
    expect(text).toContain('Thin evidence: few rows of the seed support short.')
  })

  it('claims no more about chance than the intervals say', () => {
    const result = (count: number, change: Partial<ReturnType<typeof share>>) =>
      liftManifest(
        Object.fromEntries(
          Array.from({ length: count }, (_, i) => [
            `s${i}`,
            compared({ intent: { Yes: share(0.3, 0.4, 0.02, change), No: share(0.7, 0.701, 0.02, change) } }),
          ]),
        ),
      )
    const known = textOf(screen(result(1, {})))
    expect(known).toContain('1 of 2 differences from base is beyond chance.')
    expect(known).not.toContain('Nothing is known')
    const generated = screen(result(10, { basis: 'generation' }))
    expect(textOf(generated)).toContain('Of 20 differences from base, none has an interval that holds')
    expect(textOf(generated)).toContain('Shown are 12 of 20: the strongest; nothing is known about chance.')
    expect(generated).toContain('> chance not known')
    expect(generated).toContain('noise of generation only')
    expect(generated).toContain('interval of generation alone')
    expect(generated).not.toMatch(/(?:within|beyond) chance/)
    const one = liftManifest({ more: compared({ intent: { Yes: share(0.3, 0.4, 0.02) } }) })
    expect(textOf(screen(one))).toContain('The difference from base is beyond chance.')
  })

  it('marks a trial, because its figures are rough', () => {
    const manifest = fullManifest()
    const text = textOf(screen({ ...manifest, run: { ...manifest.run, trial: 100 } }))
    expect(text).toContain('This is a trial with at most 100 rows per scenario')
  })

  it('groups scenarios that failed for one reason, and names a few of them', () => {
    const failed = exampleScenario({
      status: 'failed',
      rows: { requested: 10, reported: null, counted: null, fill: null },
      error: { code: 'svc_x', detail: 'no luck' },
    })
    const scenarios = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`s${i}`, failed]))
    expect(textOf(screen(exampleManifest(scenarios)))).toContain(
      '7 scenarios failed: s0, s1, s2, s3 and 3 more. no luck',
    )
  })

  it('lists the generated scenarios with their conditions if a study compares nothing', () => {
    const markup = screen(exampleManifest())
    expect(textOf(markup)).toContain('The scenario has the rows that were asked for: 2,000 rows in total.')
    expect(textOf(markup)).toMatch(/intent Yes 35 %; age 18 to 65\n+2,000\n+2,000/)
    expect(markup).not.toContain('<figure')
  })

  it('does not count gates at warning level as failures', () => {
    const gates = [gateResult('fill', { level: 'warn', expected: { min: 1 }, actual: 0.5, passed: false })]
    const more = exampleScenario({ gates, rows: { requested: 2000, reported: 1000, counted: 1000, fill: 0.5 } })
    const text = textOf(screen(exampleManifest({ more })))
    expect(text).toContain('1 gate at warning level did not pass.')
    expect(text).not.toContain('Gate failed')
  })
})

describe('the first picture', () => {
  it('shows all of up to twelve differences', () => {
    const chosen = chooseAnswers(largeManifest({ scenarios: 2, outcomes: 2 }))
    expect(chosen.total).toBe(12)
    expect(chosen.shown).toHaveLength(12)
  })

  it('shows at most 24 of more differences: those beyond chance, the strongest of each comparison', () => {
    const manifest = largeManifest({ scenarios: 40, outcomes: 6 })
    const { lift } = manifest.comparisons
    const chosen = chooseAnswers({ ...manifest, comparisons: { lift: lift!, other: lift! } })
    expect(chosen.shown).toHaveLength(24)
    expect(chosen.shown.every(({ beyond }) => beyond === true)).toBe(true)
    expect(chosen.shown.filter(({ comparison }) => comparison === 'other')).toHaveLength(12)
    expect(chosen.beyond).toBeGreaterThan(24)
  })

  it('separates shares and the means of each column, because their units differ', () => {
    const { panels } = chooseAnswers(exampleManifest(undefined, { comparisons: { lift: sureComparison() } }))
    expect(panels.map(({ meanOf, groups }) => [meanOf, groups.length])).toEqual([
      [null, 2],
      ['age', 1],
    ])
  })

  it('draws the answer and its interval, and explains its marks in words', () => {
    const markup = screen(fullManifest())
    const wide = /<svg class="wide forest"[\s\S]*?<\/svg>/.exec(markup)?.[0] ?? ''
    expect(wide.match(/<circle class="mark-scenario beyond"/g)).toHaveLength(2)
    expect(wide).toMatch(/class="interval beyond thin"/)
    expect(markup).toContain('>too few seed rows</text>')
  })

  it('states how many differences only the tables show', () => {
    const manifest = largeManifest({ scenarios: 40, outcomes: 6 })
    const { beyond, total } = chooseAnswers(manifest)
    expect(beyond).toBeGreaterThan(24)
    expect(screen(manifest)).toContain(
      `Shown are 24 of ${total}: the strongest of those beyond chance. If no difference were real, about ${Math.round(total / 20)} of ${total} would be beyond chance.`,
    )
  })
})
