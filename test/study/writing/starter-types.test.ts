import { expect, test } from 'vitest'
import { type CodedColumn, codeTypes } from '../../../src/study/writing/starter-types.ts'

const levels = (...codes: (number | string)[]) => codes.map(String)
const numbers = (min: number, max: number, integer = true) => ({ min, max, integer })

test.each<[what: string, column: Omit<CodedColumn, 'name'>, type: 'ordinal' | 'numeric' | null]>([
  ['answers from 1 to 5', { levels: levels(4, 2, 5, 1, 3) }, 'ordinal'],
  ['answers from 1 to 10', { levels: levels(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }, 'ordinal'],
  ['three codes', { levels: levels(0, 2, 1) }, 'ordinal'],
  ['a scale from 0 to 10, which is measured', numbers(0, 10), 'numeric'],
  ['the same scale, where nobody ticked 0 and 1', numbers(2, 10), 'numeric'],
  ['an option of a question with several answers', { levels: levels(0, 1, 2), source_option: 'TV' }, null],
  ['yes and no', { levels: levels(0, 1) }, null],
  ['words', { levels: levels('low', 'high', 'middle') }, null],
  ['codes beside a word', { levels: levels(1, 2, 'other') }, null],
  ['codes above 10', { levels: levels(1, 2, 98) }, null],
  ['numbers from 1 to 9, of which 9 may be no answer', numbers(1, 9), null],
  ['amounts', numbers(0, 120), null],
  ['fractions', numbers(0, 10, false), null],
  ['numbers of which the service does not tell whether they are whole', { min: 0, max: 10 }, null],
  ['dates', { min: '2024-01-01', max: '2024-12-31', integer: true }, null],
])('the type to keep of %s', (_, column, type) => {
  const found = codeTypes([{ name: 'q.1', source_name: 'q 1', ...column }])
  expect(found).toEqual(type === null ? {} : { 'q 1': type })
})
