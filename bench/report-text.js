// Lines of the report, at most 80 columns wide.

/** The remark about a figure beyond its limit. */
const PASSED = 'LIMIT PASSED'

/**
 * A table with its first column to the left and the others to the right.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]}
 */
export function table(head, rows) {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)))
  /** @param {readonly string[]} row */
  const line = (row) =>
    `  ${head
      .map((_, i) => (i === 0 ? (row[0] ?? '').padEnd(widths[0] ?? 0) : (row[i] ?? '').padStart(widths[i] ?? 0)))
      .join('  ')}`.trimEnd()
  return [line(head), `  ${widths.map((width) => '-'.repeat(width)).join('  ')}`, ...rows.map(line)]
}

/**
 * The same as Markdown, to be taken over into a document as it is.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]}
 */
export function markdownTable(head, rows) {
  /** @param {readonly string[]} row */
  const line = (row) => `| ${head.map((_, i) => row[i] ?? '').join(' | ')} |`
  return [line(head), `| ${head.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`, ...rows.map(line)]
}

/**
 * Prose, wrapped.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function prose(text) {
  /** @type {string[]} */
  const lines = []
  let line = ' '
  for (const word of text.split(/\s+/)) {
    if (line.length + 1 + word.length > 80) {
      lines.push(line)
      line = ' '
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

/**
 * The limit beside a figure, and whether the figure is beyond it.
 *
 * @param {number} value
 * @param {number} limit
 * @param {(value: number) => string} format
 * @param {'max' | 'min'} [kind]
 */
export function limitText(value, limit, format, kind = 'max') {
  const isPassed = kind === 'max' ? value > limit : value < limit
  return `${kind} ${format(limit)}${isPassed ? ` ${PASSED}` : ''}`
}

/** @param {number} value */
export function seconds(value) {
  return `${value < 0.1 ? value.toFixed(3) : value < 100 ? value.toFixed(2) : value.toFixed(0)} s`
}

/** @param {number} value */
export function milliseconds(value) {
  return `${(value * 1000).toFixed(0)} ms`
}

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(0)} MB`
}

/** @param {number} value */
export function times(value) {
  return `${value < 0.1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(0)} x`
}

/** @param {readonly number[]} values At least one. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const below = sorted[(sorted.length - 1) >> 1] ?? Number.NaN
  const above = sorted[sorted.length >> 1] ?? Number.NaN
  return (below + above) / 2
}
