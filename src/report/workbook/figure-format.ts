/** How a spreadsheet shows a figure: with the digits that its words have, and with all of them behind. */

import { type Answer, answerWords, SCALES } from '../../answers/words/answer-text.ts'
import { number, RIGHT, type StyledCell, text } from './sheet.ts'

/** A side of an answer: a share in per cent, a mean in its unit, a date as text. */
export function sideCell(answer: Answer, side: 'from' | 'to'): StyledCell {
  const words = answerWords(answer)[side]
  const value = answer[side]
  if (value === null || answer.kind === 'date') return text(words, RIGHT)
  return number(value, sideFormat(words, answer.kind))
}

/** The number format that shows the digits of `words`. */
export function sideFormat(words: string, kind: 'share' | 'number'): string {
  const digits = '0'.repeat(decimalsOf(words))
  return `${kind === 'share' ? '0' : '#,##0'}${digits === '' ? '' : `.${digits}`}${kind === 'share' ? '%' : ''}`
}

/** The difference, or an end of its interval: points of a share, days of a date, else in the unit of the column. */
export function changeCell(answer: Answer, value: number | null): StyledCell {
  return number(value === null ? null : value * SCALES[answer.kind], changeFormat(answerWords(answer).difference))
}

/** The same with a sign. */
export function changeFormat(words: string): string {
  const digits = '0'.repeat(decimalsOf(words))
  const plain = `#,##0${digits === '' ? '' : `.${digits}`}`
  return `+${plain};-${plain};${plain}`
}

/** `34.82 %` has 2. */
const decimalsOf = (words: string): number => /\.(\d+)/.exec(words)?.[1]?.length ?? 0
