import { escapeText } from './escape-text.ts'

/** Columns of the terminal that an excerpt may take; longer lines are cut around the place. */
const MAX_WIDTH = 120

/** Columns kept before the place when a line is cut. */
const LEAD = 40

/** East Asian wide and fullwidth characters and emoji, roughly (Unicode Standard Annex 11). */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}]|[\u{20000}-\u{3FFFD}]/u

export interface Excerpt {
  /** The line, escaped and cut. */
  readonly text: string
  /** Columns before the underlined part, and its width, at least 1. */
  readonly offset: number
  readonly width: number
}

/**
 * A line of a source as it can be shown, and where to underline. `start` and `end` are zero-based UTF-16 offsets in the
 * line, `end` exclusive; the marks stand under what is shown, whatever escapes and wide characters come before.
 */
export function excerptLine(line: string, start: number, end: number): Excerpt {
  const cells: { shown: string; width: number; at: number }[] = []
  let at = 0
  for (const character of line) {
    const shown = escapeText(character)
    cells.push({ shown, width: shown === character ? displayWidth(character) : shown.length, at })
    at += character.length
  }
  const before = cells.filter((cell) => cell.at < start)
  const marked = cells.filter((cell) => cell.at >= start && cell.at < end)
  const offset = totalWidth(before)
  const width = Math.max(1, totalWidth(marked))
  if (totalWidth(cells) <= MAX_WIDTH) return { text: cells.map((cell) => cell.shown).join(''), offset, width }

  let first = 0
  let skipped = 0
  while (offset - skipped > LEAD) skipped += cells[first++]!.width
  let last = first
  let room = MAX_WIDTH - 2
  while (last < cells.length && cells[last]!.width <= room) room -= cells[last++]!.width
  const lead = first > 0 ? '…' : ''
  const text = cells.slice(first, last).map((cell) => cell.shown)
  const shownOffset = offset - skipped + lead.length
  return {
    text: `${lead}${text.join('')}${last < cells.length ? '…' : ''}`,
    offset: shownOffset,
    width: Math.min(width, MAX_WIDTH - shownOffset),
  }
}

function totalWidth(cells: readonly { readonly width: number }[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0)
}

function displayWidth(character: string): number {
  if (/^\p{Mark}$/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
