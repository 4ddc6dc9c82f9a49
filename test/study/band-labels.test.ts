import { describe, expect, it } from 'vitest'
import { bandLabels } from '../../src/study/band-labels.ts'

describe('the levels of a band', () => {
  it.each([
    ['whole numbers', [18, 30, 45, 65], true, ['under 18', '18-29', '30-44', '45-64', '65 and over']],
    ['a band of one number', [0, 1, 3], true, ['under 0', '0', '1-2', '3 and over']],
    ['negative numbers', [-10, 0], true, ['under -10', '-10 to -1', '0 and over']],
    ['one cut', [18], true, ['under 18', '18 and over']],
    ['other numbers', [18, 30], false, ['under 18', '18 to under 30', '30 and over']],
    ['a cut with decimals among whole numbers', [18, 30.5], true, ['under 18', '18 to under 30.5', '30.5 and over']],
    ['no cut', [], true, []],
  ])('of %s', (_, at, whole, labels) => {
    expect(bandLabels(at, whole)).toEqual(labels)
  })

  it('are distinct, and one more than the cuts', () => {
    const at = [-3, -2, 0, 0.5, 1e21]
    expect(new Set(bandLabels(at, false)).size).toBe(at.length + 1)
  })
})
