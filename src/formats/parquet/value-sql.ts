import { BLANKS, isMissingWord, MISSING_WORDS } from '../columns/value-forms.ts'
import { sqlText } from '../reading/duckdb-session.ts'

/** SQL about texts and numbers; `v` is a trimmed text. */

export function hasOuterBlanksSql(expression: string): string {
  return `regexp_matches(${expression}, ${sqlText(`^[${BLANKS}]|[${BLANKS}]$`)})`
}

/** Text without surrounding blanks; the costly trimming runs only if there is something to trim. */
export function trimmedSql(expression: string): string {
  return `CASE WHEN ${hasOuterBlanksSql(expression)} THEN trim(${expression}, ${sqlText(BLANKS)}) ELSE ${expression} END`
}

/** @param levels that a study names, or `all` where the file has had its missing values taken out. */
export function isMissingSql(v: string, levels?: ReadonlySet<string> | 'all'): string {
  if (levels === 'all') return `(strlen(${v}) = 0)`
  const kept = [...(levels ?? [])].filter(isMissingWord)
  const others = kept.length === 0 ? '' : ` AND ${v} NOT IN (${kept.map(sqlText).join(', ')})`
  // The length is checked first, since it costs nothing.
  return `(strlen(${v}) <= 6 AND lower(${v}) IN (${MISSING_WORDS.map(sqlText).join(', ')})${others})`
}

/** Whole numbers too long for a double: beyond 2^53 neighbours become equal. */
export function isUnsafeIntegerSql(v: string): string {
  return `(strlen(${v}) >= 16 AND regexp_matches(${v}, '^[+-]?\\d{16,}$')
    AND NOT coalesce(abs(try_cast(${v} AS HUGEINT)) <= 9007199254740991, false))`
}

/** Decimals of a number's text, without trailing zeros, at most 12. */
export function decimalsSql(t: string): string {
  const places = (text: string) => `length(rtrim(split_part(${text}, '.', 2), '0'))`
  const mantissa = `split_part(lower(${t}), 'e', 1)`
  const exponent = `try_cast(split_part(lower(${t}), 'e', 2) AS INTEGER)`
  return `CASE WHEN contains(lower(${t}), 'e') THEN least(12, greatest(0, ${places(mantissa)} - ${exponent}))
    WHEN contains(${t}, '.') THEN least(12, ${places(t)}) ELSE 0 END`
}
