/** Forms in which a column of text gives its dates: `DD/MM/YYYY`, `YYYY-MM-DD HH:mm`, `DDmonYYYY`. */

/** `digits` of a number: `[1, 2]` for `D`, `[2, 2]` for `DD`. */
export type DatePart =
  | { readonly kind: DateField; readonly digits: readonly [least: number, most: number] }
  /** The first three letters of a month's English name, in any case. */
  | { readonly kind: 'month'; readonly digits: null }
  | { readonly kind: 'text'; readonly text: string }

export type DateField = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

export type DateFormat =
  | { readonly parts: readonly DatePart[] }
  /** `likely`: the format that was probably meant. */
  | { readonly fault: string; readonly likely: string | null }

const TOKENS: readonly (readonly [token: string, part: DatePart])[] = [
  ['YYYY', { kind: 'year', digits: [4, 4] }],
  ['YY', { kind: 'year', digits: [2, 2] }],
  ['MMM', { kind: 'month', digits: null }],
  ['MM', { kind: 'month', digits: [2, 2] }],
  ['M', { kind: 'month', digits: [1, 2] }],
  ['mon', { kind: 'month', digits: null }],
  ['DD', { kind: 'day', digits: [2, 2] }],
  ['D', { kind: 'day', digits: [1, 2] }],
  ['HH', { kind: 'hour', digits: [2, 2] }],
  ['H', { kind: 'hour', digits: [1, 2] }],
  ['mm', { kind: 'minute', digits: [2, 2] }],
  ['ss', { kind: 'second', digits: [2, 2] }],
]

/** A field, and the fields that must be there with it. */
const NEEDS: readonly (readonly [field: DateField, needs: readonly DateField[]])[] = [
  ['hour', ['minute']],
  ['minute', ['hour']],
  ['second', ['minute']],
]

/** The parts of a format in its sequence, or why it is none. Any text may be given. */
export function parseDateFormat(format: string): DateFormat {
  const read = partsOf(format)
  if (typeof read !== 'string') return { parts: read }
  const likely = likelyFormat(format)
  return { fault: read, likely: likely !== format && typeof partsOf(likely) !== 'string' ? likely : null }
}

function partsOf(format: string): readonly DatePart[] | string {
  const parts: DatePart[] = []
  for (let at = 0; at < format.length; ) {
    const found = TOKENS.find(([token]) => format.startsWith(token, at))
    const separator = /^[ /.,:_T-]/.exec(format.slice(at))?.[0]
    if (found !== undefined) parts.push(found[1])
    else if (separator !== undefined) parts.push({ kind: 'text', text: separator })
    else return `"${String.fromCodePoint(format.codePointAt(at)!)}" is no part of a date`
    at += found?.[0].length ?? 1
  }
  return faultOf(parts) ?? parts
}

function faultOf(parts: readonly DatePart[]): string | null {
  const count = (field: DateField) => parts.filter(({ kind }) => kind === field).length
  for (const field of ['year', 'month', 'day', 'hour', 'minute', 'second'] as const)
    if (count(field) > 1) return `it has the ${field} twice`
  for (const field of ['year', 'month'] as const) if (count(field) === 0) return `it has no ${field}`
  for (const [field, needs] of NEEDS)
    for (const needed of needs)
      if (count(field) > 0 && count(needed) === 0) return `it has the ${field} and not the ${needed}`
  // In 1112 nobody can tell where a D ends.
  const isOpen = parts.some((part, i) => isVariable(part) && isNumber(parts[i + 1]))
  return isOpen ? 'a number of one or two digits needs a separator after it' : null
}

const isNumber = (part: DatePart | undefined): boolean =>
  part !== undefined && part.kind !== 'text' && part.digits !== null

const isVariable = (part: DatePart): boolean =>
  part.kind !== 'text' && part.digits !== null && part.digits[0] < part.digits[1]

/** Directives of `strptime`, and letters in another case. */
function likelyFormat(format: string): string {
  const directives: Readonly<Record<string, string>> = {
    ...{ d: 'DD', e: 'D', m: 'MM', b: 'mon', h: 'mon', Y: 'YYYY', y: 'YY', H: 'HH', M: 'mm', S: 'ss' },
    ...{ F: 'YYYY-MM-DD', T: 'HH:mm:ss', D: 'MM/DD/YY', R: 'HH:mm' },
  }
  if (format.includes('%'))
    return format.replaceAll(/%[-#]?([A-Za-z])/g, (whole, letter) => directives[letter] ?? whole)
  let isTime = false
  return format.replaceAll(/month|mon|mmm|y+|m+|d+|h+|s+/gi, (token) => {
    const letter = token[0]!.toLowerCase()
    const isShort = token.length === 1
    if (/^(?:month|mon|mmm)$/i.test(token)) return 'mon'
    if (letter === 'y') return token.length > 2 ? 'YYYY' : 'YY'
    if (letter === 'd') return isShort ? 'D' : 'DD'
    if (letter === 's') return 'ss'
    if (letter === 'h') isTime = true
    if (letter === 'h') return isShort ? 'H' : 'HH'
    return isTime ? 'mm' : isShort ? 'M' : 'MM'
  })
}
