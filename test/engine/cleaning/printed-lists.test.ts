import { expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { uniforms } from './answers.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const WORDS = ["'Tea'", "'Milk'", "'Rum'"]

/** Cells of 600 people who tick each of some options or none, as `print` writes them. */
function printed(options: readonly string[], print: (chosen: readonly string[]) => string): string[] {
  const next = uniforms(11)
  return rows(600, () => print(options.filter(() => next() < 0.5)))
}

function optionsOf(values: readonly string[]): string[] | null {
  const keep = numbers(
    'age',
    rows(values.length, (i) => 18 + (i % 50)),
  )
  const [split] = cleanTable(table(keep, texts('q_7', values)), { autoClean: true }).report.splitColumns
  return split === undefined ? null : split.into.map(({ option }) => option).sort()
}

it.each<[string, string[], string[]]>([
  [
    'tuples of Python',
    printed(WORDS, (c) => (c.length === 1 ? `(${c[0]},)` : `(${c.join(', ')})`)),
    ['Milk', 'Rum', 'Tea'],
  ],
  ['sets of Python', printed(WORDS, (c) => (c.length === 0 ? 'set()' : `{${c.join(', ')}}`)), ['Milk', 'Rum', 'Tea']],
  ['texts as numpy prints them', printed(WORDS, (c) => `[${c.join(' ')}]`), ['Milk', 'Rum', 'Tea']],
  ['codes as numpy prints them', printed([' 1', ' 2', '12'], (c) => `[${c.join(' ')}]`), ['1', '12', '2']],
  [
    'lists beside None',
    printed(WORDS, (c) => (c.length === 0 ? 'None' : `[${c.join(', ')}]`)),
    ['Milk', 'None', 'Rum', 'Tea'],
  ],
  [
    'lists with an apostrophe in an option',
    printed(["'Tea'", `"Driver's"`, "'Rum'"], (c) => `[${c.join(', ')}]`),
    ["Driver's", 'Rum', 'Tea'],
  ],
])('%s are several answers', (_, values, options) => {
  expect(optionsOf(values)).toEqual(options)
})

it.each<[string, string[]]>([
  ['remarks in brackets beside words', rows(600, (i) => ['[sic]', 'yes', 'no'][i % 3]!)],
  ['intervals', rows(600, (i) => ['[18, 30)', '[30, 45)', '[45, 99]'][i % 3]!)],
  ['records of JSON', rows(600, (i) => `{"tea": ${i % 2}, "rum": ${i % 3}}`)],
  ['words in parentheses', rows(600, (i) => ['(none)', '(some)', '(many)'][i % 3]!)],
])('%s are not', (_, values) => {
  expect(optionsOf(values)).toBeNull()
})

/** Cells of 200 people who mostly chose one, by the number of people. */
const few = (cells: Readonly<Record<string, number>>) => {
  const listed = Object.entries(cells).flatMap(([cell, count]) => rows(count, () => cell))
  return rows(200, (i) => listed[(i * 7) % listed.length]!)
}

it.each([
  ['in printed lists', { "['A']": 97, "['B']": 60, "['C']": 40, "['A', 'C']": 2, "['A', 'B']": 1 }],
  ['between semicolons', { A: 90, B: 60, C: 40, 'A;C': 6, 'A;B': 4 }],
])('options that few people combined are split where nothing else is possible: %s', (_, cells) => {
  expect(optionsOf(few(cells))).toEqual(['A', 'B', 'C'])
})

it.each([
  ['of two levels and a comma', { 'Yes, always': 30, 'No, never': 70, Yes: 50, No: 50 }],
  ['of directions', { North: 40, South: 30, East: 30, West: 20, 'North East': 30, 'South West': 30, 'South East': 20 }],
  ['of towns', { 'New York': 50, York: 40, 'San Diego': 40, 'San Jose': 40, 'New Haven': 30 }],
  ['of answers', { Agree: 50, 'Strongly Agree': 50, Disagree: 50, 'Strongly Disagree': 50 }],
  ['with a note behind a semicolon', { Yes: 100, No: 70, 'Yes; not sure': 30 }],
])('are not split: names %s', (_, cells) => {
  expect(optionsOf(few(cells))).toBeNull()
})
