import type { CellRange } from './sheet-source.ts'

/** The cells of a reference such as `A2:C122`; null: it is of another form. */
export function cellRange(reference: string): CellRange | null {
  const [, left, top, right, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  if (bottom === undefined) return null
  return { top: Number(top) - 1, bottom: Number(bottom) - 1, left: columnNumber(left!), right: columnNumber(right!) }
}

/** From 0. */
function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 0x40
  return column - 1
}
