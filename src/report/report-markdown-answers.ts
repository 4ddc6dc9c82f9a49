import { answerWords, type ComparisonAnswers, comparisonAnswers, markTexts } from '../answers/words/answer-text.ts'
import { leadingAnswers, remainderTexts, verdictText } from '../answers/words/leading-answers.ts'
import { numberWord } from '../answers/words/quantile-text.ts'
import { whereText } from '../answers/words/where-text.ts'
import type { Manifest } from '../records/manifest/manifest.ts'
import { codeText, markdownTable } from './markdown-text.ts'

/** Rows of one outcome, and of one comparison; the rest is counted. */
const MOST = { ofOutcome: 5, all: 40 }

export const ANSWER_COLUMNS = ['Outcome', 'Scenario', 'From', 'To', 'Difference', '95 % interval', 'Marks'] as const
export const ANSWER_NUMBERS = ['From', 'To', 'Difference', '95 % interval'] as const

/** What a comparison answers, as Markdown: names are code. */
export interface MarkdownAnswer {
  readonly heading: string
  /** `11 of 20 differences are beyond chance.` and what the rows leave out. */
  readonly verdict: string
  /** Cells of `ANSWER_COLUMNS`: the strongest answers of each outcome. */
  readonly rows: readonly (readonly string[])[]
}

export function markdownAnswers(manifest: Manifest): MarkdownAnswer[] {
  return comparisonAnswers(manifest).map((comparison) => {
    const { outcomes, more } = leadingAnswers(comparison.answers, MOST)
    return {
      heading: `${codeText(comparison.id)} against ${codeText(comparison.against)}`,
      verdict: verdictOf(comparison, whereText(manifest.comparisons[comparison.id]!, codeText), more),
      rows: outcomes.flatMap(({ column, level, quantile, answers }) =>
        answers.map((answer) => {
          const { from, to, difference, interval } = answerWords(answer)
          const outcome = `${codeText(column)} ${level === null ? numberWord(quantile) : codeText(level)}`
          const figures = [from, to, difference, interval || '–']
          return [outcome, codeText(answer.scenario), ...figures, markTexts(answer).join(', ')]
        }),
      ),
    }
  })
}

/** Names of columns are of unknown origin, and stand in a sentence. */
function verdictOf(comparison: ComparisonAnswers, where: string | null, more: number): string {
  const by = comparison.by === null ? null : codeText(comparison.by)
  const notCompared = comparison.notCompared.map(codeText)
  return [
    ...(where === null ? [] : [where]),
    verdictText(comparison),
    ...remainderTexts({ ...comparison, by, notCompared }, more),
  ]
    .map((text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`)
    .join(' ')
}

/** The same at the top of a report; nothing for a study without comparisons. */
export function answerSections(manifest: Manifest): string[] {
  return markdownAnswers(manifest).flatMap(({ heading, verdict, rows }) =>
    rows.length === 0
      ? [`## What ${heading} says`, '', verdict, '']
      : markdownTable(`What ${heading} says`, ANSWER_COLUMNS, ANSWER_NUMBERS, rows, verdict),
  )
}
