/**
 * Propensity score mean squared error (Woo and others 2009; Snoke, Raab, Nowok, Dibben, Slavković 2018): a logistic regression
 * guesses of each row whether it is synthetic, and pMSE is the mean squared distance of its guesses from the share of synthetic
 * rows, 0 when it sees no difference at all. If the model is right, then over samples of it
 *
 *   E[pMSE] = (k - 1) (1 - c)² c / N        standard deviation = sqrt(2 (k - 1)) (1 - c)² c / N
 *
 * N  rows, synthetic ones and those trained on     c  share of synthetic rows     k  parameters, the constant included
 *
 * The rows are those trained on, not those held out: the formula is of a sample against the rows that its model was fitted to.
 * The regression has a term for columns and for products of two columns; the latter are what a model loses that keeps each
 * column's distribution and weakens what columns have to do with each other.
 */

import type { JobKind } from '../threads/crew.ts'
import type { ComparedRows } from './compared-rows.ts'
import { logisticFit } from './logistic-fit.ts'
import { type PropensityContext, propensityTerms } from './propensity-terms.ts'
import { type Measured, type Propensity, unmeasured } from './quality.ts'

const MAX_PARAMETERS = 40
/** The formulas are of many rows per parameter. */
const ROWS_PER_PARAMETER = 20
/** Multiplications of a step of the fit. All rows take part, since the formula is of all rows that the model was fitted to. */
const STEP_BUDGET = 20_000_000

export function propensityContext(rows: ComparedRows): PropensityContext {
  const n = rows.rowCount.training + rows.rowCount.synthetic
  const affordable = Math.floor(Math.sqrt(STEP_BUDGET / n))
  const parameters = Math.max(2, Math.min(MAX_PARAMETERS, Math.floor(n / ROWS_PER_PARAMETER), affordable))
  return propensityTerms(rows, parameters - 1)
}

export const PROPENSITY_JOB: JobKind<PropensityContext, null, Measured<Propensity>> = {
  name: 'propensity',
  prepare: (context) => () => measurePropensity(context),
}

export function measurePropensity({ terms, design, labels }: PropensityContext): Measured<Propensity> {
  const n = labels.length
  const share = labels.reduce((sum, label) => sum + label, 0) / n
  const { guesses, rank } = logisticFit(design, labels, terms)
  if (rank < 2) return unmeasured('No column varies enough to tell rows apart by it.')
  const pmse = guesses.reduce((sum, guess) => sum + (guess - share) ** 2, 0) / n
  const perParameter = ((1 - share) ** 2 * share) / n
  return {
    pmse,
    expected: (rank - 1) * perParameter,
    deviation: Math.sqrt(2 * (rank - 1)) * perParameter,
    parameters: rank,
  }
}
