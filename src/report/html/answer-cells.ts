import { type Answer, answerWords, markTexts, type NamedOutcome } from '../../answers/words/answer-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { type Table, worded } from '../document/block.ts'
import { name, type Text } from '../document/text.ts'

/** The heads of the cells that `answerCells` makes. The record has what the rows show beside the answer. */
export const answerHeads = (unit: 'points' | null, place: 'figure' | 'record' = 'figure'): Table['columns'] => [
  ...['Baseline', 'Scenario', `Difference${unit === null ? '' : `, ${unit}`}`, '95 % interval'],
  ...(place === 'record' ? ['In the rows'] : []),
  ...['Beyond chance', worded('Notes')],
]

/** The figures of an answer as cells. */
export function answerCells(answer: Answer, place: 'figure' | 'record' = 'figure'): string[] {
  const { from, to, difference, interval, inRows } = answerWords(answer)
  return [
    ...[from, to, withoutUnit(difference), interval || NONE],
    ...(place === 'record' ? [inRows || NONE] : []),
    ...[beyondText(answer), notesOf(answer).join(', ')],
  ]
}

const NONE = '–'

/** The marks of an answer, and where its interval says nothing about the population. */
export const notesOf = (answer: Answer): string[] => [
  ...markTexts(answer),
  ...(answer.basis === 'generation' ? ['interval of generation alone'] : []),
]

export const beyondText = ({ beyond }: Pick<Answer, 'beyond'>): string =>
  beyond === null ? 'not known' : beyond ? 'yes' : 'no'

/** For places whose head says the unit. */
export const withoutUnit = (difference: string): string => difference.replace(/ points$/, '')

/** The column, and the level that a share is of: `purchase.intent Yes`, `mean of spend`. */
export const outcome = ({ column, level, quantile = null }: NamedOutcome): Text =>
  level === null ? [`${numberWord(quantile)} of `, name(column)] : [name(column), ' ', name(level)]

/** The same as text. */
export const outcomeText = ({ column, level, quantile = null }: NamedOutcome): string =>
  level === null ? `${numberWord(quantile)} of ${column}` : `${column} ${level}`
