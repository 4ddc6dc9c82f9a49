import { describe, expect, it } from 'vitest'
import { nestsDeeper, withWellFormedEscapes } from '../../src/client/reply-body.ts'

describe('escapes of surrogates', () => {
  it.each([
    ['a pair', String.raw`"\ud83d\ude00"`, '😀'],
    ['a pair in capitals', String.raw`"\uD83D\uDE00"`, '😀'],
    ['a first half', String.raw`"a\ud83db"`, 'a\ufffdb'],
    ['a second half', String.raw`"a\ude00b"`, 'a\ufffdb'],
    ['two first halves and a second', String.raw`"\ud83d\ud83d\ude00"`, '\ufffd😀'],
    ['halves the wrong way round', String.raw`"\ude00\ud83d"`, '\ufffd\ufffd'],
    ['a half before another escape', String.raw`"\ud83d\n"`, '\ufffd\n'],
    ['a backslash and text', String.raw`"\\ud83d"`, String.raw`\ud83d`],
    ['a backslash and a half', String.raw`"\\\ud83d"`, '\\\ufffd'],
    ['none', String.raw`"\u0041\"\\"`, 'A"\\'],
  ])('that are %s', (_name, json, text) => {
    expect(JSON.parse(withWellFormedEscapes(json))).toBe(text)
  })

  it('are repaired in keys, too', () => {
    expect(JSON.parse(withWellFormedEscapes(String.raw`{"\ud83d":1}`))).toEqual({ '\ufffd': 1 })
  })
})

describe('nesting', () => {
  it.each([
    ['[[1]]', 2],
    ['{"a":{"b":[]}}', 3],
    ['[[],[],[[]]]', 3],
    [String.raw`["[[[[", "\"[[[", {"}": "{{{"}]`, 2],
  ])('of %s is %i deep', (json, depth) => {
    expect(nestsDeeper(json, depth)).toBe(false)
    expect(nestsDeeper(json, depth - 1)).toBe(true)
  })
})
