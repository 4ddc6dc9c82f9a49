import { expect, it } from 'vitest'
import { cutText } from '../../../src/base/text/fit-text.ts'

it.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['a😀', 3, 'a😀'],
  ['a😀', 2, 'a'],
  ['😀', 1, ''],
])('%s cut to %i is %j, without half a character', (text, longest, cut) => {
  expect(cutText(text, longest)).toBe(cut)
})
