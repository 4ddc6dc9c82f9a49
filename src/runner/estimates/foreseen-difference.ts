import { certaintyOf, type Figure } from '../../answers/arithmetic/intervals.ts'
import { knowledgeOf } from '../../answers/comparisons/differences.ts'
import type { DifferenceCertainty } from '../../records/manifest/differences.ts'
import type { RecordedEstimate, RecordedEstimates } from '../../records/state/estimates.ts'

/** The answer, which does not depend on the rows that are bought. */
export interface ForeseenDifference extends Omit<DifferenceCertainty, 'basis' | 'answer'> {
  readonly scenario: number
  readonly against: number
  readonly delta: number
  /** Of a mean of dates or times: figures are milliseconds since 1970, and differences milliseconds. */
  readonly kind?: 'date'
}

/** The answer of an estimate. `estimates` has the support of its sides. */
export function foreseenDifference(
  estimate: RecordedEstimate,
  estimates: RecordedEstimates,
  figure: Figure,
): ForeseenDifference {
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
