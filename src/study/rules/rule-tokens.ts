/** The words of a rule. */

/** Words that are no names of columns, in whatever case. */
export const KEYWORDS = ['if', 'and', 'in', 'not'] as const

export interface Token {
  /** A name without quotes, a name or level in quotes, a number, a date, a sign, or the end of the text. */
  readonly kind: 'name' | 'quoted' | 'number' | 'date' | 'sign' | 'end'
  /** As it is meant: without quotes. */
  readonly text: string
  /** Offset in the rule, and of what follows. */
  readonly at: number
  readonly end: number
}

/** Why a text is no rule: what was expected, what was found, and where. */
export interface RuleFault {
  readonly expected: string
  /** As written; empty: the text ends. */
  readonly found: string
  /** Offset in the text. */
  readonly at: number
  /** What to write; null where the rest says it. */
  readonly advice: string | null
}

export class NotARule extends Error {
  readonly fault: RuleFault

  constructor(fault: RuleFault) {
    super(fault.expected)
    this.fault = fault
  }
}

/** Each is a sequence of classes without nesting, so that no text takes more than linear time. */
const BLANK = /\s+/uy
const DATE = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?(?![\p{L}\p{N}_.])/uy
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?![\p{L}\p{N}_.])/uy
const NAME = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.]*/uy
const SIGN = /<=|>=|!=|==|<>|≤|≥|≠|[-+*/<>=()[\],&|%^]/uy

/** What other languages write for a sign. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
])

/** @throws {NotARule} for a character that no word of a rule has, or quotes that are not closed. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  for (;;) {
    at += take(BLANK)?.length ?? 0
    if (at >= text.length) break
    const quote = text[at]!
    if (quote === '"' || quote === "'") {
      const { value, end } = quotedAt(text, at)
      tokens.push({ kind: 'quoted', text: value, at, end })
      at = end
      continue
    }
    const found = [
      ['date', DATE] as const,
      ['number', NUMBER] as const,
      ['name', NAME] as const,
      ['sign', SIGN] as const,
    ]
      .map(([kind, pattern]) => ({ kind, word: take(pattern) }))
      .find(({ word }) => word !== null)
    if (!found)
      throw new NotARule({
        expected: 'a column, a number or one of + - * = != < <= > >=',
        found: [...text.slice(at)][0]!,
        at,
        advice: 'put a name with other characters than letters, digits, dots and underscores in quotes',
      })
    const word = found.word!
    tokens.push({ kind: found.kind, text: MEANT.get(word) ?? word, at, end: at + word.length })
    at += word.length
  }
  tokens.push({ kind: 'end', text: '', at: text.length, end: text.length })
  return tokens
}

/** A doubled quote stands for one. */
function quotedAt(text: string, at: number): { readonly value: string; readonly end: number } {
  const quote = text[at]!
  let value = ''
  let from = at + 1
  for (;;) {
    const close = text.indexOf(quote, from)
    if (close < 0)
      throw new NotARule({
        expected: `a closing ${quote}`,
        found: '',
        at: text.length,
        advice: 'a quote inside a name is written twice',
      })
    value += text.slice(from, close)
    if (text[close + 1] !== quote) {
      if (value === '')
        throw new NotARule({ expected: 'a name between the quotes', found: `${quote}${quote}`, at, advice: null })
      return { value, end: close + 1 }
    }
    value += quote
    from = close + 2
  }
}
