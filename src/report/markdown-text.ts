import { escapeText } from '../base/text/escape-text.ts'

/** Characters that could end a code span or a table cell; a code span reads no other Markdown. */
const ENDS_CODE = /[`|\\]|^ | $|^$/

/**
 * Text of unknown origin, as code: it cannot become markup, a link, a mention or HTML. Text that a code span cannot
 * hold in a table cell becomes an element with every mark as a character reference, which no reader of Markdown takes
 * for markup.
 */
export function codeText(text: string): string {
  const shown = escapeText(text)
  if (!ENDS_CODE.test(shown)) return `\`${shown}\``
  return `<code>${shown.replaceAll(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`
}

/** The same for text of several lines, one per line in one cell. */
export function codeLines(text: string): string {
  return text.split('\n').map(codeText).join('<br>')
}

/** A table with a heading, as GitHub Flavored Markdown; nothing when it has no rows. Columns in `right` are numbers. */
export function markdownTable(
  heading: string,
  columns: readonly string[],
  right: readonly string[],
  rows: readonly (readonly string[])[],
  note = '',
): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = columns.map((column) => (right.includes(column) ? '---:' : '---'))
  return [`## ${heading}`, '', ...(note === '' ? [] : [note, '']), line(columns), line(rule), ...rows.map(line), '']
}
