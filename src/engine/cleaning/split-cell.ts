/** Splits the cells of a multi-select column into options, and mends those that were split at a comma within an option. */

/** Two parts are one option if they are adjacent in at least this share of their occurrences. */
const FIXED_SHARE = 0.98

interface Neighbours {
  rows: number
  /** Rows by the part that follows. */
  readonly next: Map<string, number>
}

/**
 * Joins texts that a comma within an option has split: parts that (nearly) always follow one another, such as those of
 * "Milk, dairy alternative, or coffee creamer".
 *
 * m  cells
 *
 * @param cells length m, the parts of every cell in sequence
 * @param counts length m, rows of every cell
 */
export function joinFixedParts(cells: readonly (readonly string[])[], counts: ArrayLike<number>): string[][] {
  const seen = new Map<string, Neighbours>()
  for (const [i, parts] of cells.entries()) {
    for (const [at, part] of parts.entries()) {
      const entry = seen.get(part) ?? { rows: 0, next: new Map<string, number>() }
      entry.rows += counts[i]!
      const next = parts[at + 1]
      if (next !== undefined) entry.next.set(next, (entry.next.get(next) ?? 0) + counts[i]!)
      seen.set(part, entry)
    }
  }
  const follower = new Map<string, string>()
  for (const [part, { rows, next }] of seen) {
    for (const [candidate, together] of next) {
      if (together >= FIXED_SHARE * rows && together >= FIXED_SHARE * seen.get(candidate)!.rows) {
        follower.set(part, candidate)
      }
    }
  }
  if (follower.size === 0) return cells.map((parts) => [...parts])
  return cells.map((parts) => {
    const joined: string[] = []
    for (const [at, part] of parts.entries()) {
      if (at > 0 && follower.get(parts[at - 1]!) === part) joined[joined.length - 1] += `, ${part}`
      else joined.push(part)
    }
    return joined
  })
}

/** The separator between the options of a cell; Japanese and Chinese have their own. */
export type Separator =
  | ('\n' | ';#' | ';' | '；' | '|' | '、' | ',' | '，')
  | ('::' | ' / ' | ' & ' | ' + ' | '/' | '&' | '+')
  | ' '

/** `[]`, `["Tea", "Milk"]`, `('Tea',)`, `{'Tea', 'Milk'}`, `['Tea' 'Milk']` as numpy and `c("Tea", "Milk")` as R prints it. */
const LIST_LITERAL =
  /^(?:\[|\{|c?\()\s*(?:"[^"]*"|'[^']*')?(?:(?:\s*[,;]\s*|\s+)(?:"[^"]*"|'[^']*'))*\s*,?\s*[\])}]$|^set\(\)$/
/** `[1, 2]`, `[1 2]`, and `{tea,milk}` as PostgreSQL prints it: codes and single words. */
const BARE_LIST = /^(?:\[[^\s,[\]'"]+(?:, ?[^\s,[\]'"]+)*\]|\[ *\d+(?: +\d+)* *\]|\{[^\s,{}'"]+(?:,[^\s,{}'"]+)*\})$/

/** The parts of a list as programs print it, `['Tea', 'Milk']` or `[1, 2]`; null for a cell that is none. */
export function listParts(text: string): string[] | null {
  if (BARE_LIST.test(text))
    return text
      .slice(1, -1)
      .trim()
      .split(/, ?| +/)
  if (!LIST_LITERAL.test(text)) return null
  return Array.from(text.matchAll(/"([^"]*)"|'([^']*)'/g), ([, double, single]) =>
    (double ?? single ?? '').trim(),
  ).filter((part) => part !== '')
}

/**
 * Splits a cell that lists several options. Separators within brackets or between two digits divide nothing, so that
 * "Espresso (black, no milk)" and "1,000" stay whole. Blanks around the parts and empty parts (a separator at the end) go.
 *
 * @param betweenDigits a comma or a slash between two digits divides, too: for lists of codes such as "1,3,5".
 */
export function splitCell(text: string, separator: Separator, betweenDigits = false): string[] {
  const parts: string[] = []
  const isClosed = closes(text)
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (isClosed && OPENING.has(char)) depth++
    else if (isClosed && CLOSING.has(char)) depth--
    else if (char === separator[0] && depth === 0 && text.startsWith(separator, at)) {
      if (!betweenDigits && isWithinWord(text, at, separator)) continue
      parts.push(text.slice(start, at))
      start = at + separator.length
      at = start - 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Whether a sign is part of what it stands in: 1,000 and 3/4, C++ and A+. */
function isWithinWord(text: string, at: number, separator: Separator): boolean {
  const before = text[at - 1]
  const after = text[at + 1]
  if (separator === ',' || separator === '/') return isDigit(before) && isDigit(after)
  return separator === '+' && (after === undefined || after === '+' || before === '+')
}

const OPENING = new Set(['(', '[', '{', '（'])
const CLOSING = new Set([')', ']', '}', '）'])

/** Whether every bracket that opens is closed again; otherwise brackets are characters like others. */
function closes(text: string): boolean {
  let depth = 0
  for (const char of text) {
    if (OPENING.has(char)) depth++
    else if (CLOSING.has(char) && --depth < 0) return false
  }
  return depth === 0
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}
