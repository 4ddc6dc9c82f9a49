/**
 * Texts of other programs that are no delimited table, recognized by how they begin. Each answer is the rest of a sentence that
 * begins "The file is".
 */

const WAY = 'not a table. Export CSV or Excel instead.'

/** How a text begins, without blanks in front, and what it is. A header of a table begins like none of these. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:%[^\n]*\n|\s)*@relation\b[\s\S]*^\s*@attribute\s/im,
    'an ARFF file of Weka, which cannot be read. Save it as CSV in Weka.',
  ],
  [
    /^ID;P\w*(?:;[^\r\n]*)?\r?\n(?:(?:P|F|B|C|O|NN|W);[^\r\n]*\r?\n){2}/,
    'a SYLK file (.slk), which cannot be read. Open it in a spreadsheet program and save it as Excel or CSV.',
  ],
  [
    /^TABLE\r?\n0,1\r?\n"[^"\r\n]*"\r?\n(?:VECTORS|TUPLES|LABEL|DATA)\r?\n/,
    'a DIF file (.dif), which cannot be read. Open it in a spreadsheet program and save it as Excel or CSV.',
  ],
  [
    /^\+[-=]{2,}(?:\+[-=]+)*\+[ \t]*\r?\n\|/,
    'a table drawn with lines, as database clients print it, and no delimited text. Export CSV, such as with "mysql --batch".',
  ],
  [
    /^"[^"\n]+"(?: "[^"\n]+")+[ \t]*\r?\n"[^"\n]*" [^,;\t\n]+\r?\n/,
    'a table separated by blanks, as write.table of R writes it. Write it with write.csv(x, "data.csv", row.names = FALSE), and send that.',
  ],
  [
    /^structure\s*\(\s*list\s*\(|^(?:[\w.]+\s*<-\s*)?(?:data\.frame|tibble)\s*\(/,
    'code of R, not a table. In R, write the table with write.csv(x, "data.csv", row.names = FALSE), and send that.',
  ],
  [
    /^(?:\*[^\n]*\n|\s)*(?:DATA LIST|GET DATA|GET FILE)\b[^\n]*(?:\n[^\n]*){0,40}\bBEGIN DATA\b/i,
    'SPSS syntax, not a table. Run it in SPSS, or in the free PSPP, and save the data as .sav.',
  ],
  [/^\[?\s*\{\s*'(?:[^'\\\n]|\\.)*'\s*:/, `a printed list or dictionary of Python, ${WAY}`],
  [/^BEGIN:V(?:CALENDAR|CARD)\r?\n/, `a calendar or an address book, ${WAY}`],
  [/^@[a-z]+\s*\{\s*[^\s,{}]+\s*,\s*\r?\n/i, `a BibTeX file, ${WAY}`],
  [/^TY {2}- [A-Z]+\r?\n(?:[A-Z][A-Z0-9] {2}- )/, `a RIS file of references, ${WAY}`],
  [/^\\(?:documentclass|begin)\s*[[{]/, `LaTeX, ${WAY}`],
  [
    /^diff --git |^--- [^\n]+\n\+\+\+ [^\n]+\n@@ /,
    'a patch of differences, not a table. Name the file that it changes.',
  ],
  [/^\[{1,2}[\w.-]+\]{1,2}[ \t]*\r?\n(?:\s*[\w.-]+\s*=\s*[^\r\n]*\r?\n){2}/, `TOML or a file of settings, ${WAY}`],
]

/** Letters that are looked at, so that no text takes long. */
const MOST_LETTERS = 4_096

/** What a text is that no delimited table begins like; null: it may be a table. */
export function namedText(whole: string): string | null {
  const text = whole.slice(0, MOST_LETTERS)
  const known = BEGINNINGS.find(([beginning]) => beginning.test(text))
  if (known !== undefined) return known[1]
  if (isYaml(text)) return `YAML, ${WAY}`
  return hasBlankColumns(text) ? BLANK_COLUMNS : null
}

/** Code and comments in front of JSON: `const data = [{…`, `callback([{…`. */
const CODE = /^(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|\s)*(?:export\s+default\b|(?:(?:var|let|const)\s+)?[\w$.]+\s*[=(])?\s*/

/** The JSON behind code of JavaScript, without what closes it in the first line; null: there is no code. */
export function withoutCode(text: string): string | null {
  const code = CODE.exec(text.slice(0, MOST_LETTERS))?.[0] ?? ''
  if (code.trim() === '') return null
  const json = text.slice(code.length)
  const lineEnd = json.search(/[\r\n]/)
  const end = lineEnd < 0 ? json.length : lineEnd
  let last = end
  while (last > 0 && ');'.includes(json[last - 1]!)) last--
  return json.slice(0, last) + json.slice(end)
}

const BLANK_COLUMNS =
  'a table whose columns are separated by blanks, which cannot be read, because texts have blanks, too. Write it as CSV, in R with write.csv(x, "data.csv", row.names = FALSE).'
/** Fewer lines may be like one another by chance. */
const MIN_BLANK_LINES = 6
const NUMBER = /^[-+]?\d+(?:[.,]\d+)?$/
const NUMBER_OR_NONE = /^(?:[-+]?\d+(?:[.,]\d+)?|NA|NaN|\.|-)$/

/**
 * Whether all lines have as many words between blanks, and no other separator: a header of names, and below it numbers in two of the
 * places. In front of them there may be the numbers of the rows, as R writes them.
 */
function hasBlankColumns(text: string): boolean {
  if (/[,;\t|"]/.test(text)) return false
  const lines = text.split(/\r?\n/)
  // The head of a file may end within a line.
  const [header = [], ...rows] = lines
    .slice(0, -1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/ +/))
  const width = rows[0]?.length ?? 0
  if (rows.length < MIN_BLANK_LINES || header.length < 2 || header.some((name) => NUMBER.test(name))) return false
  if (width - header.length < 0 || width - header.length > 1 || rows.some((row) => row.length !== width)) return false
  const places = Array.from({ length: width }, (_, at) => rows.map((row) => row[at]!))
  return (
    places.filter(
      (cells) => cells.some((cell) => NUMBER.test(cell)) && cells.every((cell) => NUMBER_OR_NONE.test(cell)),
    ).length > 1
  )
}

/** Lines that are looked at. */
const MOST_LINES = 40
const RECORD =
  /^(?:[\w.-]+:[ \t]*\n)?[ \t]*- (?:\{[\w"' -]+:|["']?[\w.][\w .-]*["']?:(?:[ \t]|\n)[^\n]*\n[ \t]+["']?[\w.][\w .-]*["']?:(?:[ \t]|\n))/
const KEY = /^["']?[\w.][\w .-]*["']?:(?:[ \t].*)?$/

/** A list of records, or keys of which some have lines of their own below. */
function isYaml(text: string): boolean {
  const lines = text
    .replace(/^%YAML[^\n]*\n/, '')
    .split(/\r?\n/, MOST_LINES)
    .filter((line) => line.trim() !== '' && !/^\s*#|^---\s*$/.test(line))
  if (RECORD.test(lines.join('\n'))) return true
  // The head of a file may end within a line.
  const whole = lines.slice(0, 12)
  return (
    whole.length > 3 &&
    KEY.test(whole[0]!) &&
    whole.some((line) => /^[ \t]+["']?[\w.][\w .-]*["']?:|^\s*- /.test(line)) &&
    whole.every((line) => KEY.test(line) || /^[ \t]+\S|^- /.test(line))
  )
}
