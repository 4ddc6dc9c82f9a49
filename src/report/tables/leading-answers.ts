import { answerWords, type ComparisonAnswers, comparisonAnswers, markTexts } from '../../answers/words/answer-text.ts'
import { leadingAnswers, remainderTexts, verdictText } from '../../answers/words/leading-answers.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { type Block, heading, note, only, type Table, table, worded } from '../../base/document/block.ts'
import { codeText } from '../../base/document/markdown-blocks.ts'
import { markdown, name, type Text, text } from '../../base/document/text.ts'
import { words } from '../../base/language/language.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'

/** Rows of one outcome, and of one comparison; the rest is counted. */
const MOST = { ofOutcome: 5, all: 40 }

/** What a comparison answers, for Markdown. */
export interface LeadingAnswersOf {
  /** `lift` against `base`. */
  readonly of: Text
  /** `11 of 20 differences are beyond chance.` and what the rows leave out. */
  readonly verdict: Text
  /** The strongest answers of each outcome. */
  readonly table: Table
}

export function leadingAnswersOf(manifest: Manifest): LeadingAnswersOf[] {
  return comparisonAnswers(manifest).map((comparison) => {
    const { outcomes, more } = leadingAnswers(comparison.answers, MOST)
    const { leading } = words().tables
    const { heads } = words().answers
    const of: Text = leading.of<Text>(name(comparison.id), name(comparison.against))
    const rows = outcomes.flatMap(({ column, level, quantile, answers }) =>
      answers.map((answer) => {
        const { from, to, difference, interval } = answerWords(answer)
        const outcome = text`${name(column)} ${level === null ? numberWord(quantile) : name(level)}`
        return [
          outcome,
          name(answer.scenario),
          from,
          to,
          difference,
          interval || '–',
          markTexts(answer).join(words().figures.comma),
        ]
      }),
    )
    return {
      of,
      verdict: verdictOf(comparison, more),
      table: table(
        leading.title<Text>(of),
        [
          heads.outcome,
          worded(heads.scenario),
          heads.from,
          heads.to,
          heads.difference,
          heads.interval,
          worded(heads.marks),
        ],
        rows,
      ),
    }
  })
}

/** Names of columns are of unknown origin, and stand in a sentence. */
function verdictOf(comparison: ComparisonAnswers, more: number): Text {
  const { where, whereRows } = comparison
  const by = comparison.by === null ? null : codeText(comparison.by)
  const notCompared = comparison.notCompared.map(codeText)
  const texts = [
    ...(where === null ? [] : [words().answers.countedIn(codeText(where), whereRows)]),
    verdictText(comparison),
    ...remainderTexts({ ...comparison, by, notCompared }, more),
  ]
  return markdown(texts.map(words().figures.sentence).join(words().figures.sentenceGap))
}

/** The same for a report in Markdown; nothing for a study without comparisons. */
export const leadingBlocks = (manifest: Manifest): Block[] =>
  leadingAnswersOf(manifest).flatMap(({ verdict, table: of }): Block[] =>
    of.rows.length === 0
      ? [only('text', heading(of.title)), only('text', note(verdict))]
      : [{ ...of, only: 'text', notes: [note(verdict)] }],
  )
