import { largestBeyondChance } from '../answers/arithmetic/beyond-chance.ts'
import { twoSidedP } from '../answers/arithmetic/student-t.ts'
import { answerWords, SCALES } from '../answers/words/answer-text.ts'
import { differenceMarks } from '../answers/words/difference-text.ts'
import { countText } from '../base/text/amount-text.ts'
import type { RecordedEstimate, RecordedEstimates } from '../records/state/estimates.ts'
import { beyondText } from '../report/html/answer-cells.ts'
import { estimateOf, kindOf } from '../runner/estimates/figure-estimates.ts'
import { foreseenDifference } from '../runner/estimates/foreseen-difference.ts'
import type { NamedFigure } from '../runner/estimates/named-figure.ts'
import { setColumns } from './explored.ts'
import type { Conditions, ExploredAnswer } from './wire/messages.ts'

/** Figures, and the estimates that have them: of all rows, or of those of a segment. */
export interface EstimatedFigures {
  readonly figures: readonly NamedFigure[]
  readonly estimates: RecordedEstimates
}

/**
 * Figures in the report's words, by the estimates that have them. All that stands on the page at one time is judged together, as
 * `whatif sensitivity` judges its levers.
 */
export function answerRows(asked: readonly EstimatedFigures[], conditions: Conditions): ExploredAnswer[][] {
  const set = setColumns(conditions)
  const found = asked.map(({ figures, estimates }) => figures.flatMap((figure) => foundOf(figure, estimates, set)))
  const most = largestBeyondChance(found.flat().flatMap(({ p }) => (p === null ? [] : [p])))
  return found.map((rows, i) => rows.map((row) => answerOf(row, asked[i]!.estimates, most)))
}

type Found = NonNullable<ReturnType<typeof foundOf>[number]>

function foundOf(figure: NamedFigure, estimates: RecordedEstimates, set: ReadonlySet<string>) {
  const estimate = estimateOf(estimates, figure)
  if (estimate === null) return []
  const isAskedFor = set.has(figure.column.name)
  const foreseen = foreseenDifference(estimate, estimates, kindOf(figure))
  const { interval, standard_error: error, delta } = foreseen
  const p = isAskedFor || interval === null || error === null ? null : chanceOf(delta, error, estimate)
  return [{ figure, isAskedFor, p, ...foreseen }]
}

/** @param most The largest p beyond chance. */
function answerOf(
  { figure: { column, level, quantile }, isAskedFor, p, scenario, against, delta, interval, ...certainty }: Found,
  estimates: RecordedEstimates,
  most: number,
): ExploredAnswer {
  const kind = level !== null ? 'share' : column.format === undefined ? 'number' : 'date'
  const { standard_error: standardError } = certainty
  const words = answerWords({
    ...{ column: column.name, level, kind, from: against, to: scenario, difference: delta, inRows: null },
    ...{ interval, standardError },
  })
  const base = estimates.bases.find(([of]) => of === column.name)?.[1].scenario.rows ?? null
  const scale = SCALES[kind]
  return {
    column: column.name,
    level,
    ...(quantile !== undefined && { quantile }),
    ...{ from: words.from, to: words.to, difference: words.difference, interval: words.interval },
    beyond: beyondText({ beyond: p === null ? null : p <= most }),
    base: base === null ? null : countText(base),
    marks: differenceMarks({ ...certainty, ...(isAskedFor && { asked_for: true as const }) }),
    drawn:
      interval === null ? null : { difference: delta * scale, low: interval[0] * scale, high: interval[1] * scale },
  }
}

const chanceOf = (delta: number, error: number, { degreesOfFreedom }: RecordedEstimate): number =>
  error === 0 ? (delta === 0 ? 1 : 0) : twoSidedP(delta / error, degreesOfFreedom)
