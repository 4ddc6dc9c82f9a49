import { describe, expect, test } from 'vitest'
import { sameSpelling, suggest } from '../../../src/study/diagnostics/did-you-mean.ts'

describe('suggestions', () => {
  test.each([
    ['purchase_intent', ['purchase.intent'], ['purchase.intent']],
    ['Purchase Intent', ['purchase.intent', 'purchase'], ['purchase.intent']],
    [' north ', ['North', 'South'], ['North']],
    ['cafe\u0301', ['caf\u00e9'], ['caf\u00e9']],
    ['\u201CYes\u201D', ['No', 'Yes'], ['Yes']],
    ['\u00ABS\u00ED\u00BB', ['No', 'S\u00ED'], ['S\u00ED']],
    ['Nrth', ['North', 'South'], ['North']],
    ['Notrh', ['North', 'South'], ['North']],
    ['shares', ['shares'], []],
    ['ab', ['ba', 'xb', 'cd'], ['ba', 'xb']],
    ['Nord', ['North'], []],
    ['abcdefgh', ['abcdefxx', 'abcdexxx'], ['abcdefxx']],
    ['region', [], []],
    ['loyalty', ['loyaltyx', 'region', 'loyalty.member'], ['loyaltyx', 'loyalty.member']],
    ['Own label', ['Own-label brand', 'Own'], ['Own-label brand']],
    ['is', ['is.member'], []],
    ['', ['a', 'ab'], ['a']],
    ['\u{1F600}', ['\u{1F601}'], ['\u{1F601}']],
  ])('for %j among %j are %j', (name, candidates, expected) => {
    expect(suggest(name, candidates)).toEqual(expected)
  })

  test('have the same spelling first, then the nearest, and number at most three', () => {
    const candidates = ['regions', 'regjons', 'Region', 'regoin', 're-gion', 'egion']
    expect(suggest('region', candidates)).toEqual(['Region', 'regions', 'regoin'])
    expect(suggest('regionally', ['regionlly', 'regjonlly', 'Regionally'])).toEqual([
      'Regionally',
      'regionlly',
      'regjonlly',
    ])
  })

  test('for very long names compare spelling only', () => {
    const long = 'a'.repeat(500_000)
    expect(suggest(`${long}b`, [long])).toEqual([])
    expect(suggest(long, [long.toUpperCase()])).toEqual([long.toUpperCase()])
  })

  test('can be applied without asking if only the spelling differs', () => {
    expect(sameSpelling('purchase_intent', ['purchase.intent', 'purchase.intents', 'Purchase-Intent'])).toEqual([
      'purchase.intent',
      'Purchase-Intent',
    ])
  })
})
