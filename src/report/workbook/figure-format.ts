/** How a spreadsheet shows a figure: with the digits that its words have, and with all of them behind. */

import { type Answer, answerWords, SCALES } from '../../answers/words/answer-text.ts'
import { number, RIGHT, type StyledCell, text } from './sheet.ts'

/** A side of an answer: a share in per cent, a mean in its unit, a date as text. */
export function sideCell(answer: Answer, side: 'from' | 'to'): StyledCell {
  const words = answerWords(answer)[side]
  const value = answer[side]
  if (value === null || answer.kind === 'date') return text(words, RIGHT)
  const digits = '0'.repeat(decimalsOf(words))
  return number(
    value,
    `${answer.kind === 'share' ? '0' : '#,##0'}${digits === '' ? '' : `.${digits}`}${answer.kind === 'share' ? '%' : ''}`,
  )
}

/** The difference, or an end of its interval: points of a share, days of a date, else in the unit of the column. */
export function changeCell(answer: Answer, value: number | null): StyledCell {
  const digits = '0'.repeat(decimalsOf(answerWords(answer).difference))
  const plain = `#,##0${digits === '' ? '' : `.${digits}`}`
  return number(value === null ? null : value * SCALES[answer.kind], `+${plain};-${plain};${plain}`)
}

/** `34.82 %` has 2. */
const decimalsOf = (words: string): number => /\.(\d+)/.exec(words)?.[1]?.length ?? 0
