import { certaintyOf, type Figure } from '../../answers/arithmetic/intervals.ts'
import { knowledgeOf } from '../../answers/comparisons/differences.ts'
import type { ExpectedDifference } from '../../records/plan-estimates.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'

/** The answer of an estimate, which does not depend on the rows that are bought. `estimates` has the support of its sides. */
export function foreseenDifference(
  estimate: RecordedEstimate,
  estimates: RecordedEstimates,
  figure: Figure,
): ExpectedDifference {
  const {
    basis: _,
    answer: __,
    ...certainty
  } = certaintyOf(null, NO_ROWS, knowledgeOf({ estimates, evidence: null }, estimate), figure)
  const { scenario, against, difference } = estimate
  const { round } = figure
  return { scenario: round(scenario), against: round(against), delta: round(difference), ...certainty }
}

/** The answer does not depend on rows. */
const NO_ROWS = { scenario: { rows: 0, variance: null }, against: { rows: 0, variance: null } }
