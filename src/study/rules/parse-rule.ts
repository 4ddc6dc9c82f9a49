import {
  type Comparison,
  MAX_RULE_LENGTH,
  MAX_RULE_PARTS,
  type Relation,
  type Rule,
  type RuleTerm,
  type RuleTest,
} from '../../base/rules/rule.ts'
import { suggest } from '../diagnostics/did-you-mean.ts'
import { KEYWORDS, NotARule, type RuleFault, type Token, tokensOf } from './rule-tokens.ts'

export type { RuleFault } from './rule-tokens.ts'

/** A rule of a study, with the places of its columns. */
export type ParsedRule = { readonly rule: Rule } | { readonly fault: RuleFault }

/**
 * Reads a rule:
 *
 *   rule        test [ if test { and test } ]
 *   test        sum sign sum | name [not] in "[" level { , level } "]" | name = level (after if)
 *   sum         [-] term { (+ | -) term }
 *   term        number | date | [number *] name | name * number
 *   sign        = != < <= > >=
 *
 * Time and memory are linear in the length, which is bounded.
 */
export function parseRule(text: string): ParsedRule {
  try {
    if (text.length > MAX_RULE_LENGTH)
      throw new NotARule({
        expected: `at most ${MAX_RULE_LENGTH} characters`,
        found: `${text.length} characters`,
        at: 0,
        advice: 'divide it into several rules',
      })
    return { rule: new RuleParser(text).rule() }
  } catch (error) {
    if (error instanceof NotARule) return { fault: error.fault }
    throw error
  }
}

interface Sum {
  readonly terms: readonly RuleTerm[]
  readonly constant: number
  /** Dates that are added less those that are subtracted. */
  readonly dates: number
  /** The one name that it consists of, where it may be a level. */
  readonly word: Token | null
}

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const
const DAY_MS = 86_400_000

class RuleParser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0
  #parts = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  rule(): Rule {
    const must = this.#test(false)
    const when: RuleTest[] = []
    if (this.#isWord('if')) {
      do {
        this.#take()
        when.push(this.#test(true))
      } while (this.#isWord('and'))
    }
    if (this.#token().kind !== 'end') throw this.#afterTest(when.length > 0)
    return { text: this.#text.trim(), must, when }
  }

  #afterTest(hasConditions: boolean): NotARule {
    const token = this.#token()
    if (isUnquoted(token, 'or') || token.text === '|')
      return this.#unexpected(
        hasConditions ? '"and" or the end of the rule' : '"if" or the end of the rule',
        token,
        'rules have no "or": write several rules, or levels in a list, region in [North, South]',
      )
    if (isUnquoted(token, 'and') || token.text === '&')
      return this.#unexpected('"if" or the end of the rule', token, 'write two rules')
    if (isUnquoted(token, 'when') || isUnquoted(token, 'where')) return this.#unexpected('"if"', token, 'write "if"')
    const expected = hasConditions ? 'the end of the rule, or "and"' : 'the end of the rule, or "if" and a condition'
    if (COMPARISONS.some((sign) => sign === token.text))
      return this.#unexpected(expected, token, 'write two rules, a <= b and b <= c')
    const near = token.kind === 'name' ? suggest(token.text, hasConditions ? ['and'] : ['if']) : []
    return this.#unexpected(expected, token, near.length > 0 ? `write "${near[0]}"` : quoteAdvice(token))
  }

  #test(isCondition: boolean): RuleTest {
    const first = this.#token()
    const isNot = this.#isWord('not', 1) && this.#isWord('in', 2)
    if (isColumn(first) && (isNot || this.#isWord('in', 1))) {
      for (let words = isNot ? 3 : 2; words > 0; words--) this.#take()
      this.#count()
      return { kind: 'membership', column: first.text, levels: this.#levels(), isOut: isNot }
    }
    const left = this.#sum()
    const sign = this.#comparison()
    const right = this.#sum()
    const isEqual = sign === '=' || sign === '!='
    // `driver = Yes`: a single name after `if` is a level, because two columns seldom have to be equal for a rule to apply.
    if (isCondition && isEqual && left.word && right.word)
      return { kind: 'membership', column: left.word.text, levels: [right.word.text], isOut: sign === '!=' }
    return this.#compared(left, sign, right, first)
  }

  #compared(left: Sum, sign: (typeof COMPARISONS)[number], right: Sum, first: Token): Comparison {
    const isTurned = sign === '>=' || sign === '>'
    const flip = isTurned ? -1 : 1
    const weights = new Map<string, number>()
    for (const [side, { terms }] of [
      [flip, left],
      [-flip, right],
    ] as const)
      for (const { column, weight } of terms) weights.set(column, (weights.get(column) ?? 0) + side * weight)
    const terms = [...weights].flatMap(([column, weight]) => (weight === 0 ? [] : [{ column, weight }]))
    if (terms.length === 0)
      throw this.#unexpected(
        weights.size > 0 ? 'a comparison that a row can break' : 'a column on one of the two sides',
        first,
        weights.size > 0 ? 'the columns on the two sides cancel each other' : null,
      )
    const relation: Relation = sign === '>' ? '<' : sign === '>=' ? '<=' : sign
    const most = flip * (right.constant - left.constant) + 0
    if (![most, ...terms.map(({ weight }) => weight)].every(Number.isFinite))
      throw this.#unexpected('numbers below 1e308', first, null)
    const dates = flip * (right.dates - left.dates)
    return { kind: 'comparison', terms, relation, most, ...(dates !== 0 && { dates }) }
  }

  #sum(): Sum {
    const terms: RuleTerm[] = []
    let [constant, dates] = [0, 0]
    let sign = this.#takes('-') ? -1 : 1
    let word: Token | null = sign > 0 && isColumn(this.#token()) ? this.#token() : null
    for (;;) {
      this.#count()
      const token = this.#token()
      if (token.kind === 'date') {
        constant += sign * dayOf(this.#take(), this)
        dates += sign
      } else {
        const factor = token.kind === 'number' ? this.#number() : null
        if (factor !== null && !this.#takes('*')) constant += sign * factor
        else {
          const column = this.#column()
          const isMore = factor === null && this.#takes('*')
          if (isMore) word = null
          terms.push({ column, weight: sign * (factor ?? 1) * (isMore ? this.#number() : 1) })
        }
      }
      const next = this.#token()
      if (next.kind === 'sign' && '/*%^('.includes(next.text))
        throw this.#unexpected('+, - or a comparison', next, instead(next.text))
      if (this.#takes('+')) sign = 1
      else if (this.#takes('-')) sign = -1
      else return { terms, constant, dates, word }
      word = null
    }
  }

  #column(): string {
    const token = this.#token()
    if (isColumn(token)) return this.#take().text
    if (token.text === '(' || token.text === ')')
      throw this.#unexpected('a column', token, 'rules have no parentheses: write out the sum, 2 * a + 2 * b')
    const before = this.#tokens[this.#next - 1]
    if (before?.text === '=' && (token.text === '>' || token.text === '<'))
      throw this.#unexpected('a column or a number', token, `write ${token.text}=`)
    const isKeyword = token.kind === 'name'
    throw this.#unexpected(
      'a column or a number',
      token,
      isKeyword ? `a column of this name stands in quotes: "${token.text}"` : null,
    )
  }

  #number(): number {
    const token = this.#token()
    if (token.kind === 'number') return Number(this.#take().text)
    const advice = isColumn(token) ? 'a rule is linear: a column has a number as its factor' : null
    throw this.#unexpected('a number', token, advice)
  }

  #comparison(): (typeof COMPARISONS)[number] {
    const token = this.#token()
    const found = token.kind === 'sign' ? COMPARISONS.find((sign) => sign === token.text) : undefined
    if (found !== undefined) {
      this.#take()
      return found
    }
    const meant = token.text === '==' ? 'write =' : token.text === '<>' ? 'write !=' : null
    const words = isUnquoted(token, 'is') ? 'write =' : isUnquoted(token, 'not') ? 'write region not in [North]' : meant
    throw this.#unexpected('one of = != < <= > >=, or "in" and a list of levels', token, words ?? quoteAdvice(token))
  }

  #levels(): string[] {
    if (!this.#takes('['))
      throw this.#unexpected('a list of levels in [ ]', this.#token(), 'write region in [North, South]')
    const levels: string[] = []
    do {
      this.#count()
      const minus = this.#takes('-') ? '-' : ''
      const token = this.#token()
      if (token.kind === 'end' || token.kind === 'sign')
        throw this.#unexpected('a level', token, 'put a level with other characters in quotes')
      this.#take()
      levels.push(`${minus}${token.text}`)
    } while (this.#takes(','))
    if (!this.#takes(']')) throw this.#unexpected('a comma or ]', this.#token(), 'put a level with blanks in quotes')
    return [...new Set(levels)]
  }

  /** @throws {NotARule} for a rule of too many parts. */
  #count(): void {
    if (++this.#parts <= MAX_RULE_PARTS) return
    throw this.#unexpected(
      `at most ${MAX_RULE_PARTS} columns, numbers and levels`,
      this.#token(),
      'divide it into several rules',
    )
  }

  #token(): Token {
    return this.#tokens[this.#next]!
  }

  #take(): Token {
    const token = this.#token()
    if (token.kind !== 'end') this.#next++
    return token
  }

  #takes(sign: string): boolean {
    const token = this.#token()
    if (token.kind !== 'sign' || token.text !== sign) return false
    this.#next++
    return true
  }

  #isWord(word: (typeof KEYWORDS)[number], ahead = 0): boolean {
    const token = this.#tokens[this.#next + ahead]
    return token !== undefined && isUnquoted(token, word)
  }

  #unexpected(expected: string, token: Token, advice: string | null): NotARule {
    return this.unexpected(expected, token, advice)
  }

  unexpected(expected: string, { at, end }: Token, advice: string | null): NotARule {
    return new NotARule({ expected, found: this.#text.slice(at, end), at, advice })
  }
}

const quoteAdvice = (token: Token): string | null => (token.kind === 'sign' || token.kind === 'end' ? null : QUOTE)

const QUOTE = 'put a name or a level with other characters than letters, digits, dots and underscores in quotes'

const isUnquoted = (token: Token, word: string): boolean => token.kind === 'name' && token.text.toLowerCase() === word

const isColumn = (token: Token): boolean =>
  token.kind === 'quoted' || (token.kind === 'name' && !KEYWORDS.some((word) => isUnquoted(token, word)))

function instead(sign: string): string {
  if (sign === '/') return 'rules have no division: multiply, 0.5 * a in place of a / 2'
  if (sign === '*') return 'a rule is linear: a column has a number as its factor'
  if (sign === '(') return 'rules have no parentheses: write out the sum, 2 * a + 2 * b'
  return 'rules have sums, differences and products with numbers'
}

/** Days since 1970-01-01. */
function dayOf(token: Token, parser: RuleParser): number {
  const withTime = token.text.includes('T') ? token.text : `${token.text}T00:00`
  const ms = Date.parse(`${withTime}Z`)
  // Date.parse rolls some impossible days over.
  if (Number.isFinite(ms) && new Date(ms).toISOString().startsWith(token.text.slice(0, 10))) return ms / DAY_MS
  throw parser.unexpected('a date that the calendar has', token, 'write dates as 2026-12-31')
}
