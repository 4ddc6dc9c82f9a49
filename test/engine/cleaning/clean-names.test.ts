import { describe, expect, it } from 'vitest'
import { cleanNames, makeUnique } from '../../../src/engine/clean.ts'

describe('clean names', () => {
  it.each([
    ['purchase_intent', 'purchase.intent'],
    ['purchase intent (%)', 'purchase.intent'],
    ['a__-- b', 'a.b'],
    ['a.b', 'a.b'],
    ['a..b', 'a..b'],
    ['_hidden_', 'hidden'],
    ['2024 sales', 'X2024.sales'],
    ['Größe', 'Größe'],
    ['Größe'.normalize('NFD'), 'Größe'],
    ['दर_प्रति', 'दर.प्रति'],
    ['m²', 'm'],
    ['年齢', '年齢'],
    ['=cmd|x', 'cmd.x'],
    ['__proto__', 'proto'],
  ])('%s becomes %s', (header, name) => {
    expect(cleanNames([header])).toEqual([name])
  })

  it('call a column by its place when nothing is left of its header', () => {
    expect(cleanNames(['a', '???', '🦆'])).toEqual(['a', 'column.2', 'column.3'])
  })

  it('differ where headers become equal, in the sequence of the columns, and avoid the names of other columns', () => {
    expect(cleanNames(['a_b', 'a b', 'a-b', 'a.b.1'])).toEqual(['a.b', 'a.b.2', 'a.b.3', 'a.b.1'])
  })
})

describe('unique names', () => {
  it('leave other headers unchanged', () => {
    expect(makeUnique(['a_b', ' x ', 'a_b'])).toEqual(['a_b', ' x ', 'a_b.1'])
  })
})
