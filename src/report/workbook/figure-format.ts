/** How a spreadsheet shows a figure: with the digits that its words have, and with all of them behind. */

import { type Answer, answerWords, SCALES } from '../../answers/words/answer-text.ts'
import { words } from '../../base/language/language.ts'
import { number, RIGHT, type StyledCell, text } from './sheet.ts'

/** A side of an answer: a share in per cent, a mean in its unit, a date as text. */
export function sideCell(answer: Answer, side: 'from' | 'to'): StyledCell {
  const figure = answerWords(answer)[side]
  const value = answer[side]
  if (value === null || answer.kind === 'date') return text(figure, RIGHT)
  return number(value, sideFormat(figure, answer.kind))
}

/** The number format that shows the digits of a figure in words. */
export function sideFormat(figure: string, kind: 'share' | 'number'): string {
  const digits = '0'.repeat(decimalsOf(figure))
  return `${kind === 'share' ? '0' : '#,##0'}${digits === '' ? '' : `.${digits}`}${kind === 'share' ? '%' : ''}`
}

/** The difference, or an end of its interval: points of a share, days of a date, else in the unit of the column. */
export function changeCell(answer: Answer, value: number | null): StyledCell {
  return number(value === null ? null : value * SCALES[answer.kind], changeFormat(answerWords(answer).difference))
}

/** The same with a sign. */
export function changeFormat(figure: string): string {
  const digits = '0'.repeat(decimalsOf(figure))
  const plain = `#,##0${digits === '' ? '' : `.${digits}`}`
  return `+${plain};-${plain};${plain}`
}

/** `34.82 %` has 2, with the decimal mark of the language in effect. */
function decimalsOf(figure: string): number {
  const [, decimals = ''] = figure.split(words().numbers.decimal)
  return /^\d*/.exec(decimals)![0].length
}
