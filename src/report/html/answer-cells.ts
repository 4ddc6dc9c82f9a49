import { type Answer, answerWords, markTexts, type NamedOutcome } from '../../answers/words/answer-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { html, type Markup } from './markup.ts'
import { name } from './names.ts'

/** The heads of the cells that `answerCells` makes. The record has what the rows show beside the answer. */
export const answerHeads = (unit: 'points' | null, place: 'figure' | 'record' = 'figure'): Markup =>
  html`<th scope="col">Baseline</th><th scope="col">Scenario</th><th scope="col">Difference${unit && `, ${unit}`}</th><th scope="col">95 % interval</th>${place === 'record' && html`<th scope="col">In the rows</th>`}<th scope="col">Beyond chance</th><th scope="col">Notes</th>`

/** The figures of an answer as cells. */
export function answerCells(answer: Answer, place: 'figure' | 'record' = 'figure'): Markup {
  const { from, to, difference, interval, inRows } = answerWords(answer)
  return html`<td>${from}</td><td>${to}</td><td>${withoutUnit(difference)}</td><td>${interval || NONE}</td>${place === 'record' && html`<td>${inRows || NONE}</td>`}<td>${beyondText(answer)}</td><td>${notesOf(answer).join(', ')}</td>`
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
export const outcome = ({ column, level, quantile = null }: NamedOutcome): Markup =>
  level === null ? html`${numberWord(quantile)} of ${name(column)}` : html`${name(column)} ${name(level)}`

/** The same as text. */
export const outcomeText = ({ column, level, quantile = null }: NamedOutcome): string =>
  level === null ? `${numberWord(quantile)} of ${column}` : `${column} ${level}`
