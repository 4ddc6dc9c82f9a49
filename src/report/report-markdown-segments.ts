import { countText } from '../base/text/amount-text.ts'
import type { ManifestComparison, SegmentResult } from '../records/manifest/comparisons.ts'
import type { MeanDifference, ShareDifference } from '../records/manifest/differences.ts'
import { BASIS_WORDS, NO_ESTIMATES_WORDS, type ReportedDifference, reportedDifference } from './difference-text.ts'
import { codeText, markdownTable } from './markdown-text.ts'

const NONE = '–'

const NOTE = [
  'Each difference is that of the seed’s rows in a segment, with the weights of the whole scenarios and its own 95 % interval. “In the rows” is the one among the generated rows of the segment, which are less near to the answers than all rows are.',
  'With shares of the segments’ own column, a scenario has more or fewer rows of a segment, and the same mix inside of it.',
].join(' ')

const RIGHT = ['Rows against', 'Rows', 'Against', 'Found', 'Difference', '95 % interval', 'In the rows']

/** The differences inside the segments of a comparison; nothing without segments. */
export function segmentTable(
  id: string,
  { by, scenarios }: ManifestComparison,
  isDate: (column: string) => boolean,
): string[] {
  const rows = Object.entries(scenarios).flatMap(([scenario, { segments = [] }]) =>
    segments.flatMap((segment) =>
      segmentRows(segment, isDate).map((cells) => [codeText(scenario), codeText(segment.level), ...cells]),
    ),
  )
  return markdownTable(
    `Comparison ${codeText(id)} inside each ${codeText(by ?? '')}`,
    ['Scenario', 'Segment', ...RIGHT.slice(0, 2), 'Column', 'Level', ...RIGHT.slice(2), 'Interval rests on', 'Marks'],
    RIGHT,
    rows,
    NOTE,
  )
}

function segmentRows(
  { rows, shares, means, no_estimates: why }: SegmentResult,
  isDate: (column: string) => boolean,
): string[][] {
  const sizes = [countText(rows.against), countText(rows.scenario)]
  const empty = emptyText(rows)
  if (empty !== null) return [[...sizes, ...Array<string>(8).fill(NONE), empty]]
  const line = (what: string, sides: readonly [string, string], reported: ReportedDifference) => [
    ...sizes,
    codeText(reported.column),
    what,
    ...sides,
    reported.difference,
    reported.interval || NONE,
    reported.inRows || NONE,
    basisOf(reported, why),
    reported.marks.join(', '),
  ]
  return [
    ...Object.entries(shares).flatMap(([column, levels]) =>
      Object.entries(levels).map(([level, pair]) =>
        line(codeText(level), shareTexts(pair), reportedDifference(column, level, pair)),
      ),
    ),
    ...Object.entries(means).map(([column, pair]) =>
      line('mean', meanTexts(pair, isDate(column)), reportedDifference(column, null, pair, isDate(column))),
    ),
  ]
}

/** Why a segment has no difference; null when both sides have rows. */
function emptyText({ scenario, against }: SegmentResult['rows']): string | null {
  if (scenario > 0 && against > 0) return null
  if (scenario > 0) return 'the baseline has no rows here'
  return against > 0 ? 'the scenario has no rows here' : 'neither side has rows here'
}

function basisOf({ basis }: ReportedDifference, why: SegmentResult['no_estimates']): string {
  if (basis === null) return NONE
  return basis === 'seed' || why === undefined
    ? BASIS_WORDS[basis]
    : `${BASIS_WORDS[basis]}: ${NO_ESTIMATES_WORDS[why]}`
}

/** The shares of both sides, baseline first: the answer's, or those of the rows. */
export const shareTexts = ({ answer, against, scenario }: ShareDifference): readonly [string, string] => [
  String(answer?.against ?? against),
  String(answer?.scenario ?? scenario),
]

/** The means of both sides likewise. */
export const meanTexts = (
  { answer, against, scenario }: MeanDifference,
  isDate: boolean,
): readonly [string, string] => [
  figureOrMoment(answer?.against ?? against?.mean, isDate),
  figureOrMoment(answer?.scenario ?? scenario?.mean, isDate),
]

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
