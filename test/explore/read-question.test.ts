import { expect, it } from 'vitest'
import { readQuestion } from '../../src/explore/read-question.ts'

it.each([
  '{"conditions":{"categorical":{"region":{"North":0.5}}},"outcomes":["intent"]}',
  '{"conditions":{"categorical":{"__proto__":{"Yes":0.5},"region":{"__proto__":0.5}}},"outcomes":["__proto__"]}',
  '{"conditions":{"numeric":{"age":{"min":18,"max":65}},"means":{"age":40}},"outcomes":["intent"]}',
])('a question is read as it was sent: %s', (text) => {
  expect(JSON.stringify(readQuestion(text))).toBe(text)
})

it.each([
  '',
  'null',
  '{"conditions":{}}',
  '{"conditions":{},"outcomes":[]}',
  '{"conditions":{"categorical":{"region":{"North":1.5}}},"outcomes":["intent"]}',
  '{"conditions":{},"outcomes":["intent"],"rows":10}',
])('what is no question is refused: %s', (text) => {
  expect(readQuestion(text)).toBeNull()
})
