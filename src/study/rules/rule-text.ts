import { KEYWORDS, NotARule, tokensOf } from './rule-tokens.ts'

/** A name without quotes in a rule. */
const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_.]*$/u

/** The same comparison with other names of its columns; null for a text that has no words of rules. */
export function ruleText(text: string, nameOf: (column: string) => string): string | null {
  try {
    const words = tokensOf(text).flatMap((token) => {
      if (token.kind === 'end') return []
      return token.kind === 'name' || token.kind === 'quoted' ? [writtenColumn(nameOf(token.text))] : [token.text]
    })
    return words.join(' ')
  } catch (error) {
    if (error instanceof NotARule) return null
    throw error
  }
}

function writtenColumn(name: string): string {
  const isPlain = PLAIN.test(name) && !KEYWORDS.some((word) => word === name.toLowerCase())
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`
}
