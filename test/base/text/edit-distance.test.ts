import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EditDistance } from '../../../src/base/text/edit-distance.ts'

const LONGEST = 100

/** The whole table of distances, said plainly. */
function referenceDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j))
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      table[i]![j] = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (isSame ? 0 : 1),
        exchanged ? table[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return table[a.length]![b.length]!
}

const word = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '\u{1f986}'), maxLength }).map((text) => text.slice(0, LONGEST))

describe('the distance of two texts', () => {
  it.each([
    ['region', 'region', 0],
    ['region', 'regoin', 1],
    ['region', 'reigon', 1],
    ['region', 'regions', 1],
    ['region', 'egion', 1],
    ['region', 'legion', 1],
    ['ca', 'abc', 3],
    ['', 'abc', 3],
    ['abc', '', 3],
  ])('of %s and %s is %d', (a, b, distance) => {
    expect(new EditDistance(a).to(b)).toBe(distance)
  })

  it('equals the distance of the whole table for names of any length', () => {
    fc.assert(
      fc.property(word(LONGEST), fc.array(word(LONGEST), { maxLength: 3 }), (a, others) => {
        const distance = new EditDistance(a)
        for (const b of others) expect(distance.to(b)).toBe(referenceDistance(a, b))
      }),
      { numRuns: 300 },
    )
  })

  it('counts exchanges over the ends of words of 32 bits', () => {
    const text = Array.from({ length: LONGEST }, (_, i) => String.fromCharCode(0x100 + i)).join('')
    const distance = new EditDistance(text)
    for (let i = 0; i + 1 < LONGEST; i++) {
      const exchanged = `${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`
      expect(distance.to(exchanged)).toBe(1)
    }
  })
})
