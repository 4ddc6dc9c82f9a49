import { escapeText } from '../../base/text/escape-text.ts'

/** Columns of an excerpt: with the line number it fits 80. Longer lines are cut around the place. */
const MAX_WIDTH = 72

/** Columns kept before the place when a line is cut. */
const LEAD = 28

/**
 * UTF-16 units that are read on each side of the place. A line may be as long as its file, and each of a thousand
 * findings shows it.
 */
const REACH = 4 * MAX_WIDTH

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
 * A line of a source as it is shown, and where to underline it. `start` and `end` are zero-based UTF-16 offsets in the
 * line, `end` exclusive. The marks account for escapes and wide characters.
 */
export function excerptLine(line: string, start: number, end: number): Excerpt {
  const from = boundary(line, start - REACH)
  const to = boundary(line, start + REACH)
  const cells = cellsOf(line.slice(from, to))
  const offset = totalWidth(cells.filter((cell) => from + cell.at < start))
  const marked = cells.filter((cell) => from + cell.at >= start && from + cell.at < end)
  const width = Math.max(1, totalWidth(marked))
  const isWhole = from === 0 && to === line.length
  if (isWhole && totalWidth(cells) <= MAX_WIDTH) {
    return { text: cells.map((cell) => cell.shown).join(''), offset, width }
  }

  let first = 0
  let skipped = 0
  while (offset - skipped > LEAD) skipped += cells[first++]!.width
  let last = first
  let room = MAX_WIDTH - 2
  while (last < cells.length && cells[last]!.width <= room) room -= cells[last++]!.width
  // Near the end of the line the remaining width shows more of the text before the place.
  while (first > 0 && cells[first - 1]!.width <= room) {
    first--
    room -= cells[first]!.width
    skipped -= cells[first]!.width
  }
  const lead = from + first > 0 ? '…' : ''
  const text = cells.slice(first, last).map((cell) => cell.shown)
  const shownOffset = offset - skipped + lead.length
  return {
    text: `${lead}${text.join('')}${last < cells.length || to < line.length ? '…' : ''}`,
    offset: shownOffset,
    width: Math.min(width, MAX_WIDTH - shownOffset),
  }
}

/** One character as it is shown; `at` is its offset in the text. */
interface Cell {
  readonly shown: string
  readonly width: number
  readonly at: number
}

function cellsOf(text: string): readonly Cell[] {
  const cells: Cell[] = []
  let at = 0
  for (const character of text) {
    const shown = escapeText(character)
    cells.push({ shown, width: shown === character ? displayWidth(character) : shown.length, at })
    at += character.length
  }
  return cells
}

/** `at` within the line, moved so that it does not part a surrogate pair. */
function boundary(line: string, at: number): number {
  if (at <= 0) return 0
  if (at >= line.length) return line.length
  const isInside = /[\uD800-\uDBFF]/.test(line.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(line.charAt(at))
  return isInside ? at - 1 : at
}

function totalWidth(cells: readonly Pick<Cell, 'width'>[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0)
}

function displayWidth(character: string): number {
  if (/^\p{Mark}$/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
