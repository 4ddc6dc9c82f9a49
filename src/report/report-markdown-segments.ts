import { type Answer, answersByScenario, answerWords, markTexts, UNITS } from '../answers/words/answer-text.ts'
import { BASIS_WORDS, NO_ESTIMATES_WORDS } from '../answers/words/difference-text.ts'
import { numberWord } from '../answers/words/quantile-text.ts'
import { countText } from '../base/text/amount-text.ts'
import type { ManifestComparison, SegmentResult } from '../records/manifest/comparisons.ts'
import { codeText, markdownTable } from './markdown-text.ts'

const NONE = '–'

const NOTE = [
  'Each difference is that of the seed’s rows in a segment, with the weights of the whole scenarios and its own 95 % interval. “In the rows” is the one among the generated rows of the segment, which are less near to the answers than all rows are.',
  'With shares of the segments’ own column, a scenario has more or fewer rows of a segment, and the same mix inside of it.',
].join(' ')

const RIGHT = ['Rows against', 'Rows', 'Against', 'Found', 'Difference', '95 % interval', 'In the rows']

/** The differences inside the segments of a comparison; nothing without segments. `answers`: of all segments. */
export function segmentTable(id: string, { by, scenarios }: ManifestComparison, answers: readonly Answer[]): string[] {
  const byScenario = answersByScenario(answers)
  const rows = Object.entries(scenarios).flatMap(([scenario, { segments = [] }]) => {
    const own = byScenario.get(scenario) ?? []
    return segments.flatMap((segment) => {
      const inside = own.filter((answer) => answer.segment === segment.level)
      return segmentRows(segment, inside).map((cells) => [codeText(scenario), codeText(segment.level), ...cells])
    })
  })
  return markdownTable(
    `Comparison ${codeText(id)} inside each ${codeText(by ?? '')}`,
    ['Scenario', 'Segment', ...RIGHT.slice(0, 2), 'Column', 'Level', ...RIGHT.slice(2), 'Interval rests on', 'Marks'],
    RIGHT,
    rows,
    NOTE,
  )
}

function segmentRows({ rows, no_estimates: why }: SegmentResult, answers: readonly Answer[]): string[][] {
  const sizes = [countText(rows.against), countText(rows.scenario)]
  const empty = emptyText(rows)
  if (empty !== null) return [[...sizes, ...Array<string>(8).fill(NONE), empty]]
  return answers.map((answer) => {
    const { figures, marks } = answerCells(answer)
    const what = answer.level === null ? numberWord(answer.quantile) : codeText(answer.level)
    return [...sizes, codeText(answer.column), what, ...figures, basisCell(answer, why), marks]
  })
}

/** An answer's cells: from, to, difference, interval, in the rows; and its marks. */
export function answerCells(answer: Answer): { readonly figures: readonly string[]; readonly marks: string } {
  const { from, to, difference, interval, inRows } = answerWords(answer)
  const rows = inRows === '' ? NONE : `${inRows}${UNITS[answer.kind]}`
  return { figures: [from, to, difference, interval || NONE, rows], marks: markTexts(answer).join(', ') }
}

/** What an answer's interval rests on, and why it is not the seed. */
export function basisCell({ basis }: Answer, why: SegmentResult['no_estimates']): string {
  if (basis === null) return NONE
  return basis === 'seed' || why === undefined
    ? BASIS_WORDS[basis]
    : `${BASIS_WORDS[basis]}: ${NO_ESTIMATES_WORDS[why]}`
}

/** Why a segment has no difference; null when both sides have rows. */
function emptyText({ scenario, against }: SegmentResult['rows']): string | null {
  if (scenario > 0 && against > 0) return null
  if (scenario > 0) return 'the baseline has no rows here'
  return against > 0 ? 'the scenario has no rows here' : 'neither side has rows here'
}

/** A figure with the digits that a reader needs; the manifest and CSV have all. Four decimals, or four digits below 1. */
export const readable = (figure: number): number =>
  Number(Math.abs(figure) < 1 ? figure.toPrecision(4) : figure.toFixed(4))

/** A readable figure. Of a date: the moment, to the second. */
export function figureOrMoment(figure: number | null | undefined, isDate: boolean): string {
  if (figure == null) return NONE
  const moment = new Date(figure)
  if (!isDate || Number.isNaN(moment.getTime())) return String(readable(figure))
  return moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
