import { escapeText } from '../base/text/escape-text.ts'

/** In a code span nothing else of Markdown is read; only these could end it, or a table's cell. */
const ENDS_CODE = /[`|\\]|^ | $|^$/

/**
 * Text that a stranger wrote, as code: no markup, link, mention or HTML comes of it. What a code span cannot hold in a
 * table's cell is an element with every mark as a character reference instead, which no reader of Markdown takes for markup.
 */
export function codeText(text: string): string {
  const shown = escapeText(text)
  if (!ENDS_CODE.test(shown)) return `\`${shown}\``
  return `<code>${shown.replaceAll(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`
}

/** The same of a text of several lines, one below the other in one cell. */
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
