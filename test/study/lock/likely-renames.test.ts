import { describe, expect, it } from 'vitest'
import type { CleanedColumn } from '../../../src/study/live-schema/cleaned-schema.ts'
import { kindAdvice, recodeAdvice, renameAdvice } from '../../../src/study/lock/likely-renames.ts'

const categorical = (name: string, levels: readonly string[], more: Partial<CleanedColumn> = {}): CleanedColumn => ({
  name,
  kind: 'categorical',
  levels,
  ...more,
})
const numeric = (name: string): CleanedColumn => ({ name, kind: 'numeric' })
const named = (columns: readonly CleanedColumn[]) => new Map(columns.map((column) => [column.name, column]))

const advice = (name: string, locked: readonly CleanedColumn[], live: readonly CleanedColumn[]) =>
  renameAdvice(name, { locked: named(locked), live: named(live) })
const SCALE = ['never', 'often', 'always']

describe('a column that is gone', () => {
  it('is named again where one new column has its levels, by its name in the file', () => {
    const live = [categorical('Q7.2026', SCALE, { sourceName: 'Q7 (2026)' }), numeric('age')]
    expect(advice('visits', [categorical('visits', SCALE), numeric('age')], live)).toBe(
      `if "Q7.2026" is the same, write in the dataset's entry: columns: { visits: Q7 (2026) }`,
    )
  })

  it('is named again where one new column has most of its levels', () => {
    const answers = [...SCALE, 'rarely']
    expect(advice('visits', [categorical('visits', answers)], [categorical('q7', SCALE)])).toContain('{ visits: q7 }')
    expect(advice('visits', [categorical('visits', answers)], [categorical('q7', ['never', 'always', 'x'])])).toBe(null)
    const two = ['visits', 'calls'].map((name) => categorical(name, answers))
    expect(advice('visits', two, [categorical('q7', SCALE)])).toBe(null)
  })

  it('is named again where its levels are hidden in the lock', () => {
    const hidden = { count: 3, has: (level: string) => SCALE.includes(level) }
    const locked = [categorical('visits', [], { levels: undefined, hiddenLevels: hidden })]
    expect(advice('visits', locked, [categorical('q7', SCALE)])).toContain('columns: { visits: q7 }')
    expect(advice('visits', locked, [categorical('q7', ['a', 'b', 'c'])])).toBe(null)
  })

  it('is named again by a name that is almost the same, in a battery too', () => {
    const locked = ['trust.1', 'trust.2'].map((name) => categorical(name, SCALE))
    const live = ['Trust_1', 'Trust_2'].map((name) => categorical(name, SCALE))
    expect(advice('trust.2', locked, live)).toContain('columns: { trust.2: Trust_2 }')
  })

  it('of a battery whose items have new names is left to the reader', () => {
    const locked = ['a1', 'b2'].map((name) => categorical(name, SCALE))
    const live = [categorical('trust.in.courts', SCALE)]
    expect(advice('a1', locked, live)).toBe(null)
  })

  it('of numbers is named again where it is the only one, and another is the only new one', () => {
    expect(advice('income', [numeric('income')], [numeric('Q12')])).toContain('columns: { income: Q12 }')
    expect(advice('income', [numeric('income'), numeric('rent')], [numeric('Q12')])).toBe(null)
    expect(advice('income', [numeric('income')], [numeric('Q12'), numeric('Q13')])).toBe(null)
  })

  it('gets no advice where nothing new is like it, or the new column is one of several that cleaning made of one', () => {
    expect(advice('visits', [categorical('visits', SCALE)], [categorical('q7', ['yes', 'no']), numeric('q8')])).toBe(
      null,
    )
    const boxes = ['tv', 'web'].map((name) => categorical(`media.${name}`, ['0', '1'], { sourceName: 'media' }))
    expect(advice('medium', [categorical('medium', ['0', '1'])], boxes)).toBe(null)
  })
})

describe('a level that is gone', () => {
  const level = (name: string, before: readonly string[], now: readonly string[]) =>
    recodeAdvice(categorical('buy', before), categorical('buy', now, { sourceName: 'Buy?' }), name)

  it('is kept where one new level stands for the only one that is gone', () => {
    expect(level('South', ['North', 'South'], ['North', 'Meridian'])).toBe(
      `if "Meridian" is the same, write in the dataset's entry: recode: { "Buy?": { Meridian: South } }`,
    )
  })

  it('is kept where a new level abbreviates it, or is almost the same word', () => {
    expect(level('Yes', ['Yes', 'No'], ['Y', 'No'])).toContain('{ "Y": "Yes" }')
    expect(level('Centre', ['Centre', 'East', 'West'], ['Center', 'Orient', 'West'])).toContain('{ Center: Centre }')
  })

  it('is kept by one line with the other levels that have new names, but not with those that are not sure', () => {
    expect(level('No', ['Yes', 'No'], ['Y', 'N'])).toContain('if "N" is the same')
    expect(level('No', ['Yes', 'No'], ['Y', 'N'])).toContain('{ "N": "No", "Y": "Yes" }')
    expect(level('Centre', ['Centre', 'Norwich', 'Norwica'], ['Center', 'Norwicz'])).toContain(': { Center: Centre } }')
  })

  it.each([
    [['1', '0'], '{ "1": "Yes", "0": "No" }'],
    [['true', 'false'], '{ "true": "Yes", "false": "No" }'],
    [['Ja', 'Nein'], '{ Ja: "Yes", Nein: "No" }'],
  ])('is kept where %j say yes and no', (now, advice) => {
    expect(level('Yes', ['Yes', 'No'], now)).toContain(advice)
  })

  it.each([[['1', '2']], [['Ja', 'Sí']], [['one', 'none']]])('gets no advice of yes or no from %j alone', (now) => {
    expect(level('Yes', ['Yes', 'No'], now)?.includes('"No"') ?? false).toBe(false)
  })

  it('gets no advice where several or none of the new levels are like it', () => {
    expect(level('A', ['A', 'B'], ['A1', 'A2'])).toBe(null)
    expect(level('low', ['low', 'mid', 'high'], ['1', '2', '3'])).toBe(null)
    expect(level('low', ['low', 'high'], ['high'])).toBe(null)
  })
})

describe('a column of another kind', () => {
  const whole = (min: number | string, max: number | string): CleanedColumn => ({ ...numeric('q 3'), min, max })
  const written = (line: string) => `write in the dataset's entry: ${line}`

  it('whose levels were numbers is declared categorical', () => {
    expect(kindAdvice(categorical('q 3', ['1', '2', '5']), whole(1, 23))).toBe(
      `if its numbers are codes, as they were, ${written('types: { q 3: categorical }')}`,
    )
  })

  it('whose numbers became levels is declared numeric, by its name in the file', () => {
    const live = categorical('q.3', ['1', '2', '-4.5'], { sourceName: 'Q 3' })
    expect(kindAdvice(whole(0, 30), live)).toBe(
      `if its levels are numbers, as they were, ${written('types: { Q 3: numeric }')}`,
    )
  })

  it('among whose numbers a few words stand has them declared missing', () => {
    expect(kindAdvice(whole(0, 30), categorical('q 3', ['1', 'k.A.', '2']))).toBe(
      `if "k.A." is no answer, ${written('missing: { q 3: [k.A.] } and types: { q 3: numeric }')}`,
    )
    expect(kindAdvice(whole(0, 30), categorical('q 3', ['1', 'n/s', 'no', '2']))).toBe(
      `if the words among its numbers are no answers, ${written('missing: { q 3: [n/s, "no"] } and types: { q 3: numeric }')}`,
    )
  })

  it.each([
    ['bands in place of numbers', whole(0, 90), categorical('age', ['18-24', '25+'])],
    ['words in place of numbers', whole(0, 1), categorical('member', ['yes', 'no'])],
    ['numbers in place of words', categorical('trust', SCALE), whole(1, 3)],
    ['codes beyond the numbers of today', categorical('trust', ['1', '9']), whole(1, 3)],
    ['levels that the lock hides', { ...categorical('trust', []), levels: undefined }, whole(1, 3)],
    ['levels in place of dates', whole('2024-01-01', '2024-12-31'), categorical('day', ['1', '2'])],
  ])('is left to the reader: %s', (_, locked, live) => {
    expect(kindAdvice(locked, live)).toBeNull()
  })
})
