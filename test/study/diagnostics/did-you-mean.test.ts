import { describe, expect, test } from 'vitest'
import { sameSpelling, suggest } from '../../../src/study/diagnostics/did-you-mean.ts'

describe('suggestions', () => {
  test.each([
    ['purchase_intent', ['purchase.intent'], ['purchase.intent']],
    ['Purchase Intent', ['purchase.intent', 'purchase'], ['purchase.intent']],
    [' north ', ['North', 'South'], ['North']],
    ['cafe\u0301', ['caf\u00e9'], ['caf\u00e9']],
    ['Nrth', ['North', 'South'], ['North']],
    ['Notrh', ['North', 'South'], ['North']],
    ['shares', ['shares'], []],
    ['ab', ['ba', 'xb', 'cd'], ['ba', 'xb']],
    ['Nord', ['North'], []],
    ['abcdefgh', ['abcdefxx', 'abcdexxx'], ['abcdefxx']],
    ['region', [], []],
    ['', ['a', 'ab'], ['a']],
    ['\u{1F600}', ['\u{1F601}'], ['\u{1F601}']],
  ])('for %j among %j are %j', (name, candidates, expected) => {
    expect(suggest(name, candidates)).toEqual(expected)
  })

  test('put the same spelling before a near one, then the nearest, and are at most three', () => {
    const candidates = ['regions', 'regjons', 'Region', 'regoin', 're-gion', 'egion']
    expect(suggest('region', candidates)).toEqual(['Region', 'regions', 'regoin'])
    expect(suggest('regionally', ['regionlly', 'regjonlly', 'Regionally'])).toEqual([
      'Regionally',
      'regionlly',
      'regjonlly',
    ])
  })

  test('of very long names compare spelling only', () => {
    const long = 'a'.repeat(500_000)
    expect(suggest(`${long}b`, [long])).toEqual([])
    expect(suggest(long, [long.toUpperCase()])).toEqual([long.toUpperCase()])
  })

  test('that may be applied without asking are those of the same spelling', () => {
    expect(sameSpelling('purchase_intent', ['purchase.intent', 'purchase.intents', 'Purchase-Intent'])).toEqual([
      'purchase.intent',
      'Purchase-Intent',
    ])
  })
})
