import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isCollection, isScalar, parseDocument, visit } from 'yaml'
import { loadStudy } from '../../src/study/load/load-study.ts'

/** Brackets over several lines, in lists, around quotes; quotes of both kinds, in keys, lists and unquoted values. */
const FLOWING = `version: 1
name: 'flowing'   # what's "in" a comment counts for nothing
description: "a text with { and ' in it"
tags: ["one", 'two', three]
datasets: { panel: { file: "panel.csv" } }
defaults: {
  rows: 100,
  seed: 1,
  expect: { fill: { min: 0.5 },
    shares: { tolerance: 0.2 } }
}
scenarios:
  base: {}
  more:
    description: it's [not] a list
    shares: { "region": { North: 0.5, 'South': 0.25 }, size: { "1": 0.5 } }
    ranges:
      age: { min: 18, max: 65 }
  grid:
    matrix:
      axes: [
        { name: rows, set: [rows], values: { few: 100, many: 200 } },
        { name: share, set: [shares, answer, "Yes"], values: { low: 0.2, high: 0.8 } },
      ]
      exclude:
        - { rows: few, share: low }
        - { rows: many, share: low }
`

const JSON_STUDY = JSON.stringify(
  {
    version: 1,
    name: 'json',
    datasets: { panel: { file: 'panel.csv' } },
    defaults: { rows: 100, seed: 1 },
    scenarios: { base: {}, more: { tags: ['a', 'b'], shares: { region: { North: 0.5, South: 0.25 } } } },
  },
  null,
  2,
)

const example = (name: string) => readFileSync(new URL(`../../examples/coffee/${name}`, import.meta.url), 'utf8')

const STUDIES = {
  'the coffee example': example('coffee.study.yaml'),
  'the small example': example('minimal.study.yaml'),
  'a study with every kind of bracket': FLOWING,
  'the same with CRLF': FLOWING.replaceAll('\n', '\r\n'),
  'the same with tabs between': FLOWING.replaceAll(': {', ':\t{').replaceAll(', ', ',\t'),
  'the same with a byte order mark': `\uFEFF${FLOWING}`,
  'a study in JSON': JSON_STUDY,
}

/** Where every bracket and quote is opened and closed, as the library reads the whole text. */
function pairsOf(text: string): { opened: number; closed: number }[] {
  const pairs: { opened: number; closed: number }[] = []
  visit(parseDocument(text, { stringKeys: true }), {
    Node: (_, node) => {
      const isQuoted = isScalar(node) && /^QUOTE/.test(node.type ?? '')
      const isFlow = isCollection(node) && node.flow === true
      if ((isQuoted || isFlow) && node.range) pairs.push({ opened: node.range[0], closed: node.range[1] - 1 })
    },
  })
  return pairs
}

const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1)
const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

describe('a study that lacks a closing bracket or quote', () => {
  test.each(Object.entries(STUDIES))('is reported in the line of the opening one: %s', (_, text) => {
    expect(loadStudy(text, { filename: 'x' }).diagnostics.filter((d) => d.severity === 'error')).toEqual([])
    // If one of two adjacent closing brackets is missing, nobody can know which one.
    const cuts = new Map<string, { broken: string; lines: Set<number> }>()
    for (const { opened, closed } of pairsOf(text)) {
      expect(text.charAt(closed)).toMatch(/[\]}"']/)
      const broken = without(text, closed)
      const key = broken.replaceAll(/[ \t]+/g, '')
      const cut = cuts.get(key) ?? { broken, lines: new Set() }
      cuts.set(key, cut)
      cut.lines.add(lineOf(text, opened))
    }
    expect(cuts.size).toBeGreaterThan(0)
    const missed = [...cuts.values()].flatMap(({ broken, lines }) => {
      const [first] = loadStudy(broken, { filename: 'x' }).diagnostics
      const isShown = first?.code === 'S1001' && lines.has(first.range?.start.line ?? 0)
      return isShown
        ? []
        : [{ lines: [...lines], found: `${first?.range?.start.line} ${first?.code} ${first?.summary}` }]
    })
    expect(missed).toEqual([])
  })
})

describe('brackets and quotes', () => {
  test.each([
    ['a text over several lines before it', 'description: "a text\n  in two lines"\nname: @x\n', 3],
    ['brackets over several lines before it', 'tags: [\n  a,\n  b,\n]\nname: @x\n', 5],
    ['an unclosed bracket behind it', 'name: @x\ntags: [a\n', 1],
    [
      'unpaired marks in a comment, a block of text and an unquoted value',
      'x-a: |\n  {"\nx-b: it\'s ]\n# {"\nname: @x\n',
      5,
    ],
  ])('do not hide another fault with %s', (_, text, line) => {
    const [first] = loadStudy(text, { filename: 'x' }).diagnostics
    expect(first?.summary).toContain('reserved character @')
    expect(first?.range?.start.line).toBe(line)
  })

  test.each(['tags: { a ]\n', 'tags: [a }\n', 'tags: ["a\n', "tags: {\t'a: b }\n", 'tags: [', 'name: "'])(
    'are reported if they stay open to the end of the file: %j',
    (text) => {
      const [first, ...more] = loadStudy(text, { filename: 'x' }).diagnostics
      expect(first?.summary).toMatch(/^YAML syntax: this (quote|[[{]) is not closed$/)
      expect(first?.range?.start).toMatchObject({ line: 1 })
      expect(more).toEqual([])
    },
  )
})
