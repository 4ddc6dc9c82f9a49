import { describe, expect, test } from 'vitest'
import type { RuleTest } from '../../../src/base/rules/rule.ts'
import { parseRule } from '../../../src/study/rules/parse-rule.ts'

/** `1 a - 1 b <= 0`, and `if` with the conditions. */
function told(text: string): string {
  const parsed = parseRule(text)
  if ('fault' in parsed) {
    const { expected, found, at, advice } = parsed.fault
    return `${at}: expected ${expected}; found ${JSON.stringify(found)}${advice === null ? '' : `; ${advice}`}`
  }
  const one = (test: RuleTest): string =>
    test.kind === 'membership'
      ? `${test.column} ${test.isOut ? 'not in' : 'in'} ${JSON.stringify(test.levels)}`
      : `${test.terms.map(({ column, weight }) => `${weight} ${column}`).join(' + ')} ${test.relation} ${test.most}${test.dates === undefined ? '' : ` (dates ${test.dates})`}`
  const { must, when } = parsed.rule
  return [one(must), ...when.map(one)].join(' | ')
}

describe('what a rule says', () => {
  test.each([
    ['start <= end', '1 start + -1 end <= 0'],
    ['end >= start', '-1 end + 1 start <= 0'],
    ['a > b', '-1 a + 1 b < 0'],
    ['a + b = total', '1 a + 1 b + -1 total = 0'],
    ['2 * a - b * 0.5 + 3 <= c', '2 a + -0.5 b + -1 c <= -3'],
    ['a + a <= 1', '2 a <= 1'],
    ['-a < 1e3', '-1 a < 1000'],
    ['a != -1', '1 a != -1'],
    ['a ≤ b', '1 a + -1 b <= 0'],
    ['age >= 18 if driver = Yes', '-1 age <= -18 | driver in ["Yes"]'],
    ['driver in [No] if age < 18 and region != North', 'driver in ["No"] | 1 age < 18 | region not in ["North"]'],
    [`'net income' <= "gross ""all"""`, '1 net income + -1 gross "all" <= 0'],
    ['x in ["a b", -1, 2026, North]', 'x in ["a b","-1","2026","North"]'],
    ['x NOT IN [No] IF y = 3', 'x not in ["No"] | 1 y = 3'],
    ['end - start <= 30', '1 end + -1 start <= 30'],
    ['visited >= 2026-01-02', '-1 visited <= -20455 (dates -1)'],
    ['visited < 1970-01-02T12:00', '1 visited < 1.5 (dates 1)'],
    ['"if" <= "and"', '1 if + -1 and <= 0'],
    ['__proto__ <= constructor', '1 __proto__ + -1 constructor <= 0'],
    ['année <= größe.2', '1 année + -1 größe.2 <= 0'],
    ['a = b if c = d', '1 a + -1 b = 0 | c in ["d"]'],
    ['a = 1 if b = c + 0', '1 a = 1 | 1 b + -1 c = 0'],
  ])('%s', (text, meaning) => expect(told(text)).toBe(meaning))
})

describe('what is no rule', () => {
  test.each([
    ['a b', /^2: expected one of = != < <= > >=/],
    ['a <=', /^4: expected a column or a number; found ""/],
    ['', /^0: expected a column or a number/],
    ['a', /^1: expected one of/],
    ['a == b', /write =/],
    ['a <> b', /write !=/],
    ['a is Yes', /write =/],
    ['a / 2 <= b', /^2: expected \+, - or a comparison; found "\/"; rules have no division: multiply/],
    ['2 / a <= b', /no division/],
    ['a * b = c', /^4: expected a number; found "b"; a rule is linear/],
    ['2 * 3 * a = c', /^4: expected a column or a number/],
    ['(a + b) <= c', /^0: expected a column.*no parentheses/],
    ['2 * (a + b) <= c', /no parentheses/],
    ['a ^ 2 <= b', /sums, differences and products/],
    ['a <= b or c <= d', /^7: .*rules have no "or"/],
    ['a <= b and c <= d', /^7: .*write two rules/],
    ['a <= b iff c = d', /^7: .*write "if"/],
    ['a <= b where c = d', /write "if"/],
    ['a <= b if c = d if e = f', /the end of the rule, or "and"/],
    ['a <= b if', /^9: expected a column or a number; found ""/],
    ['a <= b if c = d, e', /^15: /],
    ['a - a = 0', /^0: expected a comparison that a row can break.*cancel/],
    ['1 < 2', /^0: expected a column on one of the two sides/],
    ['if <= 3', /^0: .*stands in quotes: "if"/],
    ['"start <= end', /expected a closing "/],
    ['"" <= 1', /a name between the quotes/],
    ['visited < 2026-02-31', /^10: expected a date that the calendar has/],
    ['¤ <= 3', /^0: expected a column, a number or one of/],
    ['a in b', /^5: expected a list of levels in \[ \]; found "b"/],
    ['a in [b c]', /^8: expected a comma or \]/],
    ['a in []', /^6: expected a level/],
    ['a in [b', /^7: expected a comma or \]; found ""/],
    ['1e400 * a <= b', /numbers below 1e308/],
    ['a <= b <= c', /^7: expected the end of the rule/],
  ])('%s', (text, fault) => expect(told(text)).toMatch(fault))
})

describe('hostile texts', () => {
  const refused = (text: string) => expect('fault' in parseRule(text)).toBe(true)

  test('take linear time and no stack, however they nest and repeat', () => {
    refused('('.repeat(1_000))
    refused(`${'-'.repeat(999)}a`)
    refused(`${'a.'.repeat(499)}!`)
    refused(`${'"'.repeat(999)}`)
    refused(`x in [${'['.repeat(900)}`)
    refused(`${' '.repeat(999)}`)
    refused(`a <= b if ${'c = d and '.repeat(98)}`)
    refused('1'.repeat(999))
    refused('\u202ea <= b')
    refused('a\u0000 <= b')
    refused('a <= b\u{1f600}')
  })

  test('a very long one is refused by its length, before it is read', () => {
    expect(told('a + '.repeat(1_000_000))).toMatch(
      /^0: expected at most 1000 characters; found "4000000 characters"; divide/,
    )
  })

  test('a rule of many parts is refused', () => {
    expect(told(`${'a + '.repeat(101)}b <= 1`)).toMatch(/at most 100 columns, numbers and levels/)
    expect(told(`x in [${Array.from({ length: 120 }, (_, i) => i).join(',')}]`)).toMatch(/at most 100/)
  })
})
