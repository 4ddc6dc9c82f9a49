import {
  type Answer,
  answerWords,
  type ComparisonAnswers,
  comparisonAnswers,
  markTexts,
  outcomeName,
} from '../../answers/words/answer-text.ts'
import { basisLines } from '../../answers/words/difference-text.ts'
import { leadingAnswers, remainderTexts, verdictText } from '../../answers/words/leading-answers.ts'
import { escapeText } from '../../base/text/escape-text.ts'
import { cutInMiddle, textTable, wrappedLines } from '../../base/text/fit-text.ts'
import { textWidth } from '../../base/text/text-width.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** Rows of one outcome, and of all comparisons together; the rest is counted. */
const MOST_OF_OUTCOME = 3
const MOST_ROWS = 30
/** A name is cut in its middle, but not below this width. */
const NARROWEST_NAME = 12

/**
 * What a run's comparisons answer, for a person at the end of a run: for each comparison how many differences are beyond
 * chance, the strongest of each outcome, and what is left out. Nothing for a study without comparisons.
 */
export function answerLines(manifest: Manifest, width: number): string[] {
  let left = MOST_ROWS
  return comparisonAnswers(manifest).flatMap((comparison) => {
    const { id, against, answers, whereNote } = comparison
    const leading = leadingAnswers(answers, { ofOutcome: MOST_OF_OUTCOME, all: left })
    const shown = leading.outcomes.flatMap((outcome) => outcome.answers)
    left -= shown.length
    const note = (text: string): string[] => wrappedLines('  ', text, width)
    const results = Object.values(manifest.comparisons[id]?.scenarios ?? {})
    return [
      '',
      ...wrappedLines('', `comparison ${id}, against ${against}`, width),
      ...(whereNote === null ? [] : note(escapeText(whereNote))),
      ...note(verdictText(comparison)),
      ...answerTable(shown, isOfOneScenario(comparison), width),
      ...remainderTexts(comparison, leading.more).flatMap(note),
      ...basisLines(results).flatMap(note),
    ]
  })
}

const isOfOneScenario = ({ answers, missing }: ComparisonAnswers): boolean =>
  new Set([...answers.map(({ scenario }) => scenario), ...missing]).size === 1

/** A line per answer under its outcome, so that figures stand below each other; of one scenario, the outcome is the line. */
function answerTable(answers: readonly Answer[], isOfOne: boolean, width: number): string[] {
  if (answers.length === 0) return []
  const indent = isOfOne ? 2 : 4
  const right = { align: 'right' as const }
  const words = answers.map(answerWords)
  const figures = words.map(({ from, to, difference, interval }) => [`${from} → ${to}`, difference, interval || '–'])
  const titles = ['From → to', 'Difference', '95 % interval']
  const widthOf = (i: number) => Math.max(...[titles, ...figures].map((row) => textWidth(row[i] ?? '')))
  const room = Math.max(NARROWEST_NAME, width - indent - titles.reduce((sum, _, i) => sum + widthOf(i) + 2, 0))
  const names = answers.map((answer, i) => escapeText(isOfOne ? words[i]!.of : answer.scenario))
  const cut = names.map((name) => cutInMiddle(name, room))
  // What is cut alike would be read as one.
  const isAlike = cut.map(
    (name, i) => name !== names[i] && cut.some((other, o) => other === name && names[o] !== names[i]),
  )
  const rows = answers.map((_, i) => [isAlike[i] ? '' : cut[i]!, ...figures[i]!])
  const columns = [
    { title: isOfOne ? cutInMiddle(escapeText(answers[0]!.scenario), room) : '' },
    ...titles.map((title) => ({ title, ...right })),
  ]
  const [head = '', ...lines] = textTable(columns, rows, width - indent)
    .trimEnd()
    .split('\n')
  const blank = ' '.repeat(indent)
  return [
    `${blank}${head}`.trimEnd(),
    ...answers.flatMap((answer, i) => [
      ...(isOfOne || answers[i - 1]?.place === answer.place ? [] : [...outcomeHeading(answer, width)]),
      ...(isAlike[i] ? [`${blank}${cutInMiddle(names[i]!, width - indent)}`] : []),
      `${blank}${lines[i] ?? ''}`,
      ...marksLine(answer, `${blank}  `, width),
    ]),
  ]
}

const outcomeHeading = (answer: Answer, width: number): string[] =>
  wrappedLines('  ', cutInMiddle(escapeText(outcomeName(answer)), width - 2), width)

const marksLine = (answer: Answer, indent: string, width: number): string[] => {
  const marks = markTexts(answer)
  return marks.length === 0 ? [] : wrappedLines(indent, marks.join(', '), width)
}
