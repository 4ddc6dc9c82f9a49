import { describe, expect, it } from 'vitest'
import { answerLines } from '../../../src/cli/output/answer-lines.ts'
import type { Manifest } from '../../../src/records/manifest/manifest.ts'
import { exampleComparison, exampleManifest } from '../../answers/example-manifest.ts'
import { compared, liftManifest, mean, share } from '../../report/example-answers.ts'

const textOf = (manifest: Manifest, width = 80) => answerLines(manifest, width).join('\n')
const longest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length))

const north = compared(
  { 'purchase.intent': { Yes: share(0.3469, 0.4899, 0.033), No: share(0.3, 0.28, 0.02) } },
  { 'spend.last.month': mean(21.3, 28.41, 0.75) },
)
const south = compared({ 'purchase.intent': { Yes: share(0.3469, 0.3979, 0.016), No: share(0.3, 0.29, 0.02) } }, {})

describe('the end of a run', () => {
  it('shows per outcome what is beyond chance, and counts the rest', () => {
    expect(textOf(liftManifest({ 'growth--north--most': north, 'growth--south--third': south }))).toBe(`
comparison lift, against base
  3 of 5 differences are beyond chance
                                From → to    Difference  95 % interval
  purchase.intent Yes
    growth--north--most   34.7 % → 49.0 %  +14.3 points    7.8 to 20.8
    growth--south--third  34.7 % → 39.8 %   +5.1 points     2.0 to 8.2
  spend.last.month mean
    growth--north--most       21.3 → 28.4          +7.1     5.6 to 8.6
  2 more are within chance
  intervals rest on: the seed, reweighted to both scenarios`)
  })

  it('names only outcomes where one scenario is compared', () => {
    expect(textOf(liftManifest({ 'growth--north--most': north }))).toBe(`
comparison lift, against base
  2 of 3 differences are beyond chance
  growth--north--most          From → to    Difference  95 % interval
  purchase.intent Yes    34.7 % → 49.0 %  +14.3 points    7.8 to 20.8
  spend.last.month mean      21.3 → 28.4          +7.1     5.6 to 8.6
  1 more is within chance
  intervals rest on: the seed, reweighted to both scenarios`)
  })

  it('has no table where nothing is beyond chance', () => {
    const flat = compared({ intent: { Yes: share(0.3, 0.31, 0.02), No: share(0.7, 0.69, 0.02) } })
    expect(textOf(liftManifest({ more: flat }))).toBe(`
comparison lift, against base
  none of 2 differences is beyond chance
  intervals rest on: the seed, reweighted to both scenarios`)
  })

  it('has no lines for a study without comparisons', () => {
    expect(answerLines(exampleManifest(), 80)).toEqual([])
  })

  it('marks differences without intervals as such', () => {
    const text = textOf(exampleManifest(undefined, { comparisons: { lift: exampleComparison() } }))
    expect(text).toContain('comparison lift, against base\n  3 differences; nothing is known about chance')
    expect(text).toMatch(/^ {2}intent Yes +26\.0 % → 36\.0 % +\+10\.0 points +–$/m)
  })

  it('says why there are no intervals', () => {
    const few = share(0.3, 0.5, 0.02, { interval: null, standard_error: null, support: 'too_few_rows' })
    const more = { ...compared({ intent: { Yes: few } }), no_estimates: 'estimates_refused' as const }
    expect(textOf(liftManifest({ more })).split('\n').at(-1)).toBe(
      '  no intervals: the service refused to estimate them',
    )
  })

  it('names each basis of the intervals once', () => {
    const rare = share(0.1, 0.3, 0.02, { basis: 'effective_rows' })
    const scenarios = { more: north, most: compared({ intent: { Never: rare } }) }
    expect(textOf(liftManifest(scenarios)).split('\n').slice(-2).join('')).toBe(
      '  intervals rest on: the seed, reweighted to both scenarios; bound, from  effective rows',
    )
  })

  it('shows at most thirty rows for all comparisons together', () => {
    const levels = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`L${i}`, share(0.1, 0.3, 0.02)]))
    const scenarios = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`s${i}`, compared({ intent: levels })]))
    const one = { against: 'base', scenarios, gates: [] }
    const text = textOf(exampleManifest(undefined, { comparisons: { first: one, second: one, third: one } }))
    expect(text.match(/^ {4}s\d /gm)).toHaveLength(30)
    expect(text).toContain('  16 more are beyond chance\n')
    expect(text).toContain('  34 more are beyond chance\n')
    expect(text).toContain('  40 more are beyond chance\n')
  })
})

describe('in any terminal', () => {
  const long = (end: string) => `${'n'.repeat(100)}--${'x'.repeat(17)}${end}`
  const scenarios = { [long('1')]: north, [long('2')]: south }

  it.each([80, 120])('the answers fit %d columns, whatever the names', (width) => {
    const outcome = { [`c${'o'.repeat(119)}`]: { ['l'.repeat(120)]: share(0.3, 0.5, 0.02) } }
    const text = textOf(liftManifest({ ...scenarios, more: compared(outcome) }, { against: 'base' }), width)
    expect(longest(text)).toBeLessThanOrEqual(width)
    // Names of a matrix differ at their ends.
    expect(text).toMatch(/^ {4}n+…[nx-]+1 +34\.7 %/m)
    expect(text).toMatch(/^ {4}n+…[nx-]+2 +34\.7 %/m)
  })

  it('names that would be cut alike stand in full above their figures', () => {
    const [one, other] = ['east', 'west'].map((side) => `mixes-of-people--${side}--doctors-and-other-staff`)
    const text = textOf(liftManifest({ [one!]: north, [other!]: south }))
    expect(text).toMatch(new RegExp(`^ {4}${one}\n +34\\.7 % → 49\\.0 %`, 'm'))
    expect(text).toMatch(new RegExp(`^ {4}${other}\n +34\\.7 % → 39\\.8 %`, 'm'))
    expect(longest(text)).toBeLessThanOrEqual(80)
  })

  it('no name moves the cursor or changes colours', () => {
    const hostile = { 'a\u001b[31m': compared({ 'b\u0007': { 'c\u202e': share(0.3, 0.5, 0.02) } }) }
    const text = textOf(liftManifest({ ...hostile, other: south }))
    for (const character of ['\u0007', '\u001b', '\u202e']) expect(text).not.toContain(character)
    expect(text).toContain('a\\x1b[31m')
    expect(text).toContain('b\\x07 c\\u{202e}')
  })
})
