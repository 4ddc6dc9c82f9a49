import { describe, expect, it } from 'vitest'
import { cutText, shortened, textTable, wrappedLines } from '../../../src/base/text/fit-text.ts'
import { endOfWidth, startOfWidth } from '../../../src/base/text/text-width.ts'

it.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['a😀', 3, 'a😀'],
  ['a😀', 2, 'a'],
  ['😀', 1, ''],
])('%s cut to %i is %j, without half a character', (text, longest, cut) => {
  expect(cutText(text, longest)).toBe(cut)
})

describe('text in scripts of wide and of combined characters', () => {
  const rows = [
    ['非常满意', '1'],
    ['cafe\u0301', '20'],
    ['👩‍👩‍👧', '300'],
    ['Yes', '4'],
  ]

  it('stands in straight columns, because a terminal gives an East Asian character two', () => {
    expect(textTable([{ title: 'level' }, { title: 'n', align: 'right' }], rows, 80)).toBe(
      'level       n\n非常满意    1\ncafe\u0301       20\n👩‍👩‍👧        300\nYes         4\n',
    )
  })

  it('is cut to the width, between characters', () => {
    expect(shortened('非常满意', 8)).toBe('非常满意')
    expect(shortened('非常满意', 7)).toBe('非常满…')
    expect(shortened('非常满意', 6)).toBe('非常…')
    expect(shortened('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…')
    expect(startOfWidth('cafe\u0301s', 4)).toBe('cafe\u0301')
    expect(endOfWidth('非常满意', 5)).toBe('满意')
  })

  it('is wrapped at the width', () => {
    expect(wrappedLines('  ', '非常 满意 Yes', 8)).toEqual(['  非常', '  满意', '  Yes'])
  })
})
