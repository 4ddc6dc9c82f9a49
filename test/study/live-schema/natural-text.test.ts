import { describe, expect, it } from 'vitest'
import { levelWithShare, naturalText } from '../../../src/study/live-schema/natural-text.ts'

describe('a level with its share', () => {
  it.each([
    ['Yes', 0.35, 'Yes 0.35'],
    ['Yes', null, 'Yes'],
    ['Yes', undefined, 'Yes'],
    ['1', 0.2, '"1" 0.2'],
    ['Milk, Sugar', 0.2, '"Milk, Sugar" 0.2'],
    ['2024', null, '2024'],
  ])('%s at %s is %s', (level, share, text) => {
    expect(levelWithShare(level, share)).toBe(text)
  })
})

describe('a column in words', () => {
  const age = { name: 'age', kind: 'numeric', min: 18, max: 84 } as const
  it.each([
    [{ name: 'm', kind: 'categorical', levels: ['No', 'Yes'], levelShares: [0.65, 0.35] }, 'No 0.65, Yes 0.35'],
    [{ name: 'm', kind: 'categorical', levels: ['No', 'Yes'] }, 'No, Yes'],
    [age, '18 to 84'],
    [{ ...age, quantiles: { q50: 43 } }, '18 to 84, median 43'],
    [{ ...age, quantiles: { q05: 21, q50: 43, q95: 72 } }, '18 to 84, median 43, 90 % within 21 to 72'],
    [{ name: 'x', kind: 'unknown' }, 'unknown'],
    [{ name: 'm', kind: 'categorical', levels: ['\u001b[2J'], levelShares: [1] }, '\\x1b[2J 1'],
  ] as const)('%j is written as %s', (column, text) => {
    expect(naturalText(column as Parameters<typeof naturalText>[0])).toBe(text)
  })
})
