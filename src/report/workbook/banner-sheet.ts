import { type Answer, answersByScenario, type ComparisonAnswers } from '../../answers/words/answer-text.ts'
import { verdictText } from '../../answers/words/leading-answers.ts'
import { numberWord } from '../../answers/words/quantile-text.ts'
import { words } from '../../base/language/language.ts'
import { labelText } from '../../base/text/label-text.ts'
import type { ComparisonResult, OutcomeBase } from '../../records/manifest/comparisons.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import { own, scenarioNames } from '../scenario-names.ts'
import { sideCell } from './figure-format.ts'
import { type BannerColumn, lettersOf } from './letters.ts'
import {
  BOLD,
  columnLetters,
  EMPTY,
  HEAD,
  LETTERS,
  NOTE,
  number,
  RIGHT,
  type SheetLayout,
  type StyledCell,
  TITLE,
  text,
} from './sheet.ts'

/** Two columns of the sheet: the figures, and their letters. */
interface Shown extends BannerColumn {
  /** By outcome: its answer, and the side that this column shows. */
  readonly figures: ReadonlyMap<string, { readonly answer: Answer; readonly side: 'from' | 'to' }>
  /** By column of the data: the rows behind its figures. */
  readonly bases: ReadonlyMap<string, OutcomeBase['scenario']>
}

/** `lift against base`. */
export const againstText = ({ id, against }: Pick<ComparisonAnswers, 'id' | 'against'>): string =>
  words().tables.leading.of(id, against).join('')

/** Rows of heads: title, verdict, where, the banner's three. */
const HEAD_ROWS = 6

/**
 * The banner table of a comparison: its outcomes by the baseline and the scenarios, among all rows and then inside each segment, with
 * the rows behind them.
 *
 * @param all Of all comparisons: they may hold scenarios of this one side by side.
 */
export function bannerSheet(
  manifest: Manifest,
  answers: ComparisonAnswers,
  all: readonly ComparisonAnswers[],
  name: string,
): SheetLayout {
  const { by, where } = answers
  const { workbook: say } = words()
  const columns = shownColumns(manifest, answers)
  const letters = lettersOf(
    columns,
    all.filter((one) => one.where === where).flatMap((one) => [...one.answers, ...one.segments]),
  )
  const nameOf = scenarioNames(manifest)
  const questions = questionsOf(answers)
  const labels = labelsOf(manifest, answers)
  return {
    name,
    widths: [30, 22, ...columns.flatMap(() => [12, 6])],
    frozen: { rows: HEAD_ROWS, columns: 2 },
    merges: columns.flatMap((_, i) => [
      { row: HEAD_ROWS - 2, column: 2 + 2 * i, columns: 2 },
      { row: HEAD_ROWS - 1, column: 2 + 2 * i, columns: 2 },
    ]),
    rows: [
      [text(againstText(answers), TITLE)],
      [text(verdictText(answers), NOTE)],
      [text(where === null ? say.allRows : say.rowsWith(where), NOTE)],
      [
        EMPTY,
        EMPTY,
        ...columns.flatMap(({ segment }, i) => [segmentHead(segment, by, columns[i - 1]?.segment), EMPTY]),
      ],
      [
        text(say.heads.question, BOLD),
        text(say.heads.answer, BOLD),
        ...columns.flatMap(({ scenario }) => [text(nameOf(scenario), HEAD), EMPTY]),
      ],
      [EMPTY, EMPTY, ...columns.flatMap(({ letter }) => [text(`(${letter})`, HEAD), EMPTY])],
      ...questions.flatMap(([column, outcomes]) => [
        [text(labels(column), BOLD)],
        baseRow(say.base, columns, column, ({ rows }) => rows),
        baseRow(say.effectiveBase, columns, column, ({ effective_rows: rows }) => rows),
        ...outcomes.map((outcome) => [
          EMPTY,
          text(outcome.level ?? numberWord(outcome.quantile)),
          ...columns.flatMap((shown) => {
            const found = shown.figures.get(outcomeKey(outcome))
            return found === undefined
              ? [text('–', RIGHT), EMPTY]
              : [sideCell(found.answer, found.side), text(letters(outcome, shown), LETTERS)]
          }),
        ]),
      ]),
    ],
  }
}

/** Named at the first of its columns. */
function segmentHead(segment: string | null, by: string | null, before: string | null | undefined): StyledCell {
  if (by === null || segment === before) return EMPTY
  return text(segment === null ? words().workbook.all : `${by}: ${segment}`, BOLD)
}

const baseRow = (
  title: string,
  columns: readonly Shown[],
  column: string,
  rowsOf: (base: OutcomeBase['scenario']) => number | undefined,
): StyledCell[] => [
  EMPTY,
  text(title, NOTE),
  ...columns.flatMap(({ bases }) => {
    const base = bases.get(column)
    return [number(base === undefined ? null : rowsOf(base), '#,##0', NOTE), EMPTY]
  }),
]

function shownColumns(manifest: Manifest, { id, against, answers, segments }: ComparisonAnswers): Shown[] {
  const { scenarios } = manifest.comparisons[id]!
  const groups = [
    { segment: null, own: answers, resultOf: (result: ComparisonResult) => result },
    ...segmentLevels(scenarios).map((level) => ({
      segment: level,
      own: segments.filter(({ segment }) => segment === level),
      resultOf: (result: ComparisonResult) => result.segments?.find((one) => one.level === level),
    })),
  ]
  const shown: Omit<Shown, 'letter'>[] = groups.flatMap(({ segment, own: found, resultOf }) => {
    const byScenario = answersByScenario(found)
    const results = Object.entries(scenarios).map(([scenario, result]) => [scenario, resultOf(result)?.bases] as const)
    return [
      {
        scenario: against,
        segment,
        figures: new Map(found.map((answer) => [outcomeKey(answer), { answer, side: 'from' as const }])),
        bases: basesOf(results.find(([, bases]) => bases !== undefined)?.[1], 'against'),
      },
      ...results.map(([scenario, bases]) => ({
        scenario,
        segment,
        figures: new Map(
          (byScenario.get(scenario) ?? []).map((answer) => [outcomeKey(answer), { answer, side: 'to' as const }]),
        ),
        bases: basesOf(bases, 'scenario'),
      })),
    ]
  })
  return shown.map((column, i) => ({ ...column, letter: columnLetters(i) }))
}

const segmentLevels = (scenarios: Readonly<Record<string, ComparisonResult>>): string[] => [
  ...new Set(Object.values(scenarios).flatMap(({ segments = [] }) => segments.map(({ level }) => level))),
]

const basesOf = (bases: ComparisonResult['bases'] = {}, side: 'scenario' | 'against') =>
  new Map(Object.entries(bases).map(([column, of]) => [column, of[side]]))

/** The outcomes of each column, in the sequence of study and data. */
function questionsOf({ answers }: ComparisonAnswers): [column: string, outcomes: readonly Answer[]][] {
  const outcomes = new Map<string, Answer>()
  for (const answer of [...answers].sort((a, b) => a.place - b.place)) {
    const key = outcomeKey(answer)
    if (!outcomes.has(key)) outcomes.set(key, answer)
  }
  const found = new Map<string, Answer[]>()
  for (const answer of outcomes.values()) {
    const known = found.get(answer.column)
    if (known === undefined) found.set(answer.column, [answer])
    else known.push(answer)
  }
  return [...found]
}

/** `intent: How likely are you to buy …?` where the seed file says what the column means. */
function labelsOf(manifest: Manifest, { against }: ComparisonAnswers): (column: string) => string {
  const labels = own(manifest.datasets, own(manifest.scenarios, against)?.dataset ?? '')?.labels ?? {}
  return (column) => {
    const raw = own(labels, column)
    const label = raw === undefined ? undefined : labelText(raw)
    return label === undefined ? column : `${column}: ${label}`
  }
}

const outcomeKey = ({ column, level, quantile }: Pick<Answer, 'column' | 'level' | 'quantile'>): string =>
  JSON.stringify([column, level, quantile])
