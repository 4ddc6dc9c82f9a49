import { describe, expect, it } from 'vitest'
import { comparisonAnswers } from '../../src/answers/words/answer-text.ts'
import { leadingAnswers, remainderTexts, verdictText } from '../../src/answers/words/leading-answers.ts'
import { compared, liftManifest, mean, share } from '../report/example-answers.ts'
import { exampleComparison, exampleManifest } from './example-manifest.ts'

const ALL = { ofOutcome: 3, all: 30 }
const answersOf = (...asked: Parameters<typeof liftManifest>) => comparisonAnswers(liftManifest(...asked))[0]!

/** `beyond` differences beyond chance, and `within` inside it, each of another scenario. */
function many(beyond: number, within: number) {
  const result = (i: number) => compared({ intent: { Yes: share(0.3, i < beyond ? 0.5 + i / 1000 : 0.301, 0.02) } })
  return Object.fromEntries(Array.from({ length: beyond + within }, (_, i) => [`s${i}`, result(i)]))
}

describe('the verdict on a comparison', () => {
  it.each([
    [many(3, 2), '3 of 5 differences are beyond chance'],
    [many(1, 2), '1 of 3 differences is beyond chance'],
    [many(0, 4), 'none of 4 differences is beyond chance'],
    [many(1, 0), 'the difference is beyond chance'],
    [many(0, 1), 'the difference is within chance'],
    [{}, 'no differences'],
    [{ more: { status: 'missing', shares: {}, means: {} } as const }, 'no differences, because results are missing'],
  ])('counts the differences beyond chance (%#)', (scenarios, text) => {
    expect(verdictText(answersOf(scenarios))).toBe(text)
  })

  it('says where it is unknown whether a difference is beyond chance', () => {
    const manifest = exampleManifest(undefined, { comparisons: { lift: exampleComparison() } })
    expect(verdictText(comparisonAnswers(manifest)[0]!)).toBe('3 differences; nothing is known about chance')
    const few = share(0.3, 0.5, 0.02, { interval: null, standard_error: null, support: 'too_few_rows' })
    expect(verdictText(answersOf({ more: compared({ intent: { Yes: few } }) }))).toBe(
      '1 difference; too few seed rows for an interval',
    )
  })
})

describe('the leading answers', () => {
  it('are the strongest of each outcome beyond chance, in the sequence of outcomes', () => {
    const result = (yes: number, age: number) =>
      compared({ intent: { No: share(0.3, 0.301, 0.02), Yes: share(0.3, yes, 0.02) } }, { age: mean(40, age, 0.5) })
    const { answers } = answersOf({ a: result(0.4, 44), b: result(0.5, 40.1), c: result(0.31, 48) })
    const { outcomes, more } = leadingAnswers(answers, ALL)
    expect(
      outcomes.map(({ column, level, answers: shown }) => [column, level, shown.map((one) => one.scenario)]),
    ).toEqual([
      ['intent', 'Yes', ['b', 'a']],
      ['age', null, ['c', 'a']],
    ])
    expect(more).toBe(0)
  })

  it('have a maximum number, and the others are counted', () => {
    const { answers } = answersOf(many(8, 1))
    const { outcomes, more } = leadingAnswers(answers, ALL)
    expect(outcomes.map(({ answers: shown }) => shown.map(({ scenario }) => scenario))).toEqual([['s7', 's6', 's5']])
    expect(more).toBe(5)
    expect(leadingAnswers(answers, { ofOutcome: 3, all: 2 }).more).toBe(6)
    expect(leadingAnswers(answers, { ofOutcome: 3, all: 0 })).toEqual({ outcomes: [], more: 8 })
  })

  it('are the largest differences if chance is unknown', () => {
    const { answers } = comparisonAnswers(
      exampleManifest(undefined, { comparisons: { lift: exampleComparison() } }),
    )[0]!
    expect(leadingAnswers(answers, ALL).outcomes.map(({ column, level }) => level ?? column)).toEqual([
      'Yes',
      'No',
      'age',
    ])
  })
})

describe('the remarks below the leading answers', () => {
  const textsOf = (...asked: Parameters<typeof liftManifest>) => {
    const comparison = answersOf(...asked)
    return remainderTexts(comparison, leadingAnswers(comparison.answers, ALL).more)
  }

  it('count what is left out', () => {
    expect(textsOf(many(4, 3))).toEqual(['1 more is beyond chance', '3 more are within chance'])
    expect(textsOf(many(1, 1))).toEqual(['1 more is within chance'])
    expect(textsOf(many(0, 3))).toEqual([])
  })

  it('name differences without an interval, and scenarios without a result', () => {
    const few = share(0.3, 0.5, 0.02, { interval: null, standard_error: null, support: 'too_few_rows' })
    const scenarios = {
      more: compared({
        intent: { Yes: share(0.3, 0.5, 0.02), No: few, Unsure: share(0.1, 0.2, 0.02, { basis: 'generation' }) },
      }),
      gone: { status: 'missing', shares: {}, means: {} } as const,
    }
    expect(textsOf(scenarios)).toEqual([
      '1 more has too few seed rows for an interval',
      'nothing is known about chance in 1 more',
      '1 scenario without a result on both sides',
    ])
  })

  it('say which scenarios combine several replicates', () => {
    const spread = { shares: {}, means: {} }
    const pooled = (...ids: readonly string[]) => ({
      ...compared({ intent: { Yes: share(0.3, 0.4, 0.02) } }),
      replicates: { ids, spread },
    })
    const [three, two] = [pooled('a--r1', 'a--r2', 'a--r3'), pooled('b--r1', 'b--r2')]
    expect(textsOf({ a: three })).toEqual(['1 scenario is pooled from 3 replicates'])
    const baseline = { against_replicates: ['base--r1', 'base--r2', 'base--r3'] }
    expect(textsOf({ a: three }, baseline)).toEqual(['2 scenarios are pooled from 3 replicates each'])
    expect(textsOf({ a: three, b: two })).toEqual(['2 scenarios are pooled from 2 to 3 replicates each'])
    expect(textsOf({ a: pooled() })).toEqual([])
  })

  it('remind of chance if there are many differences', () => {
    expect(textsOf(many(10, 30)).at(-1)).toBe('if no difference were real, about 2 of 40 would be beyond chance')
    expect(textsOf(many(1, 18)).at(-1)).toBe('18 more are within chance')
  })

  it('count differences inside segments that are beyond chance', () => {
    const segment = (level: string, to: number) => ({
      level,
      rows: { scenario: 900, against: 950 },
      shares: { intent: { Yes: share(0.3, to, 0.02) } },
      means: {},
    })
    const more = {
      ...compared({ intent: { Yes: share(0.3, 0.4, 0.02) } }),
      segments: [segment('north', 0.5), segment('south', 0.31)],
    }
    expect(textsOf({ more }, { by: 'region' })).toEqual([
      'by region: 1 of 2 differences inside segments is beyond chance',
    ])
  })

  it('says what chance alone does in many segments, and where nothing is known about it', () => {
    const inside = (count: number, change: Partial<ReturnType<typeof share>> = {}) => ({
      ...compared({ intent: { Yes: share(0.3, 0.4, 0.02) } }),
      segments: Array.from({ length: count }, (_, i) => ({
        level: `s${i}`,
        rows: { scenario: 900, against: 950 },
        shares: { intent: { Yes: share(0.3, 0.4, 0.02, change) } },
        means: {},
      })),
    })
    expect(textsOf({ more: inside(40) }, { by: 'region' })).toEqual([
      'by region: 40 of 40 differences inside segments are beyond chance, and about 2 would be if none were real',
    ])
    expect(textsOf({ more: inside(3, { basis: 'generation' }) }, { by: 'region' })).toEqual([
      'by region: 3 differences inside segments; nothing is known about chance',
    ])
  })
})
