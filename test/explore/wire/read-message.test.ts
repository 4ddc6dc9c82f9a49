import { expect, it } from 'vitest'
import { readMessage } from '../../../src/explore/wire/read-message.ts'

it.each([
  '{"conditions":{"categorical":{"region":{"North":0.5}}},"outcomes":["intent"]}',
  '{"conditions":{"categorical":{"__proto__":{"Yes":0.5},"region":{"__proto__":0.5}}},"outcomes":["__proto__"]}',
  '{"conditions":{"numeric":{"age":{"min":18,"max":65}},"means":{"age":40}},"outcomes":["intent"]}',
])('a question is read as it was sent: %s', (text) => {
  expect(JSON.stringify(readMessage('answers', text))).toBe(text)
})

it.each([
  '',
  'null',
  '{"conditions":{}}',
  '{"conditions":{},"outcomes":[]}',
  '{"conditions":{"categorical":{"region":{"North":1.5}}},"outcomes":["intent"]}',
  '{"conditions":{},"outcomes":["intent"],"rows":10}',
])('what is no question is refused: %s', (text) => {
  expect(readMessage('answers', text)).toBeNull()
})

it.each([
  ['kept', '{"scenarios":[],"outcomes":["a"]}'],
  ['kept', '{"scenarios":[{"id":"a","conditions":{}}],"outcomes":["a"],"path":"/etc/passwd"}'],
  ['needed', '{"conditions":{},"lever":{"column":"a","level":"b"},"figure":{"column":"c","level":null},"by":"5"}'],
  ['matters', '{"figure":{"column":"a"}}'],
  ['run', '{"say":"delete"}'],
] as const)('what is no message of its kind is refused: %s %s', (kind, text) => {
  expect(readMessage(kind, text)).toBeNull()
})
