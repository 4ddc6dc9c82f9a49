import { appendFile, stat } from 'node:fs/promises'
import type { Table } from '../../base/document/block.ts'
import { markdownTable, markdownText } from '../../base/document/markdown-blocks.ts'
import type { Text } from '../../base/document/text.ts'
import { plural } from '../../base/text/amount-text.ts'

/** GitHub drops a larger summary of a step entirely. */
const MOST_BYTES = 2 ** 20
/** Left for other commands of the step. */
const MARGIN_BYTES = 2 ** 14

export interface Summary {
  readonly heading: Text
  /** Paragraphs. */
  readonly lead: readonly Text[]
  readonly tables: readonly Table[]
}

/**
 * The summary in at most `room` bytes of UTF-8. Rows are whole or left out, and a note says how many are left out. Null if
 * there is no room even for its beginning.
 */
export function summaryMarkdown(summary: Summary, room: number): string | null {
  const parts = [summary.heading, ...summary.lead].map((text, i) => `${i === 0 ? '### ' : ''}${markdownText(text)}\n\n`)
  let left = room - sizeOf(parts.join(''))
  if (left < 0) return null
  for (const table of summary.tables.filter(({ rows }) => rows.length > 0)) {
    const title = markdownText(table.title)
    const lines = markdownTable(table)
    const head = `**${title}**\n\n${lines.head.join('\n')}\n`
    const rows = lines.rows.map((row) => `${row}\n`)
    const whole = sizeOf(head) + rows.reduce((sum, row) => sum + sizeOf(row), 0) + 1
    const note = (count: number) =>
      `\n${plural(count, 'more row')} of this table left out, because a summary holds at most 1 MiB.\n\n`
    // The note is never longer than this, and room is kept for it unless all rows fit.
    const reserved = whole <= left ? 1 : sizeOf(note(rows.length))
    if (left < sizeOf(head) + reserved) {
      const missing = `${title}: left out, a summary holds at most 1 MiB.\n\n`
      if (left >= sizeOf(missing)) parts.push(missing)
      break
    }
    left -= sizeOf(head) + reserved
    parts.push(head)
    let shown = 0
    for (const row of rows) {
      if (left < sizeOf(row)) break
      left -= sizeOf(row)
      parts.push(row)
      shown++
    }
    parts.push(shown === rows.length ? '\n' : note(rows.length - shown))
  }
  return parts.join('')
}

/** Appends to the file that GitHub shows on the page of the run. Rejects when it cannot be written. */
export async function appendSummary(path: string, summary: Summary): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  const text = summaryMarkdown(summary, MOST_BYTES - MARGIN_BYTES - size)
  if (text !== null) await appendFile(path, text)
}

const sizeOf = (text: string): number => Buffer.byteLength(text)
