import { type Answer, answerWords, markTexts, type NamedOutcome, unitText } from '../../answers/words/answer-text.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { type Table, worded } from '../../base/document/block.ts'
import { name, type Text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'

/** The heads of the cells that `answerCells` makes. The record has what the rows show beside the answer. */
export function answerHeads(unit: 'points' | null, place: 'figure' | 'record' = 'figure'): Table['columns'] {
  const { answers, figures } = words()
  const { baseline, scenario, difference, interval, inRows, beyond, notes } = answers.heads
  return [
    ...[baseline, scenario, unit === null ? difference : `${difference}${figures.comma}${figures.points}`, interval],
    ...(place === 'record' ? [inRows] : []),
    ...[beyond, worded(notes)],
  ]
}

/** The figures of an answer as cells. */
export function answerCells(answer: Answer, place: 'figure' | 'record' = 'figure'): string[] {
  const { from, to, difference, interval, inRows } = answerWords(answer)
  return [
    ...[from, to, withoutUnit(difference), interval || NONE],
    ...(place === 'record' ? [inRows || NONE] : []),
    ...[beyondText(answer), notesOf(answer).join(words().figures.comma)],
  ]
}

const NONE = '–'

/** The marks of an answer, and where its interval says nothing about the population. */
export const notesOf = (answer: Answer): string[] => [
  ...markTexts(answer),
  ...(answer.basis === 'generation' ? [words().answers.generationAlone] : []),
]

export function beyondText({ beyond }: Pick<Answer, 'beyond'>): string {
  const { yes, no, notKnown } = words().figures
  return beyond === null ? notKnown : beyond ? yes : no
}

/** For places whose head says the unit. */
export const withoutUnit = (difference: string): string => {
  const unit = unitText('share')
  return difference.endsWith(unit) ? difference.slice(0, -unit.length) : difference
}

/** The column, and the level that a share is of: `purchase.intent Yes`, `mean of spend`. */
export const outcome = ({ column, level, quantile = null }: NamedOutcome): Text =>
  level === null ? words().figures.ofColumn<Text>(numberWord(quantile), name(column)) : [name(column), ' ', name(level)]

/** The same as text. */
export const outcomeText = ({ column, level, quantile = null }: NamedOutcome): string =>
  level === null ? words().figures.ofColumn(numberWord(quantile), column).join('') : `${column} ${level}`
