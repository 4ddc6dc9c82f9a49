/** The slides of a comparison: its verdict, each outcome with its differences and intervals, what is within chance, segments. */

import { answerSentence } from '../../answers/words/answer-sentence.ts'
import { type Answer, answerWords, type ComparisonAnswers, SCALES, unitText } from '../../answers/words/answer-text.ts'
import { answerNotes } from '../../answers/words/difference-text.ts'
import { leadingAnswers, remainderTexts, verdictText } from '../../answers/words/leading-answers.ts'
import { words } from '../../base/language/language.ts'
import { capital } from '../../base/text/capital.ts'
import { notesOf, outcomeText, withoutUnit } from '../html/answer-cells.ts'
import { grouped } from '../html/grouped.ts'
import type { DeckChart } from './chart.ts'
import { type RoundAxis, roundAxis } from './round-axis.ts'
import { parts, partText, type Slide, type SlideTable } from './slide.ts'

type NameOf = (scenario: string) => string

/** A sentence of a slide's title. */
export const titleOf = (answer: Answer, nameOf: NameOf): string =>
  answerSentence(answer, nameOf)
    .map(({ text }) => text)
    .join('')

/** @param isOne Whether the study has no other comparison. */
export function comparisonSlides(comparison: ComparisonAnswers, nameOf: NameOf, isOne: boolean): Slide[] {
  const told = comparison.answers.filter(({ difference, isAskedFor }) => difference !== null && !isAskedFor)
  const outcomes = outcomesOf(told)
  const moved = outcomes.filter((answers) => answers.some(({ beyond }) => beyond === true))
  const known = moved.length > 0 ? moved : told.some(({ beyond }) => beyond !== null) ? [] : outcomes
  const rest = outcomes.filter((answers) => !known.includes(answers))
  return [
    ...verdictSlide(comparison, nameOf, isOne),
    ...known.flatMap((answers) => outcomeSlides(answers, comparison, nameOf)),
    ...unmovedSlides(rest, comparison, nameOf, isOne),
    ...segmentSlides(comparison, nameOf),
  ]
}

/** Of two levels of a column the first is enough, because their shares add up to 1. */
function outcomesOf(answers: readonly Answer[]): Answer[][] {
  const inOrder = [...answers].sort((a, b) => a.place - b.place)
  const columns = grouped(inOrder, ({ column, level, quantile }) =>
    JSON.stringify(level === null ? [column, quantile] : [column]),
  )
  return [...columns.values()].flatMap((of) => {
    const levels = [...grouped(of, ({ level }) => JSON.stringify(level)).values()]
    return levels.length === 2 && of[0]!.level !== null ? levels.slice(0, 1) : levels
  })
}

function answerColumns(): SlideTable['columns'] {
  const { answers, deck } = words()
  const { outcome, scenario, difference, interval } = answers.heads
  return [
    { head: outcome, width: 0.3 },
    { head: scenario, width: 0.3 },
    { head: deck.answerSides, width: 0.16, align: 'right' },
    { head: difference, width: 0.12, align: 'right' },
    { head: interval, width: 0.12, align: 'right' },
  ]
}

function answerRow(answer: Answer, nameOf: NameOf): string[] {
  const { from, to, difference, interval } = answerWords(answer)
  const scenario = nameOf(answer.scenario)
  return [
    outcomeText(answer),
    answer.segment === null ? scenario : `${answer.segment}: ${scenario}`,
    `${from} → ${to}`,
    difference,
    interval === '' ? '–' : interval,
  ]
}

function verdictSlide(comparison: ComparisonAnswers, nameOf: NameOf, isOne: boolean): Slide[] {
  const { outcomes, more } = leadingAnswers(comparison.answers, { ofOutcome: 3, all: 12 })
  const rows = outcomes.flatMap(({ answers }) => answers.map((answer) => answerRow(answer, nameOf)))
  const found = capital(verdictText(comparison))
  const verdict = isOne ? found : words().deck.titleOf(found, comparison.id)
  const remainder = remainderTexts(comparison, more).map(words().figures.sentence)
  const notes = [...methodNotes(comparison), ...remainder]
  return [
    {
      title: verdict,
      body:
        rows.length === 0
          ? { kind: 'lines', lines: remainder }
          : { kind: 'table', table: { columns: answerColumns(), rows } },
      notes,
    },
  ]
}

/** What a speaker has to know of the figures of a comparison. */
export const methodNotes = ({ id, against, whereNote, questions }: ComparisonAnswers): string[] => [
  words().deck.comparison(id, against),
  ...(whereNote === null ? [] : [whereNote]),
  answerNotes()[0]!,
  ...(questions === null ? [] : [words().deck.judged]),
]

/** The furthest in the common direction first, as in the picture of the report. */
function inDirection(answers: readonly Answer[]): Answer[] {
  const sum = answers.reduce((all, { difference }) => all + (difference ?? 0), 0)
  const direction = sum < 0 ? -1 : 1
  return [...answers].sort((a, b) => direction * ((b.difference ?? 0) - (a.difference ?? 0)))
}

function outcomeSlides(answers: readonly Answer[], comparison: ComparisonAnswers, nameOf: NameOf): Slide[] {
  const { deck, figures } = words()
  const sorted = inDirection(answers)
  const axis = forestAxis(sorted)
  return parts(sorted).map((shown, i, all): Slide => {
    const first = shown.find(({ beyond }) => beyond === true)
    const part = partText(i, all.length)
    return {
      title:
        first === undefined
          ? `${words().deck.titleOf(outcomeText(shown[0]!), verdictText({ answers: shown, missing: [], questions: null }))}${part}`
          : `${titleOf(first, nameOf)}${part}`,
      body: { kind: 'forest', chart: forestChart(shown, axis, nameOf), table: forestTable(shown, nameOf) },
      notes: [
        `${figures.sentence(deck.forest(outcomeText(shown[0]!), comparison.against))}${figures.sentenceGap}${deck.forestColours}`,
        ...shown.flatMap((answer) => {
          const notes = notesOf(answer)
          return notes.length === 0
            ? []
            : [figures.sentence(`${nameOf(answer.scenario)}: ${notes.join(figures.comma)}`)]
        }),
        ...methodNotes(comparison),
      ],
    }
  })
}

/** All slides of an outcome have one axis. */
function forestAxis(answers: readonly Answer[]): RoundAxis {
  const scale = SCALES[answers[0]!.kind]
  const values = answers.flatMap(({ difference, interval }) => [difference ?? 0, ...(interval ?? [])])
  const [low, high] = [Math.min(0, ...values) * scale, Math.max(0, ...values) * scale]
  return roundAxis(low === high ? [-1, 1] : [low, high], 5)
}

function forestChart(answers: readonly Answer[], axis: RoundAxis, nameOf: NameOf): DeckChart {
  const scale = SCALES[answers[0]!.kind]
  const series = (name: string, look: 'beyond' | 'within', of: (answer: Answer) => boolean) => ({
    name,
    look,
    values: answers.map((answer) => (of(answer) && answer.difference !== null ? answer.difference * scale : null)),
    intervals: answers.map((answer) =>
      of(answer) && answer.interval !== null
        ? ([answer.interval[0] * scale, answer.interval[1] * scale] as const)
        : null,
    ),
  })
  const all = [
    series(capital(words().figures.beyondChance), 'beyond', ({ beyond }) => beyond === true),
    series(capital(words().firstScreen.withinOrNotKnown), 'within', ({ beyond }) => beyond !== true),
  ]
  const unit = unitText(answers[0]!.kind).trim()
  return {
    kind: 'forest',
    label: words().deck.forest(outcomeText(answers[0]!), answers[0]!.against),
    rows: answers.map(({ scenario }) => nameOf(scenario)),
    series: all.filter(({ values }) => values.some((value) => value !== null)),
    values: {
      format: `+${ticks(axis.ends)};\u2212${ticks(axis.ends)};0`,
      ...axis,
      ...(unit !== '' && { title: unit }),
    },
  }
}

/** As many decimals as ticks of such an axis have. */
export function ticks([low, high]: readonly [number, number]): string {
  const decimals = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(high - low || 1))))
  return decimals === 0 ? '#,##0' : `#,##0.${'#'.repeat(decimals)}`
}

function forestTable(answers: readonly Answer[], nameOf: NameOf): SlideTable {
  const { answers: say, deck } = words()
  return {
    columns: [
      { head: say.heads.scenario, width: 0.3 },
      { head: '', width: 0.34 },
      { head: deck.answerSides, width: 0.15, align: 'right' },
      { head: say.heads.difference, width: 0.1, align: 'right' },
      { head: say.heads.interval, width: 0.11, align: 'right' },
    ],
    rows: answers.map((answer) => {
      const [, , sides, difference, interval] = answerRow(answer, nameOf)
      return [nameOf(answer.scenario), '', sides!, withoutUnit(difference!), interval!]
    }),
  }
}

/** Outcomes of which no difference is beyond chance: the largest of each. */
function unmovedSlides(
  outcomes: readonly Answer[][],
  comparison: ComparisonAnswers,
  nameOf: NameOf,
  isOne: boolean,
): Slide[] {
  const strongest = outcomes.map((answers) => comparison.answers.find((answer) => answers.includes(answer))!)
  return parts(strongest).map((shown, i, all) => ({
    title: `${words().deck.unmoved(outcomes.length, isOne ? null : comparison.id)}${partText(i, all.length)}`,
    body: {
      kind: 'table',
      table: { columns: answerColumns(), rows: shown.map((answer) => answerRow(answer, nameOf)) },
    },
    notes: [words().deck.strongest, ...methodNotes(comparison)],
  }))
}

/** Slides of segments: the workbook has all of them. */
const MOST_SEGMENT_SLIDES = 3

function segmentSlides(comparison: ComparisonAnswers, nameOf: NameOf): Slide[] {
  const { segments, by } = comparison
  const told = segments.filter(({ difference, isAskedFor }) => difference !== null && !isAskedFor)
  const beyond = told.filter((answer) => answer.beyond === true)
  if (by === null || told.length === 0) return []
  const shown = beyond.length > 0 ? beyond : told.slice(0, MOST_SEGMENT_SLIDES)
  const title = capital(
    words().answers.verdicts.bySegments(by, verdictText({ answers: told, missing: [], questions: null })),
  )
  const all = parts(shown)
  return all.slice(0, MOST_SEGMENT_SLIDES).map((rows, i) => ({
    title: `${title}${partText(i, all.length)}`,
    body: { kind: 'table', table: { columns: answerColumns(), rows: rows.map((answer) => answerRow(answer, nameOf)) } },
    notes: [words().deck.segments, ...methodNotes(comparison)],
  }))
}
