import { describe, expect, it } from 'vitest'
import { originalNames } from '../../../src/study/live-schema/original-names.ts'

const found = (...args: Parameters<typeof originalNames>) => {
  const { names, split, clashing, isUnknown } = originalNames(...args)
  return { names: Object.fromEntries(names), split: Object.fromEntries(split), clashing, isUnknown }
}
const NOTHING = { split: {}, clashing: [], isUnknown: false }

describe('names of the seed file', () => {
  it('come from the schema if it has them', () => {
    const columns = [
      { name: 'purchase.intent', source_name: 'purchase_intent' },
      { name: 'age', source_name: 'age' },
    ]
    expect(found(columns, [])).toEqual({ ...NOTHING, names: { 'purchase.intent': 'purchase_intent' } })
  })

  it('come from the cleaning summary if the schema has none', () => {
    const columns = [{ name: 'purchase.intent' }, { name: 'age' }]
    const renamed = [{ from: 'purchase_intent', to: 'purchase.intent' }]
    expect(found(columns, renamed)).toEqual({ ...NOTHING, names: { 'purchase.intent': 'purchase_intent' } })
  })

  it('are unknown if the service does not report them', () => {
    expect(found([{ name: 'age' }], [])).toEqual({ ...NOTHING, names: {}, isUnknown: true })
    expect(found([], [])).toEqual({ ...NOTHING, names: {} })
  })

  it('leave out headers without text', () => {
    const columns = [
      { name: 'column.1', source_name: ' ' },
      { name: 'age', source_name: 'Age' },
    ]
    expect(found(columns, [{ from: '', to: 'column.1' }])).toEqual({ ...NOTHING, names: { age: 'Age' } })
  })

  it('leave options of a question unchanged', () => {
    const columns = [
      { name: 'drinks.milk', source_name: 'Drinks', source_option: 'Milk' },
      { name: 'drinks.tea', source_name: 'Drinks', source_option: 'Tea' },
      { name: 'food.bread', source_name: 'Food', source_option: 'Bread' },
      { name: 'age', source_name: 'Age' },
    ]
    const split = { Drinks: ['drinks.milk', 'drinks.tea'], Food: ['food.bread'] }
    expect(found(columns, [])).toEqual({ ...NOTHING, names: { age: 'Age' }, split })
  })

  it('are left out if two columns would share one, also in another case', () => {
    const columns = [
      { name: 'a', source_name: 'B' },
      { name: 'b', source_name: 'b' },
      { name: 'c', source_name: 'C!' },
    ]
    expect(found(columns, [])).toEqual({ ...NOTHING, names: { c: 'C!' }, clashing: ['a'] })
  })

  it('are left out in turn if a cleaned name takes the place of another', () => {
    const columns = [
      { name: 'a', source_name: 'x' },
      { name: 'b', source_name: 'X' },
      { name: 'c', source_name: 'a' },
    ]
    expect(found(columns, [])).toEqual({ ...NOTHING, names: {}, clashing: ['a', 'b', 'c'] })
  })
})
