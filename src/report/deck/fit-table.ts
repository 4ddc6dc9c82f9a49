/** How a table fits its slide: figures are never cut, and a name takes two lines of smaller letters before it is cut. */

import { cutInMiddle, wrappedLines } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import { heldText } from '../xml-text.ts'
import type { SlideTable } from './slide.ts'

export const CELL_POINTS = 11
/** Width of a letter over its size, in a wide font that takes the place of a missing one. */
const LETTER = 0.6
/** Margins of a cell left and right, in inches. */
const MARGINS = 0.1
/** Part of its own width that a column of names keeps, whatever figures need. */
const LEAST_PART = 0.6

const inchesOf = (width: number): number => (width * CELL_POINTS * LETTER) / 72 + MARGINS

/** Letters of a size in so many inches. */
const lettersIn = (inches: number, points: number): number =>
  Math.max(4, Math.floor(((inches - MARGINS) * 72) / (points * LETTER)))

/**
 * Widths of the columns, in inches; together they fill the room. Columns of figures are as wide as their figures, and the others give
 * way.
 */
export function columnWidths({ columns, rows }: SlideTable, room: number): number[] {
  const wanted = columns.map(({ head, width, align }, i) => {
    const own = width * room
    if (align !== 'right') return own
    return Math.max(own, inchesOf(Math.max(...[head, ...rows.map((row) => row[i]!)].map(textWidth))))
  })
  const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0)
  const figures = sum(wanted.filter((_, i) => columns[i]!.align === 'right'))
  const names = sum(wanted) - figures
  const part = names === 0 ? 1 : Math.max(LEAST_PART, (room - figures) / names)
  return wanted.map((width, i) => (columns[i]!.align === 'right' ? width : width * part))
}

export interface FittedNames {
  readonly points: number
  readonly texts: readonly { readonly text: string; readonly isCut: boolean }[]
}

/** One line of these sizes, then two lines of the last one. */
const POINTS = [CELL_POINTS, 10, 9]

/** The texts of a column of names, so wide, in rows so high (inches): in letters of one size. */
export function fittedNames(texts: readonly string[], width: number, height: number): FittedNames {
  const whole = texts.map(heldText)
  const widest = Math.max(0, ...whole.map(textWidth))
  const inOne = POINTS.find((points) => widest <= lettersIn(width, points))
  if (inOne !== undefined) return { points: inOne, texts: whole.map((text) => ({ text, isCut: false })) }
  // Two lines in the row, in a font whose lines are high.
  const points = height >= 0.4 ? 9 : 8
  const room = lettersIn(width, points)
  return {
    points,
    texts: whole.map((text) => {
      const lines = wrappedLines('', text, room)
      const fits = lines.length <= 2 && lines.every((line) => textWidth(line) <= room)
      const shown = fits ? text : cutInMiddle(text, Math.floor(1.7 * room))
      return { text: shown, isCut: shown !== text }
    }),
  }
}
