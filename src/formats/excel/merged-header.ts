import type { CellRow, MergedRange, SheetCell } from './sheet-source.ts'

/** A header of several rows, in which cells are merged over the columns of a group. */
export interface MergedHeader {
  /** First and last row of the header, from 0, in the sheet. */
  readonly top: number
  readonly bottom: number
  /** By column: the words above it from top to bottom, joined by " / ". */
  readonly names: readonly string[]
}

/** A header begins within this many rows, and has at most this many. */
const MAX_TOP = 30
const MAX_HEADER_ROWS = 10

/** Whether a merged range could be part of a header. */
export function couldBeHeader({ top, bottom }: MergedRange): boolean {
  return top < MAX_TOP && bottom - top < MAX_HEADER_ROWS
}

/**
 * Finds a header with groups: a row with a cell merged over some but not all columns, with separate names for those
 * columns below it. A merged cell that is alone in its row is a title, unless other cells of that row are merged
 * downwards, down to the names.
 *
 * @param rows first rows of the sheet with content; their cells begin at `firstColumn`.
 */
export function mergedHeader(
  rows: readonly CellRow[],
  merged: readonly MergedRange[],
  firstColumn: number,
): MergedHeader | null {
  const width = rows[0]?.cells.length ?? 0
  const ranges = merged.filter(couldBeHeader)
  const tops = ranges.filter((range) => isOverSome(range, width)).map((range) => range.top)
  for (const top of [...new Set(tops)].sort((a, b) => a - b)) {
    const bottom = bottomOf(ranges, top)
    if (bottom - top >= MAX_HEADER_ROWS) continue
    const block = new Block(rows, ranges, firstColumn, top, bottom)
    if (block.isHeader()) return { top, bottom, names: block.names() }
  }
  return null
}

function isOverSome({ left, right }: MergedRange, width: number): boolean {
  return right > left && right - left + 1 < width
}

/** A year is as good a name as a word. */
function isName(cell: SheetCell | undefined): boolean {
  return cell?.kind === 'text' || (cell?.kind === 'number' && /^(19|20)\d\d$/.test(cell.text))
}

/** Names are below a group; cells that are merged downwards extend to them. */
function bottomOf(ranges: readonly MergedRange[], top: number): number {
  let bottom = top
  for (let before = -1; before !== bottom; ) {
    before = bottom
    for (const range of ranges) {
      if (range.top < top || range.top > bottom) continue
      const isGroup = range.right > range.left && range.bottom === range.top
      bottom = Math.max(bottom, isGroup ? range.bottom + 1 : range.bottom)
    }
  }
  return bottom
}

class Block {
  readonly #rows: readonly CellRow[]
  readonly #ranges: readonly MergedRange[]
  readonly #firstColumn: number
  readonly #top: number
  readonly #bottom: number
  readonly #width: number

  constructor(
    rows: readonly CellRow[],
    ranges: readonly MergedRange[],
    firstColumn: number,
    top: number,
    bottom: number,
  ) {
    this.#rows = rows.filter(({ index }) => index >= top && index <= bottom)
    this.#ranges = ranges.filter((range) => range.top >= top && range.bottom <= bottom)
    this.#firstColumn = firstColumn
    this.#top = top
    this.#bottom = bottom
    this.#width = rows[0]?.cells.length ?? 0
  }

  isHeader(): boolean {
    const own = this.#rows.find(({ index }) => index === this.#top)?.cells ?? []
    const groups = this.#ranges.filter((range) => range.top === this.#top && isOverSome(range, this.#width))
    const isNamedBelow = groups.some((group) => this.#namesBelow(group) >= 2)
    const reachesDown = this.#ranges.some((range) => range.top === this.#top && range.bottom === this.#bottom)
    const labels = own.filter((cell) => cell.kind !== 'empty').length
    const isText = this.#rows.every(({ cells }) => cells.every((cell) => cell.kind === 'empty' || isName(cell)))
    // A header must name most columns.
    const named = this.names().filter((name) => name !== '').length
    return (
      this.#bottom > this.#top && isNamedBelow && isText && (labels >= 2 || reachesDown) && named >= 0.9 * this.#width
    )
  }

  #namesBelow({ left, right, bottom }: MergedRange): number {
    let names = 0
    for (let column = left; column <= right; column++) {
      const below = this.#rows.some(({ index, cells }) => index > bottom && isName(cells[column - this.#firstColumn]))
      if (below) names++
    }
    return names
  }

  names(): string[] {
    return Array.from({ length: this.#width }, (_, i) => {
      const words: string[] = []
      for (const { index, cells } of this.#rows) {
        const column = i + this.#firstColumn
        const range = this.#ranges.find(
          ({ top, bottom, left, right }) => index >= top && index <= bottom && column >= left && column <= right,
        )
        // All cells of a range but its first are empty.
        const word =
          range === undefined ? cells[i] : range.top === index ? cells[range.left - this.#firstColumn] : undefined
        const text = word?.text.replaceAll(/\s*[\r\n]\s*/g, ' ').trim() ?? ''
        if (text !== '' && text !== words.at(-1)) words.push(text)
      }
      return words.join(' / ')
    })
  }
}
