import { escapeText } from './escape-text.ts'
import { endOfWidth, startOfWidth, textWidth } from './text-width.ts'

export interface TableColumn {
  readonly title: string
  /** Cut when the table is too wide; other columns are never cut. */
  readonly mayShrink?: boolean
  /** Where a cell is cut that is too long; default: at its end. */
  readonly cut?: 'middle'
  readonly align?: 'right'
  /**
   * For the first column: a longer cell is not cut, but gets a line of its own above its row. `fits`: one for which the other columns
   * leave no room; only one that is wider than the table is cut.
   */
  readonly longest?: number | 'fits'
}

const GAP = '  '
/** A column that shrinks keeps this width. */
const NARROWEST = 8

/**
 * A table in plain text. Cells are escaped, because they may be of unknown origin. If the table is wider than `width`
 * columns, the widest column that may shrink gets narrower.
 */
export function textTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const whole = [columns.map(({ title }) => title), ...rows].map((row) => row.map(escapeText))
  const { longest: most = Number.POSITIVE_INFINITY } = columns[0] ?? {}
  const longest = most === 'fits' ? roomOfFirst(whole, width) : most
  const above = whole.map(([first = '']) => (textWidth(first) > longest ? first : null))
  const cells = whole.map((row, i) => (above[i] === null ? row : ['', ...row.slice(1)]))
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => textWidth(row[i] ?? ''))))
  const total = () => widths.reduce((sum, w) => sum + w, 0) + GAP.length * (columns.length - 1)
  while (total() > width) {
    const widest = columns
      .map(({ mayShrink }, i) => (mayShrink && widths[i]! > NARROWEST ? i : -1))
      .filter((i) => i >= 0)
      .sort((a, b) => widths[b]! - widths[a]!)[0]
    if (widest === undefined) break
    widths[widest]!--
  }
  const lines = cells.flatMap((row, r) => {
    const line = row
      .map((cell, i) => fitted(cell, widths[i]!, columns[i]!))
      .join(GAP)
      .trimEnd()
    const first = above[r]
    if (first == null) return [line]
    return [columns[0]?.longest === 'fits' ? cutInMiddle(first, width) : first, ...(line === '' ? [] : [line])]
  })
  return `${lines.join('\n')}\n`
}

/** The widest first cell that leaves room for the others, of rows with their heads. */
export function roomOfFirst(rows: readonly (readonly string[])[], width: number): number {
  const [, ...others] = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => textWidth(row[i] ?? ''))))
  return Math.max(NARROWEST, width - others.reduce((sum, other) => sum + other + GAP.length, 0))
}

function fitted(cell: string, width: number, { align, cut }: TableColumn): string {
  const shown = cut === 'middle' ? cutInMiddle(cell, width) : shortened(cell, width)
  const blank = ' '.repeat(width - textWidth(shown))
  return align === 'right' ? blank + shown : shown + blank
}

/** A text that takes at most `longest` columns of a terminal; a longer one ends with `…`. */
export function shortened(text: string, longest: number): string {
  return textWidth(text) <= longest ? text : `${startOfWidth(text, longest - 1)}…`
}

/** The same, with `…` in its middle: names of a matrix often begin alike and end alike. */
export function cutInMiddle(text: string, longest: number): string {
  if (textWidth(text) <= longest) return text
  const head = Math.ceil((longest - 1) / 2)
  return `${startOfWidth(text, head)}…${endOfWidth(text, longest - 1 - head)}`
}

/** Every line of a text, indented by two more columns. */
export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

/** The same as `wrappedLines`, each line with its line feed. */
export const wrapped = (label: string, text: string, width: number): string =>
  `${wrappedLines(label, text, width).join('\n')}\n`

/**
 * Text in lines of at most `width` columns. Later lines are indented like the first word after `label`. Words are
 * not cut. Label and text are escaped, because they may be of unknown origin.
 */
export function wrappedLines(label: string, text: string, width: number): string[] {
  const lines: string[] = []
  let line = escapeText(label)
  const indent = ' '.repeat(textWidth(line))
  let isBare = true
  for (const word of escapeText(text).split(' ')) {
    if (!isBare && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line)
      line = indent
      isBare = true
    }
    line += isBare ? word : ` ${word}`
    isBare = false
  }
  lines.push(line)
  return lines.map((one) => one.trimEnd())
}

/**
 * The first `longest` UTF-16 units of a text, without half of a surrogate pair at the end: such a half has no UTF-8 and
 * no canonical form, so a manifest with one could not be digested.
 */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
}

/** Whether a text has more bytes of UTF-8. */
export function isLonger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || (3 * text.length > maxBytes && Buffer.byteLength(text) > maxBytes)
}

/** As many whole characters of a text as fit. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (!isLonger(text, maxBytes)) return text
  // The rest of a character that was cut in two is decoded as a replacement character.
  return Buffer.from(text.slice(0, maxBytes))
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '')
}

/** A text of at most `maxBytes` bytes of UTF-8; a longer one is cut and ends with `…`, which comes on top. */
export function shortenedToBytes(text: string, maxBytes: number): string {
  return isLonger(text, maxBytes) ? `${cutToBytes(text, maxBytes)}…` : text
}
