import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manifestText } from '../../src/answers/manifest/manifest-writer.ts'

/** A reference implementation of the same. */
function referenceText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = Array.isArray(value)
    ? value.map((item) => referenceText(item, inner))
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${JSON.stringify(key)}: ${referenceText(member, inner)}`)
  return members.length === 0
    ? `${open}${close}`
    : `${open}\n${members.map((m) => inner + m).join(',\n')}\n${indent}${close}`
}

describe('the text of a manifest', () => {
  it('sorts the keys of every object by their code units', () => {
    // Keys that look like numbers are the ones that objects order by themselves.
    const key = fc.oneof(fc.stringMatching(/^[0-9]{1,3}$/), fc.constantFrom('a', 'B', '__proto__', 'é', '\n', ' '))
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(null, true, 0, -0, 1.5, 1e21, '', 'x\n  y', '\ud800'),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(key, tie('node'), { maxKeys: 12, noNullPrototype: false }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, node, { noNullPrototype: false }), (value) => {
        expect(manifestText(value)).toBe(`${referenceText(value)}\n`)
      }),
    )
  })

  it.each([
    ['by number where they would be', { 9: 1, 10: 2 }, '{\n  "10": 2,\n  "9": 1\n}\n'],
    [
      'deep down',
      { b: [{ 9: { c: [] }, 10: {} }], a: 1 },
      '{\n  "a": 1,\n  "b": [\n    {\n      "10": {},\n      "9": {\n        "c": []\n      }\n    }\n  ]\n}\n',
    ],
  ])('sorts keys only by code units: %s', (_, value, text) => {
    expect(manifestText(value)).toBe(text)
  })

  it('leaves out undefined members, and does not change its argument', () => {
    const value = { b: { d: 1, c: undefined }, a: [{ f: 1, e: 2 }] }
    const before = structuredClone(value)
    expect(manifestText(value)).toBe(
      '{\n  "a": [\n    {\n      "e": 2,\n      "f": 1\n    }\n  ],\n  "b": {\n    "d": 1\n  }\n}\n',
    )
    expect(value).toEqual(before)
    expect(Object.keys(value)).toEqual(['b', 'a'])
  })
})
