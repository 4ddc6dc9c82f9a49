/** Marks for terminals that cannot show those of UTF-8: they would print question marks, or two letters for one. */

const MARKS: Readonly<Record<string, string>> = {
  '✓': '+',
  '✔': '+',
  '✗': 'x',
  '✖': 'x',
  '×': 'x',
  '⚠': '!',
  '…': '...',
  '→': '->',
  '↑': '^',
  '↓': 'v',
  '❯': '>',
  '›': '>',
  '–': '-',
  '—': '-',
  '·': '-',
  '•': '*',
  '±': '+-',
  '≤': '<=',
  '≥': '>=',
}

/** Box drawing letters become lines and corners; block letters and spinners of Braille dots become one sign each. */
function plainMark(mark: string): string {
  const known = MARKS[mark]
  if (known !== undefined) return known
  const code = mark.codePointAt(0)!
  if (code >= 0x2800) return '*'
  if (code >= 0x2580) return '#'
  if ('─━═╌╍┄┅┈┉'.includes(mark)) return '-'
  return '│┃║╎╏┆┇┊┋'.includes(mark) ? '|' : '+'
}

const ALL_MARKS = new RegExp(`[${Object.keys(MARKS).join('')}\\u2500-\\u259f\\u2800-\\u28ff]`, 'g')

/** The text with our own marks in ASCII. Letters of names stay: what a terminal makes of them is known to its user. */
export const withPlainMarks = (text: string): string => text.replaceAll(ALL_MARKS, plainMark)

/**
 * Whether the locale says that the terminal shows another encoding than UTF-8. The first of the three that is set counts, as in
 * POSIX; where none is, nothing is known, and most terminals show UTF-8.
 */
export function isPlainLocale({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return locale !== '' && !/utf-?8/i.test(locale)
}
