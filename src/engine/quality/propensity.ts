/** The regression that distinguishes synthetic rows from training rows. Its terms are columns and products of two columns. */

import type { JobKind } from '../threads/crew.ts'
import { sharedFloat64, sharedUint8 } from '../threads/shared-arrays.ts'
import { pairsOf } from './binned-pairs.ts'
import { type ComparedColumn, type ComparedRows, type Part, rankedColumns, SAME_MEASUREMENT } from './compared-rows.ts'
import { correlationReplicates } from './correlations.ts'
import { logisticFit } from './logistic-fit.ts'
import { type Measured, type Propensity, unmeasured } from './quality.ts'

/** Levels and missing values of less than this share of the rows get no term. */
const LEAST_SHARE = 0.02
/** Most terms of single columns. */
const SINGLE_SHARE = 0.5

/** Data that a thread needs for the regression. */
export interface PropensityContext {
  readonly terms: number
  /** Length N · terms, row after row; shared. */
  readonly design: Float64Array
  /** Length N, 1 = synthetic; shared. */
  readonly labels: Uint8Array
}

/** The contribution of a column: a value per number, from 0. */
interface Term {
  readonly column: ComparedColumn
  readonly scores: Float64Array
}

/** most  terms */
export function propensityTerms(rows: ComparedRows, most: number): PropensityContext {
  const leading = leadingTerms(rows)
  const single = spread([...leading, ...furtherTerms(rows)], leading.length, Math.ceil(SINGLE_SHARE * most))
  const products = strongestPairs(leading, most - single.length)
  const terms = single.length + products.length
  const { training, synthetic } = rows.rowCount
  const design = sharedFloat64((training + synthetic) * terms)
  const labels = sharedUint8(training + synthetic).fill(1, training)
  single.forEach((term, t) => {
    write(design, terms, t, bothParts(term))
  })
  products.forEach(([a, b], i) => {
    const [x, y] = [standardized(bothParts(a)), standardized(bothParts(b))]
    write(
      design,
      terms,
      single.length + i,
      x.map((value, row) => value * y[row]!),
    )
  })
  return { terms, design, labels }
}

/** One term of each column: its rank if its values are ordered, else whether it is the most frequent level. */
function leadingTerms(rows: ComparedRows): Term[] {
  const ranked = new Map(rankedColumns(rows).map(({ column, scores }) => [column, scores]))
  return rows.columns.map((column) => {
    const scores = ranked.get(column)?.map((score) => (Number.isNaN(score) ? 0 : score)) ?? isNumber(column, 1)
    return { column, scores }
  })
}

/** Further levels, and missing values. */
function furtherTerms({ columns, rowCount }: ComparedRows): Term[] {
  return columns.flatMap((column) => {
    const counts = new Int32Array(column.numberCount)
    for (const number of column.rows.training) counts[number]!++
    const isFrequent = (number: number) => counts[number]! >= LEAST_SHARE * rowCount.training
    const levels = column.scale === null ? Array.from({ length: column.numberCount }, (_, number) => number) : [0]
    return levels
      .filter((number) => number !== 1 && isFrequent(number))
      .map((number) => ({ column, scores: isNumber(column, number) }))
  })
}

const isNumber = ({ numberCount }: ComparedColumn, number: number) =>
  new Float64Array(numberCount).fill(1, number, number + 1)

/** The first `most` terms; if the leading ones are more than that, an even selection of them. */
function spread(terms: readonly Term[], leading: number, most: number): Term[] {
  if (leading <= most) return terms.slice(0, most)
  return Array.from({ length: most }, (_, i) => terms[Math.floor((i * leading) / most)]!)
}

/** The products whose columns are most strongly associated in the training rows. */
function strongestPairs(terms: readonly Term[], most: number): (readonly [Term, Term])[] {
  const values = terms.map((term) => valuesOf(term, 'training'))
  return pairsOf(terms.length)
    .map(([a, b]) => ({ a, b, size: Math.abs(correlationReplicates(values[a]!, values[b]!)[0]!) }))
    .filter(({ size }) => size ** 2 < SAME_MEASUREMENT)
    .sort((x, y) => y.size - x.size || x.a - y.a || x.b - y.b)
    .slice(0, most)
    .map(({ a, b }) => [terms[a]!, terms[b]!])
}

function valuesOf({ column, scores }: Term, part: Part): Float64Array {
  const rows = column.rows[part]
  const values = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) values[i] = scores[rows[i]!]!
  return values
}

/** Training rows, then synthetic ones. */
function bothParts(term: Term): Float64Array {
  const [training, synthetic] = [valuesOf(term, 'training'), valuesOf(term, 'synthetic')]
  const values = new Float64Array(training.length + synthetic.length)
  values.set(training)
  values.set(synthetic, training.length)
  return values
}

function write(design: Float64Array, terms: number, t: number, values: Float64Array): void {
  const of = standardized(values)
  for (let i = 0; i < of.length; i++) design[i * terms + t] = of[i]!
}

/** Scales to mean 0 and variance 1; all 0 if the values do not vary. */
function standardized(values: Float64Array): Float64Array {
  let sum = 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!
    squares += values[i]! * values[i]!
  }
  const mean = sum / values.length
  const variance = squares / values.length - mean * mean
  const scale = variance < 1e-12 ? 0 : 1 / Math.sqrt(variance)
  const of = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) of[i] = (values[i]! - mean) * scale
  return of
}

/**
 * Propensity score mean squared error (Woo and others 2009; Snoke, Raab, Nowok, Dibben, Slavković 2018): a logistic regression
 * estimates for each row the probability that it is synthetic. pMSE is the mean squared distance of these probabilities from the
 * share of synthetic rows, 0 if it sees no difference at all. If the model is right, then over samples of it
 *
 *   E[pMSE] = (k - 1) (1 - c)² c / N        standard deviation = sqrt(2 (k - 1)) (1 - c)² c / N
 *
 * N  rows, synthetic ones and training rows     c  share of synthetic rows     k  parameters, the constant included
 *
 * The real rows are the training rows, not those held out: the formula compares a sample with the rows that its model was fitted
 * to. The regression has terms for columns and for products of two columns. A model that keeps each column's distribution and
 * weakens the associations between columns loses the latter.
 */
const MAX_PARAMETERS = 40
/** The formulas hold for many rows per parameter. */
const ROWS_PER_PARAMETER = 20
/** Multiplications of a step of the fit. All rows take part, since the formula covers all rows that the model was fitted to. */
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
  if (rank < 2) return unmeasured('No column varies enough to distinguish rows.')
  const pmse = guesses.reduce((sum, guess) => sum + (guess - share) ** 2, 0) / n
  const perParameter = ((1 - share) ** 2 * share) / n
  return {
    pmse,
    expected: (rank - 1) * perParameter,
    deviation: Math.sqrt(2 * (rank - 1)) * perParameter,
    parameters: rank,
  }
}
