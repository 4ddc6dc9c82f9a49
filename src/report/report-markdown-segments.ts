import { countText } from '../base/text/amount-text.ts'
import type { SegmentResult } from '../manifest/difference-records.ts'
import type { ManifestComparison } from '../manifest/manifest.ts'
import { BASIS_WORDS, NO_ESTIMATES_WORDS, type ReportedDifference, reportedDifference } from './difference-text.ts'
import { codeText, markdownTable } from './markdown-text.ts'

const NONE = '–'

const NOTE = [
  'Each difference is the one among the rows of a segment, with its own 95 % interval. Of 20 intervals one misses the truth, so of many segments some show a difference that is not there.',
  'With shares of the segments’ own column, a scenario has more or fewer rows of a segment, and the same mix inside of it.',
].join(' ')

const RIGHT = ['Rows against', 'Rows', 'Against', 'Found', 'Difference', '95 % interval', 'Seed']

/** The differences inside the segments of a comparison; nothing without segments. */
export function segmentTable(id: string, { by, scenarios }: ManifestComparison): string[] {
  const rows = Object.entries(scenarios).flatMap(([scenario, { segments = [] }]) =>
    segments.flatMap((segment) =>
      segmentRows(segment).map((cells) => [codeText(scenario), codeText(segment.level), ...cells]),
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

function segmentRows({ rows, shares, means, no_estimates: why }: SegmentResult): string[][] {
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
    reported.seed || NONE,
    basisOf(reported, why),
    reported.marks.join(', '),
  ]
  return [
    ...Object.entries(shares).flatMap(([column, levels]) =>
      Object.entries(levels).map(([level, pair]) =>
        line(codeText(level), [String(pair.against), String(pair.scenario)], reportedDifference(column, level, pair)),
      ),
    ),
    ...Object.entries(means).map(([column, pair]) =>
      line('mean', [text(pair.against?.mean), text(pair.scenario?.mean)], reportedDifference(column, null, pair)),
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

const text = (figure: number | null | undefined): string => (figure == null ? NONE : String(figure))
