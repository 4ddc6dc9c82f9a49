import { expect, it } from 'vitest'
import { readMessage } from '../../../src/explore/wire/read-message.ts'

it.each([
  '{"conditions":{"categorical":{"region":{"North":0.5}}},"outcomes":[{"column":"intent","of":"shares"}],"where":[]}',
  '{"conditions":{"categorical":{"__proto__":{"Yes":0.5},"region":{"__proto__":0.5}}},"outcomes":[{"column":"__proto__","of":"mean"}],"where":[{"column":"__proto__","levels":["Yes"]}]}',
  '{"conditions":{"numeric":{"age":{"min":18,"max":65}},"means":{"age":40}},"outcomes":[{"column":"age","of":0.9}],"where":[{"column":"age","min":18}],"by":"region","distribution":"age"}',
])('a question is read as it was sent: %s', (text) => {
  expect(JSON.stringify(readMessage('answers', text))).toBe(text)
})

it.each([
  '',
  'null',
  '{"conditions":{}}',
  '{"conditions":{},"outcomes":[],"where":[]}',
  '{"conditions":{},"outcomes":["intent"],"where":[]}',
  '{"conditions":{},"outcomes":[{"column":"age","of":0}],"where":[]}',
  '{"conditions":{},"outcomes":[{"column":"age","of":"median"}],"where":[]}',
  '{"conditions":{},"outcomes":[{"column":"age","of":"mean"}]}',
  '{"conditions":{},"outcomes":[{"column":"age","of":"mean"}],"where":[{"column":"region","levels":[]}]}',
  '{"conditions":{"categorical":{"region":{"North":1.5}}},"outcomes":[{"column":"intent","of":"shares"}],"where":[]}',
  '{"conditions":{},"outcomes":[{"column":"intent","of":"shares"}],"where":[],"rows":10}',
])('what is no question is refused: %s', (text) => {
  expect(readMessage('answers', text)).toBeNull()
})

it.each([
  ['kept', '{"scenarios":[],"outcomes":[{"column":"a","of":"mean"}],"where":[]}'],
  [
    'kept',
    '{"scenarios":[{"id":"a","conditions":{}}],"outcomes":[{"column":"a","of":"mean"}],"where":[],"path":"/etc/passwd"}',
  ],
  [
    'needed',
    '{"conditions":{},"lever":{"column":"a","level":"b"},"figure":{"column":"c","level":null},"where":[],"by":"5"}',
  ],
  ['matters', '{"figure":{"column":"a"},"where":[]}'],
  ['run', '{"say":"delete"}'],
] as const)('what is no message of its kind is refused: %s %s', (kind, text) => {
  expect(readMessage(kind, text)).toBeNull()
})
