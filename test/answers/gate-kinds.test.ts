import { expect, it } from 'vitest'
import { gateKindOf } from '../../src/answers/gates/gate-kinds.ts'

it.each([
  ['fill', 'fill'],
  ['ranges', 'ranges'],
  ['mixed_model', 'mixed_model'],
  ['shares:region', 'shares'],
  ['shares:a:b', 'shares'],
  ['delta:members:income', 'delta'],
  ['delta:members:region:North', 'delta'],
  ['fill:region', null],
  ['shares', null],
  ['median:members:income', null],
  ['toString', null],
  ['', null],
])('the gate %j of a manifest is of kind %j', (id, kind) => {
  expect(gateKindOf(id)).toBe(kind)
})
